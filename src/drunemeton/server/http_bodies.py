"""What HTTP requests and answers hold: the other half of the protocol, see `protocol.py`."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from .protocol import Because, ClockRules, Clocks, Foreseen, GameEvent, Provenance, Result, SeatInfo, Shape, View


class Answer(Shape):
    """What is answered whole: also what has a default is always there."""

    model_config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)


Name = Annotated[str, Field(max_length=40)]


class Problem(Answer):
    """What went wrong: a code with parameters for the catalogues, and a sentence for developers."""

    code: str
    message: str
    rule: str | None = None
    params: dict[str, Any] = Field(default_factory=dict)
    entry: str | None = Field(None, description="which part of the request")


class Problems(Answer):
    """An error."""

    error: Problem


class Status(Shape):
    """That it is so."""

    status: str


class Version(Shape):
    """Which server this is, and who can get here."""

    version: str
    build: str = Field(description="changes when the page must be loaded anew")
    public_url: str | None = Field(description="what links to seats should begin with if it is not the page's own origin")
    reach: Literal["public", "network", "machine"] = Field(description="everybody, the local network, or this machine alone")
    addresses: list[str] = Field(description="where others in the local network find the server; told only to its own machine")


# --- Games


class OptionText(BaseModel):
    """An option of a game."""

    model_config = ConfigDict(extra="allow")

    name: str
    kind: Literal["choice", "bool", "int", "cards"]
    default: Any
    rule: str
    low: int | None = None
    high: int | None = None
    choices: list[str] | None = None
    example: str | None = Field(None, description="how cards are written, where it is a list of cards")
    seat: bool | None = Field(None, description="its value is a seat; the default stands for none of them")


class BotInfo(BaseModel):
    """A bot on the menu: its level and its measured strength in Elo, where it has them."""

    model_config = ConfigDict(extra="allow")

    name: str
    level: int | None
    elo: float | None
    within: float | None


class GameInfo(Shape):
    """A game."""

    name: str
    title: str
    players: tuple[int, int]
    seat_names: list[str]
    playable: bool
    options: list[OptionText]
    components: dict[str, Any]
    provenance: Provenance
    bots: list[BotInfo]
    puzzles: int = Field(description="how many there are")


class PuzzleListed(Shape):
    """A puzzle in the list of a game's; nothing of its solution."""

    id: str
    kind: str = Field(description="of decision")
    theme: Literal["finish", "strike", "prepare", "guard", "spare"]
    grade: int = Field(description="how hard it is, from 1 on")
    missed: float = Field(description="how often lower levels did not find it")


class PuzzleReason(Shape):
    """Why the best move is better than another: `puzzles.why.CODE` of the catalogues says it."""

    code: str
    event: GameEvent | None
    share: float = Field(description="in so many of the worlds that the seat has to reckon with the best move brings it")
    instead: float = Field(description="and the other one")
    params: dict[str, Any]


class PuzzleMove(Shape):
    """A legal move: the chance to win after it, what it would bring, and why the best one is better (for the best: than the next)."""

    move: str
    value: float
    foreseen: list[Foreseen] = Field(description="as `previewed` tells it")
    why: list[PuzzleReason]


class Posed(Shape):
    """A position that is drawn without a table, from what one seat knows."""

    game: str
    seat: int
    seats: int
    options: dict[str, Any]
    components: dict[str, Any]
    provenance: Provenance
    view: dict[str, Any] = Field(description="the seat's own")
    legal: list[str]


class PuzzleShown(PuzzleListed, Posed):
    """A puzzle with all that it takes to pose it and to answer every try, from what its seat knows."""

    moves: list[PuzzleMove] = Field(description="the best first")


class FigureShown(Posed):
    """A figure of "How to play": a position of the lesson as its board draws it."""

    name: str
    show: str | None = Field(description="the move that lies ready")
    foreseen: list[Foreseen] = Field(description="what that would bring, as `previewed` tells it")
    part: str = Field(description="which part of the table is drawn; the game's page knows which there are")
    width: int = Field(description="of the window for which it is drawn, in pixels; it is shown as large as there is room")
    marks: list[str] = Field(description="what is numbered, as `about` names it")


# --- Tables


class Closed(BaseModel):
    """A body that holds nothing that we do not know."""

    model_config = ConfigDict(extra="forbid")


