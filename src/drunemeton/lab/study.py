"""A study: several experiments of one game, in one file, played one after the other; what a page about a game is made of.

A study is a list of `[[experiment]]`, each as in a file of its own with a name besides; `vary` may name a list of `[shared]`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..rules.errors import GameError
from ..rules.game import find_game
from .experiment import DEALS, Experiment, made
from .result import Result, read_result
from .running import Each, Run, beside

HERE = Path(__file__).parent / "studies"
Begun = Callable[[str, Experiment], Each]  # told which one begins; what it answers is told of every deal


def read_study(game: str, path: Path | None = None, *, times: int = 1) -> dict[str, Experiment]:
    """The experiments of a study by their names, with so many times the deals."""
    path = path or HERE / f"{game}.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise GameError(f"{path} cannot be read: {problem.strerror}") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise GameError(f"{path} is no study: {problem}") from problem
    shared, listed = data.get("shared", {}), data.get("experiment")
    if not isinstance(listed, list) or not listed or not all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in listed):
        raise GameError(f"{path} is no study: it lists experiments as [[experiment]], each with a name")
    found: dict[str, Experiment] = {}
    for one in listed:
        told: dict[str, Any] = {"game": find_game(game).name, **one}
        name = told.pop("name")
        vary, deals = told.get("vary"), told.get("deals", DEALS)
        if isinstance(vary, str):
            if not isinstance(shared, dict) or vary not in shared:
                raise GameError(f"{path} is no study: {name} varies {vary!r}, which is not under [shared]")
            told["vary"] = shared[vary]
        told["deals"] = times * deals if isinstance(deals, int) else deals
        found[name] = made(told, path.parent)
    return found


def run_study(study: dict[str, Experiment], folder: Path, *, processes: int | None = None, told: Begun | None = None) -> dict[str, Result]:
    """Play every experiment of a study whose result is not in the folder yet; what was interrupted goes on."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for name, experiment in study.items():
        out = folder / f"{name}.json"
        if out.exists() and read_result(out).data["mark"] == experiment.mark:
            found[name] = read_result(out)
            continue
        found[name] = Run(experiment, out, processes=processes).run(told(name, experiment) if told else None)
        beside(out, "games.jsonl").unlink()
    return found
