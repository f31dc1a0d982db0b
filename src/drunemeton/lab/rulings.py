"""The ambiguity switch: every ruling that has an option is an experiment; what the other reading would do, in figures.

One command plays them all and writes three things: `data/rulings.json` (which the server hands out beside the options), and a line for
each option in `docs/rulings.md`.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..rules.game import Game, find_game, playable
from ..rules.options import Option
from .experiment import Experiment, Setting, shown
from .measures import shown as figure
from .result import Result

DATA = Path(__file__).parent / "data" / "rulings.json"
FEW = 3  # values of a number that are all tried
_OPTION = re.compile(r"\*\*Option:\*\* .*")
_NAME = re.compile(r"`([a-z_]+)")
MARK = "- **The other reading, measured:** "


class Reading(NamedTuple):
    """Another value of an option."""

    option: str
    value: Any

    @property
    def key(self) -> str:
        """As the option's values are written."""
        return shown(self.value)


def readings(game: type[Game]) -> Iterator[Reading]:
    """Every other value of the options that stand for a ruling; cards taken out by hand are none."""
    for option in game.described:
        for value in other_values(option):
            yield Reading(option.name, value)


def other_values(option: Option) -> list[Any]:
    """The other readings of an option: all other choices; the other of two; a few numbers, or the least and greatest of many."""
    if option.kind == "choice":
        return [choice for choice in option.choices if choice != option.default]
    if option.kind == "bool":
        return [not option.default]
    if option.kind != "int":
        return []
    if option.seat:
        return [0]
    numbers = range(option.low, option.high + 1)
    if len(numbers) <= FEW + 1:
        return [number for number in numbers if number != option.default]
    near = [option.default - 1, option.default + 1] if option.high - option.low < 100 else [option.low]
    return [number for number in near if option.low <= number <= option.high]


def experiments(players: str, deals: int, *, named: dict[str, set[str]] | None = None) -> dict[str, Experiment]:
    """An experiment for each game: the default against every other reading, each by itself; `named` are the numbers that are wanted."""
    found = {}
    for name in playable():
        game = find_game(name)
        who = (players,) * game.players[0]
        settings = [Setting("default", who)]
        worded = {option.name for option in game.described if option.kind in ("choice", "bool")}
        for reading in readings(game):
            if named is None or reading.option in named[name] | worded:
                settings.append(Setting(f"{reading.option}={reading.key}", who, {reading.option: reading.value}))
        found[name] = Experiment(name, tuple(settings), deals, title=f"{game.title}: the other readings, {players}").checked()
    return found


def effects(results: dict[str, dict[str, Result]]) -> dict[str, Any]:
    """By game, option, value and players: relative length, who begins, ends, each with what is certain."""
    told: dict[str, Any] = {}
    for players, by_game in results.items():
        for name, result in by_game.items():
            certain = {(one["setting"], one["measure"]) for one in result.data["findings"]}
            for n, setting in enumerate(result.settings[1:], 1):
                option, _, value = setting["name"].partition("=")
                one = told.setdefault(name, {}).setdefault(option, {}).setdefault(value, {})
                one[players] = {"deals": result.data["deals"], **_effect(result, n, certain)}
    return told


def _effect(result: Result, n: int, certain: set[tuple[str, str]]) -> dict[str, Any]:
    """Length as a part of the length before; who begins and kinds of end as shares, now and before."""

    def compared(measure: str, base: float = 1.0) -> dict[str, Any]:
        found = {key: round(result.difference(n, measure)[key] / base, 4) for key in ("mean", "low", "high")}
        return found | {"certain": (result.settings[n]["name"], measure) in certain}

    def share(measure: str) -> dict[str, Any]:
        return compared(measure) | {"now": round(result.figure(n, measure)["mean"], 4), "base": round(result.figure(0, measure)["mean"], 4)}

    begins = result.figure(n, "starter.wins")
    ends = [one for one in result.data["measures"] if one.startswith("end.")]
    return {
        "begins": {key: round(begins[key], 4) for key in ("mean", "low", "high")},
        "length": compared("length.turns", result.figure(0, "length.turns")["mean"] or 1.0),
        "starter": share("starter.wins"),
        "ends": [
            {"end": one.partition(".")[2]} | share(one) for one in ends if result.figure(n, one)["mean"] or result.figure(0, one)["mean"]
        ],
    }


