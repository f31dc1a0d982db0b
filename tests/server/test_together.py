"""Several seats on one device, the list of one's tables, and how a server says who can reach it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from drunemeton.client import Client, MoveRefused, ServerError, ask
from drunemeton.server import Settings
from drunemeton.server.settings import own_addresses

from .house import TWO, House, listen, play_on, rng

THREE = [*TWO, {"kind": "person", "name": "Cy"}]


def session_of(house: House, link: Any, name: Any = None) -> Any:
    parts = urlsplit(link)
    return ask(
        f"{house.url}/api/tables/{parts.path.rpartition('/')[2]}/session", "POST", {"name": name} if name else None, token=parts.fragment
    )


def test_who_sits_beside_is_here_too(house: House) -> None:
    made = house.table(THREE, game="celtica")
    with Client.join(made["links"][2]) as far:
        near, beside = (session_of(house, link)["session"] for link in made["links"][:2])

        class Two(Client):
            """Both seats of one device."""

            def send(self, message: Any) -> None:
                super().send({**message, "beside": [beside]} if isinstance(message, dict) and message["type"] == "hello" else message)

        device = Two(house.url, made["table"], near)
        while far.state["presence"] != ["here", "here", "here"]:
            far.receive()
        with pytest.raises(MoveRefused, match="not_away"):
            far.do("bot_takes", seat=1)
        # Only the own seat's view comes, however many are here by it.
        assert set(device.state["view"]["players"][1]["hand"]) == {"?"}
        device.close()
        while far.state["presence"] != ["away", "away", "here"]:
            far.receive()


def test_garbage_beside_is_refused(house: House) -> None:
    made = house.table()
    for beside in ("x", [1], ["x"] * 9, [["x"]], {"a": 1}):
        client = Client.join(made["links"][0])
        client.send({"type": "hello", "session": client.session, "beside": beside})
        with pytest.raises(ServerError) as refused:
            listen(client)
        assert refused.value.code == "garbage"
        client.close()
    with Client.join(made["links"][0]) as client:
        client.send({"type": "hello", "session": client.session, "beside": ["no session of this house"]})
        assert client.receive()["presence"] == ["here", "away"]


def test_my_tables_tell_where_it_is_my_turn(house: House) -> None:
    made, gone = house.table(), house.table()
    sessions = [session_of(house, link)["session"] for link in made["links"]]
    lost = session_of(house, gone["links"][0])["session"]
    asked = [{"table": made["table"], "session": one} for one in sessions]
    asked += [
        {"table": gone["table"], "session": sessions[0]},
        {"table": "none", "session": lost},
        {"table": made["table"], "session": "?"},
    ]
    with house.players(made) as clients:
        play_on(clients, rng(), 5)
        shown = ask(f"{house.url}/api/mine", "POST", {"sessions": asked})
        assert [one["there"] for one in shown] == [True, True, False, False, False]
        assert [one["seat"] for one in shown] == [0, 1, None, None, None]
        assert {one["turn"] for one in shown[:2]} == {clients[0].state["turn"]}
        assert [seat["name"] for seat in shown[0]["seats"]] == ["Ada", "Bo"]
        # What is told of a table is the same for every seat: it holds nothing of a hand.
        assert {**shown[0], "seat": None} == {**shown[1], "seat": None}
        clients[0].do("resign")
        ended = ask(f"{house.url}/api/mine", "POST", {"sessions": asked[:1]})[0]
        assert (ended["over"], ended["result"]) == (True, {"end": "resigned", "places": [2, 1], "tally": None})
        assert ended["changed"] == house.registry.tables[made["table"]].table.entries[-1]["at"]


def test_the_same_name_again_changes_nothing(house: House) -> None:
    made = house.table()
    for _ in range(2):
        session_of(house, made["links"][0], "Ada")
        assert house.registry.tables[made["table"]].table.revision == 1  # that he has come
    session_of(house, made["links"][0], "Ida")
    assert house.registry.tables[made["table"]].table.revision == 2


def test_reach(settings: Settings) -> None:
    assert Settings().reach == "machine"
    assert Settings(host="localhost").addresses() == []
    assert Settings(host="192.168.7.7", port=99).addresses() == ["http://192.168.7.7:99"]
    assert Settings(host="fd00::7", port=99).addresses() == ["http://[fd00::7]:99"]
    public = Settings(host="0.0.0.0", public_url="https://druids.example")
    assert (public.reach, public.addresses()) == ("public", [])
    with House(replace(settings, host="0.0.0.0")) as house:
        version = ask(f"{house.url}/api/version")
        assert version["reach"] == "network"
        assert version["addresses"] == [f"http://{one}:{house.settings.port}" for one in own_addresses()]
        assert not any("127." in one for one in version["addresses"])
