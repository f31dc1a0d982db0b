"""One client must not stop the others: frames that carry nothing, long heads, slow readers, many tables of bots, crowds in the lobby.

It is long because each flood has a test of its own over the same server.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import http.client
import json
import logging
import os
import signal
import socket
import sys
import threading
import time
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from drunemeton.client import Client, MoveRefused, ServerError, ask
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.server import Settings, bot_pool
from drunemeton.server.bot_pool import ALONE, WATCHED, BotPool, BotProcess, GivenUp
from drunemeton.server.http_protocol import HttpProtocol
from drunemeton.server.limits import Worktime, network_of
from drunemeton.server.protocol import COSTS
from drunemeton.server.serve import SPARE_FILES, allow_files
from drunemeton.server.websocket_protocol import WebSocketProtocol
from drunemeton.table import Table

from ..patience import PATIENCE, comes_true, in_a_loop
from .house import BOT, PERSON, TWO, House, play_on, rng

PING = b"\x89\x80\x00\x00\x00\x00"  # masked, and empty
BEGUN = b"\x01\x80\x00\x00\x00\x00"  # the first part of a text, which is empty
PART = b"\x00\x80\x00\x00\x00\x00"  # another part, which is empty too


@pytest.mark.parametrize("frames", [PING * 20_000, BEGUN + PART * 20_000], ids=["pings", "empty parts"])
def test_frames_that_carry_nothing_cost_too(settings: Settings, frames: Any) -> None:
    with House(replace(settings, messages_per_second=20.0, messages_burst=60)) as house:
        made = house.table()
        address = house.url.replace("http", "ws") + f"/api/tables/{made['table']}/play"
        with connect(address, proxy=None, ping_interval=None) as raw:
            with contextlib.suppress(OSError):
                raw.socket.sendall(frames)
            with pytest.raises(ConnectionClosed):
                raw.recv(PATIENCE)
        with house.players(made) as clients:
            play_on(clients, rng(), 2)


def test_pings_of_an_honest_client_are_answered(house: House) -> None:
    made = house.table()
    with connect(house.url.replace("http", "ws") + f"/api/tables/{made['table']}/play", proxy=None) as raw:
        for _ in range(20):
            assert raw.ping().wait(PATIENCE)


def test_a_head_without_end_is_cut_off(house: House) -> None:
    for head in (
        b"GET /" + b"x" * 2**22,
        b"GET / HTTP/1.1\r\nhost: localhost\r\n" + b"a: " + b"y" * 2**22,
        b"GET / HTTP/1.1\r\n" + b"b: 1\r\n" * 2**20,
    ):
        with socket.create_connection(("127.0.0.1", house.settings.port)) as raw:
            raw.settimeout(PATIENCE)
            sent = 0
            with contextlib.suppress(OSError):
                while sent < len(head):
                    sent += raw.send(head[sent : sent + 65536])
            answer = b""
            with contextlib.suppress(OSError):
                answer = raw.recv(100)
            assert answer[:12] in {b"", b"HTTP/1.1 431", b"HTTP/1.1 400"}
            assert answer or sent < len(head)


def test_who_does_not_read_an_answer_is_dropped(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HttpProtocol, "seconds", 0.5)
    settings.assets.mkdir()
    (settings.assets / "big.txt").write_bytes(b"x" * 2**23)
    lost = threading.Event()
    ordinary = HttpProtocol.connection_lost

    def noted(self: HttpProtocol, why: Exception | None) -> None:
        ordinary(self, why)
        lost.set()

    monkeypatch.setattr(HttpProtocol, "connection_lost", noted)
    with House(settings, small_buffers=True) as house, socket.socket() as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        raw.connect(("127.0.0.1", house.settings.port))
        raw.sendall(b"GET /big.txt HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert lost.wait(PATIENCE)
        assert not house.server.server_state.connections


def test_connections_leave_files_for_the_store(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HttpProtocol, "seconds", 1000.0)  # nobody is sent away for saying nothing
    with House(replace(settings, open_files=6)) as house:
        opened = [socket.create_connection(("127.0.0.1", house.settings.port)) for _ in range(12)]
        assert comes_true(lambda: sum(was_closed(one) for one in opened) == 6)
        for one in opened:
            one.close()
        assert comes_true(lambda: answers(house))


def was_closed(one: socket.socket) -> bool:
    try:
        return one.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def answers(house: House) -> Any:
    try:
        return ask(f"{house.url}/api/health") == {"status": "ok"}
    except (OSError, ServerError):
        return False


def test_a_process_asks_for_the_files_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    limits = [256, 4096]
    monkeypatch.setattr(resource, "getrlimit", lambda _: tuple(limits))
    monkeypatch.setattr(resource, "setrlimit", lambda _, wanted: limits.__setitem__(slice(None), wanted))
    assert allow_files(6000) == 4096 - SPARE_FILES
    assert limits[0] == 4096
    limits[:] = [256, 256]
    assert allow_files(6000) == 256 - SPARE_FILES


def test_limits_count_networks_not_addresses() -> None:
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::9") != network_of("2001:db8:1:3::9")
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") == "192.0.2.7" != network_of("192.0.2.8")
    assert network_of("fe80::1%eth0") == network_of("fe80::2")
    assert network_of("proxy") == "proxy"


def test_a_whole_network_of_ipv6_is_one_client(settings: Settings) -> None:
    with House(replace(settings, tables_burst=3, tables_per_hour=1.0)) as house:
        codes = [_post(house, "/api/tables", {"game": "druidenwalzer", "seats": TWO}, f"2001:db8::{n:x}")[0] for n in range(6)]
        assert codes == [200] * 3 + [429] * 3
        assert _post(house, "/api/tables", {"game": "druidenwalzer", "seats": TWO}, "2001:db8:0:1::1")[0] == 200


def _post(house: House, path: Any, body: Any, client: Any = None) -> Any:
    """A request as a proxy on this machine hands it on; answers status, headers and body."""
    line = http.client.HTTPConnection("127.0.0.1", house.settings.port, timeout=PATIENCE)
    headers = {"content-type": "application/json"} | ({"x-forwarded-for": client} if client else {})
    line.request("POST" if body is not None else "GET", path, body if isinstance(body, bytes | None) else json.dumps(body), headers)
    answer = line.getresponse()
    found = answer.status, dict(answer.getheaders()), answer.read()
    line.close()
    return found


def test_the_lobby_cannot_be_crowded_out(house: House) -> None:
    seats = [PERSON, {"kind": "open"}]
    first = json.loads(_post(house, "/api/tables", {"game": "druidenwalzer", "seats": seats}, "192.0.2.1")[2])["table"]
    for _ in range(70):
        _post(house, "/api/tables", {"game": "druidenwalzer", "seats": seats}, "198.51.100.9")
    shown = [one["table"] for one in ask(f"{house.url}/api/tables")]
    assert first in shown
    assert len(shown) == 1 + house.settings.lobby_per_address


def test_a_seat_is_not_handed_over_for_ever(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        other = clients[1 - clients[0].state["turn"]]
        with pytest.raises(MoveRefused, match="too_often"):
            hand_over_for_ever(other)
        assert house.registry.tables[made["table"]].table.revision < 40
        mover = clients[clients[0].state["turn"]]
        mover.play(mover.state["legal"][0])


def hand_over_for_ever(client: Any) -> None:
    while True:
        client.do("bot_takes")
        client.do("bot_returns")


def test_a_long_game_is_taken_back_in_small_pieces_with_others_between(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one undo plays a long game again, another table's move is played."""
    made, other = house.table(), house.table()
    pieces: list[tuple[int, bool]] = []
    moved = threading.Event()
    rewind = Table.rewind

    def watched(table: Table, seat: int) -> Iterator[None]:
        for number, piece in enumerate(rewind(table, seat)):
            pieces.append((number, moved.is_set()))
            yield piece
        while not moved.is_set():  # a game that never ends: only who lets others between gets out of here
            pieces.append((-1, False))
            yield None

    with house.players(made) as clients, house.players(other) as others:
        play_on(clients, rng(), 30)
        monkeypatch.setattr(Table, "rewind", watched)
        asker = next(client for client in clients if client.state["has_moved"])
        asker.send({"type": "undo", "id": "u"})
        assert comes_true(lambda: pieces)
        play_on(others, rng(), 1)
        moved.set()
        while asker.receive().get("id") != "u":
            pass
    assert max(number for number, _ in pieces) >= 2
    assert (-1, False) in pieces


