"""What a hostile or broken client may try: a typed error each time, no 500, and nothing at the table changes."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest
from websockets import Origin
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from drunemeton.client import Client, MoveRefused, ServerError, ask
from drunemeton.server import Settings

from ..patience import PATIENCE, comes_true
from .house import TWO, House, listen, play_on, rng


def address(house: House, made: Any) -> Any:
    return house.url.replace("http", "ws") + f"/api/tables/{made['table']}/play"


def said_last(open_socket: Any) -> Any:
    """What the server says before it closes."""
    messages = []
    try:
        while True:
            messages.append(json.loads(open_socket.recv(PATIENCE)))
    except ConnectionClosed:
        return messages


@pytest.fixture
def table(house: House) -> Iterator[Any]:
    """A running table, which must be the same afterwards."""
    made = house.table()
    with house.players(made) as clients:
        play_on(clients, rng(), 9)
        before = list(house.registry.tables[made["table"]].table.entries)
        made["clients"] = clients
        yield made
        assert house.registry.tables[made["table"]].table.entries == before
        for client in clients:
            client.connect()
            assert client.state["revision"] == len(before) - 1


def test_out_of_turn_and_watchers_do_nothing(house: House, table: Any) -> None:
    mover = next(client for client in table["clients"] if client.my_turn)
    other = table["clients"][1 - mover.seat]
    legal = mover.state["legal"][0]
    assert other.state["legal"] == []
    with pytest.raises(MoveRefused, match="not_your_turn"):
        other.do("move", revision=mover.state["revision"], move=legal)
    with Client.join(table["watch_link"]) as watcher:
        for kind, fields in {
            "move": {"revision": watcher.state["revision"], "move": legal},
            "preview": {"revision": watcher.state["revision"], "move": legal},
            "hint": {"revision": watcher.state["revision"]},
            "coach": {"revision": watcher.state["revision"]},
            "undo": {},
            "undo_answer": {"agree": True},
            "resign": {},
            "bot_takes": {},
            "bot_returns": {},
            "agree": {"agree": True},
        }.items():
            with pytest.raises(MoveRefused, match="no_seat"):
                watcher.do(kind, **fields)
        with pytest.raises(MoveRefused, match="no_seat"):
            watcher.do("bot_takes", seat=0)


def test_illegal_moves_name_their_rule(table: Any) -> None:
    mover = next(client for client in table["clients"] if client.my_turn)
    for text in ("", "W", "W 9<@4", "💥", "x" * 200, "1<", "null", "__import__('os')"):
        with pytest.raises(MoveRefused) as refused:
            mover.do("move", revision=mover.state["revision"], move=text)
        assert refused.value.reason.code.startswith("dw.")
        assert refused.value.reason.rule


def test_keys_forged_truncated_of_another_table_or_deleted(house: House, table: Any) -> None:
    other = house.table()
    key = table["keys"][0]
    wrong = [key[:-1], key + "A", key.lower(), key[::-1], "", "A" * 32, other["keys"][0], other["watch"], "ä" * 32, "x" * 5000, "null"]
    for token in wrong:
        with pytest.raises(ServerError) as refused:
            ask(f"{house.url}/api/tables/{table['table']}/session", "POST", token=token.encode().decode("latin-1"))
        assert refused.value.status == 401
    gone = house.table([TWO[0], {"kind": "bot", "bot": "random"}])
    with Client.join(gone["links"][0]) as client:
        session = client.session
        ask(f"{house.url}/api/tables/{gone['table']}", "DELETE", token=session)
    with pytest.raises(ServerError, match="no_table"):
        Client.join(gone["links"][0])
    with pytest.raises(ServerError, match="session"):
        Client(house.url, gone["table"], session)
    # A key is no session, a session no key, and neither opens another table.
    for token in (key, session, "", "x" * 200, table["clients"][0].session[:-1]):
        with pytest.raises(ServerError, match="session"):
            Client(house.url, table["table"], token)
    with pytest.raises(ServerError) as refused:
        ask(f"{house.url}/api/tables/{table['table']}/session", "POST", token=table["clients"][0].session)
    assert refused.value.status == 401
    for token in (None, key, session, "x"):
        with pytest.raises(ServerError) as refused:
            ask(f"{house.url}/api/tables/{table['table']}/rematch", "POST", {"handicap": False}, token)
        assert refused.value.status == 401


def test_a_connection_cannot_change_its_seat(table: Any) -> None:
    one, two = table["clients"]
    one.send({"type": "hello", "session": two.session})
    with pytest.raises(ServerError, match="session"):
        one.receive()


def test_after_the_end_nothing_moves(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        play_on(clients, rng(), 5)
        clients[0].resign()
        entries = list(house.registry.tables[made["table"]].table.entries)
        revision = len(entries) - 1
        for client in clients:
            asked: dict[str, dict[str, Any]] = {
                "move": {"revision": revision, "move": "1<"},
                "preview": {"revision": revision, "move": "1<"},
                "hint": {"revision": revision},
                "undo": {},
                "undo_answer": {"agree": True},
                "resign": {},
                "bot_takes": {},
                "bot_returns": {},
                "agree": {"agree": True},
            }
            for kind, fields in asked.items():
                with pytest.raises(MoveRefused, match="over"):
                    client.do(kind, **fields)
        assert house.registry.tables[made["table"]].table.entries == entries


GARBAGE = [
    "",
    "hello",
    "null",
    "[]",
    "{}",
    "17",
    '{"type": "move"}',
    '{"type": ["move"]}',
    '{"type": {"a": 1}}',
    '{"type": "teleport", "id": "x"}',
    '{"type": "move", "id": 5, "revision": 9, "move": "1<"}',
    '{"type": "move", "id": "", "revision": 9, "move": "1<"}',
    '{"type": "move", "id": "x", "revision": "9", "move": "1<"}',
    '{"type": "move", "id": "x", "revision": true, "move": "1<"}',
    '{"type": "move", "id": "x", "revision": 1e400, "move": "1<"}',
    '{"type": "move", "id": "x", "revision": 99999999999999999999, "move": "1<"}',
    '{"type": "move", "id": "x", "revision": 9, "move": ["1<"]}',
    '{"type": "move", "id": "x", "revision": 9, "move": "\\ud800"}',
    '{"type": "move", "id": "\\udfff", "revision": 9, "move": "1<"}',
    '{"type": "undo_answer", "id": "x", "agree": 1}',
    '{"type": "bot_takes", "id": "x", "seat": "0"}',
    '{"type": "move", "id": "' + "x" * 65 + '", "revision": 9, "move": "1<"}',
    "[" * 4000,
    '{"a":' * 600,
    "\x00\x01\x02",
    "9" * 4000,
]


@pytest.mark.parametrize("text", GARBAGE)
def test_garbage_is_answered_with_a_word_and_the_door(house: House, text: str) -> None:
    made = house.table()
    for greeted in (True, False):
        with connect(address(house, made), proxy=None) as raw:
            if greeted:
                session = ask(f"{house.url}/api/tables/{made['table']}/session", "POST", token=made["keys"][0])["session"]
                raw.send(json.dumps({"type": "hello", "session": session}))
                assert json.loads(raw.recv(PATIENCE))["type"] == "welcome"
            raw.send(text)
            assert said_last(raw)[-1]["code"] in {"garbage", "too_big"}
    assert [entry["kind"] for entry in house.registry.tables[made["table"]].table.entries] == ["made", "entered"]


def test_bytes_and_words_before_hello(house: House) -> None:
    made = house.table()
    with connect(address(house, made), proxy=None) as raw:
        raw.send(b"\xff\xfe")
        assert said_last(raw)[-1]["code"] == "garbage"
    with connect(address(house, made), proxy=None) as raw:
        raw.send('{"type": "resign", "id": "x"}')
        assert said_last(raw)[-1]["code"] == "hello_first"
    with connect(address(house, {"table": "nowhere"}), proxy=None) as raw:
        raw.send('{"type": "hello", "session": "x"}')
        assert said_last(raw)[-1]["code"] == "session"


def test_oversized_messages_close_the_connection(house: House, table: Any) -> None:
    for size in (4097, 20_000, 2_000_000):
        with connect(address(house, table), proxy=None) as raw:
            try:
                raw.send(json.dumps({"type": "hello", "session": "x" * size}))
                said = said_last(raw)
            except ConnectionClosed:
                said = []
            assert not said or said[-1]["code"] == "too_big"


def test_a_flood_is_stopped(settings: Settings) -> None:
    with House(replace(settings, messages_per_second=20.0, messages_burst=30)) as house:
        made = house.table()
        with Client.join(made["links"][0]) as client:
            with pytest.raises((ServerError, ConnectionClosed)) as stopped:
                flood(client)
            assert isinstance(stopped.value, ConnectionClosed) or cast(ServerError, stopped.value).code == "too_fast"
        with Client.join(made["links"][0]) as client:
            assert client.state["revision"] == 1  # that he came


def flood(client: Any) -> None:
    for n in range(200):
        client.send({"type": "ping", "id": str(n)})
    listen(client)


def test_who_never_says_hello_or_nothing_for_long_is_sent_away(settings: Settings) -> None:
    with House(replace(settings, hello_seconds=0.5)) as house:
        made = house.table()
        with connect(address(house, made), proxy=None) as raw:
            assert said_last(raw)[-1]["code"] == "hello_first"
    with House(replace(settings, idle_seconds=0.5)) as house:
        made = house.table()
        with Client.join(made["links"][0]) as client, pytest.raises(ServerError, match="idle"):
            listen(client)


def test_who_does_not_read_holds_up_nobody(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("drunemeton.table.table.HANDED", 1000)
    with House(replace(settings, waiting_messages=20), small_buffers=True) as house:
        made = house.table()
        session = ask(f"{house.url}/api/tables/{made['table']}/session", "POST", token=made["watch"])["session"]
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        slow.connect(("127.0.0.1", house.settings.port))
        with house.players(made) as clients, connect(address(house, made), proxy=None, sock=slow, max_queue=1, close_timeout=1) as raw:
            raw.send(json.dumps({"type": "hello", "session": session}))
            raw.recv(PATIENCE)
            watching = house.registry.tables[made["table"]].connections
            # The one who does not read is told each of these, until so much piles up that he is sent away.
            for number in range(400):
                clients[0].do("bot_takes" if number % 2 == 0 else "bot_returns") if clients[0].state["turn"] != 0 else None
                if all(one.seat is not None or one.sent_away for one in watching):
                    break
            # He does not read why, either: then he is cut off.
            assert comes_true(lambda: all(one.seat is not None for one in watching))
            play_on(clients, rng(), 3)


def test_too_many_tables_and_requests(settings: Settings) -> None:
    with House(replace(settings, tables_burst=3, tables_per_hour=1.0)) as house:
        for _ in range(3):
            house.table()
        with pytest.raises(ServerError) as refused:
            house.table()
        assert (refused.value.status, refused.value.code) == (429, "too_many_tables")
    with House(replace(settings, requests_burst=5, requests_per_second=0.1)) as house:
        with pytest.raises(ServerError) as refused:
            [ask(f"{house.url}/api/health") for _ in range(7)]
        assert refused.value.status == 429


def test_too_many_connections(settings: Settings) -> None:
    with House(replace(settings, connections=3)) as house:
        made = house.table()
        clients = [Client.join(made["watch_link"]) for _ in range(3)]
        with pytest.raises(ServerError, match="too_fast"):
            Client.join(made["watch_link"])
        for client in clients:
            client.close()


def test_more_tabs_than_allowed_replace_the_oldest(settings: Settings) -> None:
    with House(replace(settings, connections_per_seat=2)) as house:
        made = house.table()
        tabs = [Client.join(made["links"][0]) for _ in range(3)]
        with pytest.raises(ServerError, match="replaced"):
            tabs[0].receive()
        for tab in tabs:
            tab.close()


def test_pages_of_others_cannot_open_a_socket(house: House) -> None:
    made = house.table()
    port = house.settings.port
    for origin in ("https://evil.example", f"http://127.0.0.1:{port + 1}", f"https://127.0.0.1.evil.example:{port}", "null", "file://"):
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            open_and_listen(address(house, made), origin)
    with connect(address(house, made), origin=Origin(f"http://127.0.0.1:{port}"), proxy=None) as raw:
        raw.send("{}")
        assert said_last(raw)


def open_and_listen(url: str, origin: Any) -> None:
    with connect(url, origin=origin, proxy=None) as raw:
        raw.recv(PATIENCE)


def test_names_of_others_are_not_answered_to(house: House) -> None:
    for host in ("evil.example", "localhost.evil.example", "", "[", "127.0.0.1@evil.example"):
        with socket.create_connection(("127.0.0.1", house.settings.port)) as raw:
            raw.sendall(f"GET /api/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            answer = b"".join(iter(partial(raw.recv, 4096), b""))
        assert answer.split()[1] in {b"421", b"400"}


def test_bodies_that_are_too_long(house: House) -> None:
    with socket.create_connection(("127.0.0.1", house.settings.port)) as raw:
        raw.sendall(b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        answer = b""
        try:
            for _ in range(40):
                raw.sendall(b"1000\r\n" + b" " * 4096 + b"\r\n")
            raw.sendall(b"0\r\n\r\n")
            answer = raw.recv(4096)
        except OSError:
            answer = answer or b"HTTP/1.1 413"
        assert answer.split()[1] == b"413"
    for length in ("99999999", "-1", "x"):
        with socket.create_connection(("127.0.0.1", house.settings.port)) as raw:
            raw.sendall(f"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n".encode())
            assert raw.recv(4096).split()[1] in {b"413", b"400"}


def test_logs_tell_no_secret(house: House, caplog: pytest.LogCaptureFixture) -> None:
    from drunemeton.server.logs import JsonLines

    caplog.set_level(logging.DEBUG, logger="drunemeton.server")
    made = house.table()
    secret = house.registry.tables[made["table"]].table.opening["secret"]
    with house.players(made) as clients:
        sessions = [client.session for client in clients]
        play_on(clients, rng(), 6)
        clients[0].send("garbage " + made["keys"][0])
        with pytest.raises(ServerError):
            listen(clients[0])
    with pytest.raises(ServerError):
        Client.join(made["links"][0] + "x")
    lines = "\n".join(JsonLines("p1").format(record) for record in caplog.records)
    assert "table_made" in lines
    for token in (*made["keys"], made["watch"], *sessions, secret):
        assert token not in lines


def test_nothing_secret_lies_readable_in_the_store(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        tokens = [*made["keys"], made["watch"], *(client.session for client in clients)]
    content = b"".join(path.read_bytes() for path in house.settings.store_path.parent.glob("tables.db*"))
    for token in tokens:
        assert token.encode() not in content


def test_what_is_asked_for_wrongly_names_the_entry(house: House) -> None:
    for body, entry in (
        ({"game": "druidenwalzer"}, "seats"),
        ({"game": "druidenwalzer", "seats": [{"kind": "ghost"}, {"kind": "person"}]}, "seats.0.kind"),
        ({"game": "druidenwalzer", "seats": [{"kind": "bot", "bot": "alphazero"}, {"kind": "person"}]}, "seats.0.bot"),
        ({"game": "druidenwalzer", "seats": TWO, "options": {"trees": 9}}, "trees"),
        ({"game": "druidenwalzer", "seats": TWO, "options": {"leaves": 9}}, "leaves"),
        ({"game": "druidenwalzer", "seats": TWO, "components": {"sun": {"7^": 3}}}, None),
        ({"game": "druidenwalzer", "seats": TWO, "clock": {"kind": "sand"}}, "clock.kind"),
        ({"game": "druidenwalzer", "seats": TWO, "secret": "x"}, "secret"),
        ({"game": "chess", "seats": TWO}, None),
    ):
        with pytest.raises(ServerError) as refused:
            ask(f"{house.url}/api/tables", "POST", body)
        assert refused.value.status == 422
        if entry:
            assert entry in str(refused.value) or refused.value.code in {"bad_option", "bad_request"}
