"""The protocol between server and client, described once: what each message holds, and what it costs.

What a client says is checked against these classes. `frontend/src/lib/protocol.ts` and the tables of `docs/protocol.md` are made from them
(`protocol_page.py`), and the tests hold every message that a server sends against them. What HTTP carries is in `http_bodies.py`.

It is long because it is the one description of all messages, from which everything else is made.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from .closings import BadMessage

PROTOCOL = 1  # raised when a page of before cannot speak with this server any more; a new field that may be missing is no reason
ID_LENGTH = 64
MOVE_LENGTH = 200
MOST_BESIDE = 8
Phrase = Literal["hello", "luck", "nice", "oops", "moment", "thanks", "joy", "wow", "sad", "think"]

# --- Shapes that several messages share ----------------------------------------------------------------------------


class Shape(BaseModel):
    """What the server sends: all that is named is there, and nothing else."""

    model_config = ConfigDict(extra="forbid")


class GameEvent(BaseModel):
    """Something that happened in a game, as one watcher is told it; each kind has its own parameters."""

    model_config = ConfigDict(extra="allow")

    kind: str
    rule: str = Field("", description="the number of the rule that it carries out")


View = dict[str, Any]
"""What a watcher is shown of a game: each game has its own."""


class Fact(Shape):
    """What is known of an entry of the components: `sourced` or `reconstructed`, and a note."""

    status: str
    note: str


Provenance = dict[str, Fact]
"""For each entry of the components what is known of it."""


class Reason(Shape):
    """Why something is refused: a code with parameters for the catalogues, and the rule."""

    code: str
    rule: str | None
    params: dict[str, Any]


class Because(Shape):
    """Why something happened, made from what this watcher was told; no part of a record. The catalogues say it under `because.CODE`."""

    at: int = Field(description="the place of the event in the list beside it")
    code: str
    params: dict[str, Any]
    forced: bool = Field(description="it was a decision that nobody was asked for, and the code says why nothing else was possible")


class Likely(Shape):
    """An event, and in which share of the worlds it happens."""

    event: GameEvent
    share: float


class Foreseen(Likely):
    """One thing that a move will bring: in `share` of the worlds, with what may happen instead."""

    instead: list[Likely]
    because: list[Because]


class Hinted(Shape):
    """What is thought of a move: the chance to win after it, and the half-width of its 95 % interval."""

    move: str
    value: float
    within: float


class Advice(Shape):
    """Something that matters before a decision. The catalogues say it under `coach.CODE`."""

    code: str
    rule: str
    params: dict[str, Any]
    right: list[str] = Field(description="moves that show that somebody knows the rule")


class SeatInfo(Shape):
    """A seat as everybody may know it."""

    kind: Literal["person", "bot", "open"]
    name: str
    bot: str | None = Field(description="the bot that plays there now")
    out: Literal["resigned", "time"] | None = Field(description="why a person's seat is played by a bot to the end")


class ClockRules(Shape):
    """What kind of clock a table has: none, for each decision, or for the whole game."""

    kind: Literal["none", "move", "game"]
    seconds: int


class Clocks(Shape):
    """Milliseconds left to each seat as of sending, and whose clock runs."""

    left: list[int]
    running: int | None


class Share(Shape):
    """One thing that a seat's result is made of, by a code of the game's own."""

    code: str
    count: int
    of: int | None = Field(description="out of so many")
    points: int | None = Field(description="that it counts for")


class Tally(Shape):
    """What a result is made of."""

    seats: list[list[Share]] = Field(description="of each seat, what decides first")
    game: list[Share] = Field(description="of the game as a whole")


class Result(Shape):
    """How a game ended: one of its own ends, `resigned` or `time`; and each seat's place."""

    end: str
    places: list[int]
    tally: Tally | None = Field(None, description="what it is made of; not told with a replay")


class Series(Shape):
    """Game after game between the same players."""

    streaks: list[int] | None = None
    handicap: list[list[str]] | None = None
    game: int | None = None
    previous: str | None = None
    came_from: list[int] | None = None


