"""An experiment in a process of its own, for a server: told on standard input, told of line by line, behind everybody else.

It is started before it is needed, so that what takes longest (Python, Numba, the rules of games that were played before: its first line
names them) is done when somebody presses "run". It ends when its input does, even if the server was killed.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

BETWEEN = 0.7  # seconds between two pictures of what is known
FIRST, FEWEST = 8, 4  # deals after which there is something to show: at once, or after a while
TOLD = ("length", "end", "seat", "starter", "player", "points", "open", "choice")


def main() -> None:
    """Load what everybody needs, hear what is to be played (an experiment, or one game of it to be written down), play it."""
    if hasattr(os, "nice"):
        os.nice(19)
    from ..rules.errors import GameError
    from ..rules.game import find_game
    from .experiment import made
    from .result import Columns, judged
    from .running import Run, record_of
    from .stats import Look
    from .tables import LabTable

    _say({"kind": "ready"})
    line = sys.stdin.readline()
    if line:
        for name in json.loads(line)["warm"]:
            game = find_game(name)
            LabTable(game, ["greedy"] * game.players[0]).warm()
        line = sys.stdin.readline()
    if not line:
        return
    stopping = threading.Event()
    threading.Thread(target=_end_with_input, args=(stopping,), daemon=True).start()
    asked = json.loads(line)
    try:
        experiment = made(asked["experiment"])
        if "deal" in asked:
            _say({"kind": "game", "record": record_of(experiment, None, asked["deal"])})
            return
        run = Run(experiment, processes=1)
        for table in run.tables:
            table.warm()
        shown = time.monotonic()
        until = shown + float(asked["seconds"])

        def each(done: int, columns: Columns) -> None:
            nonlocal shown
            now = time.monotonic()
            run.cancelled = now > until or stopping.is_set()
            if done == FIRST or (done >= FEWEST and now - shown > BETWEEN):
                shown = now
                found = judged(experiment, columns, Look(done, 1.0), last=False).data
                _say({"kind": "progress", "done": done, "of": experiment.deals, "result": slim(found)})

        result = run.run(each)
        _say({"kind": "done", "cut": run.cancelled, "result": result.data})
    except GameError as problem:
        _say({"kind": "failed", "problem": str(problem)})


def slim(data: dict[str, Any]) -> dict[str, Any]:
    """What is shown while it runs: not yet what each thing is used for, and no components."""
    named = [name for name in data["measures"] if name.partition(".")[0] in TOLD]
    figures = [{name: one[name] for name in named} for one in data["figures"]]
    differences = [{name: one[name] for name in named} for one in data["differences"]]
    settings = [{"name": one["name"], "players": one["players"]} for one in data["experiment"]["settings"]]
    experiment = {**data["experiment"], "settings": settings}
    findings = [one for one in data["findings"] if one["measure"] in named]
    return {**data, "measures": named, "figures": figures, "differences": differences, "experiment": experiment, "findings": findings}


def _say(what: dict[str, Any]) -> None:
    print(json.dumps(what, separators=(",", ":")), flush=True)


def _end_with_input(stopping: threading.Event) -> None:
    """A line asks for an end after the deal that is being played; the end of input is the end of everything."""
    while sys.stdin.readline():
        stopping.set()
    os._exit(0)


if __name__ == "__main__":
    main()
