"""The terminal: a table in text, here or on a server; recorded games; progress of long work."""

from .local import play
from .prompt import HELP, Terminal
from .shown import show_moment, show_record, show_replay

__all__ = ["HELP", "Terminal", "play", "show_moment", "show_record", "show_replay"]
