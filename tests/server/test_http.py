"""HTTP: the schema holds for generated requests, pages and headers are as they should be, bots that fail hang nothing."""

from __future__ import annotations

import contextlib
import gzip
import http.client
import json
import logging
import os
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as how_long

from drunemeton.client import Client, ServerError, ask
from drunemeton.rules.game import playable
from drunemeton.server import Settings, backup
from drunemeton.server.http_protocol import HttpProtocol
from drunemeton.server.limits import Bucket, Buckets
from drunemeton.server.logs import JsonLines, log, log_to_stderr
from drunemeton.server.serve import serve
from drunemeton.store import SqliteStore

from ..patience import PATIENCE, comes_true
from .house import BOT, PERSON, House, listen, play_on, rng


def get(house: House, path: Any, **headers: Any) -> Any:
    with urllib.request.urlopen(urllib.request.Request(house.url + path, headers=headers), timeout=PATIENCE) as answer:
        return answer, answer.read()


def fetch(house: House, method: Any, path: Any, headers: Any = None) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", house.settings.port, timeout=PATIENCE)
    try:
        connection.request(method, path, headers=headers or {})
        answer = connection.getresponse()
        return SimpleNamespace(status=answer.status, headers=answer.headers, body=answer.read())
    finally:
        connection.close()


