"""Where the browser for these tests is; a missing one is a failure that says what to run, never a skip.

`python find_browser.py --install` gets one if there is none: Playwright's own, or Debian's package when root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

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


def look() -> str | None:
    """The path of Chromium: the one that was named, an installed one, or Playwright's own."""
    installed = os.environ.get("CHROMIUM") or next((path for name in NAMES if (path := shutil.which(name))), None)
    if installed:
        return installed
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).is_file() else None


def find_browser() -> str:
    """The path of Chromium."""
    found = look()
    if not found:
        raise SystemExit(MISSING)
    return found


def install() -> None:
    """Get a Chromium where there is none."""
    ways = [[[sys.executable, "-m", "playwright", "install", "chromium"]]]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        ways.insert(0, [["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"]])
    for way in ways:
        if look():
            return
        for command in way:
            subprocess.run(command, check=False, stdout=sys.stderr, timeout=600, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})


if __name__ == "__main__":
    if "--install" in sys.argv and not look():
        install()
    sys.stdout.write(find_browser() + "\n")