class LessonStage(Shape):
    """A stage of a lesson: its words are in the catalogues, under `lesson.PREFIX.NAME`."""

    name: str
    number: int
    rules: list[str] = Field(description="what it teaches")
    closing: bool = Field(description="a short game, and nothing else to reach")
    solution: list[str] = Field(description="one way to the goal")
    point: list[str] = Field(description="what its words point at, as `about` names it")
    asks: list[str] = Field(description="of which moves the question speaks, by their first word; of all if there is none")


class TableInfo(Shape):
    """What everybody at a table may know of it, apart from the play."""

    id: str
    game: str
    options: dict[str, Any]
    components: dict[str, Any]
    provenance: Provenance
    seats: list[SeatInfo]
    clock: ClockRules
    commitment: str = Field(description="SHA-256 of the shuffle's secret")
    auditable: bool = Field(description="false: the shuffle comes from a typed seed")
    secret: str | None = Field(description="of the shuffle, once the game is over")
    series: Series
    chat: bool = Field(description="its maker lets people write to each other")
    arranged: bool = Field(description="the game began at an arranged position: its shuffle is not auditable")
    lesson: LessonStage | None = Field(description="the stage of a lesson that is played here")


class Note(Shape):
    """A change that is not a move."""

    kind: Literal[
        "undo",
        "undo_asked",
        "undo_answered",
        "resigned",
        "flagged",
        "bot_takes",
        "bot_returns",
        "sat",
        "entered",
        "resumed",
        "rematch",
        "reviewed",
    ]
    seat: int | None = None
    steps: int | None = Field(None, description="how many are taken back")
    seen: bool | None = Field(None, description="cards were seen that are hidden again now; who saw them still knows them")
    agree: bool | None = None
    bot: str | None = None
    by: int | None = Field(None, description="the seat that asked for it")
    name: str | None = None
    table: str | None = Field(None, description="where these players go on")
    events: int | None = Field(None, description="how many of the events that this watcher was told are taken back")


class Allowance(Shape):
    """How much a server takes of one connection: so many a second, so many at once; and the messages that count for more than one."""

    a_second: float
    at_once: float
    costs: dict[str, int]


class StateFields(Shape):
    """What a watcher is shown now."""

    revision: int = Field(description="counts everything that changed what anybody sees")
    view: View | None = Field(description="the game's own; null while somebody is waited for")
    rule: str | None = Field(description="the rule that matters for what is to be decided now")
    legal: list[str] = Field(description="move texts, only for the seat on turn")
    can_undo: bool = Field(description="the own last step can be taken back at once")
    has_moved: bool = Field(description="there is a step of one's own to take back, if need be by asking")
    turn: int | None = Field(description="the seat that must decide")
    seats: list[SeatInfo]
    waiting_for: list[int] = Field(description="seats that nobody has entered yet: nothing is dealt before")
    seen: list[int] = Field(description="of each seat: how many secrets it was told in steps that were taken back by consent")
    presence: list[Literal["here", "away", "bot", "open"]] = Field(description="of each seat")
    agreed: list[int] = Field(description="the seats whose persons let everybody see the chances while they play")
    clocks: Clocks | None
    result: Result | None
    undo_asked_by: int | None
    undo_waiting: list[int] = Field(description="the seats that have yet to answer")
    secret: str | None = Field(description="of the shuffle, once the game is over")
    rematch: str | None = Field(description="the next table of these players")
    lesson_done: bool = Field(description="the goal of the stage is reached")
    left_out: list[list[list[str]]] = Field(description="of each seat, at the end: cards to leave out in a rematch, one of each list")
    note: Note | None = Field(None, description="what has changed, if it is not a move")


# --- From the client -----------------------------------------------------------------------------------------------


