"""Playing an experiment: deal by deal, every setting on the same deals, in as many processes as there are.

What was played is kept line by line in the order of the deals (`NAME.games.jsonl`), so that an interrupted run goes on where it was. The
result depends on the deals alone: not on processes, interruptions or the clock. Times have a file of their own (`NAME.times.json`).
"""

from __future__ import annotations

import json
import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from .. import __version__
from ..bots.arena import workers
from ..bots.kept import go_on_with, whole_lines
from ..rules.errors import GameError
from ..rules.game import find_game
from .experiment import Experiment
from .measures import Measurable
from .result import Columns, Result, judged
from .tables import LabTable

Reports = list[list[int]]  # of a deal: by setting, then by how far everybody is turned
Each = Callable[[int, Columns], None]
AHEAD = 3  # batches that each process may have waiting
BATCH = 8  # deals of a batch, where nobody searches


def tables_of(experiment: Experiment, on: str = "cpu") -> list[LabTable]:
    """A table for every setting."""
    game = experiment.game_type
    return [LabTable(game, one.players, one.options, one.components, one.salt, on=on) for one in experiment.settings]


def play_deal(tables: list[LabTable], deal: int, mirrored: bool) -> tuple[Reports, list[list[float]]]:
    """A deal at all tables: what is kept, and for each table how long it took and how many decisions were made."""
    rows, times = [], []
    for table in tables:
        spent = decisions = 0.0
        for turned in range(table.seats if mirrored else 1):
            rows.append(table.play(deal, turned))
            spent += table.seconds
            decisions += table.decisions
        times.append([spent, decisions])
    return rows, times


def shapes_of(tables: list[LabTable]) -> list[Measurable]:
    """What the rows of each table mean."""
    unlike = any(len(set(table.players)) > 1 for table in tables)
    players = [tuple(str(player) for player in table.players) for table in tables]
    if unlike:  # all settings have the same measures
        players = [tuple(f"{n}" for n, _ in enumerate(one)) for one in players]
    return [Measurable(table.game, table.seats, who, table.things) for table, who in zip(tables, players, strict=True)]


