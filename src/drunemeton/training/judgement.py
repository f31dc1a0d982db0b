"""`python -m drunemeton.training.judgement GAME learn --out RUN --minutes 10`: a judgement learnt from games between searches.

Processes play without a pause and write sheets of positions (`positions.py`); now and then a judgement is fitted to all sheets so far
(`fitting.py`), and from then on it is what most of the players judge with. The same call goes on with a run that was interrupted.
`fit` fits anew to the sheets of a run; `judge` measures a judgement against a level on deals kept apart.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import Any

from ..bots.arena import shares, workers
from ..bots.judgement import Judgement, columns_of
from ..bots.ladder import arena_of, machine, player_of
from ..bots.levels import Strength
from ..bots.simulation import wilson
from ..rules.errors import GameError, reach
from ..rules.game import find_game, playable
from .fitting import Fitted, fit
from .positions import EXPLORE, TRUST, columns_file, number_of, play_sheet, read_sheets, searcher_of

TABLES = (2, 2, 3, 4)  # numbers of players, one sheet after the other, where the game takes so many
SECONDS = 20.0  # of play on a sheet
JUDGED_FROM = 3_000_000  # deals that nobody learns from
SHEETS, CURVE = "sheets", "curve.jsonl"


def say(text: str) -> None:
    """Tell how it goes, at once."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def tables_of(game: str) -> list[int]:
    """How many play on each sheet, in turn."""
    low, high = find_game(game).players
    return [seats for seats in TABLES if low <= seats <= high]


# --- Learning ------------------------------------------------------------------------------------------------------


def fit_sheets(folder: str, seats: int, cells: int, epochs: int, believe: float, since: int) -> tuple[int, Fitted | None]:
    """The fit for one number of players; none if there are hardly any games of it."""
    data = read_sheets(Path(folder), seats, since)
    enough = len(data) > 0 and len(data["game"]) >= 50
    return seats, fit(data, cells, epochs, believe) if enough else None


def write_judgement(path: Path, game: str, found: Sequence[tuple[int, Fitted | None]], **how: Any) -> str:
    """Put what was fitted into one file; answers what to tell of it."""
    fits = {seats: one for seats, one in found if one}
    told = {
        seats: {"log_loss": round(one.loss, 4), "even": round(one.even, 4), "positions": one.positions, "games": one.games}
        for seats, one in sorted(fits.items())
    }
    made = {"by": "python -m drunemeton.training.judgement", **how, "fits": told, **machine()}
    names = columns_file(find_game(game)).NAMES
    Judgement(game, names, {seats: one.mind for seats, one in sorted(fits.items())}, made).write(path)
    with (path.parent / CURVE).open("a", encoding="utf-8") as file:
        file.write(json.dumps({"file": path.name, **how, "fits": told}) + "\n")
    losses = ", ".join(f"{seats} players {one['log_loss']} of {one['even']} ({one['games']} games)" for seats, one in told.items())
    return f"{path.name}: log loss {losses}"