class Said(BaseModel):
    """A client's message; what is not named here is not read."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    cost: ClassVar[int] = 1  # of the allowance


Text = Annotated[str, Field(max_length=MOVE_LENGTH)]
Number = Annotated[int, Field(ge=-1, lt=2**31)]
Id = Annotated[str, Field(min_length=1, max_length=ID_LENGTH, description="the client's own, unique")]
Seen = Annotated[Number, Field(description="the revision that the client saw")]
Move = Annotated[Text, Field(description="a move as text")]


class SaidHello(Said):
    """The first message: who speaks. Sent again after a gap in the revisions."""

    cost: ClassVar[int] = 4
    type: Literal["hello"]
    session: Text
    build: Text | None = Field(None, description="of the page that speaks")
    revision: Number | None = Field(None, description="what the client shows already: it is told only what it missed")
    beside: list[Text] = Field([], max_length=MOST_BESIDE, description="sessions of further seats whose people sit at the same device")


class SaidMove(Said):
    """Play a move."""

    type: Literal["move"]
    id: Id
    revision: Seen
    move: Move


class SaidPreview(Said):
    """Ask what a move would bring, as far as one's seat can know. Beside the message it costs one's address what the looking takes."""

    type: Literal["preview"]
    id: Id
    revision: Seen
    move: Move


class SaidHint(Said):
    """Ask which moves are best, from what one's seat knows: only for the seat on turn, and only while all other seats are bots'."""

    cost: ClassVar[int] = 10
    type: Literal["hint"]
    id: Id
    revision: Seen


class SaidAbout(Said):
    """Ask what a thing on the table is, and what it does now."""

    type: Literal["about"]
    id: Id
    what: Text = Field(description="such as `place:7`; each game names its own")


class SaidCoach(Said):
    """Ask what matters now, and what came of the own last decision. With other people at the table only what everybody may see is said."""

    cost: ClassVar[int] = 3
    type: Literal["coach"]
    id: Id
    revision: Seen


class SaidAgain(Said):
    """Ask for the table as this watcher saw it then: before and after the steps that told some of his events."""

    cost: ClassVar[int] = 5
    type: Literal["again"]
    id: Id
    revision: Seen
    first: Number = Field(description="the place of the first event in all that he was told since the table began")
    last: Number = Field(description="of the last one")


class SaidUndo(Said):
    """Take the own last step back, or ask the others to agree."""

    cost: ClassVar[int] = 10
    type: Literal["undo"]
    id: Id


class SaidUndoAnswer(Said):
    """Agree to what another asks to take back, or not."""

    cost: ClassVar[int] = 10
    type: Literal["undo_answer"]
    id: Id
    agree: bool


# --- Leaving a seat to a bot, or for good


class SaidResign(Said):
    """Give up."""

    type: Literal["resign"]
    id: Id


class SaidBotTakes(Said):
    """A bot plays one's seat until it is handed back; or another's, once that person has been away for a minute."""

    cost: ClassVar[int] = 5
    type: Literal["bot_takes"]
    id: Id
    seat: Number | None = Field(None, description="another's")


class SaidBotReturns(Said):
    """The bot hands one's seat back."""

    cost: ClassVar[int] = 5
    type: Literal["bot_returns"]
    id: Id


# --- Among those who sit at the table


class SaidAgree(Said):
    """Let everybody see the chances while one plays, from what all can see; or no longer. It takes every person at the table."""

    cost: ClassVar[int] = 5
    type: Literal["agree"]
    id: Id
    agree: bool


class SaidPhrase(Said):
    """Say one of a handful of phrases, or react, to the others at the table; nobody who only watches hears it, and no record holds it."""

    cost: ClassVar[int] = 5
    type: Literal["phrase"]
    id: Id
    phrase: Phrase


class SaidChat(Said):
    """Write to the others at the table, where its maker lets people do that."""

    cost: ClassVar[int] = 5
    type: Literal["chat"]
    id: Id
    text: Annotated[str, Field(min_length=1, max_length=MOVE_LENGTH)]


# --- The connection


class SaidPing(Said):
    """Stay: a connection that says nothing for half an hour is closed."""

    type: Literal["ping"]
    id: Id


ClientMessage = (
    SaidHello
    | SaidMove
    | SaidPreview
    | SaidHint
    | SaidAbout
    | SaidCoach
    | SaidAgain
    | SaidUndo
    | SaidUndoAnswer
    | SaidResign
    | SaidBotTakes
    | SaidBotReturns
    | SaidAgree
    | SaidPhrase
    | SaidChat
    | SaidPing
)  # fmt: skip
Change = SaidMove | SaidUndo | SaidUndoAnswer | SaidResign | SaidBotTakes | SaidBotReturns
"""Messages that change the table."""