class SeatAsked(Closed):
    """Who shall sit at a seat."""

    kind: str = Field(description="`person`, `bot` or `open`")
    name: Name | None = ""
    bot: str | None = Field(None, max_length=40)


class ClockAsked(Closed):
    """Which clock."""

    kind: str = Field("none", description="`none`, `move` or `game`")
    seconds: int = Field(0, ge=0, le=2**31)


def _can_be_written(value: Any) -> Any:
    """Refuse what JSON as we write it cannot hold: numbers that are none, halves of letters."""
    if isinstance(value, dict):
        for key, one in value.items():
            _can_be_written(key)
            _can_be_written(one)
    elif isinstance(value, list):
        for one in value:
            _can_be_written(one)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError("not a number")
    elif isinstance(value, str):
        value.encode()  # a UnicodeError is a ValueError
    return value


Given = Annotated[dict[str, Any], BeforeValidator(_can_be_written)]


class PositionAsked(Closed):
    """A position of a finished game."""

    table: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    step: int = Field(ge=0, le=10_000, description="as its record counts: 0 is set-up")


class TableAsked(Closed):
    """A table to be made."""

    game: str = Field(max_length=40)
    seats: list[SeatAsked] = Field(min_length=1, max_length=8)
    options: Given | None = None
    components: Given | None = None
    clock: ClockAsked | None = None
    seed: int | None = Field(None, ge=-(2**63), lt=2**63, description="repeatable, for one device: other devices are refused")
    stage: str | None = Field(
        None,
        max_length=40,
        description="begin at this stage of the game's lesson, with its options and components: arranged, not auditable",
    )
    position: PositionAsked | None = Field(
        None,
        description="begin where a finished game of this server stood, with its options, components and cards: arranged, not auditable",
    )
    chat: bool = Field(False, description="people may write to each other, not only say phrases")
    lesson: bool = Field(False, description="the stage is to be learnt: the first seat asked for is the learner's, and tries are judged")


class StageShown(Answer):
    """A stage of a game's lesson; its words are in the catalogues, under `lesson.PREFIX.NAME`."""

    name: str
    number: int
    seats: int
    rules: list[str] = Field(description="what it teaches")
    closing: bool = Field(description="a short game, and nothing else to reach")


class MadeTable(Answer):
    """A new table: the keys of its seats, and one to watch with."""

    table: str
    keys: list[str | None] = Field(description="null where no key is for you")
    watch: str
    commitment: str
    seat: int | None = Field(None, description="the own seat, after a rematch")


class TableShown(Shape):
    """What may be known of a table without a key."""

    table: str
    game: str
    title: str
    seats: list[SeatInfo]
    options: dict[str, Any]
    clock: ClockRules
    over: bool
    waiting_for: list[int] = Field(description="seats that nobody has entered yet")
    arranged: bool = Field(description="the game begins at an arranged position: its shuffle is not auditable")
    seat: int | None = Field(default=None, description="the seat that the key opens, if one was sent along as Bearer")


class SessionMade(Answer):
    """A session, and the seat that it opens."""

    session: str
    seat: int | None = Field(description="null: to watch")
    table: str
    key: str | None = Field(None, description="makes the own link, after taking an open seat")


class NameAsked(Closed):
    """How somebody wants to be called."""

    name: Name | None = ""
    beside: str | None = Field(
        None, max_length=200, description="a session of another seat at the same device: needed at a table with a typed seed"
    )


class SitAsked(Closed):
    """Which open seat to take."""

    seat: int | None = Field(None, ge=0, le=7, description="null: any")
    name: Name = ""


class RematchAsked(Closed):
    """Whether the winner leaves cards out, and which."""

    handicap: bool = False
    cards: list[Annotated[str, Field(max_length=8)]] | None = Field(None, max_length=8, description='such as `["2>"]`')


class SessionAsked(Closed):
    """A session, and the table that it belongs to."""

    table: str = Field(max_length=64)
    session: str = Field(max_length=200)


class MineAsked(Closed):
    """Sessions of tables at which somebody sits."""

    sessions: list[SessionAsked] = Field(max_length=64)


