"""The laboratory: what does a changed rule do to a game?

>>> from drunemeton import lab
>>> experiment = lab.new("daemonen", ["greedy", "greedy"], {"demons": [6, 12, 24]}, deals=200)
>>> result = lab.run(experiment, processes=2)
>>> print(lab.report(result))

The command has the same names: `drunemeton lab new | run | report | compare`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..rules.game import find_game
from .compare import compare
from .experiment import Experiment, made, read
from .report import report
from .result import Result, read_result
from .running import Each, Run

__all__ = ["Experiment", "Result", "Run", "compare", "made", "new", "read", "read_result", "report", "run"]


def new(
    game: str,
    players: Sequence[str] | None = None,
    changes: Mapping[str, Sequence[Any]] | None = None,
    *,
    deals: int = 1000,
    **more: Any,
) -> Experiment:
    """An experiment: the default against every value of what is changed, each by itself. `more` is what a file may say besides."""
    count = find_game(game).players[0]
    data = {"game": game, "players": list(players or ["greedy"] * count), "deals": deals, **more}
    if changes:
        data["vary"] = [{"set": name, "to": list(found)} for name, found in changes.items()]
    return made(data)


def run(experiment: Experiment, out: Path | None = None, *, processes: int | None = None, each: Each | None = None) -> Result:
    """Play an experiment; with `out` everything is kept there, and a run that was interrupted goes on."""
    return Run(experiment, out, processes=processes).run(each)
