"""One table: every change is checked, becomes a small durable entry, and is carried out; the entries alone rebuild the table.

Whoever calls must make the entry durable before he tells anybody of it (`entries[-1]`); if that fails, the table is to be thrown away and
rebuilt from what was stored.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from ..lessons import Arrangement
from ..rules.because import Because
from ..rules.chance import BY_STEP, Chance
from ..rules.errors import GameError, Reason
from ..rules.game import Game, Moment, Result, find_game
from ..rules.kernel import SPECTATOR
from ..rules.options import complete, recorded
from ..rules.story import Event
from .arranged import Lesson
from .clock import Clock, ClockRules
from .entries import KINDS, Ask, Change, Entry, told_since
from .errors import Refused
from .seats import Seat, check_name, check_seat
from .streaks import left_out

Find = Callable[[str], type[Game]]

NOWHERE: tuple[int, Moment | None] = (-1, None)
HANDED = 12  # so often seats may be handed to bots between two moves: more would only fill the disk


def made(
    game: str,
    seats: Sequence[Mapping[str, Any]],
    *,
    now: int,
    options: Mapping[str, Any] | None = None,
    components: Mapping[str, Any] | None = None,
    clock: Mapping[str, Any] | None = None,
    chance: Chance | int | None = None,
    find: Find = find_game,
) -> Entry:
    """The first entry of a table, checked: an error that names what is wrong otherwise.

    `chance`: a secret, a typed seed, or None for a fresh secret. Whoever sets `waits` in the entry lets nobody see a card before every seat
    that is not a bot's has been entered once.
    """
    seeded = isinstance(chance, int)
    if not isinstance(chance, Chance):
        chance = Chance.fresh() if chance is None else Chance.from_seed(chance)
    checked = [check_seat(number, seat) for number, seat in enumerate(seats)]
    trial = find(game)(len(checked), options, components, chance)
    return {
        "kind": "made",
        "at": now,
        "game": game,
        "rules": trial.version,
        "seats": [{"kind": seat.kind, "name": seat.name, "bot": seat.bot} for seat in checked],
        "options": trial.options,
        "components": trial.components,
        "clock": ClockRules.check(dict(clock or {})).describe(),
        "secret": chance.secret.hex(),
        "auditable": chance.auditable,
        "derivation": chance.derivation,
        "series": {},
        "waits": False,
        "seeded": seeded,
    }


@functools.cache
def _printed(game: type[Game]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The components that come with a game, and what is known of each entry."""
    return game.check_components(game.default_components(), complete(game.described, None)), game.provenance()


