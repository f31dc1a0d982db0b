"""The conversation over one WebSocket, as docs/protocol.md tells it."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import time

from starlette.websockets import WebSocket, WebSocketDisconnect

from ..bots import ADVISER
from ..bots.analysis import opinions
from ..bots.search import Considered
from ..rules.errors import GameError, IllegalMove, Reason
from ..rules.kernel import SPECTATOR
from ..rules.teaching import Advice, advise, explain, reflect
from ..table import Change, Refused, Table, seen_again
from .bot_pool import GivenUp
from .closings import BadMessage
from .connection import Connection
from .limits import PASSED, Bucket, client_of
from .live_table import Gone, LiveTable
from .logs import log
from .protocol import Change as SaidChange
from .protocol import (
    SaidAbout,
    SaidAgain,
    SaidAgree,
    SaidBotReturns,
    SaidChat,
    SaidCoach,
    SaidHello,
    SaidHint,
    SaidMove,
    SaidPhrase,
    SaidPing,
    SaidPreview,
    SaidResign,
    SaidUndo,
    SaidUndoAnswer,
    parse,
)
from .registry import Damaged, Elsewhere, NotFound, TableRegistry

SaidRequest = SaidPreview | SaidHint | SaidPhrase | SaidChat | SaidCoach | SaidAgain | SaidAgree
HINTS = 5  # moves that a hint names
TALK_A_SECOND, TALK_AT_ONCE = 1 / 3, 4  # how much a seat may say


async def converse(registry: TableRegistry, socket: WebSocket, ident: str, build: str) -> None:
    """Serve one client until it goes, or is sent away."""
    settings = registry.settings
    host = socket.headers.get("host", "")
    passed = socket.scope.get(PASSED)  # then another server of ours has looked
    if not passed and not (settings.host_is_ours(host) and settings.origin_is_ours(socket.headers.get("origin"), host)):
        log("origin_refused", level=logging.WARNING, table=ident)
        await socket.close(1008)
        return
    client = client_of(socket.scope)
    if not await registry.let_in(client):
        await socket.close(1013)  # without a word: he has been told before
        return
    try:
        await socket.accept()
    except (WebSocketDisconnect, RuntimeError, OSError):
        return  # gone while he waited
    now = time.monotonic()
    connection = Connection(
        socket, client, Bucket(settings.messages_per_second, settings.messages_burst, now), settings.waiting_messages, now
    )
    live: LiveTable | None = None
    try:
        if not registry.admit(connection, client):
            connection.send_away("too_fast")
        while True:
            try:
                live = await _serve_one(registry, connection, live, ident, build)
            except BadMessage as problem:
                connection.send_away(problem.code)
            except NotFound:
                connection.send_away("no_table")
            except Damaged:
                connection.send_away("damaged")
            except Gone:
                connection.send_away("store")
            except Elsewhere:
                connection.send_away("stopping")
            except GameError as problem:
                log("table_unusable", level=logging.ERROR, problem=problem, table=ident)
                connection.send_away("no_table")
    except (WebSocketDisconnect, RuntimeError):
        pass
    except asyncio.CancelledError:
        if not connection.cut:
            raise  # the server stops; otherwise the client was sent away and did not go
    except Exception as problem:
        log("conversation_failed", level=logging.ERROR, problem=problem, table=ident)
        connection.send_away("store")
    finally:
        if live is not None:
            live.leave(connection)
        registry.dismiss(connection)
        await connection.close()


async def _serve_one(registry: TableRegistry, connection: Connection, live: LiveTable | None, ident: str, build: str) -> LiveTable | None:
    """One message."""
    settings = registry.settings
    text = await connection.receive()
    connection.heard = time.monotonic()
    if not connection.bucket.take(connection.heard):
        raise BadMessage("too_fast")
    said = parse(text, settings.message_bytes)
    if said.cost > 1 and not connection.bucket.take(connection.heard, said.cost - 1):
        raise BadMessage("too_fast")
    await registry.worktime.pay(connection.client, said.cost)
    if isinstance(said, SaidHello):
        return await _hello(registry, connection, said, live, ident, build)
    if live is None:
        raise BadMessage("hello_first")
    if isinstance(said, SaidMove):  # nearly all are
        await _act(registry, live, connection, said)
    elif isinstance(said, SaidPing):
        connection.send_message({"type": "pong", "id": said.id})
    elif isinstance(said, SaidPreview):
        await _preview(registry, live, connection, said)
    elif isinstance(said, SaidHint):
        _hint(live, connection, said)
    elif isinstance(said, SaidPhrase | SaidChat):
        _speak(live, connection, said)
    elif isinstance(said, SaidAbout):
        await _about(live, connection, said)
    elif isinstance(said, SaidCoach):
        await _coach(registry, live, connection, said)
    elif isinstance(said, SaidAgree):
        await _agree(live, connection, said)
    elif isinstance(said, SaidAgain):
        await _again(registry, live, connection, said)
    else:
        await _act(registry, live, connection, said)
    return live


async def _hello(
    registry: TableRegistry, connection: Connection, said: SaidHello, live: LiveTable | None, ident: str, build: str
) -> LiveTable:
    found = await registry.session(said.session, ident)
    beside = [await registry.session(one, ident) for one in said.beside]
    if found is None or (connection.greeted and found.seat != connection.seat):
        raise BadMessage("session")
    if live is None or live.gone:
        live = await registry.find(ident)
    async with live.lock:
        if live.gone:
            raise Gone
        connection.seat, connection.greeted = found.seat, True
        connection.seats = frozenset(one.seat for one in (found, *beside) if one is not None and one.seat is not None)
        news = live.join(connection) if connection not in live.connections else False
        live.welcome(connection, build, said.revision)
        if news:
            live.tell(None, but=connection)
    return live


def _command(live: LiveTable, seat: int | None, said: SaidChange, table: Table, now: int) -> Change:
    """What a message asks of the table."""
    ident, bot = said.id, live.settings.bot
    if isinstance(said, SaidMove):
        return table.move(seat, said.move, now=now, ident=ident)
    if isinstance(said, SaidUndo):
        return table.undo(seat, now=now, ident=ident, away=live.away())
    if isinstance(said, SaidUndoAnswer):
        return table.answer_undo(seat, said.agree, now=now, ident=ident)
    if isinstance(said, SaidResign):
        return table.resign(seat, now=now, bot=bot, ident=ident)
    if isinstance(said, SaidBotReturns):
        return table.bot_returns(seat, now=now, ident=ident)
    if said.seat is None or said.seat == seat:
        return table.bot_takes(seat, now=now, bot=bot, ident=ident)
    if seat is None:
        raise Refused("no_seat")
    if not 0 <= said.seat < len(table.seats) or not live.long_away(said.seat):
        raise Refused("not_away")
    return table.bot_takes(said.seat, now=now, bot=bot, ident=ident, asked_by=seat)


async def _act(registry: TableRegistry, live: LiveTable, connection: Connection, said: SaidChange) -> None:
    """A message that changes the table: carried out once however often it is sent, acknowledged each time."""
    async with live.lock:
        if live.gone:
            raise Gone
        seat = connection.seat
        done = None if seat is None else live.table.done(seat, said.id)
        if done is not None:
            connection.send_message({"type": "ack", "id": said.id, "revision": done})
            return

        if isinstance(said, SaidUndo | SaidUndoAnswer) and seat is not None:
            # Playing a long game again takes its time, which the others need not wait for.
            await registry.worktime.in_pieces(connection.client, live.table.rewind(seat))

        def command(table: Table, now: int) -> Change:
            if isinstance(said, SaidMove) and said.revision != table.revision:
                raise Refused("no_seat") if seat is None else Refused("stale")
            return _command(live, seat, said, table, now)

        try:
            await live.change_locked(command, lambda change: _acknowledge(connection, said, change))
        except Refused as refused:
            _refuse(connection, said, refused.reason)
            if refused.reason.code == "stale":
                connection.send_message({"type": "state", **live.state(seat)})


def _acknowledge(connection: Connection, said: SaidChange, change: Change) -> None:
    connection.send_message({"type": "ack", "id": said.id, "revision": change.revision})


def _refuse(connection: Connection, said: SaidChange | SaidRequest, reason: Reason) -> None:
    connection.send_message({"type": "refused", "id": said.id, "reason": dataclasses.asdict(reason)})


def _speak(live: LiveTable, connection: Connection, said: SaidPhrase | SaidChat) -> None:
    """Words from seat to seat: nothing is stored, and who only watches neither says nor hears any, since he may know more than a seat."""
    seat, text = connection.seat, said.text.strip() if isinstance(said, SaidChat) else None
    if seat is None:
        _refuse(connection, said, Reason("no_seat"))
    elif text is not None and not live.table.opening.get("chat"):
        _refuse(connection, said, Reason("no_chat"))
    elif text is not None and not (text and text.isprintable()):
        _refuse(connection, said, Reason("unprintable"))
    elif not live.talk.setdefault(seat, Bucket(TALK_A_SECOND, TALK_AT_ONCE, connection.heard)).take(connection.heard):
        _refuse(connection, said, Reason("too_talkative"))
    else:
        connection.send_message({"type": "ack", "id": said.id, "revision": live.table.revision})
        phrase = said.phrase if isinstance(said, SaidPhrase) else None
        for one in list(live.connections):
            if one.seat is not None:
                one.send_message({"type": "said", "seat": seat, "phrase": phrase, "text": text})


async def _agree(live: LiveTable, connection: Connection, said: SaidAgree) -> None:
    """Let everybody see the chances while one plays, or no longer; for one's own seat alone."""
    async with live.lock:
        seat = connection.seat
        if live.gone:
            raise Gone
        if seat is None or live.table.over:
            _refuse(connection, said, Reason("no_seat" if seat is None else "over"))
            return
        live.agreed = live.agreed | {seat} if said.agree else live.agreed - {seat}
        connection.send_message({"type": "ack", "id": said.id, "revision": live.table.revision})
        live.tell(None)


