"""What somebody might try to learn what his seat cannot know: by taking back, by coming first, by the clock, by a typed seed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from drunemeton.client import Client, MoveRefused, ServerError, ask
from drunemeton.server import Settings
from drunemeton.server.settings import steady_clock

from ..patience import comes_true
from .house import TWO, CheckedClient, House, play_on, rng, settle

HOUR = 3_600_000


def table_of(house: House, made: Any) -> Any:
    return house.registry.tables[made["table"]].table


def take_back_for_ever(client: Any) -> None:
    while True:
        client.undo()


# --- Taking back


def test_an_absent_persons_steps_cannot_be_taken_back(settings: Settings) -> None:
    """A bot is called to his seat, and never objects: but what he and the bot have shown there would be hidden again, and known."""
    with House(replace(settings, away_seconds=0.0)) as house:
        made = house.table()
        with house.players(made) as clients:
            play_on(clients, rng(), 14)
            here, gone = clients
            theirs = [n for n, step in enumerate(table_of(house, made).game.steps) if step.seat == gone.seat]
            gone.close()
            assert comes_true(lambda: "away" in house.registry.tables[made["table"]].presence())
            here.do("bot_takes", seat=gone.seat)
            with pytest.raises(MoveRefused, match=r"undo_away|nothing_to_undo"):
                take_back_for_ever(here)
            steps = table_of(house, made).game.steps
            assert [n for n, step in enumerate(steps) if step.seat == gone.seat][: len(theirs)] == theirs
            # He comes back, and may agree himself.
            gone.connect()
            settle([here, gone], table_of(house, made).revision)
            if len(steps) > max(theirs) + 1 or steps[-1].seat == gone.seat:
                before = table_of(house, made).revision
                here.undo()
                if table_of(house, made).ask is not None:
                    assert table_of(house, made).ask.waiting == {gone.seat}
                    gone.do("undo_answer", agree=True)
                assert table_of(house, made).revision > before


def test_what_was_seen_by_consent_is_shown_as_seen(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        play_on(clients, rng(), 16)
        settle(clients)
        mover = clients[1 - clients[0].state["turn"]]  # who played last, so that something was seen
        mover.undo()
        settle(clients, table_of(house, made).revision)
        other = clients[1 - mover.seat]
        if mover.state["undo_asked_by"] is not None:
            other.do("undo_answer", agree=True)
        settle(clients, table_of(house, made).revision)
        assert sum(mover.state["seen"]) > 0
        assert mover.state["seen"] == other.state["seen"]


# --- Coming first


@pytest.mark.parametrize("other", [{"kind": "open"}, {"kind": "person"}])
def test_nobody_sees_a_card_before_everybody_has_come(house: House, other: Any) -> None:
    made = house.table([TWO[0], other])
    with CheckedClient.join(made["links"][0]) as first, CheckedClient.join(made["watch_link"]) as watcher:
        for client in (first, watcher):
            settle([client], 1)
            assert client.state["view"] is None
            assert client.state["legal"] == []
            assert client.state["turn"] is None
            assert client.state["waiting_for"] == [1]
        first.connect()  # shows a revision already, and is told what was missed: nothing
        assert first.news() == []
        asked: dict[str, dict[str, Any]] = {
            "move": {"revision": 1, "move": "1<"},
            "preview": {"revision": 1, "move": "1<"},
            "hint": {"revision": 1},
            "coach": {"revision": 1},
            "undo": {},
            "resign": {},
            "bot_takes": {},
        }
        for kind, fields in asked.items():
            with pytest.raises(MoveRefused, match=r"waiting|not_your_turn"):
                first.do(kind, **fields)
        assert first.do("about", what="ring")["told"] == []
        standing = ask(f"{house.url}/api/mine", "POST", {"sessions": [{"table": made["table"], "session": first.session}]})
        assert standing[0]["turn"] is None
        if other["kind"] == "open":
            sat = ask(f"{house.url}/api/tables/{made['table']}/sit", "POST", {"name": "Bo"})
            second = CheckedClient(house.url, made["table"], sat["session"])
        else:
            second = CheckedClient.join(made["links"][1])
        with second:
            settle([first, second, watcher], 2)
            assert first.state["waiting_for"] == []
            assert first.state["view"]
            play_on([first, second], rng(), 6)


def test_a_table_that_waits_still_does_after_a_restart(settings: Settings) -> None:
    with House(settings) as house:
        made = house.table()
        with CheckedClient.join(made["links"][0]) as first:
            settle([first], 1)
    with House(settings) as house, CheckedClient(house.url, made["table"], first.session) as again:
        assert again.state["waiting_for"] == [1]
        with CheckedClient.join(f"{house.url}/t/{made['table']}#{made['keys'][1]}") as second:
            settle([again, second], 2)
            assert again.state["waiting_for"] == []


def test_a_table_that_nobody_came_to_can_be_deleted(house: House) -> None:
    made = house.table()
    with CheckedClient.join(made["links"][0]) as first:
        ask(f"{house.url}/api/tables/{made['table']}", "DELETE", token=first.session)
    with pytest.raises(ServerError, match="no_table"):
        CheckedClient.join(made["links"][1])


# --- Clocks


def test_a_clock_set_back_gives_nobody_anothers_seat(settings: Settings) -> None:
    clock = [10 * HOUR]
    with House(replace(settings, now=lambda: clock[0])) as house:
        made = house.table([TWO[0], {"kind": "open"}])
        clock[0] -= HOUR
        sat = ask(f"{house.url}/api/tables/{made['table']}/sit", "POST", {"name": "Bo"})
        with pytest.raises(ServerError) as refused:
            ask(f"{house.url}/api/tables/{made['table']}/session", "POST", token=made["keys"][1])
        assert refused.value.status == 401
        assert ask(f"{house.url}/api/tables/{made['table']}/session", "POST", token=sat["key"])["seat"] == 1


def test_the_servers_time_does_not_jump_with_the_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    now = steady_clock()
    before = now()
    for jump in (120, -3600, 200 * 24 * 3600):
        monkeypatch.setattr("time.time_ns", lambda jump=jump: (before + 1000 * jump) * 1_000_000)
        assert 0 <= now() - before < 60_000
    assert 0 <= Settings().now() - before - 1000 * 200 * 24 * 3600 < 60_000  # a server that starts now believes the machine


def test_a_clock_runs_on_after_a_restart_with_the_machines_set_back(settings: Settings) -> None:
    clock = [10 * HOUR]
    with House(replace(settings, now=lambda: clock[0])) as house:
        made = house.table(clock={"kind": "game", "seconds": 2})
        with house.players(made) as clients:
            play_on(clients, rng(), 8)
            assert clients[0].state["clocks"]["running"] is not None
    clock[0] -= HOUR
    with House(replace(settings, now=lambda: clock[0])) as house, Client(house.url, made["table"], clients[0].session) as client:
        running = client.state["result"]
        assert running is None
        clock[0] += 3_000
        assert comes_true(lambda: client.receive()["result"] is not None)
        assert client.state["result"]["end"] == "time"


# --- A typed seed


def test_a_table_with_a_typed_seed_is_for_one_device(house: House) -> None:
    """The seed can be found from the commitment by trying, and tells every card."""
    made = house.table(seed=17)
    with CheckedClient.join(made["links"][0]) as first:
        for beside in (None, "x" * 32, made["keys"][0]):
            with pytest.raises(ServerError, match="seed"):
                CheckedClient.join(made["links"][1], beside=beside)
        with CheckedClient.join(made["watch_link"]) as watcher, pytest.raises(ServerError, match="seed"):
            CheckedClient.join(made["links"][1], beside=watcher.session)
        with CheckedClient.join(made["links"][1], beside=first.session) as second:
            settle([first, second], 2)
            play_on([first, second], rng(), 4)
    for seats in ([TWO[0], {"kind": "open"}], [{"kind": "open"}, {"kind": "open"}]):
        with pytest.raises(ServerError, match="seed"):
            house.table(seats, seed=17)


def test_the_secret_stays_in_the_house_while_it_runs(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        play_on(clients, rng(), 6)
        secret = table_of(house, made).opening["secret"]
        assert secret not in json.dumps([client.state for client in clients] + [client.table for client in clients])
