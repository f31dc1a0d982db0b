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
derivation pile
0
1 moon 1<
2 sun 1>
  shuffle moon m3< m1> ...
  told {"kind": "arrow_laid", ...}
...
result conquest 1 2
secret 9a...
```

Numbered lines are steps; 0 is set-up. What is indented belongs to the step above. The result names one of the game's own ends, or
`resigned` or `time` where one of two players left the table early. Reading never depends on the rules: a finished record holds its
events. `verify` plays it again by the rules it names, and checks every shuffle against the secret, by the derivation it names; a record
that names none is older than the second one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..rules.chance import BY_STEP, DERIVATIONS, Chance, Orders, fits
from ..rules.errors import BadEntry, GameError
from ..rules.game import Game, Result, Step, find_game
from ..rules.kernel import OPEN
from ..rules.options import recorded
from ..rules.story import Event, orders_in, told_to

FORMAT = 1
HEAD = ("game", "rules", "seats", "options", "components", "auditable", "commitment")


LEFT = ("resigned", "time")  # ends of the table, not of the game: one of two players gave up, or had no time left

PROBLEMS = {
    "beginning": "a record begins with «drunemeton record 1»",
    "format": "this record has format {format}, and format {here} can be read here",
    "expected": "«{name}» is expected here",
    "breaks_off": "the record breaks off before «{name}»",
    "number": "{text!r} is not a whole number",
    "unreadable": "cannot be read: {problem}",
    "braces": "an object in braces is expected",
    "after_result": "nothing but the secret may follow the result",
    "no_step": "this belongs to a step, and no step has come yet",
    "line": "{text!r} is neither a shuffle nor an event",
    "derivation": "shuffles were derived by {text!r}, which is not known here",
    "hexadecimal": "the secret is not a row of hexadecimal digits",
    "step": "step {number} is expected here, not {text}",
    "move_missing": "a step names a seat and its move",
    "pile": "a shuffle names a pile or a card that this game does not have",
    "game": "there is no game {text!r}",
    "rules": "played by version {rules} of the rules; version {here} is here",
    "after_end": "a move after the game's end",
    "whose_turn": "it is {seat}'s decision, not {text}'s",
    "move": "{text!r} cannot be played here: {problem}",
    "set_up": "a game cannot begin like this: {problem}",
    "story": "what the record tells of this step is not what happens by the rules",
    "result": "the result is {here}, not {text}",
    "running": "this game has not ended",
    "commitment": "the secret is not the one that was committed to before the game",
    "shuffle": "the shuffle does not follow from the secret",
}


class BadRecord(GameError):
    """A record cannot be read, or is not what it claims to be; the line says where, the code with its parameters what."""

    def __init__(self, line: int, code: str, **params: Any) -> None:
        problem = PROBLEMS[code].format(**params)
        super().__init__(f"line {line}: {problem}" if line else problem)
        self.line, self.code, self.params = line, code, params


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
    derivation: str = BY_STEP
    result: Result | None = None
    secret: bytes | None = None
    result_line: int = 0
    secret_line: int = 0

    @property
    def moves(self) -> list[str]:
        """The moves alone."""
        return [step.move for step in self.steps[1:]]


# --- Writing -------------------------------------------------------------------------------------------------------


def write(game: Game, ended: Result | None = None) -> str:
    """A game as text; `ended` tells of a table that was left before the game's own end.

    While it runs, the text holds the shuffles to come: it is for the one who keeps the game, nobody else.
    """
    result = game.result or ended
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
    if isinstance(game.chance, Chance) and game.chance.derivation != BY_STEP:
        lines.append(f"derivation {game.chance.derivation}")
    for number, (step, shuffles) in enumerate(zip(game.steps, game.orders(), strict=True)):
        who = f" {game.seat_names[step.seat]} {step.move}" if number else ""
        lines.append(f"{number}{who}")
        for pile, cards in shuffles:
            lines.append("  shuffle " + " ".join([pile, *(game.order_text(pile, card) for card in cards)]))
        if result is not None:
            lines += [f"  told {_json(event)}" for event in _open_story(game, step)]
    if result is not None:
        lines.append(" ".join(["result", result.end, *map(str, result.places)]))
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
    # Editors of Windows put a mark before a text that they have saved.
    lines = iter([(n, line) for n, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1) if line.strip()])
    n, first = next(lines, (1, ""))
    if not first.startswith("drunemeton record"):
        raise BadRecord(n, "beginning")
    if first.split()[-1] != str(FORMAT):
        raise BadRecord(n, "format", format=first.split()[-1], here=FORMAT)
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
        if line.startswith("derivation ") and not record.steps:
            record.derivation = _derivation(n, line)
        else:
            _read_line(record, n, line)
    if not record.steps:
        raise BadRecord(n, "breaks_off", name="step 0")
    return record


def _head(lines: Iterator[tuple[int, str]], name: str) -> tuple[int, str]:
    n, line = next(lines, (0, ""))
    key, _, value = line.partition(" ")
    if key != name or not value:
        raise BadRecord(n, "expected" if n else "breaks_off", name=name)
    return n, value.strip()


def _derivation(n: int, line: str) -> str:
    name = line.partition(" ")[2].strip()
    if name not in DERIVATIONS:
        raise BadRecord(n, "derivation", text=name)
    return name


def _number(n: int, text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise BadRecord(n, "number", text=text)
    return int(text)


def _object(n: int, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadRecord(n, "unreadable", problem=str(problem)) from problem
    if not isinstance(value, dict):
        raise BadRecord(n, "braces")
    return value


def _read_line(record: GameRecord, n: int, line: str) -> None:
    key, _, rest = line.strip().partition(" ")
    if record.result is not None and key != "secret":
        raise BadRecord(n, "after_result")
    if line.startswith(" "):
        if not record.steps:
            raise BadRecord(n, "no_step")
        if key == "shuffle" and rest:
            pile, *cards = rest.split()
            record.steps[-1].shuffles.append((pile, cards))
        elif key == "told":
            record.steps[-1].told.append(_object(n, rest))
        else:
            raise BadRecord(n, "line", text=key)
    elif key == "result":
        end, *places = rest.split() or [""]
        record.result, record.result_line = Result(end, tuple(_number(n, place) for place in places)), n
    elif key == "secret":
        try:
            record.secret, record.secret_line = bytes.fromhex(rest), n
        except ValueError as problem:
            raise BadRecord(n, "hexadecimal") from problem
    else:
        if _number(n, key) != len(record.steps):
            raise BadRecord(n, "step", number=len(record.steps), text=key)
        seat, _, move = rest.partition(" ")
        if record.steps and not move:
            raise BadRecord(n, "move_missing")
        record.steps.append(RecordedStep(seat, move, n))


# --- Replaying and verifying ---------------------------------------------------------------------------------------


def replay(record: GameRecord, until: int | None = None) -> Game:
    """Play the recorded moves again, with the recorded shuffles, up to step `until`."""
    return _last(plays(record, until=until))


def plays(record: GameRecord, chance: Chance | None = None, until: int | None = None) -> Iterator[Game]:
    """The game after set-up and after every move, played again with the recorded shuffles or with those of a secret.

    It is the same object each time. With the recorded shuffles, what the record tells of a step is compared with what happens.
    """
    game_type = game_of(record)
    step = record.steps[0]
    try:
        options = recorded(game_type.described, record.options)
        game = game_type(record.seats, options, record.components, chance or _orders(record, game_type))
    except BadRecord:
        raise
    except BadEntry as problem:  # said in the reader's language, as wherever options and components are typed
        raise BadRecord(
            step.line, "set_up", **{**problem.params, "problem": str(problem), "entry": problem.entry, "why": problem.code}
        ) from problem
    except (GameError, TypeError, KeyError, AttributeError) as problem:
        raise BadRecord(step.line, "set_up", problem=str(problem)) from problem
    _check_story(record, step, game, chance is None)
    yield game
    for step in record.steps[1 : None if until is None else until + 1]:
        _check_turn(step, game)
        try:
            game.play(step.move)
        except GameError as problem:
            raise BadRecord(step.line, "move", text=step.move, problem=str(problem)) from problem
        _check_story(record, step, game, chance is None)
        yield game


def _orders(record: GameRecord, game_type: type[Game]) -> Orders:
    orders = []
    for step in record.steps:
        try:
            orders.append([game_type.order_cards(pile, cards) for pile, cards in step.shuffles])
        except (ValueError, IndexError, KeyError) as problem:
            raise BadRecord(step.line, "pile") from problem
    return Orders(orders)


def game_of(record: GameRecord) -> type[Game]:
    """The game that was played, if it is here in the version of its rules."""
    try:
        game_type = find_game(record.game)
    except GameError as problem:
        raise BadRecord(2, "game", text=record.game) from problem
    if record.rules != game_type.version:
        raise BadRecord(3, "rules", rules=record.rules, here=game_type.version)
    return game_type


def _check_turn(step: RecordedStep, game: Game) -> None:
    if game.to_move is None:
        raise BadRecord(step.line, "after_end")
    if game.seat_names[game.to_move] != step.seat:
        raise BadRecord(step.line, "whose_turn", seat=game.seat_names[game.to_move], text=step.seat)


def _check_story(record: GameRecord, step: RecordedStep, game: Game, told: bool) -> None:
    if told and (record.result is not None or step.told) and json.loads(_json(_open_story(game, game.steps[-1]))) != step.told:
        raise BadRecord(step.line, "story")


def _last(games: Iterator[Game]) -> Game:
    *_, game = games
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
    check_result(record, game)
    return Verdict(record.game, len(game.steps) - 1, record.result, audit(record, game))


def check_result(record: GameRecord, game: Game) -> None:
    """Whether the game that was played again ended as the record says."""
    if record.result != game.result and not (record.result and _left(record.result, game)):
        raise BadRecord(record.result_line, "result", here=_in_words(game.result), text=_in_words(record.result))


def _left(result: Result, game: Game) -> bool:
    """Whether one of two players can have left the table here: by giving up at any time, by the clock only when it is his turn."""
    if result.end not in LEFT or game.over or game.seats != 2 or sorted(result.places) != [1, 2]:
        return False
    return result.end == "resigned" or result.places[game.to_move or 0] == 2


def audit(record: GameRecord, game: Game, at_each: Callable[[], None] | None = None) -> str:
    """Whether the shuffles of a game that was played again follow from the secret, and the secret is the one committed to.

    `at_each` is called after each step: whoever has no more time raises something there.
    """
    if record.secret is None:
        return "unknown"
    if not fits(record.commitment, record.secret):
        raise BadRecord(record.secret_line, "commitment")
    for number, audited in enumerate(plays(record, Chance(record.secret, record.auditable, record.derivation))):
        if orders_in(audited.steps[number].rows) != orders_in(game.steps[number].rows):
            raise BadRecord(record.steps[number].line, "shuffle")
        if at_each is not None:
            at_each()
    return "audited" if record.auditable else "seed"


def _in_words(result: Result | None) -> str:
    return "open" if result is None else " ".join([result.end, *map(str, result.places)])