CLIENT_MESSAGES: tuple[type[Said], ...] = ClientMessage.__args__
COSTS = {kind.model_fields["type"].annotation.__args__[0]: kind.cost for kind in CLIENT_MESSAGES if kind.cost > 1}  # type: ignore[union-attr]
_reading: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, Field(discriminator="type")])


def parse(text: str, limit: int) -> ClientMessage:
    """A client's message, checked."""
    if len(text) > limit:
        raise BadMessage("too_big")
    try:
        return _reading.validate_json(text)
    except ValidationError:
        raise BadMessage("garbage") from None


# --- From the server -----------------------------------------------------------------------------------------------


class Welcome(StateFields):
    """The answer to `hello`: everything that a client needs to show the table."""

    type: Literal["welcome"]
    table: TableInfo
    seat: int | None = Field(description="null: a spectator")
    build: str = Field(description="which page this server hands out")
    protocol: int = Field(description="changes when a page that speaks another must be loaded anew")
    allowance: Allowance
    missed: list[GameEvent] | None = Field(
        description="what happened since the revision that the client showed; null if something that it showed was taken back since"
    )
    because: list[Because] = Field(description="why")


class State(StateFields):
    """Something has changed that is not a move; without `note`, who is here."""

    type: Literal["state"]


class Events(StateFields):
    """A move: the client animates the events, then shows the view."""

    type: Literal["events"]
    events: list[GameEvent] = Field(description="as told to this watcher, in order")
    because: list[Because] = Field(description="why")


class Ack(Shape):
    """It is done, and durable."""

    type: Literal["ack"]
    id: str
    revision: int


class Refused(Shape):
    """It is not done; nothing has changed."""

    type: Literal["refused"]
    id: str
    reason: Reason


class Previewed(Shape):
    """What a move would bring."""

    type: Literal["previewed"]
    id: str
    foreseen: list[Foreseen]


class HintGiven(Shape):
    """Up to five moves, the best first."""

    type: Literal["hinted"]
    id: str
    revision: int
    moves: list[Hinted]


class WhyShown(Shape):
    """A reason for a move: what it wins, threatens or saves from. The catalogues say it under `why.CODE`."""

    code: str
    event: GameEvent


class Reasons(Shape):
    """Why the first move of a hint looks better than the last; it comes after the hint, and not at all where nothing can be said."""

    type: Literal["reasons"]
    id: str
    revision: int
    reasons: list[WhyShown]


class Spoken(Shape):
    """Somebody at the table says something: a phrase, or a text of his own."""

    type: Literal["said"]
    seat: int
    phrase: Phrase | None
    text: str | None


class Explained(Shape):
    """What a thing is and does now, with its rules; nothing for what is not there. The catalogues say it under `about.CODE`."""

    type: Literal["explained"]
    id: str
    what: str
    told: list[Reason]


class Coached(Shape):
    """What matters now, the most important first, and what came of the own last decision, under `coach.CODE`."""

    type: Literal["coached"]
    id: str
    revision: int
    before: list[Advice]
    after: list[Reason]


class SeenStep(Shape):
    """A step as a watcher saw it."""

    events: int = Field(description="how many events it told him")
    changes: list[list[Any]] = Field(description="what it changed of his view: a path with its new value, or a path alone for what is gone")


class ShownAgain(Shape):
    """What a watcher was shown then."""

    type: Literal["again"]
    id: str
    first: int = Field(description="the place of the first step's first event in all that he was told")
    view: View = Field(description="before the first step")
    steps: list[SeenStep] = Field(description="the first so many of those that were asked for")


class SentAway(Shape):
    """Something is wrong; the connection is closed after it."""

    type: Literal["error"]
    code: str
    message: str


class Pong(Shape):
    """The answer to `ping`."""

    type: Literal["pong"]
    id: str


ServerMessage = (
    Welcome | State | Events | Ack | Refused | Previewed | HintGiven | Reasons | Explained | Coached | ShownAgain | Spoken | SentAway | Pong
)
SERVER_MESSAGES: tuple[type[Shape], ...] = ServerMessage.__args__
