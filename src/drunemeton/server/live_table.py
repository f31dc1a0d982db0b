"""A table that people are at: its connections, and the one way by which every change goes.

Checked, carried out in memory, durable, then told: all under the table's lock, so nobody ever sees what is not on disk. If anything
fails between, the table in memory is thrown away and the next who comes finds what the store has.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable
from typing import Any

from ..rules.errors import GameError
from ..rules.game import Telling
from ..rules.kernel import SPECTATOR
from ..store import StoredEntry, Summary
from ..table import Change, Refused, Table
from .bot_pool import ALONE, WATCHED, BotPool, GivenUp
from .connection import Connection
from .limits import Bucket
from .logs import log
from .messages import encode, joined
from .protocol import COSTS, PROTOCOL
from .settings import Settings
from .writer_client import WriterClient

TOUCH_MS = 3_600_000  # how exactly the store knows when a table was last touched


class Gone(Exception):
    """The table has left memory (deleted, or the store failed); whoever wants it must ask for it again."""


Command = Callable[[Table, int], Change]


def summary_of(table: Table, now: int) -> Summary:
    """What the store's list of tables says of one."""
    return Summary(now, table.over, [seat.kind for seat in table.seats].count("open"))


class LiveTable:
    """A table in memory."""

    def __init__(
        self,
        table: Table,
        settings: Settings,
        writer: WriterClient,
        bot_pool: BotPool,
        forget: Callable[[LiveTable], None],
        summary: Summary | None = None,
    ) -> None:
        self.table = table
        self.settings, self.writer, self.bot_pool = settings, writer, bot_pool
        self.lock = asyncio.Lock()
        self.epoch = 0  # by which the table is ours, where several servers play
        self.connections: list[Connection] = []
        self.gone = False
        # A table's time never goes back, also if the machine's clock was set back since it was last written.
        self._ahead = max(0, int(table.entries[-1]["at"]) - settings.now())
        self.quiet_since = settings.now()
        self.away_since: dict[int, int] = {}
        self._forget = forget
        self._summary = summary  # as the store has it, if that is known
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked_at = -1  # the revision at which a bot was last asked
        self._thinking = False
        self._company = asyncio.Event()  # somebody is connected
        self._last_client: str | None = None  # who was here last
        self.agreed: set[int] = set()  # seats whose persons let everybody see the chances; forgotten with the table's place in memory
        self.advising = False  # whether somebody waits for a hint
        self.talk: dict[int, Bucket] = {}  # by seat: how much it may say

    def now(self) -> int:
        """This table's time."""
        return self.settings.now() + self._ahead

    # --- Changing

    async def change(self, command: Command) -> Change:
        """Carry out a command, make it durable, tell everybody. A refusal changes nothing."""
        async with self.lock:
            return await self.change_locked(command)

    async def change_locked(self, command: Command, durable: Callable[[Change], None] | None = None) -> Change:
        """The same, for who holds the lock; `durable` is called before anybody else is told."""
        if self.gone:
            raise Gone
        now = self.now()
        if self.table.late(now):
            await self._carry_out(lambda table, at: table.flag(now=at, bot=self.settings.bot), now)
        return await self._carry_out(command, now, durable)

    async def _carry_out(self, command: Command, now: int, durable: Callable[[Change], None] | None = None) -> Change:
        try:
            change = command(self.table, now)
        except GameError:
            raise  # refused: nothing has changed
        except Exception as problem:
            log("command_failed", level=logging.ERROR, problem=problem, table=self.table.ident)
            self.drop("store")
            raise Gone from problem
        try:
            entry = encode(self.table.entries[-1])
            await self.writer.append(StoredEntry(self.table.ident, self.table.revision, entry, self._new_summary(now), self.epoch))
        except asyncio.CancelledError:
            self.drop("stopping")  # nobody knows whether it is on disk: whoever comes next reads what is
            raise
        except Exception as problem:
            log("store_failed", level=logging.ERROR, problem=problem, table=self.table.ident)
            self.drop("stopping" if self.epoch else "store")  # of several servers another may go on with it
            raise Gone from problem
        if durable is not None:
            durable(change)
        self.tell(change)
        self.wake()
        return change

    def _new_summary(self, now: int) -> Summary | None:
        old, table = self._summary, self.table
        fresh = old is not None and now - old.touched < TOUCH_MS
        if fresh and table.entries[-1]["kind"] == "move" and not table.over:
            return None  # which leaves the seats as they are
        summary = summary_of(table, now)
        if old is not None and fresh and old[1:] == summary[1:]:
            return None
        self._summary = summary
        return summary

    def drop(self, code: str) -> None:
        """Leave memory; everybody is sent away, and may come again."""
        self.gone = True
        if self._timer is not None:
            self._timer.cancel()
        self._forget(self)
        for connection in list(self.connections):
            connection.send_away(code)

    # --- Telling

    def state(self, seat: int | None) -> dict[str, Any]:
        """What a watcher is shown now."""
        return {**self.seen_by_all(), **self.table.seen_by(seat)}

    def seen_by_all(self) -> dict[str, Any]:
        """What every watcher is shown now."""
        return {**self.table.seen_by_all(self.now()), "presence": self.presence(), "agreed": sorted(self.agreed)}

    def forget_agreement(self, seat: int | None) -> None:
        """Whoever comes to a seat anew has not agreed to anything, whatever was said from there before."""
        if seat in self.agreed:
            self.agreed = self.agreed - {seat}
            self.tell(None)

    def presence(self) -> list[str]:
        """For each seat: here, away, bot or open."""
        here = {seat for connection in self.connections for seat in connection.seats}
        return [
            "bot" if seat.bot is not None else "here" if number in here else "open" if seat.kind == "open" else "away"
            for number, seat in enumerate(self.table.seats)
        ]

    def tell(self, change: Change | None, but: Connection | None = None) -> None:
        """Tell every connection, each what its seat may know; the same words for all who watch from there."""
        texts: dict[int | None, bytes] = {}
        common = self.seen_by_all()
        if change is not None and change.note is not None and change.gone is None:
            common["note"] = change.note
        to_all = encode(common)
        happened: list[tuple[Telling, bytes]] = []  # mostly all are told the same: it is written once
        for connection in list(self.connections):
            seat = connection.seat
            if connection is but:
                continue
            if seat not in texts:
                message: dict[str, Any] = {"type": "state", **self.table.seen_by(seat)}
                if change is not None and change.gone is not None:
                    message["note"] = {**(change.note or {}), "events": change.gone[SPECTATOR if seat is None else seat]}
                if change is None or change.since is None:
                    texts[seat] = joined(to_all, encode(message))
                else:
                    message["type"] = "events"
                    texts[seat] = joined(to_all, self._happened(seat, change.since, happened), encode(message))
            connection.send(texts[seat])

    def _happened(self, seat: int | None, since: int, told: list[tuple[Telling, bytes]]) -> bytes:
        """What a watcher is told of a move, and why it happened; `told`: what others were told of it before him."""
        game, watcher = self.table.game, SPECTATOR if seat is None else seat
        telling = game.telling(watcher)
        for before, text in told:
            if before is telling:
                return text
        because = [reason.describe() for reason in game.because(watcher, since=since)]
        text = encode({"events": game.events(watcher, since=since), "because": because})
        told.append((telling, text))
        return text

    def welcome(self, connection: Connection, build: str, revision: int | None) -> None:
        """Everything that a client needs to show the table."""
        seat = connection.seat
        watcher = SPECTATOR if seat is None else seat
        missed = None if revision is None else self.table.events_since(revision, watcher)
        because = [] if revision is None else self.table.because_since(revision, watcher)
        allowance = {"a_second": self.settings.messages_per_second, "at_once": self.settings.messages_burst, "costs": COSTS}
        message = {
            "type": "welcome",
            "table": self.table.describe(),
            "seat": seat,
            "build": build,
            "protocol": PROTOCOL,
            "allowance": allowance,
            "missed": missed,
            "because": [reason.describe() for reason in because],
        }
        message |= self.state(seat)
        connection.send(encode(message))

    # --- Coming and going

    def join(self, connection: Connection) -> bool:
        """A connection comes; whether that changes who is here. The others at its seat stay, up to a limit."""
        before = self.presence()
        same = [one for one in self.connections if one.seat == connection.seat and connection.seat is not None]
        if len(same) >= self.settings.connections_per_seat:
            same[0].send_away("replaced")
            self.connections.remove(same[0])
        for seat in connection.seats:
            self.away_since.pop(seat, None)
        self.connections.append(connection)
        self._last_client = connection.client
        self._company.set()
        self.wake()
        return before != self.presence()

    def leave(self, connection: Connection) -> None:
        """A connection goes."""
        if connection not in self.connections:
            return
        before = self.presence()
        self.connections.remove(connection)
        if not self.connections:
            self._company.clear()
        self.quiet_since = self.settings.now()
        if self.gone:
            return
        for seat in connection.seats.difference(*(one.seats for one in self.connections)):
            self.away_since[seat] = self.quiet_since
        if before != self.presence():
            # A change may be in memory that is not on disk yet: presence waits until it is.
            self.spawn(self._tell_presence())

    async def _tell_presence(self) -> None:
        async with self.lock:
            if not self.gone:
                self.tell(None)

    def _client(self) -> str:
        """For whom bots think here: a player who is connected, or else somebody who watches, or who was here last."""
        here = sorted(self.connections, key=lambda one: one.seat is None)
        return here[0].client if here else self._last_client or ""

    def _rank(self) -> int:
        return WATCHED if self.connections else ALONE

    def away(self) -> set[int]:
        """The seats whose persons are not here."""
        return set(range(len(self.table.seats))).difference(*(one.seats for one in self.connections))

    def long_away(self, seat: int) -> bool:
        """Whether a person has been away for so long that others may call a bot."""
        if any(seat in one.seats for one in self.connections):
            return False
        return self.settings.now() - self.away_since.setdefault(seat, self.settings.now()) >= self.settings.away_seconds * 1000

    @property
    def forgettable(self) -> bool:
        """Whether nobody would miss the table in memory."""
        quiet = self.settings.now() - self.quiet_since >= self.settings.forget_seconds * 1000
        return quiet and not (self.connections or self.lock.locked() or self._thinking) and self.table.deadline() is None

    # --- What goes on by itself: bots and clocks

    def wake(self) -> None:
        """Set the clock's alarm, and ask the bot if it is a bot's turn and somebody has come to see it play."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = self.table.deadline()
        if deadline is not None:
            delay = max(0, deadline - self.now()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay + 0.002, lambda: self.spawn(self._flag()))
        due = self.table.bot_due
        if due is not None and self._last_client is not None and self._asked_at != self.table.revision:
            self._asked_at = self.table.revision
            self.spawn(self._bot_moves(*due, self.table.revision))

    def spawn(self, work: Any) -> None:
        """Let something go on by itself, until it is done or the table is closed."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _flag(self) -> None:
        try:
            async with self.lock:
                if not self.gone and self.table.late(self.now()):
                    await self._carry_out(lambda table, now: table.flag(now=now, bot=self.settings.bot), self.now())
                elif not self.gone:
                    self.wake()
        except (Gone, Refused):
            return

    async def _bot_moves(self, seat: int, bot: str, revision: int) -> None:
        table = self.table
        try:
            if table.reply is not None:
                action = table.game.offered()[table.reply]
            else:
                action = await self._choice_of(seat, bot)
        except GivenUp:
            log("bot_replaced_by_chance", level=logging.WARNING, table=table.ident, bot=bot)
            action = -1
        try:
            async with self.lock:
                # Handed back, taken back or over meanwhile: then nobody asked for this move.
                if self.gone or table.revision != revision or table.bot_due != (seat, bot):
                    return
                actions = table.game.actions()
                if action not in actions:
                    if action != -1:
                        log("bot_illegal", level=logging.WARNING, table=table.ident, bot=bot)
                    action = random.Random(self.settings.bot_seed()).choice(actions)
                await self._carry_out(lambda one, now: one.move_by_bot(seat, action, now=now), self.now())
        except Gone:
            return
        except GameError as problem:
            log("bot_move_failed", level=logging.ERROR, problem=problem, table=table.ident, bot=bot)

    async def _choice_of(self, seat: int, bot: str) -> int:
        table = self.table
        while not self.connections and (rest := self.bot_pool.rest(self._client())):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._company.wait(), rest)
        self._thinking = True
        try:
            known, seed = table.game.known_to(seat), self.settings.bot_seed()
            return await self.bot_pool.choose(table.game_type, bot, known, seed, client=self._client(), rank=self._rank)
        finally:
            self._thinking = False

    async def close(self) -> None:
        """Stop what goes on by itself."""
        if self._timer is not None:
            self._timer.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
