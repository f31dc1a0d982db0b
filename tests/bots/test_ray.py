"""The same figures whether one process, several or a Ray cluster played; a worker that dies is replaced. `make proof` installs Ray."""

from __future__ import annotations

import json
import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from drunemeton.bots.arena import playing_on, workers
from drunemeton.bots.ladder import Ladder
from drunemeton.cli import main
from drunemeton.rules.game import find_game

pytestmark = pytest.mark.proof


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    import ray

    ray.init(num_cpus=2, logging_level=logging.WARNING, log_to_driver=False, include_dashboard=False)
    yield
    ray.shutdown()


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(list(words)) == 0
    return json.loads(capsys.readouterr().out)


def test_simulate_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["simulate", "druidenwalzer", "--seats", "greedy,level-1", "--games", "12", "--json"]
    assert told(capsys, *asked, "--on", "ray", "--processes", "2") == told(capsys, *asked, "--processes", "1")


def test_the_laboratorys_result_is_the_same_file(tmp_path: Path) -> None:
    experiment = tmp_path / "e.toml"
    assert main(["lab", "new", "druidenwalzer", "--set", "trees_to_lose=1,2", "--deals", "40", "--out", str(experiment)]) == 0
    files = [tmp_path / "one.json", tmp_path / "ray.json"]
    assert main(["lab", "run", str(experiment), "--out", str(files[0]), "--processes", "1"]) == 0
    assert main(["lab", "run", str(experiment), "--out", str(files[1]), "--on", "ray"]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_ladders_games_are_the_same(tmp_path: Path) -> None:
    asked = ["ladder", "druidenwalzer", "--minutes", "0.15", "--processes", "2", "--resume"]
    found = []
    for name, more in (("here", []), ("ray", ["--on", "ray"])):
        assert main([*asked, str(tmp_path / name), *more]) == 0
        games = Ladder(find_game("druidenwalzer"), tmp_path / name).games
        found.append({(one.deal, *one.seats): (one.end, one.places) for one in games})
    both = set(found[0]) & set(found[1])
    assert both, "the deals are played in the same order"
    assert {one: found[0][one] for one in both} == {one: found[1][one] for one in both}


def _die_once(path: str, number: int) -> int:
    if number == 3 and not Path(path).exists():
        Path(path).write_text("died", encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    with playing_on("ray"), workers(2) as pool:
        found = list(pool.map(_die_once, [str(tmp_path / "died")] * 8, range(8)))
    assert found == [number * number for number in range(8)]
    assert (tmp_path / "died").exists()
