"""The ladder: neighbouring levels play mirrored deals until their distance is known, and one Bradley-Terry model tells every strength.

Every game is one line of a file: its deal, who sat where, how it ended. A game can be repeated from its line (with `FormerDeal` where
it names no derivation), and a ladder goes on from its file. Games of a level that plays otherwise now do not count any more.
"""

from __future__ import annotations

import functools
import json
import math
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from ..rules.chance import BY_PILE
from ..rules.game import Game, find_game
from . import REFERENCE, level_names, way_of
from .arena import Arena, Player, shares, workers
from .kept import alone_at, whole_lines
from .levels import ANCHOR, Rating, mark_of, measured
from .own import check_names, find_bot, is_own, mark_of_own

ENOUGH = 60.0  # Elo: a pair whose 95 % half-width is this or less is done
FIRST_DEAL = 100_000
ELO = 400 / math.log(10)  # one unit of log odds
Z = 1.959964
LEAST = 8  # games of a pair before its interval is believed


@dataclass(frozen=True)
class Played:
    """A game of the ladder."""

    deal: int
    seats: tuple[str, ...]
    end: str
    places: tuple[int, ...]
    cpu: float  # seconds of all threads together

    @property
    def shares(self) -> list[float]:
        """What each seat has won."""
        return shares(self.places)


# --- The model -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fit:
    """Everybody's strength in Elo, and how sure the differences are."""

    names: tuple[str, ...]
    elo: tuple[float, ...]
    covariance: Any  # of the strengths, in Elo squared

    def rating(self, name: str, anchor: str) -> Rating:
        """A strength beside an anchor's."""
        i, j = self.names.index(name), self.names.index(anchor)
        return Rating(self.elo[i] - self.elo[j], self.within(name, anchor))

    def within(self, one: str, other: str) -> float:
        """The half-width of the 95 % interval of a difference."""
        i, j = self.names.index(one), self.names.index(other)
        c = self.covariance
        return Z * math.sqrt(max(0.0, float(c[i][i] + c[j][j] - 2 * c[i][j])))


def fit(names: Sequence[str], games: Sequence[Played], known: Mapping[str, float] | None = None) -> Fit:
    """The Bradley-Terry strengths that explain the games best: Newton's method on the log likelihood, a shared win being half of one.

    A game of several counts as one game between each two seats. Half a game against everybody's mean keeps strengths finite where one side
    has won everything. Those whose strength is `known` (in Elo) stand there, and only the others are found.
    """
    import numpy as np

    index = {name: i for i, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for game in games:
        for a, one in enumerate(game.seats):
            for b, other in enumerate(game.seats):
                if one != other and one in index and other in index:
                    better = game.places[a] < game.places[b]
                    wins[index[one]][index[other]] += 1.0 if better else 0.5 if game.places[a] == game.places[b] else 0.0
    count = wins + wins.T
    held = known or {}
    usual = sum(held.values()) / max(1, len(held))
    strength = np.array([(held.get(name, usual) - usual) / ELO for name in names])
    free = [i for i, name in enumerate(names) if name not in held]
    prior = 0.125  # the information of half a game, an even one
    information = np.eye(len(names))
    for _ in range(60):
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        gradient = wins.sum(1) - (count * chance).sum(1) - prior * strength
        weight = count * chance * (1 - chance)
        information = np.diag(weight.sum(1) + prior) - weight
        step = np.linalg.solve(information[np.ix_(free, free)], gradient[free])
        strength[free] += np.clip(step, -1.0, 1.0)
        if float(np.abs(step).max(initial=0.0)) < 1e-9:
            break
    covariance = np.zeros_like(information)
    covariance[np.ix_(free, free)] = np.linalg.inv(information[np.ix_(free, free)]) * ELO * ELO
    return Fit(tuple(names), tuple(float(one) * ELO for one in strength), covariance)


# --- The file ------------------------------------------------------------------------------------------------------


def marked(game: type[Game], name: str) -> str:
    """A bot's name with the mark of what it is now."""
    if is_own(name):
        return f"{name}#{mark_of_own(name)}"
    return name if name == REFERENCE else f"{name}#{mark_of(game.name, way_of(game, name))}"


def read_games(path: Path, game: type[Game], own: Sequence[str] = ()) -> tuple[list[Played], int]:
    """The games in a ladder's file that still count, and how many do not."""
    if not path.exists():
        return [], 0
    now = {marked(game, name): name for name in (*level_names(game), REFERENCE, *own)}
    games, others = [], 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(keepends=True)):
        if number and not line.endswith("\n"):
            break  # written when the machine stopped: those games are played again
        entry = json.loads(line)
        if "deal" not in entry:
            continue
        if entry["game"] == game.name and all(seat in now for seat in entry["seats"]):
            seats = tuple(now[seat] for seat in entry["seats"])
            games.append(Played(entry["deal"], seats, entry["end"], tuple(entry["places"]), entry["cpu"]))
        else:
            others += 1
    return games, others


