"""`drunemeton bench lab`: the laboratory beside `simulate`, what pairing saves, planted changes, and the page's first chart."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from drunemeton import lab
from drunemeton.bots.match import Match
from drunemeton.bots.simulation import simulate
from drunemeton.lab.running import Run, beside
from drunemeton.rules.game import find_game, playable

from .bars import ANY_GAME, KNOBS
from .planted import false_findings, found, plantings
from .rows import Measured, row, said

GAMES, PROCESSES, DEALS = 10_000, 2, 150


def measure() -> list[Measured]:
    """All rows."""
    game = find_game(ANY_GAME)
    players = ["greedy"] * 2
    match = Match(game, players)
    match.warm()
    began = time.perf_counter()
    simulate(match, GAMES, 1, processes=PROCESSES)
    alone = time.perf_counter() - began
    run = Run(lab.new(game.name, players, deals=GAMES), processes=PROCESSES)
    for table in run.tables:
        table.warm()
    began = time.perf_counter()
    run.run()
    rows = [row(f"{GAMES} greedy games on two cores, all measures: times simulate", (time.perf_counter() - began) / alone, below=2)]
    compared = lab.run(lab.new(game.name, players, KNOBS, deals=500), processes=PROCESSES)
    for n, setting in enumerate(compared.settings[1:], 1):
        saved = compared.difference(n, "length.turns")["pairing"]
        rows.append(row(f"unpaired deals for the same interval of the turns, {setting['name']}: times as many", saved or 0.0))
    rows.append(_same())
    rows.append(row("/lab in Chromium: seconds from pressing run to the first chart with intervals, warm", _first_chart(), below=3))
    planted = plantings(game)
    named = sum(found(game, one, DEALS, 1 + 10_000 * n, processes=PROCESSES) for n, one in enumerate(planted))
    rows.append(said("planted changes found and named", f"{named} of {len(planted)}", bar="all of 20", holds=named == len(planted) == 20))
    wrong = sum(false_findings(game, DEALS, 1 + 10_000 * n, n + 1, processes=PROCESSES) > 0 for n in range(20))
    rows.append(said("experiments without a change that find one", f"{wrong} of 20", bar="0 of 20", holds=wrong == 0))
    return rows


def _first_chart() -> float:
    """The slowest of three runs in a browser, each of another game, after each has been run once."""
    from playwright.sync_api import sync_playwright

    from tests.browser.find_browser import ARGS, find_browser
    from tests.browser.serving import serving

    worst = 0.0
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address, sync_playwright() as player:
        page = player.chromium.launch(executable_path=find_browser(), args=ARGS).new_page(base_url=address)
        for again in range(2):
            for game in playable():
                page.goto("/lab")
                page.locator("[data-game]").select_option(game)
                page.wait_for_timeout(3000)  # somebody who reads what there is
                began = time.perf_counter()
                page.locator("[data-run]").click()
                page.locator("[data-chart]").first.wait_for(timeout=240_000)
                worst = max(worst, time.perf_counter() - began) if again else 0.0
                page.locator("[data-cancel]").click()
                page.locator("[data-keep]").wait_for()
    return worst


def _same() -> Measured:
    """The same experiment on one process, on two, and interrupted."""
    experiment = lab.new(ANY_GAME, ["greedy"] * 2, {"hand": KNOBS["hand"]}, deals=200, question={"measure": "length.turns", "within": 0.5})
    with tempfile.TemporaryDirectory() as folder:
        one, two, cut = (Path(folder) / f"{name}.json" for name in ("one", "two", "cut"))
        lab.run(experiment, one, processes=1)
        lab.run(experiment, two, processes=2)
        kept = beside(one, "games.jsonl").read_bytes()
        beside(cut, "games.jsonl").write_bytes(kept[: len(kept) // 2])
        lab.run(experiment, cut, processes=2)
        alike = one.read_bytes() == two.read_bytes() == cut.read_bytes()
    return said("one process, two, interrupted: the same result file", "yes" if alike else "no", bar="byte by byte", holds=alike)