def test_long_work_is_paid_for_by_what_it_takes_and_done_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        worktime = Worktime(1000.0, 5.0)
        spent = [0.0]
        slept: list[float] = []
        order: list[str] = []
        sleep = asyncio.sleep

        async def counted(seconds: float) -> None:
            slept.append(seconds)
            await sleep(0)

        monkeypatch.setattr("drunemeton.server.limits.time.thread_time", lambda: spent[0])
        monkeypatch.setattr("drunemeton.server.limits.asyncio.sleep", counted)

        def pieces(name: str) -> Iterator[None]:
            for _ in range(3):
                spent[0] += 0.1
                order.append(name)
                yield

        await asyncio.gather(*(worktime.in_pieces("foe", pieces(name)) for name in "ab"), worktime.in_pieces("ada", pieces("c")))
        assert [name for name in order if name != "c"] == list("aaabbb")
        assert order.index("c") < 3  # the others' work is not behind it
        assert 0.3 < max(slept) < 1.0  # 600 milliseconds of work, at a thousand a second
        slept.clear()
        await worktime.in_a_thread("bo", lambda: None)
        assert slept == []

    in_a_loop(play())


def test_costs_count_per_address_too(settings: Settings) -> None:
    """Whichever connection says it; another address has its own."""
    with House(replace(settings, address_messages_burst=1000, address_messages_per_second=1e-6)) as house:
        made = house.table()
        with contextlib.ExitStack() as stack:
            for _ in range(15):
                stack.enter_context(Client.join(made["watch_link"]))
            buckets = house.registry.worktime._buckets
            assert buckets._of("127.0.0.1").left == pytest.approx(1000 - 15 * COSTS["hello"])
            assert buckets._of("198.51.100.9").left == pytest.approx(1000)


