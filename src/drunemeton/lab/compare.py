"""Two results side by side: what differs between their bases, from their intervals."""

from __future__ import annotations

import math
from typing import Any

from ..rules.errors import GameError
from .result import Result
from .stats import NORMAL, critical, holm


def compare(one: Result, other: Result) -> dict[str, Any]:
    """The measures of two results' first settings, with differences; paired deals cannot be used, so the intervals are wider."""
    if one.data["experiment"]["game"] != other.data["experiment"]["game"]:
        raise GameError("results of different games cannot be compared")
    names = [name for name in one.data["measures"] if name in other.data["measures"]]
    found = []
    for name in names:
        a, b = one.figure(0, name), other.figure(0, name)
        error = math.sqrt(a["spread"] ** 2 / one.data["deals"] + b["spread"] ** 2 / other.data["deals"])
        gap = b["mean"] - a["mean"]
        chance = 1.0 if gap == 0 else 0.0 if error == 0 else 2 * (1 - NORMAL.cdf(abs(gap) / error))
        half = critical(0.05) * error
        found.append(
            {"measure": name, "one": a["mean"], "other": b["mean"], "mean": gap, "low": gap - half, "high": gap + half, "chance": chance}
        )
    certain = holm([row["chance"] for row in found], 0.01)
    for row, sure in zip(found, certain, strict=True):
        row["certain"] = sure
    return {"names": [_name(one), _name(other)], "deals": [one.data["deals"], other.data["deals"]], "measures": found}


def _name(result: Result) -> str:
    told = result.data["experiment"]
    return str(told["title"] or told["settings"][0]["name"])