class Standing(Answer):
    """How a table stands for who sits there."""

    table: str
    there: bool = Field(description="false for a table or a session that is no more")
    seat: int | None = None
    turn: int | None = None
    over: bool = False
    seats: list[SeatInfo] = Field(default_factory=list)
    undo_waiting: list[int] = Field(default_factory=list)
    clocks: Clocks | None = None
    result: Result | None = None
    changed: int | None = Field(default=None, description="when something last changed there, in milliseconds since 1970")


# --- Replays


class ReplayStep(Shape):
    """A step of a replay; frame 0 is set-up."""

    seat: int | None
    move: str | None = Field(description="null where the watcher was not told its text")
    turn: int | None
    events: list[GameEvent]
    because: list[Because]
    changes: list[list[Any]] = Field(
        description="make the view before it the view after it, in their order: `[path, value]` sets (in a list, the place after the last"
        " appends; `length` cuts), `[path]` removes"
    )


class Shuffles(Shape):
    """Whether the shuffles follow from the secret."""

    verdict: Literal["audited", "seed", "unknown", "commitment", "shuffle"] = Field(
        description="`seed`: typed, repeatable; `unknown`: no secret; `commitment`: the secret is not the one committed to; `shuffle`: one"
        " does not follow from it"
    )
    line: int | None = Field(description="of the record, where one does not")


class ReplayShown(BaseModel):
    """A finished game as one watcher saw it."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    game: str
    watcher: str = Field(alias="as", description="a seat's name, `public` or `open`")
    seat: int | None
    seats: list[SeatInfo]
    options: dict[str, Any]
    components: dict[str, Any]
    provenance: Provenance
    auditable: bool
    commitment: str | None
    secret: str | None
    result: Result
    shuffles: Shuffles
    view: View = Field(description="after set-up")
    frames: list[ReplayStep]


class ReviewShown(Shape):
    """A review as far as it is."""

    id: str
    state: Literal["working", "ready", "failed"]
    done: int = Field(description="steps that are judged")
    steps: int = Field(description="steps in all; 0 until that is known")
    problem: str | None = Field(description="why there is none: `review.no.CODE` of the catalogues says it")
    review: dict[str, Any] | None = Field(description="docs/review.md; the graph alone while it is worked at")


class ChancesShown(Answer):
    """The chances of a running game, as far as they are known."""

    steps: int = Field(description="steps so far; step 0 is set-up")
    points: list[list[float]] = Field(description="every seat's chance to win after each step from 0 on, as far as that is known")
    revisions: list[int] = Field(description="at which revision of the table each was reached: a page may still show an earlier one")


# --- The laboratory


class LabOpen(Answer):
    """Whether experiments can be run here, and how large they may be."""

    open: bool
    deals: int = Field(description="games of one setting at most")
    settings: int = Field(description="settings at most, the default among them")
    bots: list[str]


class Varied(Closed):
    """One option, or one entry of the components by its path, and the values it takes in turn."""

    set: Annotated[str, Field(max_length=80)]
    to: Annotated[list[Any], Field(max_length=12)]


class VariedTogether(Closed):
    """Several changes that are one setting, under a name."""

    together: Annotated[Given, Field(max_length=200)]
    name: Annotated[str, Field(min_length=1, max_length=80)]


class LabQuestion(Closed):
    """What is to be known, and how exactly."""

    measure: Annotated[str, Field(max_length=80)]
    within: float = Field(gt=0, le=1e6)


class LabAsked(Closed):
    """An experiment, as in a file (docs/lab.md)."""

    game: Name
    players: Annotated[list[Annotated[str, Field(max_length=200)]], Field(min_length=1, max_length=8)]
    deals: int = Field(200, ge=2, le=1_000_000)
    seed: int = Field(1, ge=0, le=2**53)
    mirrored: bool = False
    title: Annotated[str, Field(max_length=200)] = ""
    options: Given = Field(default_factory=dict)
    components: Given = Field(default_factory=dict)
    vary: Annotated[list[Varied | VariedTogether], Field(max_length=12)] = Field(default_factory=list)
    question: LabQuestion | None = None


class LabGame(Closed):
    """One game of a result: who played, with what, which deal."""

    game: Name
    players: Annotated[list[Annotated[str, Field(max_length=200)]], Field(min_length=1, max_length=8)]
    options: Given = Field(default_factory=dict)
    components: Given = Field(default_factory=dict)
    deal: int = Field(ge=0, le=2**53)


class LabBegun(Answer):
    """An experiment that has begun."""

    run: str
