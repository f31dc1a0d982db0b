"""`drunemeton bench review`: how long a review takes, what it leaves unexplained, whether it tells good players from bad.

Default counts are small. The bars of the project are meant for `--games 500` and more, on many cores, or in slices that go on:

    python -m benchmarks.bench_review --games 500 --processes 16 --out review.json
    python -m benchmarks.bench_review --games 500 --only celtica --minutes 7 --into reviews
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from drunemeton import records
from drunemeton.appraisal import Review, Reviewer, review
from drunemeton.appraisal.calibration import DATA
from drunemeton.bots import make_bot
from drunemeton.bots.arena import deal_by_deal
from drunemeton.rules.chance import Chance
from drunemeton.rules.game import find_game, playable

from .rows import Measured, row

FIRST_DEAL = 7_000_000
SECONDS = (15.0, 20.0, 60.0)  # by how much there is to decide in a game: few, some, many decisions
FEW, SOME = 100, 350
LEVELS = ("level-2", "level-5", "level-8")


def played(name: str, deal: int) -> tuple[str, list[str]]:
    """The record of a game between two of the levels, and who sat where."""
    kind, rng = find_game(name), random.Random(deal)
    players = rng.sample(LEVELS, 2)
    bots = [make_bot(kind, one, plain=False) for one in players]
    game = kind.new(seats=2, chance=Chance.from_seed(deal))
    while (seat := game.to_move) is not None:
        game.carry_out(bots[seat].choose(game.knowledge[seat], seed=rng.getrandbits(32)))
    return records.write(game), players


def reviewed(name: str, deal: int) -> dict[str, Any]:
    """What a review of one deal comes to."""
    text, players = played(name, deal)
    told = review(text, threads=1)
    return {"game": name, "players": players, "lines": [[one.accuracy, one.luck, one.rest] for one in told.lines]}


def timed(name: str) -> tuple[float, float, Review]:
    """Seconds until the first graph and until the whole review of a game, on two cores, when everything is compiled."""
    text, _ = played(name, FIRST_DEAL)
    review(text)
    began = time.perf_counter()
    Reviewer(records.read(text)).first()
    first = time.perf_counter() - began
    began = time.perf_counter()
    told = review(text)
    return first, time.perf_counter() - began, told


def rows_of(name: str, found: list[dict[str, Any]]) -> list[Measured]:
    """The rows of one game's reviews."""
    lines = [line for one in found for line in one["lines"]]
    rest = 100 * sum(abs(line[2]) for line in lines) / len(lines)
    rows = [row(f"{name}: unexplained, mean absolute points, {len(found)} games", rest, below=2.0)]
    by_level: dict[str, list[float]] = defaultdict(list)
    for one in found:
        for level, line in zip(one["players"], one["lines"], strict=True):
            if line[0] is not None:
                by_level[level].append(line[0])
    means = {level: sum(kept) / len(kept) for level, kept in by_level.items()}
    for lower, higher in pairwise(LEVELS):
        if {lower, higher} <= set(means):
            what = f"{name}: accuracy of {higher} beside {lower}, {len(by_level[higher])} and {len(by_level[lower])} games"
            rows.append(row(what, means[higher], peer=means[lower], at_least=means[lower]))
    for seat in range(2):
        lucks = [100 * one["lines"][seat][1] for one in found]
        mean = sum(lucks) / len(lucks)
        within = 1.96 * math.sqrt(sum((one - mean) ** 2 for one in lucks) / max(1, len(lucks) - 1) / len(lucks))
        rows.append(row(f"{name}: mean luck of seat {seat}, points, 0 within {within:.2f}", abs(mean), below=max(within, 1e-9)))
    return rows


def timed_rows(name: str) -> list[Measured]:
    """How long a game's reviews take, and how well its appraisals are calibrated."""
    first, whole, told = timed(name)
    bar = SECONDS[(len(told.decisions) > FEW) + (len(told.decisions) > SOME)]
    rows = [
        row(f"{name}: first graph, seconds", first, below=3.0),
        row(f"{name}: whole review of {len(told.decisions)} decisions, seconds", whole, below=bar),
    ]
    path = DATA / f"{name}.json"
    kept = json.loads(path.read_text(encoding="utf-8"))["seats"] if path.is_file() else {}
    for seats, one in kept.items():
        what = f"{name}: calibration error of {seats}, points, {one['held_out']} games held out"
        rows.append(row(what, 100 * one["ece"], below=3.0 if seats == "2" else None))
    return rows


def measure(
    games: int = 4, processes: int = 2, *, names: Sequence[str] = (), minutes: float = math.inf, into: Path | None = None
) -> list[Measured]:
    """All rows, or those of some games; `into` is a folder that keeps what was reviewed."""
    rows: list[Measured] = []
    for name in names or playable():
        rows += timed_rows(name)
        if into is not None:
            into.mkdir(parents=True, exist_ok=True)
        found = deal_by_deal(
            partial(reviewed, name),
            range(FIRST_DEAL, FIRST_DEAL + games),
            processes,
            minutes=minutes,
            into=into / f"{name}.jsonl" if into is not None else None,
        )
        rows += rows_of(name, [found[deal] for deal in sorted(found)])
    return rows


def main() -> None:
    """Measure with other counts, and write the rows to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", choices=playable(), action="append", default=[], help="this game alone; may be given again")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop reviewing then")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="keep what was reviewed there, and go on from what is in it")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    text = json.dumps(measure(args.games, args.processes, names=args.only, minutes=args.minutes, into=args.into), indent=2)
    print(text)
    if args.out:
        args.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