async def _preview(registry: TableRegistry, live: LiveTable, connection: Connection, said: SaidPreview) -> None:
    """What a move would bring, as far as the seat on turn can know."""
    async with live.lock:
        table, seat = live.table, connection.seat
        if live.gone:
            raise Gone
        if table.over or seat is None or seat != table.turn:
            _refuse(connection, said, Reason("over" if table.over else "no_seat" if seat is None else "not_your_turn"))
            return
        if said.revision != table.revision:
            _refuse(connection, said, Reason("stale"))
            return
        try:
            foreseen = await registry.worktime.in_a_thread(connection.client, lambda: table.game.preview(said.move))
        except IllegalMove as problem:
            _refuse(connection, said, problem.reason)
            return
        connection.send_message({"type": "previewed", "id": said.id, "foreseen": [one.describe() for one in foreseen]})


async def _about(live: LiveTable, connection: Connection, said: SaidAbout) -> None:
    """What a thing on the table is, from what this watcher is shown."""
    async with live.lock:
        table, seat = live.table, connection.seat
        if live.gone:
            raise Gone
        told = [] if table.waiting_for else explain(table.game, SPECTATOR if seat is None else seat, said.what)
    connection.send_message({"type": "explained", "id": said.id, "what": said.what, "told": [dataclasses.asdict(one) for one in told]})