@functools.cache
def handed_out() -> dict[str, Any]:
    """What was measured, by game and option, as the server hands it out; nothing before it was."""
    if not DATA.exists():
        return {}
    return json.loads(DATA.read_text(encoding="utf-8"))["effects"]  # type: ignore[no-any-return]


def write_data(told: dict[str, Any], made: str) -> None:
    """Keep what was measured."""
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text(json.dumps({"made": made, "effects": told}, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def sentence(value: str, by_players: dict[str, Any], *, seat: bool = False) -> str:
    """What another reading does, in a sentence; of a seat that is set only who wins is asked."""
    parts = []
    for players, one in sorted(by_players.items()):
        told = [_begins(one["begins"])] if seat else [_length(one["length"]), _starter(one["starter"]), _ends(one["ends"])]
        parts.append(f"{players}, {one['deals']} deals: {', '.join(told)}")
    return f"`{value}`: {'; '.join(parts)}"


def _begins(share: dict[str, Any]) -> str:
    low, high = figure("starter.wins", share["low"]), figure("starter.wins", share["high"])
    return f"who begins wins {figure('starter.wins', share['mean'])} ({low} to {high})"


def _length(length: dict[str, Any]) -> str:
    if length["low"] == length["high"] == 0:
        return "length as before in every game"
    reach = f"{length['low']:+.0%} to {length['high']:+.0%}"
    if not length["certain"]:
        return f"no certain change of length ({reach})"
    return f"games {abs(length['mean']):.0%} {'longer' if length['mean'] > 0 else 'shorter'} ({reach})"


def _starter(starter: dict[str, Any]) -> str:
    if starter["low"] == starter["high"] == 0:
        return "the same winner"
    if not starter["certain"]:
        return f"no certain change for who begins ({_reach(starter)})"
    return f"who begins wins {_instead(starter)}"


def _ends(ends: list[dict[str, Any]]) -> str:
    certain = [f"ends by {one['end']} {_instead(one)}" for one in ends if one["certain"]]
    if certain:
        return ", ".join(certain)
    widest = max(ends, key=lambda one: one["high"] - one["low"])
    if widest["low"] == widest["high"] == 0:
        return "the same end"
    return f"no certain change of how games end (by {widest['end']} {_reach(widest)})"


def _instead(share: dict[str, Any]) -> str:
    return f"{figure('end.', share['now'])} instead of {figure('end.', share['base'])} ({_reach(share)})"


def _reach(share: dict[str, Any]) -> str:
    return f"{figure('end.', share['low'], sign=True)} to {figure('end.', share['high'], sign=True)}"


def into_page(text: str, told: dict[str, Any]) -> str:
    """The page of rulings with a line for each option that it names."""
    lines = [line for line in text.splitlines() if not line.startswith(MARK)]
    prefixes = {find_game(name).prefix: name for name in playable()}
    found, game = [], ""
    for line in lines:
        heading = re.match(r"### ([A-Z]+)-", line)
        if heading:
            game = prefixes.get(heading[1], "")
        found.append(line)
        if game and _OPTION.search(line):
            for option in dict.fromkeys(_NAME.findall(line)):
                values = told.get(game, {}).get(option)
                if values:
                    seat = any(one.seat for one in find_game(game).described if one.name == option)
                    said = [sentence(f"{option} = {value}", one, seat=seat) for value, one in values.items()]
                    found.append(f"{MARK}{' · '.join(said)}.")
    return "\n".join(found) + "\n"


def options_in(text: str) -> dict[str, set[str]]:
    """The options that the page of rulings names, by game."""
    prefixes = {find_game(name).prefix: name for name in playable()}
    found: dict[str, set[str]] = {name: set() for name in playable()}
    game = ""
    for line in text.splitlines():
        heading = re.match(r"### ([A-Z]+)-", line)
        if heading:
            game = prefixes.get(heading[1], "")
        if game and _OPTION.search(line):
            known = {option.name for option in find_game(game).described}
            found[game] |= set(_NAME.findall(line)) & known
    return found