class Fitting:
    """A run in its folder: sheets, the judgements so far, and how well each foretells."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.folder = arguments.out
        self.tables = tables_of(arguments.game)
        self.sheets = self.folder / SHEETS
        self.sheets.mkdir(parents=True, exist_ok=True)
        self.next_sheet = max((number_of(path) for path in self.sheets.glob("?-??????.npz")), default=-1) + 1
        self.judgements = [str(path) for path in sorted(self.folder.glob("judgement-???.json"))]
        self.games = self.positions = 0
        self.playing: set[Future[tuple[int, int]]] = set()
        self.fitting: set[Future[tuple[int, Fitted | None]]] = set()
        self.fitted: list[tuple[int, Fitted | None]] = []

    def learn(self) -> None:
        """Play and fit until the time is up, then fit once more, with and without cells."""
        given = self.arguments
        began = time.monotonic()
        until = began + 60 * given.minutes
        gap = 60 * given.minutes / (given.fits + 1)
        due = began + gap
        say(f"{given.processes} processes, {given.minutes:g} minutes; so far {self.next_sheet} sheets, {len(self.judgements)} judgements")
        with workers(given.processes) as pool:
            while True:
                if time.monotonic() >= due and not self.fitting and time.monotonic() < until:
                    due += gap
                    self.fitting = self.submit_fits(pool, given.cells, given.epochs)
                while time.monotonic() < until and len(self.playing) + len(self.fitting) < given.processes:
                    self.submit_play(pool, min(SECONDS, max(1.0, until - time.monotonic())))
                if not self.playing and not self.fitting:
                    break
                waiting: list[Future[Any]] = [*self.playing, *self.fitting]
                self.take(wait(waiting, return_when=FIRST_COMPLETED).done)
            say(f"{self.games} games and {self.positions} positions played in {(time.monotonic() - began) / 60:.1f} minutes; the last fits")
            for name, cells in (("linear", 0), ("judgement", given.cells)):
                found = [future.result() for future in self.submit_fits(pool, cells, 2 * given.epochs)]
                say(write_judgement(self.folder / f"{name}.json", given.game, found, cells=cells, believe=given.believe))

    def submit_play(self, pool: Executor, seconds: float) -> None:
        seats = self.tables[self.next_sheet % len(self.tables)]
        given = self.arguments.game, seats, self.next_sheet, self.judgements, str(self.sheets), seconds
        self.playing.add(pool.submit(play_sheet, *given))
        self.next_sheet += 1

    def submit_fits(self, pool: Executor, cells: int, epochs: int) -> set[Future[tuple[int, Fitted | None]]]:
        given = self.arguments
        return {
            pool.submit(fit_sheets, str(self.sheets), seats, cells, epochs, given.believe, given.since)
            for seats in sorted(set(self.tables))
        }

    def take(self, done: set[Future[Any]]) -> None:
        """What has come back: sheets are counted, and the fits for all numbers of players make a judgement."""
        for future in done & self.playing:
            games, positions = future.result()
            before = self.games
            self.games += games
            self.positions += positions
            if self.games // 200 > before // 200:
                say(f"{self.games} games, {self.positions} positions, sheet {self.next_sheet}")
        self.playing -= done
        self.fitted += [future.result() for future in done & self.fitting]
        if done & self.fitting and not self.fitting - done:
            path = self.folder / f"judgement-{len(self.judgements):03}.json"
            if any(one for _, one in self.fitted):
                given = self.arguments
                say(write_judgement(path, given.game, self.fitted, cells=given.cells, believe=given.believe, sheets=self.next_sheet))
                self.judgements.append(str(path))
            self.fitted = []
        self.fitting -= done


def fit_anew(given: argparse.Namespace) -> None:
    """Fit to the sheets of a run."""
    with workers(given.processes) as pool:
        jobs = [
            pool.submit(fit_sheets, str(given.out / SHEETS), seats, given.cells, given.epochs, given.believe, given.since)
            for seats in sorted(set(tables_of(given.game)))
        ]
        found = [job.result() for job in jobs]
    say(write_judgement(given.to, given.game, found, cells=given.cells, epochs=given.epochs, believe=given.believe, since=given.since))


# --- Judging -------------------------------------------------------------------------------------------------------


class Timed:
    """A player whose decisions are counted and timed."""

    def __init__(self, player: Any) -> None:
        self.player, self.decisions, self.seconds = player, 0, 0.0

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """The player's action."""
        began = time.process_time()
        action = self.player(knows, seed)
        self.seconds += time.process_time() - began
        self.decisions += 1
        return int(action)


def play_deal(game: str, strength: Strength, opponent: str, seats: int, deal: int) -> list[tuple[float, int, float, int, float]]:
    """A deal once from every seat: what the judged player won, its decisions and seconds, and those of all others."""
    searcher = searcher_of(game, strength)
    other = player_of(game, opponent)
    told = []
    for seat in range(seats):
        own = Timed(lambda knows, seed: searcher.consider_in(knows, seed=seed)[0].action)
        rest = Timed(lambda knows, seed: other.choose_in(knows, seed=seed))
        _, places = arena_of(game, seats).play([own if n == seat else rest for n in range(seats)], deal)
        told.append((shares(places)[seat], own.decisions, own.seconds, rest.decisions, rest.seconds))
    return told


