"""`drunemeton simulate`: nothing that was played is lost, whatever interrupts it."""

from __future__ import annotations

import contextlib
import csv
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import IO, Any, NamedTuple

from ..bots.compiling import Compiling
from ..bots.details import Detail, kinds_of
from ..bots.kept import go_on_with, whole_lines
from ..bots.match import Outcome
from ..bots.simulation import Job, Simulation
from ..rules.chance import Chance
from ..rules.errors import GameError
from .progress import Progress


class Wanted(NamedTuple):
    """What is asked for besides the games."""

    names: Sequence[str]  # of the settings
    processes: int
    json: bool = False
    csv: Path | None = None
    resume: Path | None = None
    records: Path | None = None


def run(simulation: Simulation, wanted: Wanted) -> int:
    """Play, keep, print; answers the exit status: 130 if it was interrupted, with what had been played until then."""
    game, rotate = simulation.matches[0].game, simulation.rotate
    ended: BaseException | None = None
    if wanted.csv and wanted.resume and wanted.csv.resolve() == wanted.resume.resolve():
        raise GameError(f"--csv and --resume both name {wanted.csv}: each writes a file of its own")
    with contextlib.ExitStack() as stack:
        if wanted.records:
            _folder(wanted.records)
        if wanted.csv:
            _opened(wanted.csv, "a").close()  # what it holds is written over only when everything else is in order
        kept = stack.enter_context(_kept(simulation, wanted.resume)) if wanted.resume else None
        table = stack.enter_context(_table(simulation, wanted)) if wanted.csv else None

        def note(job: Job, outcomes: Sequence[Outcome]) -> None:
            if table is not None:
                table.writerows(_rows(simulation, wanted.names, job, outcomes))

        if kept is not None:
            _count(simulation, kept, note)
        stack.enter_context(Compiling())
        progress = stack.enter_context(Progress("playing", simulation.games, simulation.tallies[0].games))

        def each(job: Job, outcomes: list[Outcome]) -> None:
            if kept is not None:
                details = [simulation.details] if simulation.detailed else []
                print(json.dumps([*job, outcomes, *details]), file=kept, flush=True)
            note(job, outcomes)
            progress.step("playing")

        try:
            simulation.run(each, processes=wanted.processes, folder=wanted.records)
        except (KeyboardInterrupt, GameError, BrokenExecutor) as problem:
            if not simulation.tallies[0].games and not isinstance(problem, KeyboardInterrupt):
                raise
            ended = problem
    found = simulation.summary(wanted.names)
    seats = [f"player {n + 1}" for n in range(len(found[0]["seats"]))] if rotate else list(game.seat_names)
    for one in found:
        one["seats"] = [{"seat": name, **seat} for name, seat in zip(seats, one["seats"], strict=False)]
    if wanted.json:
        print(json.dumps(found[0] if len(found) == 1 else found, indent=2))
    else:
        _print([one for one in found if one["games"]])
    if ended is not None:
        again = (
            f"the same command goes on from {wanted.resume}" if wanted.resume else "--resume FILE keeps what was played for the next time"
        )
        sys.stdout.flush()
        print(f"interrupted after {found[0]['games']} of {simulation.games} games; {again}", file=sys.stderr)
        if not isinstance(ended, KeyboardInterrupt):
            raise ended
    return 0 if ended is None else 130


# --- Files ---------------------------------------------------------------------------------------------------------


def _opened(path: Path, mode: str) -> IO[str]:
    """A file, or a sentence that says why not, before anything is played."""
    try:
        return path.open(mode, newline="", encoding="utf-8")
    except OSError as problem:
        raise GameError(f"{path} cannot be written: {problem.strerror}") from problem


def _folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(_opened(path / ".writable", "w")):
            pass
        (path / ".writable").unlink()
    except OSError as problem:
        raise GameError(f"{path} cannot hold records: {problem.strerror}") from problem


