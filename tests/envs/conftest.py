"""OpenSpiel's Python brings absl's log handler, which keeps the error stream of the moment of import and closes it with all handlers.

That stream is pytest's own while tests are collected; when a server then sets its logging up anew, nothing could be captured any more.
"""

from __future__ import annotations

import sys

from absl import logging

logging.get_absl_handler().python_handler.stream = sys.__stderr__
