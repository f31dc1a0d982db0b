"""What figures mean, in plain words: for reports, in English. The laboratory's page says the same from its catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .measures import shown
from .result import Result

NAMES = {
    "length.turns": "turns a game",
    "length.decisions": "decisions a game",
    "length.minutes": "minutes at a human pace",
    "end.unfinished": "games cut off",
    "end.shared": "shared victories",
    "starter.wins": "who begins wins",
    "points.winner": "the winner's points",
    "points.margin": "points ahead of the next",
    "open.until": "part of the game in which the end is open",
    "open.lead changes": "changes of the lead",
    "open.drama": "how far the winner's chance lay behind, on average",
    "choice.options": "options a decision",
    "choice.narrow": "decisions with at most two options",
}
FAMILIES = {
    "end": "games that end by {}",
    "seat": "{} wins",
    "player": "player {} wins",
    "use": "uses of {} a game",
    "pays": "more uses of {} by the winner",
}


def name_of(measure: str) -> str:
    """A measure in words."""
    family, _, what = measure.partition(".")
    return NAMES.get(measure) or FAMILIES.get(family, "{}").format(what.replace("_", " "))


def interval(measure: str, figure: Mapping[str, Any], *, sign: bool = False) -> str:
    """A figure with its interval."""
    low, high = shown(measure, figure["low"], sign=sign), shown(measure, figure["high"], sign=sign)
    return f"{shown(measure, figure['mean'], sign=sign)} ({low} to {high})"


def sentence(result: Result, finding: Mapping[str, Any]) -> str:
    """A finding as a sentence."""
    measure = finding["measure"]
    base = result.figure(0, measure)["mean"]
    way = "more" if finding["mean"] > 0 else "fewer" if measure.startswith(("length", "use", "open.lead", "choice.options")) else "less"
    relative = f", {abs(finding['mean']) / abs(base):.0%} {way}" if base and not shown(measure, 1).endswith("%") else ""
    return f"**{finding['setting']}**: {name_of(measure)} {interval(measure, finding, sign=True)} against {shown(measure, base)}{relative}."


def sureness(result: Result) -> str:
    """How sure all of it is."""
    data = result.data
    count = len(data["findings"])
    games = data["deals"] * (len(result.settings[0]["players"]) if data["experiment"]["mirrored"] else 1)
    told = [f"{data['deals']} deals, {games} games of each setting; intervals miss one time in twenty."]
    if data["differences"]:
        sure = "none of them is" if not count else "1 of them is" if count == 1 else f"{count} of them are"
        many = len(data["measures"]) * len(data["differences"])
        told.append(
            f"{many} differences were looked at; {sure} certain (the chance that any of these is false is at most {data['erring']:.0%})."
        )
    return " ".join(told)


def answer(result: Result) -> str:
    """What became of the question."""
    found = result.data["answer"]
    if found is None:
        return ""
    what = name_of(found["measure"])
    if found["answered"]:
        stopped = "" if result.data["deals"] == result.data["looks"][-1]["deals"] else f", after {result.data['deals']} deals already"
        return f"The question ({what}, to within {shown(found['measure'], found['within'])}) is answered{stopped}."
    needed = max(one["needed"] or 0 for one in found["verdicts"])
    within = shown(found["measure"], found["within"])
    return f"The question ({what}, to within {within}) cannot be answered by these deals: it would take about {needed}."
