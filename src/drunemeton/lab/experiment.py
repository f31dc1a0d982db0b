"""An experiment: a small file that says which game is played by whom, with what, and what is varied.

```toml
game = "daemonen"
players = ["greedy", "greedy"]      # or: greedy without dark magic, level-5, my.module:Bot
deals = 1000                        # at most; each is played with every setting
seed = 1                            # number of the first deal
mirrored = false                    # every deal once from each seat

[options]                           # what all settings share; only what differs from the default
jump = "line"

[components]
demons = 6
"fields.FFFFFW" = 3

[[vary]]                            # each value is a setting of its own; with `combine = true` above, every combination of several tables
set = "win"
to = [30, 36, 42]

[[vary]]                            # several changes as one setting, under a name if you like
together = { demons = 6, win = 30 }

[[vary]]                            # or who plays, or whole files of options
players = [["level-3", "level-3"], ["level-5", "level-5"]]

[question]                          # stops as soon as it is answered, at fixed counts of deals
measure = "length.turns"
within = 1.0
```
"""

from __future__ import annotations

import itertools
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ..rules.changes import with_change
from ..rules.components import read_components
from ..rules.errors import GameError
from ..rules.game import Game, find_game
from .stats import Look, looks

DEALS = 1000
MOST_DEALS = 10_000_000
MOST_SETTINGS = 64
_FIELDS = {"game", "title", "players", "seats", "deals", "seed", "mirrored", "salt", "combine", "options", "components", "vary", "question"}


@dataclass(frozen=True)
class Setting:
    """What one column of an experiment is played with: by whom, with which options and components (in part, as they were written)."""

    name: str
    players: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    components: Mapping[str, Any] = field(default_factory=dict)
    salt: int = 0


@dataclass(frozen=True)
class Question:
    """What an experiment wants to know: a measure of every setting against the first (or of the first alone), to within so much."""

    measure: str
    within: float


@dataclass(frozen=True)
class Experiment:
    """What is played."""

    game: str
    settings: tuple[Setting, ...]
    deals: int = DEALS
    seed: int = 1
    mirrored: bool = False
    question: Question | None = None
    title: str = ""

    @property
    def game_type(self) -> type[Game]:
        """The game."""
        return find_game(self.game)

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.settings[0].players)

    @property
    def looks(self) -> list[Look]:
        """When figures are looked at."""
        return looks(self.deals, self.question is not None)

    def checked(self) -> Experiment:
        """Refuse what cannot be played, before anything is."""
        if not self.settings or len(self.settings) > MOST_SETTINGS:
            raise GameError(f"an experiment has 1 to {MOST_SETTINGS} settings, not {len(self.settings)}")
        if not 2 <= self.deals <= MOST_DEALS:
            raise GameError(f"an experiment has 2 to {MOST_DEALS} deals, not {self.deals}")
        for setting in self.settings:
            if len(setting.players) != self.seats:
                raise GameError("all settings of an experiment have as many players")
            self.game_type.lay_out(self.seats, setting.options, setting.components)
        return self

    def describe(self) -> dict[str, Any]:
        """As data: everything that is needed to play it again, options and components in full."""
        settings = []
        for one in self.settings:
            laid = self.game_type.lay_out(self.seats, one.options, one.components)
            settings.append(
                {
                    "name": one.name,
                    "players": list(one.players),
                    "salt": one.salt,
                    "changed": {"options": dict(one.options), "components": dict(one.components)},
                    "options": laid.options,
                    "components": laid.components,
                }
            )
        question = {"measure": self.question.measure, "within": self.question.within} if self.question else None
        return {
            "game": self.game,
            "title": self.title,
            "deals": self.deals,
            "seed": self.seed,
            "mirrored": self.mirrored,
            "question": question,
            "settings": settings,
        }

    @property
    def mark(self) -> str:
        """A short name for exactly this experiment: what was kept of another is not taken for it."""
        return blake2b(json.dumps(self.describe(), sort_keys=True).encode(), digest_size=8).hexdigest()


def from_result(told: Mapping[str, Any]) -> Experiment:
    """The experiment that a result was made of."""
    settings = [
        Setting(one["name"], tuple(one["players"]), one["options"], one["components"], one.get("salt", 0)) for one in told["settings"]
    ]
    question = Question(**told["question"]) if told.get("question") else None
    return Experiment(told["game"], tuple(settings), told["deals"], told["seed"], told["mirrored"], question, told.get("title", ""))