def test_who_comes_too_often_waits_at_the_door(settings: Settings) -> None:
    with House(replace(settings, arrivals_burst=1, arrivals_per_second=0.2, connections=1)) as house:
        made = house.table()
        refused: list[int] = []
        knock(house, made, refused)
        patient = threading.Thread(target=knock, args=(house, made, refused))
        patient.start()
        assert comes_true(lambda: house.registry._at_the_door["127.0.0.1"] == 1)
        assert not refused
        knock(house, made, refused)  # there is room for one at the door
        assert refused == [1]
        patient.join(PATIENCE)
        assert not patient.is_alive()
        assert refused == [1]
        assert not house.registry._at_the_door


def knock(house: House, made: dict[str, Any], refused: list[int]) -> None:
    try:
        with connect(house.url.replace("http", "ws") + f"/api/tables/{made['table']}/play", proxy=None):
            pass
    except InvalidStatus:
        refused.append(1)


def test_a_connection_that_is_over_leaves_no_garbage(house: House) -> None:
    """The collector seldom looks at what is old: what points at itself would fill the memory of who waits for it."""
    made = house.table()
    session = ask(f"{house.url}/api/tables/{made['table']}/session", "POST", token=made["watch"])["session"]
    Client(house.url, made["table"], session).close()
    assert comes_true(lambda: not house.registry.connections)
    gc.collect()
    gc.disable()
    try:
        for _ in range(12):
            Client(house.url, made["table"], session).close()
        assert comes_true(lambda: not house.registry.connections)
        assert comes_true(lambda: len(protocols_of(house)) <= 4)  # one that broke off in an odd moment may be held by its own exception
    finally:
        gc.enable()


def protocols_of(house: House) -> list[Any]:
    kinds = (WebSocketProtocol, HttpProtocol)
    found: list[Any] = [one for one in gc.get_objects() if issubclass(type(one), kinds)]
    return [one for one in found if one.connections is house.server.server_state.connections]


# --- Bots


