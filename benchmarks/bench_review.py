"""`drunemeton bench review`: how long a review takes, what it leaves unexplained, whether it tells good players from bad.

Default counts are small. The bars are meant for `--games 500 --luck 1000 --puzzles 999`, on many cores, or in slices that go on:

    python -m benchmarks.bench_review --games 500 --luck 1000 --processes 16 --out review.json
    python -m benchmarks.bench_review --games 500 --luck 0 --only celtica --counts --minutes 7 --into reviews

`--thought 0.25` thinks a quarter of what a review does. Less thought is noisier: it leaves more unexplained and takes more good moves for
slips, so what holds with it is no easier. Luck is 0 on average for any appraiser, however little it thinks.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from drunemeton import records
from drunemeton.appraisal import Depth, Review, Reviewer, review
from drunemeton.appraisal.account import Judge
from drunemeton.appraisal.calibration import DATA
from drunemeton.appraisal.played import PlayedGame
from drunemeton.appraisal.value import Valued
from drunemeton.bots import make_bot
from drunemeton.bots.arena import deal_by_deal
from drunemeton.puzzles import puzzles
from drunemeton.puzzles.check import holds
from drunemeton.rules.chance import Chance
from drunemeton.rules.game import find_game, playable

from .rows import Measured, row

FIRST_DEAL, FIRST_OF_LUCK = 7_000_000, 7_500_000
SECONDS = (15.0, 20.0, 60.0)  # by how much there is to decide in a game: few, some, many decisions
FEW, SOME = 100, 350
LEVELS = ("level-2", "level-5", "level-8")
PLANTED, PLANTED_IN = 0.02, 10  # by so much a planted appraisal thinks better of what came about; it judges one deal of so many


@dataclass(frozen=True)
class Counts:
    """How much is counted, and with how much thought."""

    games: int = 4
    luck: int = 20
    puzzles: int = 2
    thought: float = 1.0
    processes: int = 2
    minutes: float = math.inf
    into: Path | None = None

    def deals(self, job: Callable[..., Any], name: str, first: int, many: int) -> list[Any]:
        """What a job says of so many deals, from the kept ones and as many new ones as there is time for."""
        if self.into is not None:
            self.into.mkdir(parents=True, exist_ok=True)
        kept = self.into / f"{job.__name__}-{name}-{self.thought:g}.jsonl" if self.into is not None else None
        deals = range(first, first + many)
        found = deal_by_deal(partial(job, name, self.thought), deals, self.processes, minutes=self.minutes, into=kept)
        return [found[deal] for deal in deals if deal in found]


def depth_of(thought: float) -> Depth:
    """So much of a review's thought."""
    whole = Depth()
    return Depth(round(whole.simulations * thought), round(whole.deciding * thought), max(4, round(whole.worlds * math.sqrt(thought))))


def played(name: str, deal: int, levels: Sequence[str] = LEVELS) -> tuple[str, list[str]]:
    """The record of a game between two of the levels, and who sat where."""
    kind, rng = find_game(name), random.Random(deal)
    players = rng.sample(levels, 2)
    bots = [make_bot(kind, one, plain=False) for one in players]
    game = kind.new(seats=2, chance=Chance.from_seed(deal))
    while (seat := game.to_move) is not None:
        game.carry_out(bots[seat].choose(game.knowledge[seat], seed=rng.getrandbits(32)))
    return records.write(game), players


def reviewed(name: str, thought: float, deal: int) -> dict[str, Any]:
    """What a review of one deal comes to."""
    text, players = played(name, deal)
    told = review(text, depth=depth_of(thought), threads=1)
    return {"players": players, "lines": [[one.accuracy, one.rest] for one in told.lines]}


class Planted(Judge):
    """Thinks better of what came about than of what might have."""

    def value(self, step: int, seat: int) -> Valued:
        """A little too much."""
        found = super().value(step, seat)
        over = self.played.turns[step] is None
        return found if over else Valued(tuple(min(1.0, one + PLANTED) for one in found.chances), found.within)


def lucky(name: str, thought: float, deal: int) -> dict[str, Any]:
    """The luck of each seat in one deal between lower levels, and now and then what a planted appraisal would say of it."""
    game = PlayedGame(records.read(played(name, deal, LEVELS[:2])[0]))

    def luck(kind: type[Judge]) -> list[float]:
        judge = kind(game, depth_of(thought))
        each = [judge.chance(step).luck for step in range(1, len(game.taken))]
        return [sum(one) for one in zip(*each, strict=True)]

    return {"luck": luck(Judge), "planted": luck(Planted) if deal % PLANTED_IN == 0 else None}


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


def timed_rows(name: str) -> list[Measured]:
    """How long a game's reviews take."""
    first, whole, told = timed(name)
    bar = SECONDS[(len(told.decisions) > FEW) + (len(told.decisions) > SOME)]
    return [
        row(f"{name}: first graph, seconds", first, below=3.0),
        row(f"{name}: whole review of {len(told.decisions)} decisions, seconds", whole, below=bar),
    ]