def write_game(file: Any, game: type[Game], played: Played) -> None:
    """Append one game."""
    seats = [marked(game, name) for name in played.seats]
    entry = {"game": game.name, "deal": played.deal, "seats": seats, "end": played.end, "places": list(played.places)}
    file.write(json.dumps({**entry, "cpu": round(played.cpu, 3), "derivation": BY_PILE}) + "\n")
    file.flush()


def machine() -> dict[str, Any]:
    """What a ladder was played on."""
    import os

    import numba

    cpu = next((line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), platform.processor())
    return {
        "machine": f"{os.cpu_count()} x {cpu}",
        "python": platform.python_version(),
        "numba": numba.__version__,
        "date": time.strftime("%Y-%m-%d"),
    }


def _lines(path: str) -> list[str]:
    file = Path(path)
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


# --- Playing -------------------------------------------------------------------------------------------------------


class Ladder:
    """The levels of a game, greedy@1 among them, and the games that they have played for two.

    With bots from outside (`own`) only these play, each against the levels that are nearest to it, and the levels stand where they were
    measured.
    """

    def __init__(self, game: type[Game], path: Path, own: Sequence[str] = ()) -> None:
        check_names(game, own)
        self.game, self.path, self.own = game, path, tuple(own)
        self.known = {name: rating.elo for name, rating in measured(game.name).items()} if own else {}
        self.games, self.outdated = read_games(path, game, own)
        self.names = (*level_names(game), REFERENCE, *own)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Who plays whom: neighbours, and greedy@1 against the two levels that are nearest to it, or a bot from outside instead."""
        levels = level_names(self.game)
        model = self.fit()
        if self.own:
            return [(bot, name) for bot in self.own for name in sorted(levels, key=lambda one: abs(model.rating(one, bot).elo))[:2]]
        by_distance = sorted(levels, key=lambda name: (abs(model.rating(name, REFERENCE).elo), name))
        near = by_distance[:2] if self.games else [levels[3], levels[4]]
        return [*pairwise(levels), *((REFERENCE, name) for name in sorted(near))]

    def fit(self, more: Sequence[Played] = ()) -> Fit:
        """The strengths as far as they are known, and as they would be with more games."""
        return fit(self.names, [*self.games, *more], self.known)

    def between(self, one: str, other: str) -> list[Played]:
        """The games of a pair."""
        return [game for game in self.games if set(game.seats) == {one, other}]

    def open_pairs(self, more: Sequence[Played] = ()) -> list[tuple[float, str, str]]:
        """The pairs that are not done, the widest interval first; `more` are games that are under way."""
        model = self.fit(more)
        waiting = []
        for one, other in self.pairs:
            within = model.within(one, other)
            if within > ENOUGH or len(self.between(one, other)) < LEAST:
                waiting.append((within, one, other))
        return sorted(waiting, key=lambda pair: (-pair[0], pair[1:]))

    def run(self, minutes: float, processes: int = 1) -> Iterator[Played]:
        """Play until every pair is done or the time is up, so many deals side by side; every game is in the file before it is told.

        A game depends on its deal and its seats alone: where it is played, and beside what, changes nothing.
        """
        until = time.monotonic() + minutes * 60
        with self.path.open("a+", encoding="utf-8", newline="") as file, hands(processes) as pool:
            alone_at(file, self.path)
            file.seek(0)
            if not list(whole_lines(file)):
                file.write(json.dumps({"ladder": self.game.name, **machine()}) + "\n")
            under_way: dict[Future[list[Played]], list[Played]] = {}
            while True:
                while len(under_way) < processes and time.monotonic() < until:
                    # What is being played counts as even games, so that it is not played twice.
                    guessed = [game for games in under_way.values() for game in games]
                    waiting = self.open_pairs(guessed)
                    if not waiting:
                        break
                    _, one, other = waiting[0]
                    deals = (game.deal for game in [*self.games, *guessed] if set(game.seats) == {one, other})
                    deal = max(deals, default=FIRST_DEAL - 1) + 1
                    future = pool.submit(play_mirrored, self.game.name, (one, other), deal)
                    under_way[future] = [Played(deal, (one, other), "", (1, 1), 0.0)] * 2
                if not under_way:
                    return
                for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                    del under_way[future]
                    for played in future.result():
                        self.games.append(played)
                        write_game(file, self.game, played)
                        yield played


def hands(processes: int) -> Executor:
    """Who plays: this process, or several of their own."""
    return ThreadPoolExecutor(1) if processes == 1 else workers(processes)


def play_mirrored(game: str, pair: tuple[str, str], deal: int) -> list[Played]:
    """A deal, once from each seat."""
    found = []
    for seats in (pair, pair[::-1]):
        began = time.process_time()
        end, places = arena_of(game, len(seats)).play([player_of(game, name) for name in seats], deal)
        found.append(Played(deal, seats, end, tuple(places), time.process_time() - began))
    return found


@functools.cache
def arena_of(game: str, seats: int) -> Arena:
    """This process's table."""
    return Arena(find_game(game), seats)