def _head(simulation: Simulation) -> dict[str, Any]:
    """What must be the same for two runs to belong together; the number of games may grow."""
    return {
        "simulation": 1,
        "game": simulation.matches[0].game.name,
        "seed": simulation.first,
        "rotate": simulation.rotate,
        "players": simulation.matches[0].players,
        "options": [match.options for match in simulation.matches],
        "components": [match.components for match in simulation.matches],
    }


@contextlib.contextmanager
def _kept(simulation: Simulation, path: Path) -> Iterator[IO[str]]:
    """The file in which every game is kept as it ends; it stands after its first line."""
    head = json.dumps(_head(simulation), sort_keys=True)
    with _opened(path, "a+") as file:
        otherwise = "name another file, or the game, seats, seed and options that it began with"
        go_on_with(file, path, head, f"{path} holds another simulation, or none: {otherwise}")
        yield file


def _count(simulation: Simulation, file: IO[str], note: Callable[[Job, Sequence[Outcome]], None]) -> None:
    """Count what the file holds already."""
    for job, line in zip(simulation.jobs(), whole_lines(file), strict=False):
        try:
            deal, turned, outcomes, *details = json.loads(line)
        except (ValueError, TypeError, RecursionError):
            deal = turned = None
        if (deal, turned) != job:
            raise GameError(f"{file.name} is damaged: a line does not hold deal {job[0]}; keep what stands before it, or name another file")
        simulation.count(outcomes)
        simulation.details = [Detail(*one) if one else None for one in details[0]] if details else [None] * len(outcomes)
        note(job, outcomes)


@contextlib.contextmanager
def _table(simulation: Simulation, wanted: Wanted) -> Iterator[Any]:
    assert wanted.csv is not None
    with _opened(wanted.csv, "w") as file:
        table = csv.writer(file)
        seats = range(len(simulation.matches[0].players))
        bots = [f"bot_{seat}" for seat in seats]
        more = [f"{what}_{seat}" for what in ("points", "decisions", *kinds_of(simulation.matches[0].game)) for seat in seats]
        places = [f"place_{seat}" for seat in seats]
        table.writerow(["options", "deal", "turned", "began", "end", "turns", "decisions", *places, *bots, *more])
        yield table


def _rows(simulation: Simulation, names: Sequence[str], job: Job, outcomes: Sequence[Outcome]) -> Iterator[list[Any]]:
    """One line for each setting, by player; who began is a seat. What is not known of a game (on a GPU, say) stays empty."""
    for name, match, (decisions, turns, end, places), detail in zip(names, simulation.matches, outcomes, simulation.details, strict=True):
        kinds, seats = kinds_of(match.game), len(match.players)
        if detail is None:
            dealt = match.game(seats, match.options, match.components, Chance.from_seed(job[0]))
            began = dealt.to_move
            more: list[Any] = [""] * (seats * (2 + len(kinds)))
        else:
            began = detail.began if detail.began >= 0 else None
            counted = [actions.get(kind, 0) for kind in kinds for actions in detail.actions]
            more = [*("" if one is None else one for one in detail.points), *detail.decisions, *counted]
        first = "" if began is None else match.game.seat_names[began]
        yield [name, *job, first, end, turns, decisions, *places, *match.players, *more]


# --- Printing ------------------------------------------------------------------------------------------------------


def _print(found: Sequence[dict[str, Any]]) -> None:
    for one in found:
        print(f"{one['options']}: {one['games']} games")
        for seat in one["seats"]:
            print(f"  {seat['seat']:8} {seat['bot']:8} {seat['share']:6.1%}  (95 %: {seat['low']:.1%} to {seat['high']:.1%})")
        for what in ("turns", "decisions"):
            print(f"  {what:9} {one[what]['mean']:.1f} on average, {one[what]['min']} to {one[what]['max']}")
        print("  ends      " + ", ".join(f"{kind} {count}" for kind, count in one["ends"].items()))
        for seat, gap in zip(one["seats"], one.get("differences", ()), strict=False):
            print(f"  {seat['seat']:8} against {one['against']}: {gap['mean']:+.1%}  (95 %: {gap['low']:+.1%} to {gap['high']:+.1%})")
