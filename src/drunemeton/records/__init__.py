"""A game as text: options and components in full, shuffle orders, moves, and for a finished game its events, result and secret.

```
drunemeton record 1
game druidenwalzer
rules 1
seats 2
options {"trees": 4, ...}
components {"sun": {...}, "moon": {...}}
auditable yes
commitment 5f...
0
1 moon 1<
2 sun 1>
  shuffle moon m3< m1> ...
  told {"kind": "arrow_laid", ...}
...
result conquest 1 2
secret 9a...
```

Numbered lines are steps; 0 is set-up. What is indented belongs to the step above. Reading never depends on the rules: a finished
record holds its events. `verify` plays it again by the rules it names, and checks every shuffle against the secret.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..rules.chance import Chance, Orders, fits
from ..rules.errors import GameError
from ..rules.game import Game, Result, Step, find_game
from ..rules.kernel import OPEN
from ..rules.story import Event, told_to

FORMAT = 1
HEAD = ("game", "rules", "seats", "options", "components", "auditable", "commitment")


class BadRecord(GameError):
    """A record cannot be read, or is not what it claims to be; the line says where."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}" if line else problem)
        self.line = line


@dataclass
class RecordedStep:
    """One step: who moved and how, the shuffles it brought (pile, cards), and what happened."""

    seat: str
    move: str
    line: int = 0
    shuffles: list[tuple[str, list[str]]] = field(default_factory=list)
    told: list[Event] = field(default_factory=list)


@dataclass
class GameRecord:
    """What a record says."""

    game: str
    rules: int
    seats: int
    options: dict[str, Any]
    components: dict[str, Any]
    auditable: bool
    commitment: str
    steps: list[RecordedStep]
    result: Result | None = None
    secret: bytes | None = None
    result_line: int = 0
    secret_line: int = 0

    @property
    def moves(self) -> list[str]:
        """The moves alone."""
        return [step.move for step in self.steps[1:]]


# --- Writing -------------------------------------------------------------------------------------------------------


def write(game: Game) -> str:
    """A game as text. While it runs, the text holds the shuffles to come: it is for the one who keeps the game, nobody else."""
    commitment = game.chance.commitment if isinstance(game.chance, Chance) else ""
    lines = [
        f"drunemeton record {FORMAT}",
        f"game {game.name}",
        f"rules {game.version}",
        f"seats {game.seats}",
        f"options {_json(game.options)}",
        f"components {_json(game.components)}",
        f"auditable {'yes' if game.chance.auditable else 'no'}",
        f"commitment {commitment or '-'}",
    ]
    for number, (step, shuffles) in enumerate(zip(game.steps, game.orders(), strict=True)):
        who = f" {game.seat_names[step.seat]} {step.move}" if number else ""
        lines.append(f"{number}{who}")
        for pile, cards in shuffles:
            lines.append("  shuffle " + " ".join([pile, *(game.order_text(pile, card) for card in cards)]))
        if game.over:
            lines += [f"  told {_json(event)}" for event in _open_story(game, step)]
    if game.result is not None:
        lines.append(" ".join(["result", game.result.end, *map(str, game.result.places)]))
        if isinstance(game.chance, Chance):
            lines.append(f"secret {game.chance.secret.hex()}")
    return "\n".join(lines) + "\n"


def _open_story(game: Game, step: Step) -> list[Event]:
    """What happened in a step, all cards open; without the numbers of rules, which belong to the books of the day."""
    events = game.script.events(told_to(step.rows, OPEN))
    return [{name: value for name, value in event.items() if name != "rule"} for event in events if event["kind"] != "order"]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


# --- Reading -------------------------------------------------------------------------------------------------------


