"""Makes calibrations: games between levels 5 and 8 are played, positions of them appraised, and a map fitted to how they ended.

    python -m drunemeton.appraisal.fitting GAME --seats 2 --games 2700 --processes 16
    python -m drunemeton.appraisal.fitting GAME --seats 2 --games 400 --glance
    python -m drunemeton.appraisal.fitting --picture docs/calibration.svg

A quarter of the games (every fourth deal) fits the map, which has two numbers only; the others judge it: expected calibration error and
Brier score, in `data/GAME.json`. With `--glance` no search appraises the positions: the outlooks at the beginning of turns do. With
`--into FILE` played games are kept, and the next run goes on from them.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..bots import LEVELS
from ..bots.arena import LIMIT, Noted, Player, deal_by_deal, shares
from ..bots.ladder import arena_of, player_of
from ..rules.game import find_game, playable
from .account import Depth
from .calibration import DATA, Calibration
from .glance import GLANCE, outlooks, prepare_outlook
from .value import Appraiser

FIRST_DEAL = 5_000_000
EACH, GLANCES = 8, 24  # positions of each game
FITTING = 4  # one deal of so many fits the map, the others judge it
WEIGHTS = (6, 6, 6, 1)  # of levels 5 to 8: the last takes a hundred times as long as the first
BINS = 10
SIDE = 220  # of one diagram of the picture


class JudgedPosition(NamedTuple):
    """A position of a played game: what the search thought of each seat, who was on turn, and what came of it."""

    deal: int
    shares: list[float]
    turn: int
    won: list[float]


def play_deal(name: str, seats: int, deal: int) -> list[JudgedPosition]:
    """A game between some of the levels 5 to 8, and what the search thinks of a few of its positions."""
    rng = random.Random(deal)
    arena, seen = arena_of(name, seats), list[tuple[Any, int]]()
    players = [Noted(player_of(name, *rng.choices(LEVELS[4:], WEIGHTS)), seen, seat) for seat in range(seats)]
    end, places = arena.play(players, deal)
    if end == "unfinished":
        return []
    appraiser, won = _appraiser(name), shares(places)
    chosen = rng.sample(seen, min(EACH, len(seen)))
    return [
        JudgedPosition(deal, [one for one, _ in appraiser.searcher.chances_in(knows, seed=deal % LIMIT)], seat, won)
        for knows, seat in chosen
    ]


class Glancing:
    """A player who tells when his turn begins."""

    def __init__(self, player: Player, seat: int, told: Callable[[int], None]) -> None:
        self.player, self.seat, self.told = player, seat, told

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """What the player chooses."""
        self.told(self.seat)
        return self.player.choose_in(knows, seed=seed)


def glance_deal(name: str, seats: int, deal: int) -> list[JudgedPosition]:
    """A game between some of the levels 5 to 8, and what the outlooks say at the beginning of some of its turns."""
    rng = random.Random(deal)
    arena, scale = arena_of(name, seats), prepare_outlook(find_game(name))
    look, row, seen = arena.engine.twin(outlooks), arena.engine.row(seats), list[tuple[list[float], int]]()

    def told(seat: int) -> None:
        if not seen or seen[-1][1] != seat:
            look(arena.table.states, row)
            best = max(row)
            odds = [math.exp((one - best) / scale) for one in row]
            seen.append(([one / sum(odds) for one in odds], seat))

    players = [Glancing(player_of(name, *rng.choices(LEVELS[4:], WEIGHTS)), seat, told) for seat in range(seats)]
    end, places = arena.play(players, deal)
    chosen = rng.sample(seen, min(GLANCES, len(seen))) if end != "unfinished" else []
    return [JudgedPosition(deal, found, seat, shares(places)) for found, seat in chosen]


@functools.cache
def _appraiser(name: str) -> Appraiser:
    return Appraiser(find_game(name), Depth().simulations)


def loss(calibration: Calibration, positions: Sequence[JudgedPosition]) -> float:
    """The mean log loss."""
    total = 0.0
    for one in positions:
        chances = calibration.chances(one.shares, one.turn)
        total -= sum(won * math.log(max(chance, 1e-9)) for won, chance in zip(one.won, chances, strict=True))
    return total / max(1, len(positions))


def fit(positions: Sequence[JudgedPosition]) -> Calibration:
    """The calibration that explains the results best: a walk downhill with ever smaller steps."""
    best, lowest, step = Calibration(), loss(Calibration(), positions), 0.4
    while step > 0.005:
        near = [Calibration(best.sharpness + a * step, best.turn + b * step) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        found, at = min(((loss(one, positions), n) for n, one in enumerate(near) if one.sharpness > 0), default=(lowest, 4))
        if found < lowest - 1e-12:
            best, lowest = near[at], found
        else:
            step /= 2
    return best


def judged(calibration: Calibration, positions: Sequence[JudgedPosition]) -> dict[str, Any]:
    """How a calibration does on these positions: expected calibration error, Brier score, and each bin's mean chance, share won, count."""
    pairs = [(chance, won) for one in positions for chance, won in zip(calibration.chances(one.shares, one.turn), one.won, strict=True)]
    bins: list[list[tuple[float, float]]] = [[] for _ in range(BINS)]
    for chance, won in pairs:
        bins[min(BINS - 1, int(chance * BINS))].append((chance, won))
    told = [[sum(c for c, _ in one) / len(one), sum(w for _, w in one) / len(one), len(one)] if one else [0.0, 0.0, 0] for one in bins]
    error = sum(count * abs(mean - won) for mean, won, count in told) / max(1, len(pairs))
    brier = sum((chance - won) ** 2 for chance, won in pairs) / max(1, len(pairs))
    return {"ece": round(error, 5), "brier": round(brier, 5), "bins": [[round(a, 4), round(b, 4), n] for a, b, n in told]}