def _alone(table: Table, seat: int) -> bool:
    """Whether only bots sit with this seat: then it may be advised."""
    return all(other.kind == "bot" for number, other in enumerate(table.seats) if number != seat)


def coached(table: Table, seat: int) -> tuple[list[Advice], list[Reason]]:
    """What matters now to a seat, if it is its turn, and what came of its last decision; with other people, what all are told alike."""
    alone = _alone(table, seat)
    before = advise(table.game, seat, alone=alone) if seat == table.turn else []
    return before, reflect(table.game, seat, alone=alone, since=table.begun)


async def _coach(registry: TableRegistry, live: LiveTable, connection: Connection, said: SaidCoach) -> None:
    """What matters now to this seat, and what came of its last decision."""
    async with live.lock:
        table, seat = live.table, connection.seat
        if live.gone:
            raise Gone
        if seat is None or table.waiting_for:
            _refuse(connection, said, Reason("no_seat" if seat is None else "waiting"))
            return
        if said.revision != table.revision:
            _refuse(connection, said, Reason("stale"))
            return
        before, after = await registry.worktime.in_a_thread(connection.client, lambda: coached(table, seat))
    connection.send_message(
        {
            "type": "coached",
            "id": said.id,
            "revision": said.revision,
            "before": [one._asdict() for one in before],
            "after": [dataclasses.asdict(one) for one in after],
        }
    )


