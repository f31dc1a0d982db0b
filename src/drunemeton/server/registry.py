"""All tables of a server: those in memory, those in the store, and how one gets in."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .. import bots
from ..lessons import Arrangement, find_stage, position_of
from ..rules.errors import BadOption, GameError, IllegalMove
from ..store import Owner, Pass, Store, StoredTable, StoreError, Summary
from ..table import Entry, Refused, Table, begun_at, made, rematch, seats_of
from .bot_pool import BotPool
from .connection import Connection
from .keys import digest_of, look_up
from .limits import REMEMBERED, Buckets, Worktime
from .live_table import LiveTable, summary_of
from .logs import log
from .messages import encode
from .settings import Settings
from .writer_client import WriterClient

if TYPE_CHECKING:
    from ..store.postgres import PostgresStore

Found = TypeVar("Found")
LOBBY = 50
# What goes wrong when stored entries are not what was stored; rules that have changed since are another thing (GameError).
UNREADABLE = (StoreError, IllegalMove, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
PEEKED = 200  # tables of other servers that were looked at and are kept in mind
LOBBY_SEEN = 3000  # so many are looked through for these


class NotFound(Exception):
    """There is no such table."""


class Damaged(Exception):
    """What is stored of this table cannot be read; it is left as it is, and the others go on."""


class Elsewhere(Exception):
    """Another server plays this table by now; whoever wants it must come again."""


class TableRegistry:
    """The tables of one server."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings, self.store = settings, store
        self.writer = WriterClient(store)
        self.bot_pool = BotPool(settings.bot_workers, settings.bot_seconds, settings.bot_maker)
        self.tables: dict[str, LiveTable] = {}
        self.connections: dict[Connection, str] = {}
        self.table_buckets = Buckets(settings.tables_per_hour / 3600, settings.tables_burst)
        self.worktime = Worktime(settings.address_messages_per_second, settings.address_messages_burst)
        self._at_the_door: Counter[str] = Counter()
        self.arrivals = Buckets(settings.arrivals_per_second, settings.arrivals_burst)
        self._made_from: OrderedDict[str, str] = OrderedDict()  # tables with open seats, and the addresses that made them
        self.expired: float | None = None
        self.sweeps = 0
        self.damaged: set[str] = set()
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self.shared = cast("PostgresStore | None", store if hasattr(store, "claim") else None)  # several servers play the store's tables
        self._epochs: dict[str, int] = {}  # tables that are ours and not yet in memory
        self.began, self.taken_over = time.monotonic(), 0
        self.passed: dict[Any, str] = {}  # connections that were passed on, and the processes that they go to
        self._peeked: OrderedDict[str, tuple[int, Table]] = OrderedDict()
        self._sweeper = asyncio.get_running_loop().create_task(self._sweep())

    # --- Finding

    async def find(self, ident: str) -> LiveTable:
        """A table, from memory or from the store."""
        live = self.tables.get(ident)
        if live is not None:
            return live
        if ident not in self._loading:
            task = asyncio.get_running_loop().create_task(self._load(ident))
            self._loading[ident] = task
            task.add_done_callback(lambda _: self._loading.pop(ident, None))
        return await asyncio.shield(self._loading[ident])

    async def _load(self, ident: str) -> LiveTable:
        if await self.locate(ident) is not None:
            raise Elsewhere
        epoch = self._epochs.pop(ident, 0)
        table = await asyncio.to_thread(self._rebuild, ident)
        if table is None:
            raise NotFound
        live = self._seat(table, epoch=epoch)
        await self._note_clock(table)
        if table.deadline() is not None:
            await live.change(lambda one, now: one.resume(now=now))
        else:
            live.wake()
        return live

    def _rebuild(self, ident: str) -> Table | None:
        if ident in self.damaged:
            raise Damaged
        try:
            entries = self.store.entries(ident)
            return Table.rebuild(ident, [json.loads(entry) for entry in entries], find=self.settings.find) if entries else None
        except UNREADABLE as problem:
            self.damaged.add(ident)
            log("table_damaged", level=logging.ERROR, problem=problem, table=ident)
            raise Damaged from problem

    # --- Where several servers play

    async def locate(self, ident: str) -> Owner | None:
        """Who else plays a table; None if it is ours, or becomes ours by asking, or if there is none."""
        if self.shared is None or ident in self.tables or ident in self._epochs:
            return None
        found = await asyncio.to_thread(self.shared.claim, ident)
        if isinstance(found, Owner):
            return found
        if found is not None:
            self._epochs[ident] = found
        return None

    async def neighbour(self, process: str) -> Owner | None:
        """Another living process, to ask for work of its own; one that came just now is looked up."""
        if self.shared is None or process == self.shared.process:
            return None
        address = self.shared.peers.get(process) or await asyncio.to_thread(self.shared.address_of, process)
        return None if address is None else Owner(process, 0, address)

    @property
    def home(self) -> str:
        """How the names of what lives in this process alone begin, so that the others know where to ask."""
        return "" if self.shared is None else f"{self.shared.process}-"

    async def take_from(self, ident: str, dead: Owner) -> None:
        """Take a table from a server that no longer answers; whoever was faster has it."""
        assert self.shared is not None
        self.taken_over += 1
        log("taken_over", level=logging.WARNING, table=ident, dead=dead.process)
        found = await asyncio.to_thread(self.shared.claim, ident, dead.epoch)
        if isinstance(found, int):
            self._epochs[ident] = found

    async def _note_clock(self, table: Table) -> None:
        if self.shared is not None and table.opening["clock"]["kind"] != "none":
            await asyncio.to_thread(self.shared.note_clock, table.ident, not table.over)

    async def peek(self, ident: str) -> Table:
        """A table as the store has it, for who only looks: it stays with the server that plays it."""
        live = self.tables.get(ident)
        if live is not None or self.shared is None:
            return (live or await self.find(ident)).table
        entries = await asyncio.to_thread(self.shared.length, ident)
        known = self._peeked.get(ident)
        if known is None or known[0] != entries:
            table = await asyncio.to_thread(self._rebuild, ident)
            if table is None:
                raise NotFound
            known = self._peeked[ident] = (entries, table)
            while len(self._peeked) > PEEKED:
                self._peeked.popitem(last=False)
        return known[1]

    def _seat(self, table: Table, summary: Summary | None = None, epoch: int = 0) -> LiveTable:
        live = LiveTable(table, self.settings, self.writer, self.bot_pool, self._forget, summary)
        live.epoch = epoch
        self.tables[table.ident] = live
        return live

    def _forget(self, live: LiveTable) -> None:
        if self.tables.get(live.table.ident) is live:
            del self.tables[live.table.ident]

    async def session(self, token: str, ident: str) -> Pass | None:
        """What a session opens at a table."""
        return await self._ask(lambda: look_up(self.store, token, ident, session=True))

    async def opened_by(self, key: str, ident: str) -> Pass | None:
        """What a key opens at a table."""
        return await self._ask(lambda: look_up(self.store, key, ident, session=False))

    async def _ask(self, question: Callable[[], Found]) -> Found:
        """Ask the store: a file answers at once, a database is waited for while the others go on."""
        return question() if self.shared is None else await asyncio.to_thread(question)

    # --- Making

    async def may_make(self, client: str) -> bool:
        """Whether one more table may be made from this address: of all servers together."""
        settings = self.settings
        if self.shared is None:
            return self.table_buckets.take(client)
        return await asyncio.to_thread(self.shared.take, "tables", client, 3600 / settings.tables_per_hour, settings.tables_burst)

    async def make(self, asked: dict[str, Any], client: str = "?") -> dict[str, Any]:
        """A new table; answers its keys."""
        stage = find_stage(asked["game"], asked["stage"]) if asked.get("stage") else None
        seats, lesson = asked["seats"], bool(asked.get("lesson"))
        if stage is not None:
            asked = {**asked, "options": stage.options, "components": stage.components}
            seats = seats_of(stage, seats[0].get("name") or "") if lesson else seats
            if len(seats) != stage.seats:
                raise BadOption("seats", "players", seats=len(seats), low=stage.seats, high=stage.seats)
        plan = None
        if asked.get("position") and stage is None:
            asked, plan = await self._position(asked)
        game, given = self.settings.find(asked["game"]), (asked.get("options"), asked.get("components"))
        known = bots.names(game)
        for number, seat in enumerate(seats):
            if seat.get("kind") == "bot" and seat.get("bot") not in known:
                raise BadOption(f"seats.{number}.bot", "none_of", value=seat.get("bot"), known=list(known))
        seats = [
            {**seat, "bot": bots.seated(game, seat["bot"], len(seats), *given)} if seat.get("kind") == "bot" else seat for seat in seats
        ]
        seed = asked.get("seed")
        if seed is not None and any(seat.get("kind") == "open" for seat in seats):
            raise BadOption("seed", "open_seats")  # whoever typed it knows every card, and a stranger would not know that
        entry = made(
            asked["game"],
            seats,
            now=self.settings.now(),
            options=asked.get("options"),
            components=asked.get("components"),
            clock=asked.get("clock"),
            chance=self.settings.chance() if seed is None else seed,
            find=self.settings.find,
        )
        entry = entry if stage is None else begun_at(entry, stage, lesson=lesson)
        entry = entry if plan is None else entry | {"arranged": plan.describe(), "auditable": False}
        entry |= {"waits": True, "chat": bool(asked.get("chat"))}
        keys: list[str | None] = [None if seat["kind"] == "bot" else self.settings.token() for seat in entry["seats"]]
        ident = self.settings.table_id()
        if any(seat["kind"] == "open" for seat in entry["seats"]):
            self._made_from[ident] = client
            while len(self._made_from) > REMEMBERED:
                self._made_from.popitem(last=False)
            if self.shared is not None:
                await asyncio.to_thread(self.shared.note_maker, ident, client)
        return await self._open(ident, entry, keys)

    async def _position(self, asked: dict[str, Any]) -> tuple[dict[str, Any], Arrangement]:
        """A table asked for at a position of a finished game: with that game's options and components, and the way there."""
        table, step = (await self.find(asked["position"]["table"])).table, asked["position"]["step"]
        if not table.over:
            raise Refused("running")
        if asked["game"] != table.opening["game"]:
            raise BadOption("game", "none_of", value=asked["game"], known=[table.opening["game"]])
        if step >= len(table.game.steps) - 1:
            raise BadOption("position.step", "none_of", value=step, known=[0, len(table.game.steps) - 2])
        if len(asked["seats"]) != len(table.seats):
            raise BadOption("seats", "players", seats=len(asked["seats"]), low=len(table.seats), high=len(table.seats))
        return {**asked, "options": table.game.options, "components": table.game.components}, position_of(table.game, step)

    async def _open(self, ident: str, entry: Entry, keys: list[str | None]) -> dict[str, Any]:
        now = self.settings.now()
        watch = self.settings.token()
        passes = [Pass(digest_of(key), ident, seat, now) for seat, key in enumerate(keys) if key is not None]
        passes.append(Pass(digest_of(watch), ident, None, now))
        table = Table(ident, entry, find=self.settings.find)
        summary = summary_of(table, now)
        await self.writer.create(StoredTable(ident, entry["game"], now, summary), encode(entry).decode(), passes)
        self._seat(table, summary, epoch=0 if self.shared is None else 1).wake()
        await self._note_clock(table)
        log("table_made", table=ident, game=entry["game"], seats=len(table.seats))
        return {"table": ident, "keys": keys, "watch": watch, "commitment": table.chance.commitment}

    async def rematch(self, live: LiveTable, seat: int, handicap: bool, cards: list[str] | None) -> dict[str, Any]:
        """The next table of these players; whoever asks second gets his key to the same one."""
        async with live.lock:
            table = live.table
            if not table.over:
                raise Refused("running")
            new_seat = (seat - 1) % len(table.seats)  # everybody moves one seat on
            if table.rematch_id is None:
                wanted = {seat: cards} if cards is not None else None
                entry = rematch(table, now=self.settings.now(), handicap=handicap, cards=wanted, chance=self.settings.chance())
                entry["chat"] = bool(table.opening.get("chat"))
                # Whoever asks first can hand links on; another's key opens his seat only until he has asked for his own.
                keys: list[str | None] = [None if seat["kind"] == "bot" else self.settings.token() for seat in entry["seats"]]
                made_table = await self._open(self.settings.table_id(), entry, keys)
                await live.change_locked(lambda one, now: one.note_rematch(made_table["table"], now=now))
                return made_table | {"seat": new_seat}
            ident = table.rematch_id
        other = await self.peek(ident)
        key, watch, now = self.settings.token(), self.settings.token(), self.settings.now()
        first = new_seat in other.waiting_for
        await self.writer.add_passes([Pass(digest_of(key), ident, new_seat, now)], keep=1 if first else self.settings.sessions_per_seat)
        await self.writer.add_passes([Pass(digest_of(watch), ident, None, now)], keep=50 * self.settings.sessions_per_seat)
        keys = [key if number == new_seat else None for number in range(len(other.seats))]
        return {"table": ident, "keys": keys, "watch": watch, "commitment": other.chance.commitment, "seat": new_seat}

    async def follow(self, live: LiveTable) -> dict[str, Any] | None:
        """For who watches: a key to watch the next table of these players too; None while there is none."""
        ident = live.table.rematch_id
        if ident is None:
            return None
        other = await self.peek(ident)
        watch = self.settings.token()
        await self.writer.add_passes([Pass(digest_of(watch), ident, None, self.settings.now())], keep=50 * self.settings.sessions_per_seat)
        return {"table": ident, "keys": [None] * len(other.seats), "watch": watch, "commitment": other.chance.commitment}

    # --- Getting in

    async def exchange(self, live: LiveTable, key: str, name: str | None, beside: str | None = None) -> dict[str, Any] | None:
        """A session for a key; whoever comes with the key of an open seat sits down there."""
        async with live.lock:  # else a key could be looked up here while `sit` gives its seat to somebody
            table = live.table
            found = await self.opened_by(key, table.ident)
            if found is None:
                return None
            seat = found.seat
            if seat is not None:
                await self._check_device(table, beside)
            if seat is not None and not table.over:
                await self._come(live, seat, name)
                live.forget_agreement(seat)
            return await self._session(table.ident, seat)

    async def _check_device(self, table: Table, beside: str | None) -> None:
        """A typed seed can be guessed from its commitment, and tells all cards: such a table is for one device, whose seats vouch for each
        other by a session.
        """
        people = [seat for seat in table.seats if seat.kind == "person"]
        if self.settings.seeds_anywhere or not table.opening.get("seeded") or len(people) < 2 or len(table.waiting_for) == len(people):
            return
        known = None if beside is None else await self.session(beside, table.ident)
        if known is None or known.seat is None:
            raise Refused("seed")

    async def _come(self, live: LiveTable, seat: int, name: str | None) -> None:
        sitting = live.table.seats[seat]
        if (name and name.strip() != sitting.name) or sitting.kind == "open":
            await live.change_locked(lambda table, now: table.sit(seat, name or "", now=now))
        elif seat in live.table.waiting_for:
            await live.change_locked(lambda table, now: table.enter(seat, now=now))

    async def _session(self, ident: str, seat: int | None) -> dict[str, Any]:
        session = self.settings.token()
        entry = Pass(digest_of(session), ident, seat, self.settings.now(), session=True)
        keep = self.settings.sessions_per_seat if seat is not None else 50 * self.settings.sessions_per_seat
        await self.writer.add_passes([entry], keep=keep)
        return {"session": session, "seat": seat, "table": ident}

    async def sit(self, live: LiveTable, seat: int | None, name: str) -> dict[str, Any]:
        """Take an open seat: the first who comes."""
        async with live.lock:
            free = [number for number, one in enumerate(live.table.seats) if one.kind == "open"]
            if live.table.over or not free or (seat is not None and seat not in free):
                raise Refused("seat_taken")
            taken = free[0] if seat is None else seat
            key, ident = self.settings.token(), live.table.ident
            # The key that was made with the table for this seat no longer opens it, before anybody hears of it: the maker may not sit on
            # somebody's lap.
            await self.writer.add_passes([Pass(digest_of(key), ident, taken, self.settings.now())], keep=1)
            await live.change_locked(lambda table, now: table.sit(taken, name, now=now))
            return await self._session(ident, taken) | {"key": key}

    async def delete(self, live: LiveTable, seat: int | None) -> None:
        """Delete a table that nobody else is playing at."""
        async with live.lock:
            others = [one for number, one in enumerate(live.table.seats) if number != seat and one.kind == "person"]
            if seat is None or (others and not live.table.over and not live.table.waiting_for):
                raise Refused("running")
            await self.writer.delete(live.table.ident)
            live.drop("deleted")
        log("table_deleted", table=live.table.ident)

    async def lobby(self) -> list[StoredTable]:
        """Tables with an open seat: the newest, and of one address no more than a few, else nobody else's would be seen."""
        shown: list[StoredTable] = []
        of: Counter[str | bytes] = Counter()
        makers: Mapping[str, str | bytes] = self._made_from if self.shared is None else await asyncio.to_thread(self.shared.makers)
        for stored in await self._ask(lambda: self.store.lobby(LOBBY_SEEN)):
            maker = makers.get(stored.ident)
            if maker is not None:
                of[maker] += 1
                if of[maker] > self.settings.lobby_per_address:
                    continue
            shown.append(stored)
            if len(shown) == LOBBY:
                break
        return shown

    # --- Coming, going, tidying

    async def let_in(self, client: str) -> bool:
        """Whether somebody may come in. Who comes too often waits at the door, where there is room for as many as may be inside."""
        if self._at_the_door[client] >= self.settings.connections:
            return False
        wait = self.arrivals.owe(client)
        if wait > 0:
            self._at_the_door[client] += 1
            try:
                await asyncio.sleep(wait)
            finally:
                self._at_the_door[client] -= 1
                if not self._at_the_door[client]:
                    del self._at_the_door[client]
        return True

    def admit(self, connection: Connection, client: str) -> bool:
        """Whether one more connection may come from this address."""
        if len(self.connections) >= self.settings.connections_total:
            return False
        if sum(one == client for one in self.connections.values()) >= self.settings.connections:
            return False
        self.connections[connection] = client
        return True

    def dismiss(self, connection: Connection) -> None:
        """A connection is gone."""
        self.connections.pop(connection, None)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(self.settings.sweep_seconds)
            try:
                now = time.monotonic()
                for connection in list(self.connections):
                    if not connection.greeted and now - connection.since > self.settings.hello_seconds:
                        connection.send_away("hello_first")
                    elif now - connection.heard > self.settings.idle_seconds:
                        connection.send_away("idle")
                for live in list(self.tables.values()):
                    if live.forgettable:
                        live.drop("idle")
                self.sweeps += 1
                if self.expired is None or now - self.expired > self.settings.expire_seconds:
                    self.expired = now
                    await self._expire()
            except (GameError, OSError, RuntimeError) as problem:
                log("sweep_failed", level=logging.ERROR, problem=problem)

    async def _expire(self) -> None:
        settings = self.settings
        keep = (int(seconds * 1000) for seconds in (settings.keep_running_seconds, settings.keep_over_seconds, 2 * settings.expire_seconds))
        for ident in await self.writer.expire(settings.now(), *keep):
            live = self.tables.get(ident)
            if live is not None:
                live.drop("deleted")
            log("table_expired", table=ident)

    async def close(self) -> None:
        """Send everybody away, and finish what was begun."""
        self._sweeper.cancel()
        for connection in list(self.connections):
            connection.send_away("stopping")
        for live in list(self.tables.values()):
            await live.close()
        await self.bot_pool.close()
        await self.writer.close()
        await asyncio.to_thread(self.store.close)
