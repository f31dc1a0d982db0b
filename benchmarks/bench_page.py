"""How the page does in Lighthouse's eyes (`drunemeton bench page`): mobile preset, median of five, lobby and each game's table.

Lighthouse slows the processor down four times and judges by the clock: on a machine that does other work besides, its figures say little.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from drunemeton.client import make_table
from drunemeton.rules.game import find_game, playable

from .bench_server import install_peer, running
from .rows import Measured, said

TIMES = 5
FOLDER = Path(__file__).parent / "page"
BARS = {"accessibility": 100, "performance": 95, "best-practices": 95}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SCRIPTS_KB = 120
AGAIN = 2
_SCRIPT = re.compile(r'(?:src|href)="(/assets/[^"]+\.js)"')
_AHEAD = re.compile(r"const ahead = (\{.*\})")


def judge(folder: Path, address: str) -> dict[str, float]:
    """Lighthouse's scores of one page, of a hundred. A run that Lighthouse itself could not finish is made again."""
    chrome = os.environ.get("CHROMIUM") or next((path for name in BROWSERS if (path := shutil.which(name))), "")
    command = ["node", "node_modules/lighthouse/cli/index.js", address, "--output=json", "--quiet", f"--only-categories={','.join(BARS)}"]
    flags = "--chrome-flags=--headless=new --no-sandbox"
    for _ in range(1 + AGAIN):
        # Into a file: what it writes to a pipe may be cut off when it ends.
        with tempfile.TemporaryDirectory() as room:
            report = Path(room) / "report.json"
            subprocess.run(
                [*command, flags, f"--output-path={report}"],
                cwd=folder,
                capture_output=True,
                check=False,
                timeout=180,
                env={**os.environ, "CHROME_PATH": chrome},
            )
            found: dict[str, Any] = (
                json.loads(report.read_text(encoding="utf-8")) if report.is_file() else {"runtimeError": {"code": "no report"}}
            )
        if "runtimeError" not in found:
            return {name: 100 * category["score"] for name, category in found["categories"].items()}
    raise RuntimeError(f"Lighthouse could not judge {address}: {found['runtimeError']['code']}")


def first_scripts(url: str) -> float:
    """Kilobytes of JavaScript, compressed, that the first page asks for: its own and those that it sends for, with the largest language."""

    def read(path: str) -> bytes:
        with urllib.request.urlopen(url + path, timeout=30) as answer:
            return bytes(answer.read())

    page = read("/").decode()
    ahead = _AHEAD.search(page)
    if ahead is None:
        raise RuntimeError("the page does not say what it sends for")
    sent_for = json.loads(ahead[1])
    largest = max(sent_for["words"].values(), key=lambda files: sum(len(read(path)) for path in files))
    scripts = {*_SCRIPT.findall(page), *(path for path in (*sent_for["pages"][""], *largest) if path.endswith(".js"))}
    return sum(len(gzip.compress(read(path))) for path in scripts) / 1000


def measure() -> list[Measured]:
    """A row for each page and category, and one for the size of the scripts."""
    folder = install_peer(FOLDER)
    rows: list[Measured] = []
    with running() as server:
        size = first_scripts(server.url)
        rows.append(said("JavaScript of the first page, kB gzipped", round(size, 1), bar=f"<= {SCRIPTS_KB}", holds=size <= SCRIPTS_KB))
        if folder is None:
            return [*rows, said("Lighthouse", None, bar="needs node and npm")]
        pages = {"lobby": server.url}
        for name in playable():
            seats = [{"kind": "person", "name": "Ada"}] + [{"kind": "bot", "bot": "greedy"}] * (find_game(name).players[0] - 1)
            made = make_table(server.url, name, seats)
            pages[f"table of {name}"] = f"{server.url}/t/{made['table']}#{made['keys'][0]}"
        for page, address in pages.items():
            scores = [judge(folder, address) for _ in range(TIMES)]
            for category, bar in BARS.items():
                runs = [score[category] for score in scores]
                figure = statistics.median(runs)
                what = f"{page}, {category}, median of {' '.join(f'{run:.0f}' for run in runs)}"
                rows.append(said(what, round(figure, 1), bar=f">= {bar}", holds=figure >= bar))
    return rows