async def _again(registry: TableRegistry, live: LiveTable, connection: Connection, said: SaidAgain) -> None:
    """The table as this watcher saw it while some of his events were told."""
    async with live.lock:
        table, watcher = live.table, SPECTATOR if connection.seat is None else connection.seat
        if live.gone:
            raise Gone
        shown = None
        if table.step_after(said.revision) is not None:
            shown = await registry.worktime.in_a_thread(connection.client, lambda: seen_again(table, watcher, said.first, said.last))
    if shown is None:
        _refuse(connection, said, Reason("stale"))
    else:
        connection.send_message({"type": "again", "id": said.id, **shown})


def _hint(live: LiveTable, connection: Connection, said: SaidHint) -> None:
    """Which moves are best, as far as the seat on turn can know. Not at a table with other people: there it would be unfair."""
    table, seat = live.table, connection.seat
    if live.gone:
        raise Gone
    if table.over or seat is None or seat != table.turn:
        _refuse(connection, said, Reason("over" if table.over else "no_seat" if seat is None else "not_your_turn"))
    elif said.revision != table.revision:
        _refuse(connection, said, Reason("stale"))
    elif not _alone(table, seat):
        _refuse(connection, said, Reason("no_hints"))
    elif live.advising:
        _refuse(connection, said, Reason("is_advising"))
    else:
        live.advising = True
        live.spawn(_advise(live, connection, said, seat))


async def _advise(live: LiveTable, connection: Connection, said: SaidHint, seat: int) -> None:
    """Think without holding anybody up; whoever has moved on meanwhile is told nothing."""
    table = live.table
    try:
        found = await live.bot_pool.advise(table.game_type, ADVISER, table.game.knowledge[seat], table.revision, client=connection.client)
    except GivenUp:
        _refuse(connection, said, Reason("no_advice"))
        return
    finally:
        live.advising = False
    if live.gone or said.revision != table.revision:
        _refuse(connection, said, Reason("stale"))
        return
    moves = opinions(table.game_type, table.game.knowledge[seat], [Considered(**one) for one in found])[:HINTS]
    told = [{"move": one.move, "value": round(one.value, 4), "within": round(one.within, 4)} for one in moves]
    connection.send_message({"type": "hinted", "id": said.id, "revision": table.revision, "moves": told})
    if moves:
        await _reason(live, connection, said, seat, (moves[0].action, moves[-1].action if len(moves) > 1 else None))


async def _reason(live: LiveTable, connection: Connection, said: SaidHint, seat: int, actions: tuple[int, int | None]) -> None:
    """Say why the first of these looks better than the other, once the hint is given; whoever has moved on meanwhile is told nothing."""
    table = live.table
    try:
        found = await live.bot_pool.reasons(
            table.game_type, (table.game.knowledge[seat], *actions), table.revision, client=connection.client
        )
    except GivenUp:
        return
    if not live.gone and said.revision == table.revision:
        connection.send_message({"type": "reasons", "id": said.id, "revision": table.revision, "reasons": found})