def make(played: Mapping[int, Sequence[JudgedPosition]], simulations: int) -> dict[str, Any]:
    """Fit and judge; answers what `data/GAME.json` keeps of it."""
    fitting = [one for deal in sorted(played) for one in played[deal] if deal % FITTING == 0]
    apart = [one for deal in sorted(played) for one in played[deal] if deal % FITTING]
    found = fit(fitting)
    head = {"sharpness": round(found.sharpness, 4), "turn": round(found.turn, 4), "simulations": simulations, "games": len(played)}
    raw = judged(Calibration(), apart)
    return head | {"held_out": len({one.deal for one in apart})} | judged(found, apart) | {"uncalibrated": raw["ece"]}


def keep(name: str, seats: int, found: dict[str, Any], table: str) -> Path:
    """Keep it beside what is known of other numbers of players."""
    path = DATA / f"{name}.json"
    told = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"seats": {}}
    told[table] = dict(sorted({**told.get(table, {}), str(seats): found}.items()))
    DATA.mkdir(exist_ok=True)
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return path


def picture() -> str:
    """The reliability diagrams of all games and numbers of players, as SVG."""
    diagrams = []
    for name in playable():
        path = DATA / f"{name}.json"
        if path.is_file():
            found = json.loads(path.read_text(encoding="utf-8"))["seats"]
            diagrams += [(f"{find_game(name).title}, {seats}", one) for seats, one in found.items()]
    columns, room = 4, SIDE + 60
    parts = []
    for n, (title, one) in enumerate(diagrams):
        x, y = 30 + n % columns * room, 40 + n // columns * (room + 20)
        most = max(count for _, _, count in one["bins"])
        dots = "".join(
            f'<circle cx="{SIDE * mean:.1f}" cy="{SIDE * (1 - won):.1f}" r="{2 + 8 * math.sqrt(count / most):.1f}" fill="#2f6f4f"/>'
            for mean, won, count in one["bins"]
            if count
        )
        parts.append(
            f'<g transform="translate({x},{y})"><rect width="{SIDE}" height="{SIDE}" fill="#fff" stroke="#888"/>'
            f'<path d="M0 {SIDE}L{SIDE} 0" stroke="#888" stroke-dasharray="4"/>{dots}<text y="-8">{title}</text>'
            f'<text y="{SIDE + 18}">ECE {100 * one["ece"]:.1f} points, Brier {one["brier"]:.3f}, {one["held_out"]} games</text></g>'
        )
    rows = -(-len(diagrams) // columns)
    size = f'width="{30 + columns * room}" height="{40 + rows * (room + 20)}"'
    style = '<rect width="100%" height="100%" fill="#f7f5ef"/><style>text{font:13px sans-serif;fill:#222}</style>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{style}{"".join(parts)}</svg>\n'


def main(argv: Sequence[str] | None = None) -> int:
    """Make the calibration of a game, or the picture of all."""
    parser = argparse.ArgumentParser(prog="python -m drunemeton.appraisal.fitting", description=__doc__)
    parser.add_argument("game", nargs="?", choices=playable())
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=2700)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=600.0, help="stop playing then")
    parser.add_argument("--into", type=Path, metavar="FILE", help="keep what is played there, and go on from what is in it")
    parser.add_argument("--glance", action="store_true", help="of outlooks at a glance, without a search")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw the reliability diagrams of what was made")
    args = parser.parse_args(argv)
    if args.game:
        job = functools.partial(glance_deal if args.glance else play_deal, args.game, args.seats)
        deals = range(FIRST_DEAL, FIRST_DEAL + args.games)
        played = deal_by_deal(job, deals, args.processes, minutes=args.minutes, into=args.into)
        positions = {deal: [JudgedPosition(*one) for one in found] for deal, found in played.items()}
        made = make(positions, 0 if args.glance else Depth().simulations)
        print(keep(args.game, args.seats, made, GLANCE if args.glance else "seats"), json.dumps(made))
    if args.picture:
        args.picture.write_text(picture(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