def test_small_questions(house: House) -> None:
    assert ask(f"{house.url}/api/health") == {"status": "ok"}
    version = ask(f"{house.url}/api/version")
    assert set(version) == {"version", "build", "public_url", "reach", "addresses"}
    assert (version["reach"], version["addresses"]) == ("machine", [])
    games = {game["name"]: game for game in ask(f"{house.url}/api/games")}
    assert list(games) == list(playable())
    game = games["druidenwalzer"]
    assert game["players"] == [2, 2]
    assert [bot["level"] for bot in game["bots"]] == [None, None, 1, 2, 3, 4, 5, 6, 7, 8]
    assert game["bots"][1]["name"] == "greedy"
    assert any(option["name"] == "trees" for option in game["options"])
    text = ask(f"{house.url}/api/rules/en/druidenwalzer")
    assert "DW-8.1" in text
    for path, status in (("/api/rules/en/chess", 404), ("/api/rules/../x", 422), ("/api/nothing", 404), ("/api/tables/nowhere", 404)):
        with pytest.raises(ServerError) as refused:
            ask(house.url + path)
        assert refused.value.status == status
    answer, body = get(house, "/api/rules/figures/celtica-path.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert body.startswith(b"<svg")


def test_a_running_game_has_no_record_and_shows_no_secret(house: House) -> None:
    made = house.table()
    with pytest.raises(ServerError, match="running") as refused:
        ask(f"{house.url}/api/tables/{made['table']}/record")
    assert refused.value.status == 409
    shown = ask(f"{house.url}/api/tables/{made['table']}")
    assert set(shown) == {"table", "game", "title", "seats", "options", "clock", "over", "waiting_for", "seat", "arranged"}
    assert shown["seat"] is None
    assert house.registry.tables[made["table"]].table.opening["secret"] not in json.dumps(shown)


def test_every_answer_carries_the_headers(house: House) -> None:
    for path in ("/", "/api/health", "/t/abc", "/api/openapi.json"):
        answer, _ = get(house, path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "server" not in answer.headers
    answer, _ = get(house, "/api/health")
    assert answer.headers["cache-control"] == "no-store"
    with pytest.raises(urllib.error.HTTPError) as missing:
        get(house, "/api/nothing")
    assert missing.value.headers["content-security-policy"]
    missing.value.close()


def test_without_a_front_end_the_page_says_what_to_run(house: House) -> None:
    for path in ("/", "/t/abc", "/rules/en/druidenwalzer"):
        _, body = get(house, path)
        assert b"python hatch_build.py" in body


def test_the_front_end_is_served_with_its_compressed_twins(settings: Settings) -> None:
    assets = settings.assets
    (assets / "assets").mkdir(parents=True)
    (assets / "index.html").write_text("<!doctype html><script>let dark</script><script src='/assets/a.js'></script>")
    (assets / "assets" / "index-Ab12Cd34.js").write_text("let a")
    (assets / "assets" / "index-Ab12Cd34.js.gz").write_bytes(gzip.compress(b"let a"))
    (assets / "assets" / "index-Ab12Cd34.js.br").write_bytes(b"br")
    (settings.store_path.parent / "secret.txt").write_text("secret")
    chosen = replace(settings, public_url="https://druids.example")
    with House(chosen) as house:
        page = fetch(house, "GET", "/t/some-table")
        assert b"let dark" in page.body
        assert page.headers["cache-control"] == "no-cache"
        assert "'sha256-" in page.headers["content-security-policy"]
        assert "wss://druids.example" in page.headers["content-security-policy"]
        assert page.headers["strict-transport-security"]
        script = "/assets/index-Ab12Cd34.js"
        zipped = fetch(house, "GET", script, {"accept-encoding": "gzip"})
        assert zipped.headers["content-encoding"] == "gzip"
        assert gzip.decompress(zipped.body) == b"let a"
        assert "immutable" in zipped.headers["cache-control"]
        assert zipped.headers["content-type"].startswith("text/javascript")
        assert fetch(house, "GET", script, {"accept-encoding": "gzip, br;q=1"}).headers["content-encoding"] == "br"
        assert fetch(house, "GET", script).headers["content-encoding"] is None
        for path in ("/assets/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/none.js", script + ".gz"):
            assert fetch(house, "GET", path).status == 404
        assert fetch(house, "HEAD", "/").status == 200
        assert fetch(house, "POST", "/").status == 405


def test_hosts_and_origins() -> None:
    local = Settings()
    assert local.host_is_ours("localhost:8137")
    assert local.host_is_ours("127.0.0.1:8137")
    assert local.host_is_ours("[::1]:8137")
    assert not local.host_is_ours("192.168.1.5:8137")
    assert not local.host_is_ours("druids.example")
    network = Settings(host="0.0.0.0")
    assert network.host_is_ours("192.168.1.5:8137")
    assert not network.host_is_ours("evil.example")
    public = Settings(public_url="https://druids.example")
    assert public.host_is_ours("druids.example")
    assert public.origin_is_ours("https://druids.example", "druids.example")
    assert not public.origin_is_ours("http://druids.example.evil", "druids.example")
    assert public.origin_is_ours(None, "druids.example")
    assert not public.origin_is_ours("https://evil.example", "evil.example")


@pytest.mark.slow
def test_the_schema_holds_for_whatever_is_asked(settings: Settings) -> None:
    """Schemathesis, briefly: no 500, and every answer is as the schema says."""
    with House(replace(settings, requests_burst=1_000_000)) as house:
        schema = schemathesis.openapi.from_url(f"{house.url}/api/openapi.json")
        operations: list[Any] = [found.ok() for found in cast(Any, schema).get_all_operations()]
        assert len(operations) >= 12
        for operation in operations:
            ask_at_random(operation)


def ask_at_random(operation: Any) -> None:
    @given(case=operation.as_strategy())
    @how_long(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def check(case: Any) -> None:
        answer = case.call()
        assert answer.status_code < 500, answer.text
        if answer.status_code >= 400:
            assert set(json.loads(answer.content)["error"]) >= {"code", "message"}
        else:
            case.validate_response(answer, checks=[schemathesis.checks.response_schema_conformance])

    check()


@pytest.mark.parametrize(
    ("make", "why"),
    [("make_broken", "ZeroDivisionError"), ("make_stuck", "stalled"), ("make_dying", "died"), ("make_liar", None)],
)
def test_a_bot_that_fails_stalls_dies_or_lies_hangs_no_table(
    settings: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, make: Any, why: Any
) -> None:
    caplog.set_level(logging.INFO, logger="drunemeton.server")
    monkeypatch.syspath_prepend(str(Path(__file__).parent))  # the current folder comes last, after a peer that installs `tests`
    patience = 0.1 if make == "make_stuck" else 20.0  # a busy machine notices a death later
    with House(replace(settings, bot_seconds=patience, bot_maker=f"bad_bots:{make}")) as house:
        small = {"trees": 2, "stack": 1, "tokens_to_conquer": 1, "trees_to_lose": 1}
        made = house.table([PERSON, BOT], options=small, seed=1)
        with Client.join(made["links"][0]) as client:
            choose = rng(1)
            for state in client.turns():
                client.play(choose.choice(state["legal"]))
                if client.state["revision"] > 6:
                    break
    if why is None:
        assert "bot_illegal" in {record.getMessage() for record in caplog.records}
    else:
        failures = [vars(record)["fields"]["why"] for record in caplog.records if record.getMessage() == "bot_failed"]
        assert failures
        assert all(why in failure for failure in failures)


def test_bots_leave_no_process_behind(settings: Settings) -> None:
    with House(settings) as house:
        made = house.table([PERSON, BOT], seed=1)
        with Client.join(made["links"][0]) as client:
            for state in client.turns():
                client.play(state["legal"][0])
                if client.state["revision"] > 4:
                    break
        started = [one.process for one in house.registry.bot_pool.processes if one.process is not None]
        assert len(started) == 1  # one bot at a time needs one process
    assert comes_true(lambda: not any(Path(f"/proc/{process.pid}").exists() for process in started))


@pytest.mark.proof  # how far apart tables get hangs on how busy the machine is
def test_bots_queue_fairly(settings: Settings) -> None:
    """A table that asks often does not starve another: first come, first served, one question per table."""
    with House(replace(settings, bot_workers=1)) as house:
        tables = [house.table([BOT, BOT], seed=n) for n in range(6)]
        lives = [house.registry.tables[made["table"]].table for made in tables]
        with contextlib.ExitStack() as stack:
            for made in tables:
                stack.enter_context(Client.join(made["watch_link"]))
            # Bots think when somebody is there: who came first is ahead, and nobody counts before all have come.
            before = [table.revision for table in lives]
            assert comes_true(lambda: all(table.over or table.revision >= since + 8 for table, since in zip(lives, before, strict=True)))
            gained = [table.revision - since for table, since in zip(lives, before, strict=True) if not table.over]
        assert not gained or max(gained) - min(gained) <= 30


def test_a_writer_that_dies_is_replaced_and_nothing_is_lost(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="drunemeton.server")
    with House(settings) as house:
        made = house.table()
        with house.players(made) as clients:
            play_on(clients, rng(), 4)
            mover = next(client for client in clients if client.my_turn)
            before = mover.state
            os.kill(house.registry.writer._writer.get_pid(), signal.SIGSTOP)
            mover.send({"type": "move", "id": "x", "revision": before["revision"], "move": before["legal"][0]})
            assert comes_true(lambda: house.registry.writer._under_way)
            os.kill(house.registry.writer._writer.get_pid(), signal.SIGKILL)
            with pytest.raises(ServerError, match="store"):
                listen(mover)
            for client in clients:
                client.connect()
            assert mover.state["revision"] == before["revision"]
            assert mover.state["view"] == before["view"]
            play_on(clients, rng(), 3)
            assert mover.state["revision"] == before["revision"] + 3
        assert "writer_ended" in caplog.text


def test_a_store_that_fails_changes_nothing_and_the_table_comes_back(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="drunemeton.server")
    with House(settings) as house:
        made = house.table()
        with house.players(made) as clients:
            play_on(clients, rng(), 4)
            mover = next(client for client in clients if client.my_turn)
            before = mover.state
            append = house.registry.writer.append
            house.registry.writer.append = lambda entry: append(entry._replace(number=entry.number + 5))
            mover.send({"type": "move", "id": "x", "revision": before["revision"], "move": before["legal"][0]})
            with pytest.raises(ServerError, match="store"):
                listen(mover)
            house.registry.writer.append = append
            for client in clients:
                client.connect()
            assert mover.state["revision"] == before["revision"]
            assert mover.state["view"] == before["view"]
            play_on(clients, rng(), 3)
    assert "store_failed" in {record.getMessage() for record in caplog.records}


def test_old_tables_expire_and_a_clock_that_jumps_deletes_nothing(settings: Settings) -> None:
    clock = [time.time_ns() // 1_000_000]
    chosen = replace(settings, now=lambda: clock[0], expire_seconds=0.05, sweep_seconds=0.02, keep_running_seconds=0.5)
    with House(chosen) as house:
        made = house.table()
        ident = made["table"]
        assert comes_true(lambda: house.registry.expired is not None)
        clock[0] += 200 * 24 * 3_600_000
        sweeps = house.registry.sweeps
        assert comes_true(lambda: house.registry.sweeps > sweeps + 20)
        assert house.registry.store.entries(ident)

        def gone() -> Any:
            before = house.registry.sweeps
            clock[0] += 40  # less than a server is away between two looks, so each look is waited for
            return comes_true(lambda: house.registry.sweeps > before + 1) and not house.registry.store.entries(ident)

        assert comes_true(gone)
        with pytest.raises(ServerError, match="no_table"):
            Client.join(f"{house.url}/t/{ident}#{made['keys'][0]}")


def test_backup_by_command_while_running(house: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = house.table()
    with house.players(made) as clients:
        play_on(clients, rng(), 6)
        assert backup(house.settings.store_path, tmp_path / "copy.db") == 0
        copy = SqliteStore(tmp_path / "copy.db")
        assert len(copy.entries(made["table"])) == 9  # made, both entered, six moves
        copy.close()
    assert backup(tmp_path / "none.db", tmp_path / "copy2.db") == 1


def test_serving_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = SqliteStore(tmp_path / "s.db")
    assert serve("203.0.113.7", 1, None, tmp_path / "s.db", open_browser=False) == 1
    assert "cannot listen" in capsys.readouterr().err
    assert serve("127.0.0.1", 0, None, tmp_path / "s.db", open_browser=False) == 1
    store.close()


def test_odd_addresses_are_no_error_of_ours(house: House) -> None:
    for path in ("/%00", "/a%00b.js", "/..%2f..%2fetc/passwd%00.js"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(house.url + path)
        with refused.value as answer:
            assert answer.code == 404


def test_who_sends_half_a_request_does_not_hold_the_connection(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HttpProtocol, "seconds", 0.4)
    for begun in (b"", b"GET /api/hea", b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{"):
        with socket.create_connection(("127.0.0.1", house.settings.port), timeout=PATIENCE) as raw:
            raw.sendall(begun)
            with contextlib.suppress(ConnectionResetError):
                assert raw.recv(1000) == b""
    # A whole request is answered, and the next on the same connection too.
    kept = http.client.HTTPConnection("127.0.0.1", house.settings.port)
    for _ in range(3):
        kept.request("GET", "/api/health")
        assert kept.getresponse().read() == b'{"status":"ok"}'
        time.sleep(0.3)  # more in all than one request may take
    kept.close()


def test_what_the_web_server_logs_is_one_object_a_line_too(capsys: pytest.CaptureFixture[str]) -> None:
    log_to_stderr("p1")
    try:
        raise ValueError("what a client sent")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    finally:
        for name in ("uvicorn.error", "drunemeton.server"):
            logging.getLogger(name).handlers.clear()
            logging.getLogger(name).propagate = True
    line = json.loads(capsys.readouterr().err)
    assert (line["what"], line["problem"]) == ("Exception in ASGI application", "ValueError")
    assert "what a client sent" not in json.dumps(line)


def test_an_answer_that_breaks_off_is_a_server_that_cannot_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            line, _ = listening.accept()
            with line:
                line.recv(1000)
                line.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 93\r\n\r\n")

        breaking = threading.Thread(target=answer)
        breaking.start()
        with pytest.raises(ServerError, match="unreachable"):
            ask(f"http://127.0.0.1:{listening.getsockname()[1]}/api/health")
        breaking.join()


def test_logs_are_one_object_a_line() -> None:
    record = logging.LogRecord("x", logging.INFO, "f", 1, "what", (), None)
    record.fields = {"table": "t\n1"}
    line = JsonLines("p1").format(record)
    assert "\n" not in line
    assert json.loads(line)["table"] == "t\n1"
    assert json.loads(line)["process"] == "p1"
    log("nothing", level=logging.DEBUG)


def test_buckets() -> None:
    bucket = Bucket(2, 3, 0.0)
    assert [bucket.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert bucket.take(0.5)
    assert not bucket.take(0.5)
    time_now = [0.0]
    many = Buckets(1, 1, lambda: time_now[0])
    assert many.take("a")
    assert many.take("b")
    assert not many.take("a")
    time_now[0] = 1.5
    assert many.take("a")