def read(text: str) -> GameRecord:
    """What a record says; no rules are asked."""
    lines = iter([(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip()])
    n, first = next(lines, (1, ""))
    if not first.startswith("drunemeton record"):
        raise BadRecord(n, "a record begins with «drunemeton record 1»")
    if first.split()[-1] != str(FORMAT):
        raise BadRecord(n, f"this record has format {first.split()[-1]}, and format {FORMAT} can be read here")
    head = {name: _head(lines, name) for name in HEAD}
    record = GameRecord(
        game=head["game"][1],
        rules=_number(*head["rules"]),
        seats=_number(*head["seats"]),
        options=_object(*head["options"]),
        components=_object(*head["components"]),
        auditable=head["auditable"][1] == "yes",
        commitment="" if head["commitment"][1] == "-" else head["commitment"][1],
        steps=[],
    )
    n = head["commitment"][0]
    for n, line in lines:
        _read_line(record, n, line)
    if not record.steps:
        raise BadRecord(n, "the record breaks off before step 0")
    return record


def _head(lines: Iterator[tuple[int, str]], name: str) -> tuple[int, str]:
    n, line = next(lines, (0, ""))
    key, _, value = line.partition(" ")
    if key != name or not value:
        raise BadRecord(n, f"«{name}» is expected here" if n else f"the record breaks off before «{name}»")
    return n, value.strip()


def _number(n: int, text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise BadRecord(n, f"{text!r} is not a whole number")
    return int(text)


def _object(n: int, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as problem:
        raise BadRecord(n, f"cannot be read: {problem}") from problem
    if not isinstance(value, dict):
        raise BadRecord(n, "an object in braces is expected")
    return value


def _read_line(record: GameRecord, n: int, line: str) -> None:
    key, _, rest = line.strip().partition(" ")
    if record.result is not None and key != "secret":
        raise BadRecord(n, "nothing but the secret may follow the result")
    if line.startswith(" "):
        if not record.steps:
            raise BadRecord(n, "this belongs to a step, and no step has come yet")
        if key == "shuffle" and rest:
            pile, *cards = rest.split()
            record.steps[-1].shuffles.append((pile, cards))
        elif key == "told":
            record.steps[-1].told.append(_object(n, rest))
        else:
            raise BadRecord(n, f"{key!r} is neither a shuffle nor an event")
    elif key == "result":
        end, *places = rest.split() or [""]
        record.result, record.result_line = Result(end, tuple(_number(n, place) for place in places)), n
    elif key == "secret":
        try:
            record.secret, record.secret_line = bytes.fromhex(rest), n
        except ValueError as problem:
            raise BadRecord(n, "the secret is not a row of hexadecimal digits") from problem
    else:
        if _number(n, key) != len(record.steps):
            raise BadRecord(n, f"step {len(record.steps)} is expected here, not {key}")
        seat, _, move = rest.partition(" ")
        if record.steps and not move:
            raise BadRecord(n, "a step names a seat and its move")
        record.steps.append(RecordedStep(seat, move, n))


# --- Replaying and verifying ---------------------------------------------------------------------------------------


def replay(record: GameRecord, until: int | None = None) -> Game:
    """Play the recorded moves again, with the recorded shuffles, up to step `until`."""
    game_type = _game_of(record)
    orders = []
    for step in record.steps:
        try:
            orders.append([game_type.order_cards(pile, cards) for pile, cards in step.shuffles])
        except (ValueError, IndexError, KeyError) as problem:
            raise BadRecord(step.line, "a shuffle names a pile or a card that this game does not have") from problem
    return _play(record, game_type, Orders(orders), until)


def _game_of(record: GameRecord) -> type[Game]:
    try:
        game_type = find_game(record.game)
    except GameError as problem:
        raise BadRecord(2, str(problem)) from problem
    if record.rules != game_type.version:
        raise BadRecord(3, f"played by version {record.rules} of the rules; version {game_type.version} is here")
    return game_type


def _play(record: GameRecord, game_type: type[Game], chance: Chance | Orders, until: int | None = None) -> Game:
    step = record.steps[0]
    try:
        game = game_type(record.seats, record.options, record.components, chance)
        for number, step in enumerate(record.steps[1:], 1):
            if until is not None and number > until:
                break
            if game.to_move is None:
                raise BadRecord(step.line, "a move after the game's end")
            if game.seat_names[game.to_move] != step.seat:
                raise BadRecord(step.line, f"it is {game.seat_names[game.to_move]}'s decision, not {step.seat}'s")
            game.play(step.move)
    except BadRecord:
        raise
    except (GameError, TypeError, KeyError, AttributeError) as problem:
        raise BadRecord(step.line, str(problem)) from problem
    return game


@dataclass(frozen=True)
class Verdict:
    """What verifying found: everything holds, or an exception was raised before."""

    game: str
    steps: int
    result: Result | None
    shuffles: str  # `audited`, `seed` (repeatable, not auditable), or `unknown` (no secret in the record)


def verify(record: GameRecord) -> Verdict:
    """Check a record: moves by the rules, events, result, and every shuffle against the secret that was committed to."""
    game = replay(record)
    _check_story(record, game)
    if record.result is not None or game.result is not None:
        if record.result != game.result:
            raise BadRecord(record.result_line, f"the result is {_in_words(game.result)}, not {_in_words(record.result)}")
    if record.secret is None:
        return Verdict(record.game, len(game.steps) - 1, game.result, "unknown")
    if not fits(record.commitment, record.secret):
        raise BadRecord(record.secret_line, "the secret is not the one that was committed to before the game")
    audited = _play(record, type(game), Chance(record.secret, record.auditable))
    for step, ours, theirs in zip(record.steps, audited.orders(), game.orders(), strict=True):
        if ours != theirs:
            raise BadRecord(step.line, "the shuffle does not follow from the secret")
    return Verdict(record.game, len(game.steps) - 1, game.result, "audited" if record.auditable else "seed")


def _check_story(record: GameRecord, game: Game) -> None:
    for recorded, step in zip(record.steps, game.steps, strict=True):
        if recorded.told or record.result is not None:
            if json.loads(_json(_open_story(game, step))) != recorded.told:
                raise BadRecord(recorded.line, "what the record tells of this step is not what happens by the rules")


def _in_words(result: Result | None) -> str:
    return "open" if result is None else " ".join([result.end, *map(str, result.places)])