@functools.cache
def player_of(game: str, name: str) -> Player:
    """This process's bot of that name."""
    return make_player(find_game(game), name)


def make_player(game: type[Game], name: str) -> Player:
    """A bot for the arena."""
    return cast(Player, find_bot(game, name, plain=False))


# --- Telling -------------------------------------------------------------------------------------------------------


def ratings(ladder: Ladder) -> dict[str, dict[str, Any]]:
    """Every level's strength with its interval against greedy@1, which stands at 1500: what the house shows and keeps."""
    model = ladder.fit()
    told = {}
    for name in ladder.names:
        if any(name in game.seats for game in ladder.games):
            rating = model.rating(name, REFERENCE)
            mark = marked(ladder.game, name).rpartition("#")[2] if name != REFERENCE else None
            told[name] = {"elo": round(ANCHOR + rating.elo), "within": round(rating.within), "mark": mark}
    return told


def table(ladder: Ladder) -> list[str]:
    """The ladder in lines of text: strengths, and then the pairs."""
    model = ladder.fit()
    lines = [f"{'bot':10} {'Elo':>6} {'95 %':>6}  (greedy@1 = {ANCHOR})"]
    for name, entry in ratings(ladder).items():
        if ladder.own and name not in ladder.own:
            continue
        lines.append(f"{name:10} {entry['elo']:6} {'+-' + str(entry['within']):>6}")
    lines.append(f"\n{'pair':24} {'games':>5} {'score':>6} {'apart':>6} {'95 %':>6}")
    for one, other in ladder.pairs:
        games = ladder.between(one, other)
        if not games:
            continue
        won = sum(game.shares[game.seats.index(other)] for game in games)
        rating = model.rating(other, one)
        done = "" if rating.within <= ENOUGH else "  open"
        within = f"+-{rating.within:.0f}"
        lines.append(f"{one + ' - ' + other:24} {len(games):5} {won / len(games):6.1%} {rating.elo:+6.0f} {within:>6}{done}")
    return lines


def plot(entries: dict[str, dict[str, dict[str, Any]]], titles: dict[str, str]) -> str:
    """The ladders of all games as a picture: one column a game, a dot and its interval for each level, greedy@1 as a line."""
    column, height, left, top = 260, 360, 56, 40
    everything = [entry for game in entries.values() for entry in game.values()]
    low = 100 * math.floor(min(entry["elo"] - entry["within"] for entry in everything) / 100)
    high = 100 * math.ceil(max(entry["elo"] + entry["within"] for entry in everything) / 100)

    def y(elo: float) -> float:
        return float(round(top + (high - elo) / (high - low) * (height - top - 40), 1))

    width = left + column * len(entries) + 16
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" font-size="12">',
        "<title>Measured strength of the levels</title>",
        f'<rect width="{width}" height="{height}" fill="#fbf8f0"/>',
    ]
    for elo in range(low, high + 1, 200):
        parts.append(f'<path d="M{left} {y(elo)}H{width - 16}" stroke="#ddd6c4"/>')
        parts.append(f'<text x="{left - 8}" y="{y(elo) + 4}" text-anchor="end" fill="#5b5445">{elo}</text>')
    for n, (game, levels) in enumerate(entries.items()):
        x0 = left + n * column
        parts.append(f'<text x="{x0 + column / 2}" y="22" text-anchor="middle" font-size="14" fill="#2c2a24">{titles[game]}</text>')
        parts.append(f'<path d="M{x0 + 8} {y(ANCHOR)}h{column - 16}" stroke="#a5532f" stroke-dasharray="4 4"/>')
        for i, (name, entry) in enumerate((name, entry) for name, entry in levels.items() if name != REFERENCE):
            x = x0 + 28 + i * (column - 56) / 7
            bar = f"M{x:.1f} {y(entry['elo'] - entry['within'])}V{y(entry['elo'] + entry['within'])}"
            parts.append(
                f'<path d="{bar}" stroke="#2f6b4f" stroke-width="2"/>'
                f'<circle cx="{x:.1f}" cy="{y(entry["elo"])}" r="4.5" fill="#2f6b4f"/>'
                f'<text x="{x:.1f}" y="{height - 18}" text-anchor="middle" fill="#2c2a24">{name.removeprefix("level-")}</text>'
            )
    parts.append(f'<text x="{width - 20}" y="{y(ANCHOR) - 5}" text-anchor="end" fill="#a5532f">greedy@1</text></svg>')
    return "\n".join(parts) + "\n"


def publish(ladder: Ladder, measured: Path, picture: Path) -> None:
    """Keep what was found where the house looks for it, and draw all ladders anew. Greedy's measured strength is the anchor's."""
    entries = json.loads(measured.read_text(encoding="utf-8")) if measured.exists() else {}
    entries[ladder.game.name] = ratings(ladder)
    measured.write_text(json.dumps(entries, indent=2) + "\n", encoding="utf-8")
    picture.write_text(plot(entries, {name: find_game(name).title for name in entries}), encoding="utf-8")