def judge(given: argparse.Namespace) -> None:
    """How much one player with this judgement wins among others, on deals that nobody learnt from."""
    low, high = find_game(given.game).players
    if not all(low <= seats <= high for seats in given.seats or ()):
        raise GameError(f"--seats may be {reach(low, high)}")
    judgement = str(given.judgement) if given.judgement else ""
    strength = Strength(given.simulations, explore=given.explore, trust=given.trust, ripe=given.ripe, judgement=judgement)
    with workers(given.processes) as pool:
        for seats in given.seats or sorted(set(tables_of(given.game))):
            deals = range(given.first_deal, given.first_deal + max(1, given.games // seats))
            play = functools.partial(play_deal, given.game, strength, given.against, seats)
            told: list[tuple[float, int, float, int, float]] = []
            for n, found in enumerate(pool.map(play, deals), 1):
                told += found
                if n % 20 == 0 or n == len(deals):
                    say(result_text(seats, given.against, told))


def result_text(seats: int, against: str, told: Sequence[tuple[float, int, float, int, float]]) -> str:
    """What came out so far."""
    won, decisions, seconds, their_decisions, their_seconds = (sum(column) for column in zip(*told, strict=True))
    share, (low, high) = won / len(told), wilson(won, len(told))
    pace = f"{1000 * seconds / max(1, decisions):.2f} ms a decision, theirs {1000 * their_seconds / max(1, their_decisions):.2f}"
    figure = f"{won:g} of {len(told)}: {100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f}), {share * seats:.2f} x a fair share"
    return f"{seats} players, against {against}: {figure}; {pace}"


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 on")
    return int(text)


def _positive(text: str) -> int:
    if _count(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def main(words: Sequence[str] | None = None) -> None:
    """Learn, fit or judge."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the processes are as many as there are cores
    parser = argparse.ArgumentParser(prog="python -m drunemeton.training.judgement", description=__doc__)
    parser.add_argument("game", choices=[name for name in playable() if columns_of(find_game(name))])
    parser.add_argument("--processes", type=_positive, default=os.cpu_count() or 1)
    commands = parser.add_subparsers(dest="command", required=True)
    learning = commands.add_parser("learn", help="play, fit, and play on with what was learnt")
    learning.add_argument("--minutes", type=float, default=10.0)
    learning.add_argument("--fits", type=_count, default=4, help="judgements on the way, before the last one")
    fitting = commands.add_parser("fit", help="fit anew to the sheets of a run")
    fitting.add_argument("--to", type=Path, required=True, help="the file to write")
    for one in (learning, fitting):
        one.add_argument("--out", type=Path, required=True, help="the folder of the run")
        one.add_argument("--cells", type=_count, default=32, help="hidden cells of the network; 0: a weighted sum")
        one.add_argument("--epochs", type=_count, default=10)
        one.add_argument("--believe", type=float, default=0.3, help="how much a search's finding counts beside the result")
        one.add_argument("--since", type=_count, default=0, help="the first sheet to learn from")
    judging = commands.add_parser("judge", help="mirrored games against a level, on deals kept apart")
    judging.add_argument("--judgement", type=Path, help="the file; without one, the game's own outlook")
    judging.add_argument("--simulations", type=_positive, default=300)
    judging.add_argument("--explore", type=float, default=EXPLORE)
    judging.add_argument("--trust", type=float, default=TRUST)
    judging.add_argument("--ripe", type=_positive, default=2)
    judging.add_argument("--against", default="level-8")
    judging.add_argument("--seats", type=int, nargs="+", help="numbers of players (default: all that it learns)")
    judging.add_argument("--games", type=_positive, default=200)
    judging.add_argument("--first-deal", type=_count, default=JUDGED_FROM)
    given = parser.parse_args(words)
    try:
        if given.command == "learn":
            Fitting(given).learn()
        elif given.command == "fit":
            fit_anew(given)
        else:
            judge(given)
    except GameError as problem:
        parser.exit(2, f"{parser.prog}: {problem}\n")
    except OSError as problem:
        parser.exit(2, f"{parser.prog}: {problem.filename or 'writing failed'}: {problem.strerror}\n")
    except KeyboardInterrupt:
        parser.exit(130, "interrupted; the same call goes on with a run\n" if given.command == "learn" else "interrupted\n")


if __name__ == "__main__":
    main()