def read(path: Path) -> Experiment:
    """An experiment from its file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise GameError(f"{path} cannot be read: {problem.strerror}") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise GameError(f"{path} is no experiment: {problem}") from problem
    return made(data, path.parent)


def made(data: Mapping[str, Any], folder: Path | None = None) -> Experiment:
    """An experiment from data; files that it names are looked for in the folder, and nowhere if there is none."""
    for name in data:
        if name not in _FIELDS:
            raise GameError(f"an experiment has no {name!r}; it has {', '.join(sorted(_FIELDS))}")
    if "game" not in data:
        raise GameError("an experiment names its game")
    game = find_game(_typed(data, "game", str))
    count = _typed(data, "seats", int, game.players[0])
    players = _players(data.get("players", ["greedy"] * count))
    base = Setting(
        "default", players, _typed(data, "options", dict, {}), _typed(data, "components", dict, {}), _typed(data, "salt", int, 0)
    )
    settings = _varied(game, base, _typed(data, "vary", list, []), folder, combine=_typed(data, "combine", bool, False))
    question = None
    if "question" in data:
        asked = _typed(data, "question", dict)
        if set(asked) != {"measure", "within"} or not isinstance(asked["measure"], str) or not isinstance(asked["within"], int | float):
            raise GameError("a question has a measure, and how exactly it is to be known (within)")
        question = Question(asked["measure"], float(asked["within"]))
    deals, seed = _typed(data, "deals", int, DEALS), _typed(data, "seed", int, 1)
    mirrored, title = _typed(data, "mirrored", bool, False), _typed(data, "title", str, "")
    return Experiment(game.name, tuple(settings), deals, seed, mirrored, question, title).checked()


def _typed(data: Mapping[str, Any], name: str, kind: type, default: Any = None) -> Any:
    value = data.get(name, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise GameError(f"{name} of an experiment is not {value!r}")
    return value


def _players(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not given or not all(isinstance(name, str) for name in given):
        raise GameError(f'players are a list of names such as ["greedy", "greedy"], not {given!r}')
    return tuple(given)


def shown(value: Any) -> str:
    """A value as it is typed."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return ",".join(f"{name}:{shown(one)}" for name, one in value.items())
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)


def _varied(game: type[Game], base: Setting, vary: Sequence[Any], folder: Path | None, *, combine: bool) -> list[Setting]:
    """The base first, then every change by itself, or every combination; one that changes nothing is the base itself."""
    ways = [_ways(game, one, folder) for one in vary]
    found = [base]
    printed = game.lay_out(len(base.players), base.options, base.components)
    for chosen in itertools.product(*ways) if combine and ways else [(way,) for one in ways for way in one]:
        setting, labels = base, []
        for label, change in chosen:
            setting = change(setting)
            labels.append(label)
        setting = Setting(" ".join(labels), setting.players, setting.options, setting.components, setting.salt)
        laid = game.lay_out(len(setting.players), setting.options, setting.components)
        if (laid.options, laid.components, setting.players, setting.salt) != (printed.options, printed.components, base.players, base.salt):
            found.append(setting)
    return found


def _ways(game: type[Game], one: Any, folder: Path | None) -> list[tuple[str, Any]]:
    if not isinstance(one, dict):
        raise GameError(f"[[vary]] is a table, not {one!r}")
    if set(one) == {"set", "to"} and isinstance(one["to"], list):
        name = one["set"]
        return [(f"{name}={shown(value)}", _setting_to(game, name, value)) for value in one["to"]]
    if set(one) in ({"together"}, {"together", "name"}) and isinstance(one["together"], dict):
        changes = one["together"]
        label = str(one.get("name") or " ".join(f"{name}={shown(value)}" for name, value in changes.items()))
        return [(label, _together([_setting_to(game, name, value) for name, value in changes.items()]))]
    if set(one) == {"players"}:
        return [(" : ".join(players), _seating(_players(list(players)))) for players in one["players"]]
    if set(one) == {"salt"}:
        return [(f"salt={salt}", _salting(salt)) for salt in one["salt"]]
    if set(one) == {"file"} and folder is not None:
        return [(name, _reading(folder / name)) for name in one["file"]]
    raise GameError(f"[[vary]] names what is set, and to which values; what is changed together; players; or files; not {', '.join(one)}")


def _setting_to(game: type[Game], name: str, value: Any) -> Any:
    def change(setting: Setting) -> Setting:
        options, components = with_change(game, setting.options, setting.components, name, value)
        return Setting(setting.name, setting.players, options, components, setting.salt)

    return change


def _together(changes: Sequence[Any]) -> Any:
    def change(setting: Setting) -> Setting:
        for one in changes:
            setting = one(setting)
        return setting

    return change


def _seating(players: tuple[str, ...]) -> Any:
    return lambda setting: Setting(setting.name, players, setting.options, setting.components, setting.salt)


def _salting(salt: int) -> Any:
    return lambda setting: Setting(setting.name, setting.players, setting.options, setting.components, salt)


def _reading(path: Path) -> Any:
    def change(setting: Setting) -> Setting:
        options = read_components(path)
        components = options.pop("components", {})
        return Setting(setting.name, setting.players, {**setting.options, **options}, {**setting.components, **components}, setting.salt)

    return change


# --- Writing -------------------------------------------------------------------------------------------------------


def write(game: str, players: Sequence[str], changes: Sequence[tuple[str, Sequence[Any]]], deals: int, *, mirrored: bool = False) -> str:
    """The text of a new experiment."""
    lines = [
        f"game = {json.dumps(game)}",
        f"players = {json.dumps(list(players))}",
        f"deals = {deals}  # at most; every setting plays the same",
        "seed = 1",
        f"mirrored = {json.dumps(mirrored)}  # true: every deal once from each seat",
        "",
        "# What all settings share: only what differs from the default.",
        "[options]",
        "",
        "[components]",
    ]
    for name, values in changes:
        lines += ["", "[[vary]]", f"set = {json.dumps(name)}", f"to = {json.dumps(list(values))}"]
    lines += [
        "",
        "# The run stops as soon as this is known so well, or after all deals.",
        "# [question]",
        '# measure = "length.turns"',
        "# within = 1.0",
    ]
    return "\n".join(lines) + "\n"