class Table:
    """A game being played."""

    def __init__(self, ident: str, opening: Entry, *, find: Find = find_game) -> None:
        self.ident = ident
        self.opening = opening
        self.game_type = find(opening["game"])
        rules = opening.get("rules", 1)
        if rules != self.game_type.version:
            raise GameError(f"this table was begun by version {rules} of the rules; version {self.game_type.version} is here")
        self.chance = Chance(bytes.fromhex(opening["secret"]), opening["auditable"], opening.get("derivation", BY_STEP))
        self.plan = Arrangement.read(opening["arranged"]) if "arranged" in opening else None
        self.lesson = Lesson.at(opening, self.plan)
        self.game = self._new_game()
        self.begun = len(self.game.steps)  # what lies before was arranged, and is not taken back
        self.seats = [Seat(**seat) for seat in opening["seats"]]
        self._described = [seat.describe() for seat in self.seats]
        self.clock = Clock(ClockRules(**opening["clock"]), len(self.seats))
        printed, provenance = _printed(self.game_type)
        self._provenance = provenance if printed == self.game.components else {}
        self.ask: Ask | None = None
        self.rematch_id: str | None = None
        self.review: str | None = None  # compressed, once somebody has asked for it
        self.waiting_for = [n for n, seat in enumerate(self.seats) if seat.kind != "bot"] if opening.get("waits") else []
        self.handed = 0  # how often a bot has taken a seat since the last move
        self.seen = [0] * len(self.seats)  # by seat: how many secrets it was told in steps that were taken back by consent
        self.entries: list[Entry] = [opening]
        self.ended: Result | None = None
        self._look()
        self._done: dict[tuple[int, str], int] = {}  # (seat, client's id) -> revision
        self._steps_at = [len(self.game.steps)]  # by revision
        self._rewound = NOWHERE  # where an undo leads that is to come, and at which revision it was looked for
        self._left_at: dict[int, int] = {}  # by step: what was left to its seat when it was decided
        self._retimed(opening["at"])

    @classmethod
    def rebuild(cls, ident: str, entries: Sequence[Entry], *, find: Find = find_game) -> Table:
        """The table that these entries made."""
        table = cls(ident, entries[0], find=find)
        for entry in entries[1:]:
            table._enter(entry)
        return table

    def _new_game(self) -> Game:
        opening, plan = self.opening, self.plan
        chance = self.chance if plan is None else plan.chance(self.chance)
        game = self.game_type(len(opening["seats"]), recorded(self.game_type.described, opening["options"]), opening["components"], chance)
        if plan is not None:
            plan.lead(game)
        return game

    # --- Asking

    @property
    def revision(self) -> int:
        """How many changes the table has seen."""
        return len(self.entries) - 1

    def _look(self) -> None:
        """Note what is asked over and over between two changes."""
        to_move = self.game.to_move
        self.result: Result | None = self.ended or (self.game.result if to_move is None else None)  # None while it runs
        self.over = self.result is not None
        self.outcome = None if self.result is None else {**self.result.shown(), "tally": self.game.tally()}
        self.turn = None if self.over or self.waiting_for else to_move  # the seat that must decide
        self._offered: dict[str, int] | None = None
        self.lesson_done = self.lesson is not None and self.lesson.done(self.game)

    @property
    def bot_due(self) -> tuple[int, str] | None:
        """The seat on turn and its bot, if a bot plays it."""
        turn = self.turn
        if turn is None or (self.scripted and self.reply is None):
            return None
        bot = self.seats[turn].bot
        return None if bot is None else (turn, bot)

    @property
    def scripted(self) -> bool:
        """Whether the other seats play what a stage says."""
        return self.lesson is not None and not self.lesson.stage.closing

    @property
    def reply(self) -> str | None:
        """What the stage lets the seat on turn play, if it is another's than the learner's."""
        return self.lesson.reply(self.game) if self.lesson is not None else None

    @property
    def moves(self) -> list[str]:
        """The moves that led here."""
        return [step.move for step in self.game.steps[1:]]

    def done(self, seat: int, ident: str) -> int | None:
        """The revision that a client's message made, if it was carried out already."""
        return self._done.get((seat, ident))

    def legal(self, seat: int | None) -> list[str]:
        """The moves of the seat on turn; nobody else is told."""
        return list(self.offered) if seat is not None and seat == self.turn else []

    @property
    def offered(self) -> dict[str, int]:
        """The legal moves of the seat on turn, and the action that each one is; found once between two changes."""
        if self._offered is None:
            self._offered = self.game.offered()
        return self._offered

    def can_undo(self, seat: int | None) -> bool:
        """Whether a seat may take back without asking."""
        return seat is not None and not self.over and len(self.game.steps) > self.begun and self.game.can_undo(seat)

    def has_moved(self, seat: int | None) -> bool:
        """Whether there is a step of a seat's own to take back, if need be by asking."""
        return seat is not None and self.game.has_decided(seat, self.begun)

    def events_since(self, revision: int, watcher: int) -> list[Event] | None:
        """What a watcher was told after a revision; None if something that he saw then has been taken back since."""
        if self.waiting_for:
            return []
        since = self.step_after(revision)
        return None if since is None else self.game.events(watcher, since)

    def because_since(self, revision: int, watcher: int) -> list[Because]:
        """Why that happened."""
        since = self.step_after(revision)
        return [] if since is None else self.game.because(watcher, since)

    def step_after(self, revision: int) -> int | None:
        """The first step after a revision; None if one that was there then has been taken back since, or nothing is dealt yet."""
        if self.waiting_for or not 0 <= revision <= self.revision or min(self._steps_at[revision:]) < self._steps_at[revision]:
            return None
        return self._steps_at[revision]

    def deadline(self) -> int | None:
        """When the seat on turn loses on time."""
        return None if self.over else self.clock.deadline

    def late(self, now: int) -> bool:
        """Whether the seat on turn has no time left."""
        deadline = self.deadline()
        return deadline is not None and now >= deadline

    def describe(self) -> dict[str, Any]:
        """What everybody at the table may know of it, apart from the play; the secret once it is over."""
        opening = self.opening
        return {
            "id": self.ident,
            "game": opening["game"],
            "options": self.game.options,
            "components": opening["components"],
            "provenance": self._provenance,
            "seats": self._described,
            "clock": opening["clock"],
            "commitment": self.chance.commitment,
            "auditable": self.chance.auditable,
            "secret": self.secret,
            "series": opening["series"],
            "arranged": self.plan is not None,
            "chat": bool(opening.get("chat")),
            "lesson": None if self.lesson is None else self.lesson.describe(),
        }

    @property
    def secret(self) -> str | None:
        """The secret of the shuffle, once it is over."""
        return self.chance.secret.hex() if self.over else None

    def state(self, seat: int | None, now: int) -> dict[str, Any]:
        """What a watcher is shown now."""
        return {**self.seen_by_all(now), **self.seen_by(seat)}

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """What only this watcher is shown: his own view, and the moves if it is his turn; nothing before everybody has come."""
        if self.waiting_for:
            return {"view": None, "rule": None, "legal": [], "can_undo": False, "has_moved": False}
        return {
            "view": self.game.view(who := SPECTATOR if seat is None else seat),
            "rule": self.game.rule_now(who),
            "legal": self.legal(seat),
            "can_undo": self.can_undo(seat),
            "has_moved": self.has_moved(seat),
        }

    def seen_by_all(self, now: int) -> dict[str, Any]:
        """What everybody at the table is shown."""
        return {
            "revision": self.revision,
            "turn": self.turn,
            "seats": self._described,
            "waiting_for": self.waiting_for,
            "seen": self.seen,
            "clocks": self.clocks(now),
            "result": self.outcome,
            "undo_asked_by": None if self.ask is None else self.ask.seat,
            "undo_waiting": [] if self.ask is None else sorted(self.ask.waiting),
            "secret": self.secret,
            "rematch": self.rematch_id,
            "lesson_done": self.lesson_done,
            "left_out": left_out(self.game_type, self.opening["series"], self.result) if self.over else [],
        }

    def clocks(self, now: int) -> dict[str, Any] | None:
        """Milliseconds left to each seat, and whose clock runs."""
        if self.clock.rules.kind == "none":
            return None
        return {"left": self.clock.left_at(now), "running": self.clock.running}

    # --- Changing: each of these checks, and makes one entry

    def move(self, seat: int | None, text: str, *, now: int, ident: str | None = None) -> Change:
        """A person on turn plays."""
        seat = self._on_turn(seat, now)
        if self.seats[seat].bot is not None:
            raise Refused("bot_plays")
        move = text if text in self.offered else self._understand(text)
        if self.lesson is not None:
            self.lesson.check(self.game, move)
        return self._make(now, (seat, ident), self.offered[move], kind="move", seat=seat, move=move, by="person")

    def move_by_bot(self, seat: int, action: int, *, now: int) -> Change:
        """A bot on turn plays one of the legal actions."""
        seat = self._on_turn(seat, now)
        if self.seats[seat].bot is None:
            raise Refused("person_plays")
        if action not in self.game.actions():
            raise Refused.because(self.game.refusal(self.game.state, action))
        return self._make(now, None, action, kind="move", seat=seat, move=self.game.move_text(self.game.state, action), by="bot")

    def _on_turn(self, seat: int | None, now: int) -> int:
        seat = self._player(seat, now)
        if seat != self.turn:
            raise Refused("not_your_turn")
        return seat

    def _understand(self, text: str) -> str:
        """A legal move that is not written as we write it; refused if it is none."""
        action = self.game.parse_move(self.game.state, text)
        reason = action if isinstance(action, Reason) else self.game.why_not(action)
        if reason is not None:
            raise Refused.because(reason)
        return next(move for move, offered in self.offered.items() if offered == action)

    def undo(self, seat: int | None, *, now: int, ident: str | None = None, away: Collection[int] = ()) -> Change:
        """Take the own last step back; ask the others if anybody has seen something by it, or has acted since.

        `away`: seats whose persons are not here, and cannot be asked.
        """
        seat = self._player(seat, now)
        if self.seats[seat].bot is not None:
            raise Refused("bot_plays")
        if self.can_undo(seat):
            return self._make(now, (seat, ident), kind="undo", seat=seat, steps=len(self.game.steps) - 1, seen=False)
        if self.ask is not None:
            raise Refused("undo_is_asked")
        own = [number for number, step in enumerate(self.game.steps) if step.seat == seat and number >= self.begun]
        if not own:
            raise Refused("nothing_to_undo")
        needed = self.must_agree(seat, own[-1])
        if any(other in away and self.seats[other].bot is not None for other in needed):
            raise Refused("undo_away")
        if needed:
            return self._make(now, (seat, ident), kind="undo_asked", seat=seat, steps=own[-1])
        return self._make(now, (seat, ident), kind="undo", seat=seat, steps=own[-1], seen=True)

    def answer_undo(self, seat: int | None, agree: bool, *, now: int, ident: str | None = None) -> Change:
        """Agree to what another asks to take back, or not."""
        seat = self._player(seat, now)
        if self.ask is None or seat not in self.ask.waiting:
            raise Refused("no_undo_asked")
        if agree and len(self.ask.waiting) == 1:
            return self._make(now, (seat, ident), kind="undo", seat=self.ask.seat, steps=self.ask.steps, seen=True, by=seat)
        return self._make(now, (seat, ident), kind="undo_answered", seat=seat, agree=agree)

    def resign(self, seat: int | None, *, now: int, bot: str, ident: str | None = None) -> Change:
        """Give up. Of two players the other wins; with more, a bot plays the seat to the end."""
        seat = self._player(seat, now)
        if self.seats[seat].out is not None:
            raise Refused("is_out")
        return self._make(now, (seat, ident), kind="resigned", seat=seat, bot=bot)

    def flag(self, *, now: int, bot: str) -> Change:
        """The time of the seat on turn is up: as if it had resigned."""
        if not self.late(now):
            raise Refused("time_left")
        return self._make(now, None, kind="flagged", seat=self.turn, bot=bot)

    def bot_takes(self, seat: int | None, *, now: int, bot: str, ident: str | None = None, asked_by: int | None = None) -> Change:
        """A bot plays a seat until it is handed back."""
        seat = self._player(seat, now)
        if self.seats[seat].bot is not None:
            raise Refused("bot_plays")
        if self.seats[seat].kind == "open":
            raise Refused("is_open")
        if self.handed >= HANDED:
            raise Refused("too_often")
        by = seat if asked_by is None else asked_by
        return self._make(now, (by, ident), kind="bot_takes", seat=seat, bot=bot, by=by)

    def bot_returns(self, seat: int | None, *, now: int, ident: str | None = None) -> Change:
        """A bot hands the seat back to its person."""
        seat = self._player(seat, now)
        if self.seats[seat].kind != "person" or self.seats[seat].bot is None:
            raise Refused("no_bot_plays")
        if self.seats[seat].out is not None:
            raise Refused("is_out")
        return self._make(now, (seat, ident), kind="bot_returns", seat=seat)

    def sit(self, seat: int, name: str, *, now: int) -> Change:
        """Somebody takes an open seat, or a person gives himself another name."""
        if not 0 <= seat < len(self.seats) or self.seats[seat].kind == "bot":
            raise Refused("no_such_seat")
        return self._make(now, None, kind="sat", seat=seat, name=check_name("name", name) or self.seats[seat].name)

    def enter(self, seat: int, *, now: int) -> Change:
        """Who has the seat comes for the first time."""
        if seat not in self.waiting_for or self.seats[seat].kind == "open":
            raise Refused("no_such_seat")
        return self._make(now, None, kind="entered", seat=seat)

    def resume(self, *, now: int) -> Change:
        """Go on after the server was down: nobody is charged for that time."""
        return self._make(now, None, kind="resumed")

    def note_rematch(self, ident: str, *, now: int) -> Change:
        """Remember the table at which these players go on."""
        if not self.over:
            raise Refused("running")
        if self.rematch_id is not None:
            raise Refused("rematch_is_made")
        return self._make(now, None, kind="rematch", table=ident)

    def note_review(self, review: str, *, now: int) -> Change:
        """Keep a review of the finished game."""
        assert self.over
        return self._make(now, None, kind="reviewed", review=review)

    # --- Within

    def _player(self, seat: int | None, now: int) -> int:
        if seat is None or not 0 <= seat < len(self.seats):
            raise Refused("no_seat")
        if self.over:
            raise Refused("over")
        if self.waiting_for:
            raise Refused("waiting")
        if self.late(now):
            raise Refused("time")
        return seat

    def must_agree(self, asker: int, steps: int) -> set[int]:
        """Who is to agree to take back down to so many steps: every other person, and also one for whom a bot plays if steps of his seat
        go. They have shown cards that would be hidden again, and who saw them would know his hand.
        """
        crossed = {step.seat for step in self.game.steps[steps:]}
        return {
            n
            for n, seat in enumerate(self.seats)
            if n != asker and seat.kind == "person" and seat.out is None and (seat.bot is None or n in crossed)
        }

    def _make(self, now: int, client: tuple[int, str | None] | None, action: int | None = None, **entry: Any) -> Change:
        made_entry: Entry = {"kind": entry.pop("kind"), "at": max(now, self.entries[-1]["at"]), **entry}
        if client is not None and client[1] is not None:
            made_entry["client"] = list(client)
        gone = told_since(self, entry["steps"]) if made_entry["kind"] == "undo" else None
        return self._enter(made_entry, action, gone)

    def _enter(self, entry: Entry, action: int | None = None, gone: dict[int, int] | None = None) -> Change:
        """Carry out a checked entry; a stored one goes the same way, and its move is read from its text."""
        kind, before = entry["kind"], len(self.game.steps)
        if kind == "move" and self.clock.rules.kind == "move":
            self._left_at[before] = self.clock.left_at(entry["at"])[entry["seat"]]
        if kind not in KINDS:
            raise GameError(f"a stored table holds an entry {kind!r} that this version does not know")
        if action is not None:
            self.game.take(entry["move"], action)
            self.ask = note = None
        else:
            note = KINDS[kind](self, entry)
        self.handed = 0 if kind == "move" else self.handed + (kind == "bot_takes")
        if kind != "move":
            self._described = [seat.describe() for seat in self.seats]
        self._look()
        self.entries.append(entry)
        self._steps_at.append(len(self.game.steps))
        if "client" in entry:
            seat, ident = entry["client"]
            self._done[seat, ident] = self.revision
        if kind == "resumed":
            self.clock.resume(entry["at"])
        else:
            # A decision has its time once, also if it is taken back or a bot holds the seat for a while.
            self._retimed(entry["at"], fresh=kind == "move", again=self._left_at.get(entry["steps"]) if kind == "undo" else None)
        return Change(self.revision, before if kind == "move" else None, None if note is None else {"kind": kind, **note}, gone)

    def _retimed(self, now: int, *, fresh: bool = True, again: int | None = None) -> None:
        self.clock.run(self._timed(), now, fresh=fresh, again=again)

    def _timed(self) -> int | None:
        """The seat whose time runs: a person on turn, once every seat has taken its first decision."""
        turn = self.turn
        if turn is None or self.clock.rules.kind == "none" or self.seats[turn].bot is not None or self.seats[turn].kind != "person":
            return None
        started = {step.seat for step in self.game.steps}
        return turn if all(seat in started for seat in range(len(self.seats))) else None

    def rewind(self, seat: int) -> Iterator[None]:
        """Play the game again up to where an undo of this seat would take it, in small pieces; a later undo finds it done."""
        last = len(self.game.steps) - 1
        own = (number for number in range(last, self.begun - 1, -1) if self.game.steps[number].seat == seat)
        steps = self.ask.steps if self.ask is not None else last if self.can_undo(seat) else next(own, 0)
        for moment in self.game.remember(steps) if steps else ():
            if moment is not None:
                self._rewound = self.revision, moment
            yield

    def go_back(self, steps: int) -> None:
        """Take back all but so many steps."""
        (revision, moment), self._rewound = self._rewound, NOWHERE
        if moment is None or (revision, moment.done) != (self.revision, steps):
            moment = self.game.moment(steps)
        self.game.return_to(moment)
