"""A stage as data: how the position is arranged, what is to be done, what a wrong try is answered, one way that leads to the end.

```toml
rules = ["DW-5.3"]          # what it teaches; the rules page links here
seat = "moon"               # whom the learner plays
point = ["board:MC"]        # ringed on the board while the words are read, by what the board explains itself with
asks = ["W"]                # of which moves the question speaks, by their first word; of all that can be played unless told
moves = ["1<", "1<", ...]   # lead from the beginning to the position
solution = ["W 5<@2"]       # one way to the goal; the learner may find another
way = [["red 3"], ["take *"]]   # only where the goal takes several decisions: which moves are on the way, decision by decision
replies = ["J black"]       # what the others play, in turn

[options]                   # as for any game, also [components]
[orders]                    # the first cards of each pile; the rest lies as before the shuffle
moon = "m3< m2>"

[[goal]]                    # all of these must hold
event = "token"             # something told since the stage began, with these fields
tree = "S3"

[[wrong]]                   # the first that fits is said to a wrong try; `other` if none does
say = "lost"
when = [{ event = "token", tree = "M2" }]
```

A file with number 0 is the worked example: its solution is stepped through, and `.step.N` is said before each move.
A stage with `[bot]` is the closing game: nothing is arranged but options and components, and it is done when the game is over.
Words: `lesson.PREFIX.NAME.goal`, `.text`, `.done` and `.wrong.SAY`.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..rules.errors import GameError
from ..rules.game import Game, find_game
from .goals import Condition, check_condition

FOLDER = Path(__file__).parent
_FIELDS = {
    "rules",
    "seat",
    "seats",
    "point",
    "asks",
    "moves",
    "solution",
    "way",
    "replies",
    "options",
    "components",
    "orders",
    "goal",
    "wrong",
    "bot",
}


class BadStage(GameError):
    """A stage's file holds something that cannot be played."""

    def __init__(self, stage: str, problem: str) -> None:
        super().__init__(f"stage {stage}: {problem}")


@dataclass(frozen=True)
class Answer:
    """What is said to a wrong try that these conditions fit."""

    say: str
    when: tuple[Condition, ...]


@dataclass(frozen=True)
class Stage:
    """One stage of a lesson."""

    game: str
    number: int
    name: str
    seat: int
    seats: int
    rules: tuple[str, ...]
    point: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    solution: tuple[str, ...] = ()
    way: tuple[tuple[str, ...], ...] = ()
    replies: tuple[str, ...] = ()
    goal: tuple[Condition, ...] = ()
    wrong: tuple[Answer, ...] = ()
    bot: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    components: Mapping[str, Any] | None = None
    orders: Mapping[str, str] = field(default_factory=dict)

    @property
    def closing(self) -> bool:
        """Whether this is the game at the end of the lesson."""
        return self.bot is not None

    @property
    def example(self) -> bool:
        """Whether this is no stage but the worked example, which is only stepped through."""
        return self.number == 0

    @property
    def game_type(self) -> type[Game]:
        """The game it belongs to."""
        return find_game(self.game)

    def key(self, what: str) -> str:
        """The catalogue's key of one of its texts."""
        return f"lesson.{self.game_type.prefix.lower()}.{self.name}.{what}"

    @property
    def texts(self) -> list[str]:
        """All keys that the catalogues must have."""
        said = dict.fromkeys([*(answer.say for answer in self.wrong), "other"])
        if self.example:
            return [self.key(what) for what in ("goal", *(f"step.{n + 1}" for n in range(len(self.solution))), "done", "wrong.other")]
        return [self.key(what) for what in ("goal", "text", "done", *(() if self.closing else [f"wrong.{say}" for say in said]))]

    def describe(self) -> dict[str, Any]:
        """The stage as the page needs it."""
        return {"name": self.name, "number": self.number, "rules": list(self.rules), "closing": self.closing}


@functools.cache
def _read(game: str) -> tuple[Stage, ...]:
    find_game(game)
    return tuple(read_stage(path) for path in sorted((FOLDER / game).glob("[0-9]*.toml")))


def stages(game: str) -> tuple[Stage, ...]:
    """All stages of a game, in their order."""
    return tuple(stage for stage in _read(game) if not stage.example)


def example(game: str) -> Stage | None:
    """The worked example of a game, which stands before its stages."""
    return next((stage for stage in _read(game) if stage.example), None)


def find_stage(game: str, name: str) -> Stage:
    """The stage of that name, or the example."""
    for stage in _read(game):
        if stage.name == name:
            return stage
    raise GameError(f"{game} has no stage {name!r}; the stages are {', '.join(stage.name for stage in stages(game))}")


def read_stage(path: Path) -> Stage:
    """A stage from its file, such as `druidenwalzer/3-contest.toml`; an error that names the file if it cannot be one."""
    number, _, name = path.stem.partition("-")
    game = path.parent.name
    label = f"{game}/{path.stem}"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise BadStage(label, str(problem)) from problem
    if not number.isdecimal() or not name:
        raise BadStage(label, "its file is named by number and name, such as 3-contest.toml")
    if unknown := set(data) - _FIELDS:
        raise BadStage(label, f"unknown: {', '.join(sorted(unknown))}")
    game_type = find_game(game)
    if data.get("seat") not in game_type.seat_names:
        raise BadStage(label, f"seat is one of {', '.join(game_type.seat_names)}")
    goal = tuple(check_condition(label, condition) for condition in data.get("goal", []))
    answers = tuple(_answer(label, answer) for answer in data.get("wrong", []))
    if bool(goal) == ("bot" in data):
        raise BadStage(label, "a stage has either a goal or, as the closing game, a bot")
    return Stage(
        game=game,
        number=int(number),
        name=name,
        seat=game_type.seat_names.index(data["seat"]),
        seats=data.get("seats", game_type.players[0]),
        rules=tuple(data.get("rules", ())),
        point=tuple(data.get("point", ())),
        asks=tuple(data.get("asks", ())),
        moves=tuple(data.get("moves", ())),
        solution=tuple(data.get("solution", ())),
        way=tuple(tuple(step) for step in data.get("way", ())),
        replies=tuple(data.get("replies", ())),
        goal=goal,
        wrong=answers,
        bot=data.get("bot"),
        options=data.get("options", {}),
        components=data.get("components"),
        orders=data.get("orders", {}),
    )


def _answer(label: str, answer: Mapping[str, Any]) -> Answer:
    if set(answer) != {"say", "when"}:
        raise BadStage(label, "a wrong answer has `say` and `when`")
    return Answer(answer["say"], tuple(check_condition(label, condition) for condition in answer["when"]))