class Run:
    """One run of an experiment."""

    def __init__(self, experiment: Experiment, out: Path | None = None, *, processes: int | None = None, on: str = "cpu") -> None:
        """`on="gpu"`: random and greedy play there, and one process looks at what they played."""
        self.experiment, self.out = experiment.checked(), out
        self.processes = 1 if on == "gpu" else processes or os.cpu_count() or 1
        self.tables = tables_of(experiment, on)
        self.columns = Columns(shapes_of(self.tables), experiment.mirrored)
        if experiment.question and experiment.question.measure not in self.columns.names:
            raise GameError(f"there is no measure {experiment.question.measure!r}; they are {', '.join(self.columns.names)}")
        self.times = [[0.0, 0.0] for _ in self.tables]
        self.began = time.monotonic()
        self.cancelled = False

    def run(self, each: Each | None = None) -> Result:
        """Play what is lacking, and judge; `each` is told after every deal. Ctrl+C leaves what was played in its file."""
        kept = self._open()
        try:
            looks = self.experiment.looks
            for number, look in enumerate(looks):
                if self.columns.deals < look.deals:
                    self._play(look.deals, kept, each)
                result = judged(self.experiment, self.columns, look, last=number == len(looks) - 1)
                if result.answered or self.cancelled:
                    break
        finally:
            if kept:
                kept.close()
        if self.out:
            write_result(self.out, result)
            beside(self.out, "times.json").write_text(json.dumps(self.timing(), indent=2) + "\n", encoding="utf-8")
        return result

    def timing(self) -> dict[str, Any]:
        """How long it took: not part of the result."""
        by_setting = {
            one.name: {"seconds": round(spent, 3), "decisions": int(count), "seconds_a_decision": spent / count if count else None}
            for one, (spent, count) in zip(self.experiment.settings, self.times, strict=True)
        }
        return {"wall_seconds": round(time.monotonic() - self.began, 3), "processes": self.processes, "settings": by_setting}

    # --- Playing

    def _play(self, until: int, kept: IO[str] | None, each: Each | None) -> None:
        first = self.experiment.seed
        deals = range(first + self.columns.deals, first + until)
        for deal, (rows, times) in self._here(deals) if self.processes == 1 else self._side_by_side(deals):
            if kept:
                print(json.dumps([deal, rows], separators=(",", ":")), file=kept)
                kept.flush()
            self.columns.add(rows)
            for total, more in zip(self.times, times, strict=True):
                total[0] += more[0]
                total[1] += more[1]
            if each:
                each(self.columns.deals, self.columns)
            if self.cancelled:
                return

    def _here(self, deals: range) -> Iterator[tuple[int, tuple[Reports, list[list[float]]]]]:
        for deal in deals:
            yield deal, play_deal(self.tables, deal, self.experiment.mirrored)

    def _side_by_side(self, deals: range) -> Iterator[tuple[int, tuple[Reports, list[list[float]]]]]:
        for table in self.tables:
            table.warm()  # here, where it can be told: the others find it on disk
        size = BATCH if all(table.simple for table in self.tables) else 1
        batches = (deals[n : n + size] for n in range(0, len(deals), size))
        with workers(min(self.processes, -(-len(deals) // size)), _sit_down, _packed(self.experiment)) as pool:
            waiting = deque((batch, pool.submit(_play_there, batch)) for batch in islice(batches, AHEAD * self.processes))
            while waiting:
                batch, played = waiting.popleft()
                yield from zip(batch, played.result(), strict=True)
                waiting.extend((later, pool.submit(_play_there, later)) for later in islice(batches, 1))

    # --- What is kept

    def _open(self) -> IO[str] | None:
        """The file in which every deal is kept; what it holds already is counted."""
        if self.out is None:
            return None
        path = beside(self.out, "games.jsonl")
        head = json.dumps({"lab": 1, "experiment": self.experiment.mark, "game": self.experiment.game}, sort_keys=True)
        try:
            file = path.open("a+", encoding="utf-8", newline="")
        except OSError as problem:
            raise GameError(f"{path} cannot be written: {problem.strerror}") from problem
        go_on_with(file, path, head, f"{path} holds another experiment: name another file with --out, or take this one away")
        most = self.experiment.looks[-1].deals
        for line in whole_lines(file):
            if self.columns.deals >= most:
                break
            expected = self.experiment.seed + self.columns.deals
            try:
                deal, rows = json.loads(line)
            except (ValueError, TypeError, RecursionError):
                deal = None
            if deal != expected:
                file.close()
                raise GameError(
                    f"{path} is damaged: a line does not hold deal {expected}; keep what stands before it, or name another file"
                )
            self.columns.add(rows)
        return file


def record_of(experiment: Experiment, setting: str | None, deal: int, turned: int = 0) -> str:
    """The record of one game of an experiment."""
    named = [one.name for one in experiment.settings]
    if setting is not None and setting not in named:
        raise GameError(f"there is no setting {setting!r}; they are {', '.join(named)}")
    one = experiment.settings[named.index(setting) if setting is not None else 0]
    if not experiment.mirrored and turned:
        raise GameError("the deals of this experiment are not mirrored: nobody sits further on, so leave turned out")
    if turned >= len(one.players):
        raise GameError(f"turned is {turned}; with {len(one.players)} seats it is 0 to {len(one.players) - 1}")
    return LabTable(experiment.game_type, one.players, one.options, one.components, one.salt).record(deal, turned)


def beside(out: Path, ending: str) -> Path:
    """A file that belongs to a result."""
    return out.with_name(f"{out.name.removesuffix('.json')}.{ending}")


def times_of(out: Path) -> dict[str, Any] | None:
    """What the file of times beside a result says; None where there is none: a result may have travelled alone."""
    path = beside(out, "times.json")
    if not path.exists():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not isinstance(found.get("settings"), dict):
        raise GameError(f"{path} holds no times: take it away, the result can be told without it")
    return found


def write_result(out: Path, result: Result) -> None:
    """A result in its file, whole or not at all."""
    fresh = out.with_name(out.name + ".new")
    fresh.write_text(result.text(), encoding="utf-8")
    fresh.replace(out)


_there: list[tuple[list[LabTable], bool]] = []  # in a process of its own


def _packed(experiment: Experiment) -> dict[str, Any]:
    return {**experiment.describe(), "version": __version__}


def _sit_down(told: dict[str, Any]) -> None:
    from .experiment import from_result

    find_game(told["game"])
    experiment = from_result(told)
    _there[:] = [(tables_of(experiment), experiment.mirrored)]


def _play_there(deals: range) -> list[tuple[Reports, list[list[float]]]]:
    tables, mirrored = _there[0]
    return [play_deal(tables, deal, mirrored) for deal in deals]
