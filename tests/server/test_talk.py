"""What people say at a table: from seat to seat, never to or from who watches, a little at a time, and kept nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from drunemeton.client import Client, Message, MoveRefused, ask
from drunemeton.rules.kernel import SPECTATOR
from drunemeton.server import Settings, conversation

from .house import CheckedClient, House, play_on, rng, settle


@pytest.fixture
def house(settings: Settings) -> Iterator[House]:
    with House(settings) as running:
        yield running


def heard_by(client: Client) -> list[Message]:
    """What a client has been told up to the answer to a message of its own."""
    client.send({"type": "ping", "id": "now"})
    found = []
    while (message := client.receive())["type"] != "pong":
        found.append(message)
    return found


def words_in(messages: list[Message]) -> list[tuple[Any, Any, Any]]:
    return [(one["seat"], one["phrase"], one["text"]) for one in messages if one["type"] == "said"]


def test_phrases_go_from_seat_to_seat_and_into_no_record(house: House) -> None:
    made = house.table()
    with house.players(made) as (ada, bo), CheckedClient.join(made["watch_link"]) as watcher:
        table = house.registry.tables[made["table"]].table
        entries = list(table.entries)
        ada.do("phrase", phrase="hello")
        assert words_in(heard_by(bo)) == [(0, "hello", None)]
        assert words_in(heard_by(ada)) == [(0, "hello", None)]
        assert words_in(heard_by(watcher)) == []
        with pytest.raises(MoveRefused, match="no_seat"):
            watcher.do("phrase", phrase="hello")
        assert words_in(heard_by(bo)) == []
        assert table.entries == entries
        bo.resign()
        settle([ada])
        assert "hello" not in ada.record()


def test_who_talks_too_much_is_not_heard(house: House) -> None:
    made = house.table()
    with house.players(made) as (ada, bo):
        for _ in range(4):
            ada.do("phrase", phrase="wow")
        with pytest.raises(MoveRefused, match="too_talkative"):
            ada.do("phrase", phrase="wow")
        assert len(words_in(heard_by(bo))) == 4
        bo.do("phrase", phrase="oops")  # everybody has his own measure
        assert words_in(heard_by(ada))[-1] == (1, "oops", None)


def test_nobody_writes_unless_the_tables_maker_lets_them(house: House) -> None:
    silent, open_one = house.table(), house.table(chat=True)
    with house.players(silent) as (ada, _bo):
        assert ada.table["chat"] is False
        with pytest.raises(MoveRefused, match="no_chat"):
            ada.do("chat", text="hello")
    with house.players(open_one) as (ada, bo), CheckedClient.join(open_one["watch_link"]) as watcher:
        assert bo.table["chat"] is True
        ada.do("chat", text=" <b>hi</b> ")
        assert words_in(heard_by(bo)) == [(0, None, "<b>hi</b>")]
        for text in ("   ", "a\nb", "\x1b[2J", "\u202e"):
            with pytest.raises(MoveRefused, match="unprintable"):
                ada.do("chat", text=text)
        assert words_in(heard_by(watcher)) == []
        bo.resign()
        again = ask(f"{house.url}/api/tables/{open_one['table']}/rematch", "POST", {}, ada.session)
        assert house.registry.tables[again["table"]].table.opening["chat"] is True


def watched(house: House, talks: bool) -> list[Message]:
    """Everything that a spectator is told of a game whose players say things, or nothing."""
    made = house.table()
    with house.players(made) as clients, CheckedClient.join(made["watch_link"]) as watcher:
        heard: list[Message] = []
        for _ in range(3):
            play_on(clients, rng(), 1)
            if talks:
                clients[0].do("phrase", phrase="think")
            heard += heard_by(watcher)
    return [{"type": one["type"], "events": len(one.get("events", []))} for one in heard]


def test_a_spectator_cannot_tell_whether_anything_is_said(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(house, True) == watched(house, False)

    def to_everybody(live: Any, connection: Any, said: Any) -> None:
        connection.send_message({"type": "ack", "id": said.id, "revision": live.table.revision})
        for one in live.connections:
            one.send_message({"type": "said", "seat": connection.seat, "phrase": said.phrase, "text": None})

    monkeypatch.setattr(conversation, "_speak", to_everybody)
    assert watched(house, True) != watched(house, False)


def test_everybody_is_told_how_much_of_the_story_is_taken_back(house: House) -> None:
    made = house.table()
    with house.players(made) as clients, CheckedClient.join(made["watch_link"]) as watcher:
        play_on(clients, rng(), 3)
        everybody = [*clients, watcher]
        for _ in range(30):
            settle(everybody)
            before = [len(table_events(house, made, client)) for client in everybody]
            mover = next(client for client in clients if client.my_turn)
            mover.play(mover.state["legal"][0])
            settle(everybody)
            if not mover.state["can_undo"]:
                continue
            after = [len(table_events(house, made, client)) for client in everybody]
            mover.undo()
            settle(everybody)
            taken = [client.state["note"]["events"] for client in everybody]
            assert taken == [late - early for early, late in zip(before, after, strict=True)]
            assert min(taken) > 0
            return
    raise AssertionError("nothing could be taken back")


def table_events(house: House, made: Message, client: Client) -> list[Any]:
    table = house.registry.tables[made["table"]].table
    return list(table.game.events(SPECTATOR if client.seat is None else client.seat))


def test_who_asks_for_a_rematch_can_hand_links_on_until_the_others_have_asked(house: House) -> None:
    made = house.table()
    with house.players(made) as (ada, bo):
        bo.resign()
        address = f"{house.url}/api/tables/{made['table']}/rematch"
        first = ask(address, "POST", {}, ada.session)
        own, his = first["seat"], 1 - first["seat"]
        assert None not in first["keys"]
        shown = f"{house.url}/api/tables/{first['table']}"
        assert ask(shown, token=first["keys"][his])["seat"] == his
        assert ask(shown)["seat"] is None
        assert ask(shown)["waiting_for"] == [0, 1]
        second = ask(address, "POST", {}, bo.session)
        assert [key is None for key in second["keys"]] == [number != his for number in range(2)]
        assert ask(shown, token=first["keys"][his])["seat"] is None, "his own key has taken its place"
        assert ask(shown, token=second["keys"][his])["seat"] == his
        assert ask(shown, token=first["keys"][own])["seat"] == own
