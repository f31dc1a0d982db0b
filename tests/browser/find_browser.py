"""Where the browser for these tests is; a missing one is a failure that says what to run, never a skip."""

from __future__ import annotations

import os
import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "The browser tests need Chromium. Run: apt-get install chromium   (or set CHROMIUM to the path of one)"
# Chromium as root, in a container, without talking to anybody.
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_browser() -> str:
    """The path of Chromium."""
    found = os.environ.get("CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
    if not found:
        raise SystemExit(MISSING)
    return found


if __name__ == "__main__":
    sys.stdout.write(find_browser() + "\n")
