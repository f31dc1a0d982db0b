"""Reviews on a server: of finished games only, worked at in the bots' processes, kept with the table; handed-in records are not kept."""

from __future__ import annotations

import base64
import gzip
import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from drunemeton import records
from drunemeton.appraisal.thinking import ReviewBot
from drunemeton.client import Client, MoveRefused
from drunemeton.rules.game import find_game
from drunemeton.server import Settings, review

from ..patience import comes_true
from .house import BOT, PERSON, House, play_on, rng

pytestmark = pytest.mark.slow
MOVES = 8  # decisions before somebody gives up: enough to say something about


def fetch(house: House, path: str, text: str | None = None, session: str | None = None) -> tuple[int, Any]:
    """What a server answers to somebody, with or without a session."""
    headers = {"content-type": "text/plain"} | ({"authorization": f"Bearer {session}"} if session else {})
    request = urllib.request.Request(house.url + path, data=text.encode() if text is not None else None, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as problem:
        with problem:
            return problem.code, json.loads(problem.read())["error"]


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Compiled here, however long that takes: the server's processes find it in the cache."""
    ReviewBot(find_game("druidenwalzer"))


def given_up(house: House) -> Any:
    """A table whose game was given up after some moves."""
    made = house.table()
    with house.players(made) as clients:
        play_on(clients, rng(), MOVES)
        clients[0].resign()
        assert comes_true(lambda: house.registry.tables[made["table"]].table.over)
    return made


def test_a_finished_game_is_reviewed_once_and_kept_with_its_table(settings: Settings) -> None:
    told: list[Any] = []
    with House(settings) as house:
        path = f"/api/tables/{given_up(house)['table']}/review"

        def ready() -> bool:
            status, answer = fetch(house, path)
            assert status == 200
            assert answer["state"] != "failed", answer
            told.append(answer)
            return bool(answer["state"] == "ready")

        assert comes_true(ready)
        assert told[0]["state"] == "working"
        assert comes_true(lambda: house.registry.tables[path.split("/")[3]].table.review is not None)
    with House(settings) as house:  # the same store, and nobody who could have worked at it
        status, answer = fetch(house, path)
        assert (status, answer["state"]) == (200, "ready")
        assert answer["review"] == told[-1]["review"]
        assert answer["review"]["whole"]
        assert len(answer["review"]["decisions"]) == MOVES
        assert not any(process.process for process in house.registry.bot_pool.processes)
        # One that says less than reviews say today is made again.
        live = house.registry.tables[path.split("/")[3]]
        live.table.review = base64.b64encode(gzip.compress(json.dumps({**answer["review"], "format": 1}).encode())).decode()
        assert fetch(house, path)[1]["state"] == "working"


def test_a_review_is_kept_though_its_table_has_left_memory_meanwhile(settings: Settings) -> None:
    """Whoever reads a review sits at no table: a long one was ready after the table had gone, and was made anew at every start."""
    with House(settings) as house:
        table = given_up(house)["table"]
        path = f"/api/tables/{table}/review"
        assert fetch(house, path)[1]["state"] == "working"
        house.registry.tables[table].drop("idle")
        assert comes_true(lambda: fetch(house, path)[1]["state"] == "ready")
        assert comes_true(lambda: fetch(house, path)[1]["state"] == "ready" and house.registry.tables[table].table.review is not None)
    with House(settings) as house:
        assert fetch(house, path)[1]["state"] == "ready"
        entries = [entry for entry in house.registry.tables[table].table.entries if entry["kind"] == "reviewed"]
        assert len(entries) == 1, "kept once"


def appraised(house: House, table: str, sessions: list[str]) -> list[int]:
    """With what a server answers those who ask for an appraisal: strangers, and whoever has one of these sessions."""
    return [fetch(house, f"/api/tables/{table}/review", session=session)[0] for session in [None, *sessions]]


def test_while_somebody_plays_nobody_is_told_what_a_position_is_worth(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    made = house.table(seats=[PERSON, PERSON, BOT], game="celtica")
    with house.players(made) as clients, Client.join(f"{house.url}/t/{made['table']}#{made['watch']}") as watching:
        play_on(clients, rng(), 3)
        sessions = [client.session for client in (*clients, watching)]
        assert set(appraised(house, made["table"], sessions)) == {409}
        clients[0].resign()  # the other person plays on
        assert comes_true(lambda: house.registry.tables[made["table"]].table.seats[0].out is not None)
        assert set(appraised(house, made["table"], sessions)) == {409}
        # A planted leak is found.
        monkeypatch.setattr(review, "may_be_told", lambda table: True)
        assert 200 in appraised(house, made["table"], sessions)


def test_a_running_game_is_reviewed_by_no_way(house: House) -> None:
    """Neither by its link nor by its record, by any of those who know it: what open cards would have said least of all."""
    made = house.table()
    with house.players(made) as clients, Client.join(f"{house.url}/t/{made['table']}#{made['watch']}") as watching:
        play_on(clients, rng(), MOVES)
        table = made["table"]
        for session in [None, *(client.session for client in (*clients, watching))]:
            for path in ("review", "chances", "record", "replay", "replay?as=open", "replay?as=public"):
                assert fetch(house, f"/api/tables/{table}/{path}", session=session)[0] == 409, path
            assert fetch(house, f"/api/reviews/{table}", session=session)[0] == 404
            running = records.write(house.registry.tables[table].table.game)
            for path in ("/api/review", "/api/replay"):
                assert fetch(house, path, running, session)[0] == 409, path


def test_after_its_end_nothing_of_a_game_is_taken_back(house: House) -> None:
    """Whoever has read what decided a game cannot go on with it: what was asked while it ran has lapsed, and nothing is asked anew."""
    made = house.table(seats=[PERSON, PERSON])
    path = f"/api/tables/{made['table']}/review"
    with house.players(made) as clients:
        table = house.registry.tables[made["table"]].table
        for _ in range(20):  # until somebody has to ask
            play_on(clients, rng(), 1)
            asker = clients[table.game.steps[-1].seat]
            if table.must_agree(asker.seat, len(table.game.steps) - 1) and not table.can_undo(asker.seat):
                break
        asker.do("undo")
        assert comes_true(lambda: table.ask is not None)
        assert fetch(house, path)[0] == 409
        other = clients[1 - asker.seat]
        other.resign()
        assert comes_true(lambda: table.over)
        assert fetch(house, path)[0] == 200
        steps = len(table.game.steps)
        for client in (asker, other):
            revision = table.revision
            asked = {"undo": {}, "undo_answer": {"agree": True}, "bot_returns": {}, "bot_takes": {}, "resign": {}, "agree": {"agree": True}}
            for kind, fields in {**asked, "move": {"revision": revision, "move": "1<"}}.items():
                with pytest.raises(MoveRefused, match="over"):
                    client.do(kind, **fields)
        assert (table.over, len(table.game.steps)) == (True, steps)
        assert fetch(house, path)[0] == 200


def test_a_hint_is_followed_by_its_reasons(house: House) -> None:
    made = house.table(seats=[PERSON, BOT])
    with house.players(made) as (client,):
        while not client.my_turn:
            client.receive()
        revision = client.state["revision"]
        client.send({"type": "hint", "id": "h", "revision": revision})
        told: list[Any] = []
        while not told or told[-1]["type"] != "reasons":
            told.append(client.receive())
            assert told[-1]["type"] in {"hinted", "reasons"}, told[-1]
        assert [one["type"] for one in told] == ["hinted", "reasons"]
        assert {one["revision"] for one in told} == {revision}


def test_a_record_that_is_handed_in_is_reviewed_and_not_kept(house: House) -> None:
    live = house.registry.tables[given_up(house)["table"]]
    text = records.write(live.table.game, live.table.result)
    status, answer = fetch(house, "/api/review", text)
    assert status == 200
    path = f"/api/reviews/{answer['id']}"
    assert comes_true(lambda: fetch(house, path)[1]["state"] == "ready")
    assert fetch(house, path)[1]["review"]["decisions"][0]["move"] == records.read(text).moves[0]
    assert live.table.review is None


def test_what_cannot_be_reviewed_is_said_plainly(house: House) -> None:
    live = house.registry.tables[given_up(house)["table"]]
    text = records.write(live.table.game, live.table.result)
    running = text[: text.index("\nresult")] + "\n"
    assert fetch(house, "/api/review", running)[0] == 409
    assert fetch(house, "/api/review", "no record")[1]["code"] == "bad_record"
    assert fetch(house, "/api/reviews/unknown")[0] == 404
    lines = text.splitlines()
    early = "\n".join([*lines[: lines.index(next(line for line in lines if line.startswith("2 ")))], *lines[-2:]]) + "\n"
    path = f"/api/reviews/{fetch(house, '/api/review', early)[1]['id']}"
    assert comes_true(lambda: fetch(house, path)[1]["state"] == "failed")
    assert fetch(house, path)[1]["problem"] == "left"