def calibration_rows(name: str) -> list[Measured]:
    """How well a game's appraisals are calibrated, as it was found when they were."""
    path = DATA / f"{name}.json"
    kept = json.loads(path.read_text(encoding="utf-8"))["seats"] if path.is_file() else {}
    return [
        row(
            f"{name}: calibration error of {seats}, points, {one['held_out']} games held out",
            100 * one["ece"],
            below=3.0 if seats == "2" else None,
        )
        for seats, one in kept.items()
    ]


def review_rows(name: str, found: Sequence[dict[str, Any]], thought: float) -> list[Measured]:
    """What is left unexplained, and whether accuracy tells levels apart."""
    how = "" if thought == 1.0 else f" at {thought:g} of the thought"
    rests = [abs(rest) for one in found for _, rest in one["lines"]]
    rows = [row(f"{name}: unexplained, mean absolute points, {len(found)} games{how}", 100 * sum(rests) / len(rests), below=2.0)]
    by_level: dict[str, list[float]] = defaultdict(list)
    for one in found:
        for level, (accuracy, _) in zip(one["players"], one["lines"], strict=True):
            if accuracy is not None:
                by_level[level].append(accuracy)
    means = {level: sum(kept) / len(kept) for level, kept in by_level.items()}
    for lower, higher in pairwise(LEVELS):
        if {lower, higher} <= set(means):
            what = f"{name}: accuracy of {higher} beside {lower}, {len(by_level[higher])} and {len(by_level[lower])} games{how}"
            rows.append(row(what, means[higher], peer=means[lower], at_least=means[lower]))
    return rows


def luck_rows(name: str, found: Sequence[dict[str, Any]]) -> list[Measured]:
    """Whether luck is 0 on average, and whether a planted appraisal is found by its not being so."""
    rows = []
    for seat in range(2):
        mean, within = _mean([100 * one["luck"][seat] for one in found])
        what = f"{name}: mean luck of seat {seat}, points, 0 within {within:.2f}, {len(found)} games"
        rows.append(row(what, abs(mean), below=max(within, 1e-9)))
    planted = [100 * sum(one["planted"]) / 2 for one in found if one["planted"]]
    if len(planted) > 1:
        mean, within = _mean(planted)
        what = f"{name}: mean luck by a planted appraisal of {100 * PLANTED:.0f} points too many, {len(planted)} games"
        rows.append(row(what, abs(mean), at_least=within))
    return rows


def _mean(figures: Sequence[float]) -> tuple[float, float]:
    """The mean and the half-width of its 95 % interval."""
    mean = sum(figures) / len(figures)
    return mean, 1.96 * math.sqrt(sum((one - mean) ** 2 for one in figures) / max(1, len(figures) - 1) / len(figures))


def puzzle_rows(name: str, some: int) -> list[Measured]:
    """How many puzzles come with a game, and how many of some are found again by a long search."""
    shipped = puzzles(name)
    chosen = random.Random(name).sample(shipped, min(some, len(shipped)))
    rows = [row(f"{name}: puzzles", len(shipped), at_least=60)]
    if chosen:
        rows.append(row(f"{name}: puzzles that hold, of {len(chosen)}", sum(map(holds, chosen)), at_least=len(chosen)))
    return rows


def measure(counts: Counts | None = None, *, names: Sequence[str] = (), alone: bool = False) -> list[Measured]:
    """All rows, or those of some games; `alone`: those of the counts."""
    counts = counts or Counts()
    rows: list[Measured] = []
    for name in names or playable():
        if not alone:
            rows += timed_rows(name) + calibration_rows(name) + puzzle_rows(name, counts.puzzles)
        if counts.games:
            rows += review_rows(name, counts.deals(reviewed, name, FIRST_DEAL, counts.games), counts.thought)
        if counts.luck:
            rows += luck_rows(name, counts.deals(lucky, name, FIRST_OF_LUCK, counts.luck))
    return rows


def main() -> None:
    """Measure with other counts, and write the rows to a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=Counts.games, help="reviewed games: what is unexplained, and accuracy")
    parser.add_argument("--luck", type=int, default=Counts.luck, help="games of which luck alone is counted")
    parser.add_argument("--puzzles", type=int, default=Counts.puzzles, help="puzzles that a long search solves again")
    parser.add_argument("--thought", type=float, default=Counts.thought, help="a share of what a review thinks")
    parser.add_argument("--counts", action="store_true", help="neither times nor calibration nor puzzles: go on counting")
    parser.add_argument("--processes", type=int, default=Counts.processes)
    parser.add_argument("--only", choices=playable(), action="append", default=[], help="this game alone; may be given again")
    parser.add_argument("--minutes", type=float, default=Counts.minutes, help="stop counting then: once for reviews, once for luck")
    parser.add_argument("--into", type=Path, metavar="FOLDER", help="keep what was counted there, and go on from what is in it")
    parser.add_argument("--out", type=Path)
    args = vars(parser.parse_args())
    names, out, alone = args.pop("only"), args.pop("out"), args.pop("counts")
    text = json.dumps(measure(Counts(**args), names=names, alone=alone), indent=2)
    print(text)
    if out:
        out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