def pool_of_one(monkeypatch: pytest.MonkeyPatch, seconds: float = 0.01) -> Any:
    """A pool of one process, whose answers take a while; and who was answered, in order."""
    answered = []

    async def answer(self: BotProcess, text: str, _seconds: Any) -> Any:
        await asyncio.sleep(seconds)
        return 1

    monkeypatch.setattr(BotProcess, "ask", answer)
    pool = BotPool(1, 1.0)

    async def ask_for(client: Any, rank: Any) -> None:
        await pool.choose(Druidenwalzer, "random", None, 1, client=client, rank=rank if callable(rank) else lambda: rank)
        answered.append(client)

    return ask_for, answered


def test_a_persons_bot_is_never_behind_more_than_one_other(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        ask_for, answered = pool_of_one(monkeypatch)
        crowd = [asyncio.create_task(ask_for(f"alone {n}", ALONE)) for n in range(40)]
        await asyncio.sleep(0.005)
        await ask_for("ada", WATCHED)
        assert len(answered) <= 2
        await asyncio.gather(*crowd)

    in_a_loop(play())


def test_who_has_many_watched_tables_waits_for_himself(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        ask_for, answered = pool_of_one(monkeypatch)
        crowd = [asyncio.create_task(ask_for("many", WATCHED)) for _ in range(40)]
        await asyncio.sleep(0.035)
        before = len(answered)
        await ask_for("ada", WATCHED)
        assert len(answered) - before <= 2
        await asyncio.gather(*crowd)

    in_a_loop(play())


def test_a_club_behind_one_address_is_served_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        ask_for, answered = pool_of_one(monkeypatch)
        for _ in range(3):
            await asyncio.gather(*(ask_for("club", WATCHED) for _ in range(20)))
        assert answered == ["club"] * 60

    in_a_loop(play())


def test_twenty_people_behind_one_address_play_undisturbed(settings: Settings) -> None:
    """With the limits of a real server: nobody is sent away, and everybody's moves are played."""
    real: dict[str, Any] = {"messages_burst": 60, "tables_burst": 40, "requests_burst": 200}
    with House(replace(settings, **real)) as house, contextlib.ExitStack() as stack:
        tables = []
        for _ in range(10):
            clients = stack.enter_context(house.players(house.table()))
            tables.append(clients)
        for _ in range(6):
            for number, clients in enumerate(tables):
                play_on(clients, rng(number), 1)
                clients[0].do("ping")
        assert all(clients[0].state["revision"] >= 6 for clients in tables)


def test_who_comes_back_is_no_longer_last(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        ask_for, answered = pool_of_one(monkeypatch)
        here: set[str] = set()
        crowd = [asyncio.create_task(ask_for(f"alone {n}", ALONE)) for n in range(20)]
        ada = asyncio.create_task(ask_for("ada", lambda: WATCHED if "ada" in here else ALONE))
        await asyncio.sleep(0.005)
        here.add("ada")
        await ada
        assert len(answered) <= 2
        await asyncio.gather(*crowd)

    in_a_loop(play())


def test_bots_begin_to_think_when_somebody_comes_to_see_it(house: House) -> None:
    made = house.table([BOT, BOT])
    table = house.registry.tables[made["table"]].table
    asked = house.table([PERSON, BOT])
    with house.players(asked) as (client,):
        client.play(client.state["legal"][0]) if client.my_turn else client.receive()
    assert table.revision == 0
    assert not house.registry.bot_pool.thought("")
    with Client.join(made["watch_link"]) as watcher:
        while watcher.state["revision"] < 4:
            watcher.receive()


def test_bots_that_nobody_looks_at_have_little_time(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "ALONE_SECONDS", 0.0)
    monkeypatch.setattr(bot_pool, "ALONE_SHARE", 1e-6)
    with House(replace(settings, forget_seconds=0.5)) as house:
        made = house.table([BOT, BOT])
        with Client.join(made["watch_link"]) as watcher:
            while watcher.state["revision"] < 3:
                watcher.receive()
        # The one thought that was under way is the last, and the table leaves memory although it is a bot's turn.
        assert comes_true(lambda: made["table"] not in house.registry.tables)
        with Client.join(made["watch_link"]) as watcher:
            before = watcher.state["revision"]
            while watcher.state["revision"] < before + 3:
                watcher.receive()


@pytest.mark.slow
def test_a_frozen_bot_is_noticed_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "FROZEN_SECONDS", 3.0)

    async def play() -> None:
        pool = BotPool(1, 60.0)
        try:
            known = Druidenwalzer.new(seed=1).known_to(0)
            await pool.choose(Druidenwalzer, "random", known, 1)
            frozen = pool.processes[0].process
            assert frozen is not None
            os.kill(frozen.pid, signal.SIGSTOP)
            began = time.monotonic()
            with pytest.raises(GivenUp, match="stalled"):
                await pool.choose(Druidenwalzer, "random", known, 1)
            assert time.monotonic() - began < 50
            assert await pool.choose(Druidenwalzer, "random", known, 1) >= 0
        finally:
            await pool.close()

    in_a_loop(play())


@pytest.mark.slow
def test_a_bot_that_works_in_silence_is_not_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who compiles holds Python's lock, and nothing of his process can say that it lives."""
    monkeypatch.setattr(bot_pool, "FROZEN_SECONDS", 1.5)

    async def hear(work: str) -> bytes:
        process = BotProcess("")
        process.process = await asyncio.create_subprocess_exec(sys.executable, "-c", work, stdin=PIPE, stdout=PIPE)
        process._has_spoken = True
        try:
            return await process._line()
        finally:
            process.end()
            await process.gone()

    worked = "import time\nwhile time.process_time() < 3: pass\nprint('done')"
    assert in_a_loop(hear(worked)) == b"done\n"
    with pytest.raises(TimeoutError):
        in_a_loop(hear("import time\ntime.sleep(3600)"))


# --- Inputs that were answered with 500


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/" + "x" * 300, None),
        ("/t/" + "y" * 5000, None),
        ("/assets/" + "%C3%A4" * 200 + ".js", None),
        ("/%ff%fe", None),
        ("/api/tables", b'{"game": "druidenwalzer", "seats": [{"kind": "person"}], "options": {"hand": NaN}}'),
        ("/api/tables", b'{"game": "druidenwalzer", "seats": [{"kind": "person"}], "components": {"sun": {"5<": Infinity}}}'),
        ("/api/tables", b'{"game": "\\ud800", "seats": [{"kind": "person"}]}'),
        ("/api/tables", b'{"game": "druidenwalzer", "seats": [{"kind": "person", "name": "\\udfff"}]}'),
        ("/api/tables", b'{"game": "druidenwalzer", "seats": [{"kind": "\\ud83d"}], "options": {"\\udc00": 1}}'),
        ("/api/tables", b'{"game": "druidenwalzer", "seats": [{"kind": "person"}], "clock": {"kind": "move", "seconds": NaN}}'),
        ("/api/mine", b'{"sessions": [{"table": "\\ud800", "session": "\\ud800"}]}'),
        ("/api/replay", b"\xff\xff"),
    ],
)
def test_strange_inputs_are_refused_with_all_headers(house: House, path: Any, body: Any) -> None:
    status, headers, text = _post(house, path, body)
    assert status < 500, text
    assert headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    if status >= 400:
        assert json.loads(text)["error"]["code"]


def test_an_error_of_our_own_has_all_headers_too(
    settings: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.CRITICAL, logger="drunemeton.server")
    with House(settings) as house:
        monkeypatch.setattr(house.registry, "lobby", lambda: 1 / 0)
        status, headers, text = _post(house, "/api/tables", None)
    assert status == 500
    assert json.loads(text)["error"]["code"] == "internal"
    assert headers["content-security-policy"]
    assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("name", ["\u3164", "\u3164\u3164", "A\u115fda", "\u2800", "\u200b", "\ufe0f", "\u0301", "a\nb"])
def test_names_that_cannot_be_seen_are_refused(house: House, name: str) -> None:
    with pytest.raises(ServerError):
        house.table([{"kind": "person", "name": name}, BOT])


def test_names_of_all_kinds_are_taken(house: House) -> None:
    for name in ("Ada", "Åsa", "秋子", "Zoë ❤️", "محمد", ""):
        house.table([{"kind": "person", "name": name}, BOT])
