"""Several servers on one database: any takes any connection, one plays a table, and whoever dies or sleeps is replaced."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drunemeton.appraisal.thinking import make
from drunemeton.bots import ADVISER
from drunemeton.client import Client, MoveRefused, ask
from drunemeton.rules.game import find_game
from drunemeton.server import Settings
from drunemeton.server.bot_pool import GivenUp
from drunemeton.server.cluster import CLIENT, SECRET
from drunemeton.store.postgres import PostgresStore

from ..patience import PATIENCE, comes_true
from ..postgres import PrivatePostgres
from ..store.test_postgres import killed
from .house import BOT, PERSON, TWO, CheckedClient, House, play_on, rng, settle
from .test_laboratory import ASKED, call, said


@pytest.fixture
def two(database: PrivatePostgres, settings: Settings) -> Iterator[list[House]]:
    where = database.fresh()
    with House(settings, database=where) as first, House(settings, database=where) as second:
        yield [first, second]


@contextlib.contextmanager
def through(house: House, made: Any) -> Iterator[list[Client]]:
    """All players of a table, come by that server."""
    with contextlib.ExitStack() as stack:
        clients: list[Client] = []
        for key in filter(None, made["keys"]):
            beside = clients[0].session if clients else None
            clients.append(stack.enter_context(CheckedClient.join(f"{house.url}/t/{made['table']}#{key}", beside=beside)))
        settle(clients)
        yield clients


def entries(store: Any, table: str) -> list[Any]:
    return [json.loads(entry) for entry in store.entries(table)]


def test_any_server_takes_any_connection(two: list[House]) -> None:
    first, second = two
    made = first.table(seed=1)
    with through(second, made) as clients:
        while clients[0].state["presence"] != ["here", "here"]:
            clients[0].receive()
        play_on(clients, rng())
        assert all(client.over for client in clients)
        assert clients[0].record() == ask(f"{first.url}/api/tables/{made['table']}/record")
    assert made["table"] in first.registry.tables
    assert made["table"] not in second.registry.tables


def test_a_hint_a_preview_and_a_bot_come_from_the_server_that_plays(two: list[House]) -> None:
    first, second = two
    made = first.table([PERSON, BOT], seed=4)
    with through(second, made) as [client]:
        for _ in range(4):
            while not client.my_turn and not client.over:
                client.receive()
            assert client.preview(client.state["legal"][0])
            client.play(client.state["legal"][0])
    assert made["table"] not in second.registry.tables


def test_lobby_seats_and_rematch_are_everybodys(two: list[House]) -> None:
    first, second = two
    made = first.table([{"kind": "person", "name": "Ada"}, {"kind": "open"}])
    shown = ask(f"{second.url}/api/tables")
    assert [one["table"] for one in shown] == [made["table"]]
    assert made["table"] not in second.registry.tables, "who looks does not take"
    sat = ask(f"{second.url}/api/tables/{made['table']}/sit", "POST", {"name": "Bo"})
    with pytest.raises(Exception, match="seat_taken"):
        ask(f"{first.url}/api/tables/{made['table']}/sit", "POST", {"name": "Cy"})
    mine = ask(f"{second.url}/api/mine", "POST", {"sessions": [{"table": made["table"], "session": sat["session"]}]})
    assert mine[0]["there"]
    host = Client.join(f"{first.url}/t/{made['table']}#{made['keys'][0]}")
    with host, Client(second.url, made["table"], sat["session"]) as guest:
        guest.resign()
        again = ask(f"{second.url}/api/tables/{made['table']}/rematch", "POST", {}, token=sat["session"])
        other = ask(f"{second.url}/api/tables/{made['table']}/rematch", "POST", {}, token=host.session)
    assert other["table"] == again["table"]


@pytest.mark.slow
def test_a_hint_comes_from_the_server_that_plays(two: list[House]) -> None:
    make(find_game("druidenwalzer"), ADVISER)  # compiled here, the bots' process finds it on disk
    first, second = two
    made = first.table([PERSON, BOT], seed=4)
    with through(second, made) as [client]:
        while not client.my_turn:
            client.receive()
        assert client.hint()[0]["move"] in client.state["legal"]
    assert made["table"] not in second.registry.tables


def post(house: House, path: str, body: Any, client: str) -> tuple[int, Any]:
    """A request as a proxy on this machine hands it on."""
    headers = {"content-type": "application/json", "x-forwarded-for": client}
    request = urllib.request.Request(house.url + path, json.dumps(body).encode(), headers, method="POST")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as problem:
        with problem:
            return problem.code, json.loads(problem.read())["error"]


def test_an_address_has_one_allowance_of_tables_at_all_servers(database: PrivatePostgres, settings: Settings) -> None:
    where, limited = database.fresh(), replace(settings, tables_burst=6, tables_per_hour=1, lobby_per_address=2)
    asked = {"game": "druidenwalzer", "seats": [PERSON, {"kind": "open"}]}
    with House(limited, database=where) as first, House(limited, database=where) as second:
        told = [post(house, "/api/tables", asked, "198.51.100.9")[0] for house in (first, second) for _ in range(4)]
        assert told == [200] * 6 + [429] * 2
        assert post(second, "/api/tables", asked, "198.51.100.9")[1]["code"] == "too_many_tables"
        status, other = post(second, "/api/tables", asked, "192.0.2.1")
        assert status == 200
        for house in (first, second):
            shown = [one["table"] for one in ask(f"{house.url}/api/tables")]
            assert other["table"] in shown
            assert len(shown) == 1 + limited.lobby_per_address


def test_the_servers_keep_no_address(two: list[House]) -> None:
    first, _ = two
    post(first, "/api/tables", {"game": "druidenwalzer", "seats": [PERSON, {"kind": "open"}]}, "198.51.100.9")
    assert first.store is not None
    kept = first.store._rows("select who from limits") + first.store._rows("select who from makers")
    assert len(kept) == 2
    assert all(len(bytes(who)) == 16 and b"198" not in bytes(who) for (who,) in kept)


def test_a_review_and_an_experiment_are_found_by_every_server(two: list[House], monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = two

    async def asked_of(*_: Any, **__: Any) -> Any:
        raise GivenUp

    monkeypatch.setattr(first.registry.bot_pool, "review", asked_of)  # nobody has to think: where one asks is what counts
    made = first.table()
    with through(first, made) as clients:
        clients[0].resign()
        record = clients[0].record()
    begun = urllib.request.urlopen(urllib.request.Request(f"{first.url}/api/review", record.encode()))
    ident = json.loads(begun.read())["id"]
    assert comes_true(lambda: ask(f"{second.url}/api/reviews/{ident}")["state"] == "failed")
    unknown = f"{'0' * 16}-{ident.partition('-')[2]}"
    with pytest.raises(Exception, match="not_found"):
        ask(f"{second.url}/api/reviews/{unknown}")
    run = json.loads(call(first, "POST", "/api/lab", ASKED)[1])["run"]
    assert said(second, run)[-1][0] == "done"
    assert call(second, "GET", f"/api/lab/{run}/game?deal=41")[0] == 404


def test_a_server_that_stops_hands_its_tables_over(database: PrivatePostgres, settings: Settings) -> None:
    where = database.fresh()
    with House(settings, database=where) as second:
        with House(settings, database=where) as first:
            made = first.table(seed=1)
            stack = contextlib.ExitStack()
            clients = stack.enter_context(through(second, made))
            play_on(clients, rng(), 6)
        with stack:
            for client in clients:
                client.come_back()
            play_on(clients, rng(2))
            assert all(client.over for client in clients)
        assert made["table"] in second.registry.tables
        steps = entries(second.store, made["table"])
        assert [step["kind"] for step in steps].count("made") == 1


def test_a_dead_servers_table_is_taken_over_at_once(database: PrivatePostgres, settings: Settings) -> None:
    where = database.fresh()
    with House(settings, database=where) as first:
        made = first.table(seed=1)
        dead = PostgresStore(where, "127.0.0.1:1")  # nobody listens there
        first.registry.tables[made["table"]].epoch = -1  # what `first` still has in memory is of no use to it any more
        assert dead.claim(made["table"], over=1) == 2
        with House(settings, database=where) as second:
            with through(second, made) as clients:
                play_on(clients, rng(), 4)
            assert made["table"] in second.registry.tables
        dead.close()


def test_a_server_that_hangs_holds_up_nobody_and_is_left_when_its_lease_has_run_out(two: list[House], database: PrivatePostgres) -> None:
    first, second = two
    made = first.table(seed=1)
    with socket.socket() as silent, ThreadPoolExecutor(24) as callers:
        silent.bind(("127.0.0.1", 0))
        silent.listen(100)  # connections are taken, and nothing is ever said
        assert first.store is not None
        hung = PostgresStore(first.store.where, f"127.0.0.1:{silent.getsockname()[1]}")
        first.registry.tables[made["table"]].drop("stopping")
        assert hung.claim(made["table"], over=1) == 2
        asked = [callers.submit(call, second, "GET", f"/api/tables/{made['table']}") for _ in range(24)]
        assert comes_true(lambda: len(second.registry.passed) == len(asked))
        assert ask(f"{second.url}/api/health")["status"] == "ok", "more wait than there are threads"
        assert not any(one.done() for one in asked)
        killed(hung)
        assert {one.result()[0] for one in asked} == {503}
        assert call(second, "GET", f"/api/tables/{made['table']}")[0] == 200
        hung.close()


def test_a_request_that_waits_to_be_told_to_go_on_is_passed_on(two: list[House]) -> None:
    first, second = two
    made = first.table([PERSON, {"kind": "open"}])
    with socket.create_connection(("127.0.0.1", second.settings.port), timeout=PATIENCE) as line:
        body = b'{"name": "Bo"}'
        line.sendall(
            f"POST /api/tables/{made['table']}/sit HTTP/1.1\r\nhost: 127.0.0.1\r\nexpect: 100-continue\r\nconnection: close\r\n"
            f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode()
        )
        assert b" 100 " in line.recv(1000)
        line.sendall(body)
        assert line.makefile("rb").read().startswith(b"HTTP/1.1 200")


def test_who_overslept_is_refused_and_passes_his_clients_on(two: list[House]) -> None:
    first, second = two
    made = first.table()
    with through(first, made) as mine:
        play_on(mine, rng(), 4)
        assert first.store is not None
        killed(first.store)
        with through(second, made) as theirs:
            assert theirs[0].state["revision"] >= mine[0].state["revision"]
            assert made["table"] in second.registry.tables
            mover = next(client for client in mine if client.my_turn)
            seen = mover.state["revision"]
            assert mover.play(mover.state["legal"][0]) > seen  # refused by the database, sent again, and passed on
            assert made["table"] not in first.registry.tables
            settle(theirs, mover.state["revision"])
    steps = entries(second.store, made["table"])
    assert len({step.get("id") for step in steps if step.get("id")}) == len([step for step in steps if step.get("id")])


def test_a_clock_runs_on_though_its_server_is_dead(two: list[House]) -> None:
    first, second = two
    made = first.table(TWO, clock={"kind": "move", "seconds": 2})
    with through(first, made) as clients:
        with contextlib.suppress(MoveRefused):  # a busy machine lets the time run out here already
            play_on(clients, rng(), 10)
        assert first.store is not None
        killed(first.store)
    found = comes_true(lambda: any(step["kind"] == "flagged" for step in entries(second.store, made["table"])))
    assert found, [(step["kind"], step["at"]) for step in entries(second.store, made["table"])]


def test_only_the_clusters_own_word_is_believed(two: list[House]) -> None:
    first, second = two
    made = first.table(seed=1)

    def status(headers: dict[str, str]) -> int:
        request = urllib.request.Request(f"{second.url}/api/tables/{made['table']}", headers=headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as problem:
            return int(problem.code)

    assert status({SECRET: "guessed", CLIENT: "10.0.0.1"}) == 403
    assert status({CLIENT: "10.0.0.1"}) == 200
    assert first.store is not None
    assert second.store is not None
    assert first.store.secret == second.store.secret
    assert len(first.store.secret) > 60


def test_health_knows_the_database(settings: Settings) -> None:
    server = PrivatePostgres()
    try:
        with House(settings, database=server.fresh()) as house:
            assert ask(f"{house.url}/api/health")["status"] == "ok"
            server.stop()
            with pytest.raises(Exception, match="store"):
                ask(f"{house.url}/api/health")
            server.start()
            assert ask(f"{house.url}/api/health")["status"] == "ok"
    finally:
        server.close()


def test_figures_for_a_monitor_tell_counts_and_nothing_else(settings: Settings) -> None:
    with House(settings) as house:
        assert "drunemeton_tables" not in ask(f"{house.url}/metrics")  # off: the page answers, as for every address that it knows better
    with House(replace(settings, metrics=True)) as house:
        made = house.table(seed=1)
        with house.players(made) as clients:
            play_on(clients, rng(), 5)
            text = ask(f"{house.url}/metrics")
        assert "drunemeton_tables 1\n" in text
        assert "drunemeton_connections_of_players 2\n" in text
        assert int(re.search(r"drunemeton_change_durable_seconds_count (\d+)", text)[1]) >= 7  # type: ignore[index]
        known = [made["table"], *made["keys"], made["watch"], *(client.session for client in clients)]
        assert not [one for one in known if one in text]
        board = (Path(__file__).parents[2] / "deploy" / "grafana.json").read_text(encoding="utf-8")
        shown = {re.sub("_(bucket|sum|count)$", "", name) for name in re.findall(r"drunemeton_\w+", board)}
        assert shown == set(re.findall(r"# TYPE (drunemeton_\w+)", text)), "the dashboard shows what there is"
        for line in text.splitlines():
            assert re.fullmatch(r'# (HELP|TYPE) drunemeton_\w+ .+|drunemeton_\w+(\{le="[^"]+"\})? [\d.e+-]+', line)
