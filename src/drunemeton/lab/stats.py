"""Intervals, comparisons of many things at once, and looks at figures that are still coming in.

- The unit is a deal: what several games of one deal (mirrored seats) came to is averaged before anything else.
- Settings are compared deal by deal. An interval of a difference is wide enough for all settings that are compared with the base.
- Findings are kept apart by Holm's procedure over all measures and settings: the chance of even one false finding is at most `ERRING`.
- Whoever looks several times and may stop at each look has several chances to err. The chance is shared out among the looks (`SPENT`), so
  that together they do not exceed it; so intervals are wider than those of a single look, whenever a run stops.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, NamedTuple

SURE = 0.05  # the chance that an interval misses
ERRING = 0.01  # the chance that any finding of an experiment is false
SPENT = ((0.125, 0.02), (0.25, 0.08), (0.5, 0.2), (1.0, 0.7))  # looks, by the share of the deals, and their part of the chance to err
LEAST = 32  # deals before the first look
NORMAL = NormalDist()


class Look(NamedTuple):
    """A look: after so many deals, with this part of the chance to err."""

    deals: int
    part: float


def looks(deals: int, stops: bool) -> list[Look]:
    """The looks of an experiment; one, with the whole chance, where it does not stop early."""
    if not stops:
        return [Look(deals, 1.0)]
    found: list[Look] = []
    saved = 0.0
    for share, part in SPENT:
        count = math.ceil(deals * share)
        saved += part
        if count >= LEAST or count == deals:
            found.append(Look(count, saved))
            saved = 0.0
    return found


def critical(chance: float) -> float:
    """Standard errors to either side for an interval that misses with this chance."""
    return NORMAL.inv_cdf(1 - min(max(chance, 1e-15), 1.0) / 2)


class Estimate(NamedTuple):
    """A mean with its interval and spread, over so many deals."""

    mean: float
    low: float
    high: float
    spread: float
    deals: int

    @property
    def within(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def estimate(values: Any, chance: float = SURE, *, difference: bool = False) -> Estimate:
    """The mean of a row of values, one a deal; shares that are only 0 or 1 get Wilson's interval."""
    count = len(values)
    if count == 0:
        return Estimate(0.0, 0.0, 0.0, 0.0, 0)
    mean = float(values.mean())
    spread = float(values.std(ddof=1)) if count > 1 else 0.0
    z = critical(chance)
    if not difference and ((values == 0) | (values == 1)).all():
        scale = 1 + z * z / count
        middle = (mean + z * z / (2 * count)) / scale
        half = z * math.sqrt(mean * (1 - mean) / count + z * z / (4 * count * count)) / scale
        return Estimate(mean, max(0.0, middle - half), min(1.0, middle + half), spread, count)
    half = z * spread / math.sqrt(count)
    return Estimate(mean, mean - half, mean + half, spread, count)


RARE = 30  # deals that differ: below, only their signs are counted, exactly


def chance_of(differences: Any) -> float:
    """How often so large a mean difference comes about where there is none."""
    count = len(differences)
    changed = differences[differences != 0]
    if len(changed) == 0:
        return 1.0
    if len(changed) < RARE:
        more = max(int((changed > 0).sum()), int((changed < 0).sum()))
        tail: float = sum(math.comb(len(changed), k) for k in range(more, len(changed) + 1)) / 2 ** len(changed)
        return min(1.0, 2 * tail)
    spread = float(differences.std(ddof=1))
    if spread == 0:
        return 0.0
    z = abs(float(differences.mean())) / (spread / math.sqrt(count))
    return math.erfc(z / math.sqrt(2))


def holm(chances: Sequence[float], erring: float) -> list[bool]:
    """Which of many differences are findings, so that the chance of any false one is at most `erring`."""
    found = [False] * len(chances)
    for rank, n in enumerate(sorted(range(len(chances)), key=lambda n: chances[n])):
        if chances[n] > erring / (len(chances) - rank):
            break
        found[n] = True
    return found


def pairing(base: Any, other: Any) -> float:
    """How many times as many games unpaired deals would need for an interval of the same width."""
    import numpy as np

    apart = float(base.var(ddof=1) + other.var(ddof=1))
    together = float(np.var(other - base, ddof=1))
    return apart / together if together > 0 else math.inf
