"""Whole games over real sockets; coming back, second tabs, duplicates, out of order; taking back, leaving, rematch."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from drunemeton import records
from drunemeton.appraisal.thinking import make
from drunemeton.bots import ADVISER
from drunemeton.client import Client, MoveRefused, ServerError, ask
from drunemeton.rules.chance import fits
from drunemeton.rules.game import find_game, playable
from drunemeton.server import Settings

from ..patience import comes_true
from .house import BOT, PERSON, TWO, CheckedClient, House, listen, play_on, rng, settle


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_between_two_and_a_spectator(house: House, seed: int) -> None:
    made = house.table()
    with house.players(made) as clients, Client.join(made["watch_link"]) as watcher:
        assert [client.seat for client in clients] == [0, 1]
        assert watcher.seat is None
        play_on([*clients, watcher], rng(seed))
        ends = [client.state for client in (*clients, watcher)]
        assert all(end["result"] == ends[0]["result"] for end in ends)
        assert ends[0]["result"]["places"]
        assert fits(made["commitment"], bytes.fromhex(ends[2]["secret"]))
        assert ends[2]["legal"] == []
        verdict = records.verify(records.read(clients[0].record()))
        assert verdict.shuffles == "audited"
        # Everybody was told the same story, apart from what only one may see.
        stories = [client.news() for client in (*clients, watcher)]
        assert len({len(story) for story in stories}) == 1


def test_a_game_against_a_bot_and_one_between_bots(house: House) -> None:
    made = house.table([PERSON, BOT])
    assert made["keys"][1] is None
    with Client.join(made["links"][0]) as client:
        choose = rng(3)
        for state in client.turns():
            client.play(choose.choice(state["legal"]))
        assert client.over
    made = house.table([{"kind": "bot", "bot": "greedy"}, BOT])
    with Client.join(made["watch_link"]) as watcher:
        while not watcher.over:
            watcher.receive()


def test_coming_back_tells_what_was_missed(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        play_on(clients, rng(), 6)
        clients[0].close()
        clients[1].receive()
        assert clients[1].state["presence"] == ["away", "here"]
        revision = clients[0].state["revision"]
        clients[0].news()
        clients[0].connect()
        assert clients[0].news() == []
        clients[1].receive()
        assert clients[1].state["presence"] == ["here", "here"]
        mover = next(client for client in clients if client.my_turn)
        other = clients[1 - clients.index(mover)]
        mover.news()
        other.close()
        mover.play(mover.state["legal"][0])
        other.news()
        other.connect()
        assert other.state["revision"] == revision + 1
        assert [event["kind"] for event in other.news()] == [event["kind"] for event in mover.news()]


def test_a_second_tab_sees_and_may_play_the_same_seat(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        turn = clients[0].state["turn"]
        with Client.join(made["links"][turn]) as tab:
            assert tab.state["legal"] == clients[turn].state["legal"]
            tab.play(tab.state["legal"][0])
            settle([*clients, tab])
            assert clients[turn].state["view"] == tab.state["view"]
        # The seat is still held by the first tab.
        assert clients[1 - turn].state["presence"] == ["here", "here"]
        play_on(clients, rng())


def test_the_same_message_twice_is_played_once_and_acknowledged_twice(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        mover = clients[clients[0].state["turn"]]
        move = mover.state["legal"][0]
        before = mover.state["revision"]
        first = mover.do("move", ident="m", revision=before, move=move)
        again = mover.do("move", ident="m", revision=before, move=move)
        assert first == again == {"type": "ack", "id": "m", "revision": before + 1}
        settle(clients, before + 1)
        assert [entry["kind"] for entry in house.registry.tables[made["table"]].table.entries].count("move") == 1
    # Also after the server has started anew on the same store.


def test_out_of_order_and_stale_messages_change_nothing(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        mover = clients[clients[0].state["turn"]]
        move = mover.state["legal"][0]
        before = mover.state["revision"]
        for revision in (before + 5, -1, 2**30):
            with pytest.raises(MoveRefused, match="stale"):
                mover.do("move", revision=revision, move=move)
            assert mover.receive()["type"] == "state"
        mover.play(move)
        with pytest.raises(MoveRefused, match="stale"):
            mover.do("move", revision=before, move=move)
        assert house.registry.tables[made["table"]].table.revision == before + 1
        # Two moves sent without waiting: the second shows a revision that was never seen, and is refused or played by the rules.
        mover.send('{"type":"ping","id":"p"}')
        while mover.receive()["type"] != "pong":
            pass


def test_a_preview_tells_and_changes_nothing(house: House) -> None:
    made = house.table(seed=4)
    with house.players(made) as clients:
        play_on(clients, rng(), 10)
        mover = next(client for client in clients if client.my_turn)
        before = mover.state
        foreseen = mover.preview(before["legal"][0])
        assert foreseen
        assert 0 < foreseen[0]["share"] <= 1
        with pytest.raises(MoveRefused, match="dw"):
            mover.preview("W 9<@9")
        other = clients[1 - mover.seat]
        with pytest.raises(MoveRefused, match="not_your_turn"):
            other.preview(before["legal"][0])
        mover.connect()
        assert mover.state["revision"] == before["revision"]


def test_a_preview_costs_a_message_and_the_time_that_looking_takes(settings: Settings) -> None:
    limits = replace(settings, address_messages_burst=10_000, address_messages_per_second=1e-6)
    with House(limits) as house, house.players(house.table(seed=4)) as clients:
        mover = next(client for client in clients if client.my_turn)
        assert "preview" not in mover._pace.costs
        account = house.registry.worktime._buckets._of("127.0.0.1")
        before = account.left
        mover.preview(mover.state["legal"][0])
        assert account.left < before - 1


def test_a_hint_names_the_best_moves_and_is_for_who_plays_bots_alone(house: House) -> None:
    make(find_game("druidenwalzer"), ADVISER)  # compiled here, the bots' process finds it on disk
    made = house.table([PERSON, BOT], seed=4)
    with house.players(made) as (client,):
        while not client.my_turn or client.state["revision"] < 8:
            if client.my_turn:
                client.play(client.state["legal"][0])
            else:
                client.receive()
        before = client.state
        found = client.hint()
        assert 1 <= len(found) <= 5
        assert {one["move"] for one in found} <= set(before["legal"])
        assert all(0 <= one["value"] <= 1 and one["within"] > 0 for one in found)
        assert client.hint() == found
        with pytest.raises(MoveRefused, match="stale"):
            client.do("hint", revision=before["revision"] - 1)
        assert client.state["revision"] == before["revision"]
    with house.players(house.table(seed=4)) as clients:
        mover = next(client for client in clients if client.my_turn)
        with pytest.raises(MoveRefused, match="no_hints"):
            mover.hint()
        with pytest.raises(MoveRefused, match="not_your_turn"):
            clients[1 - mover.seat].hint()


def test_undo_is_asked_and_answered_with_a_word_on_what_was_seen(house: House) -> None:
    made = house.table(seed=4)
    with house.players(made) as clients:
        play_on(clients, rng(2), 9)
        while clients[1 - clients[0].state["turn"]].state["can_undo"]:
            play_on(clients, rng(2), 1)
        asker = clients[1 - clients[0].state["turn"]]
        other = clients[1 - asker.seat]
        asker.undo()
        settle(clients, house.registry.tables[made["table"]].table.revision)
        assert other.state["undo_asked_by"] == asker.seat
        assert other.state["undo_waiting"] == [other.seat]
        other.do("undo_answer", agree=True)
        settle(clients, house.registry.tables[made["table"]].table.revision)
        assert asker.notes[-1]["kind"] == "undo"
        assert asker.notes[-1]["seen"] is True
        assert asker.my_turn
        play_on(clients, rng())
        records.verify(records.read(asker.record()))


def test_a_bot_takes_over_and_hands_back(house: House) -> None:
    made = house.table([TWO[0], BOT])
    with Client.join(made["links"][0]) as client:
        client.do("bot_takes")
        while client.state["revision"] < 8:
            client.receive()
        client.do("bot_returns")
        for state in client.turns():
            client.play(state["legal"][0])
            break
        assert client.state["presence"] == ["here", "bot"]


def test_an_abandoned_seat_can_be_given_to_a_bot(settings: Settings) -> None:
    with House(replace(settings, away_seconds=0.2)) as house:
        made = house.table()
        with house.players(made) as clients:
            with pytest.raises(MoveRefused, match="not_away"):
                clients[0].do("bot_takes", seat=1)
            clients[1].close()
            clients[0].receive()
            time.sleep(0.3)
            clients[0].do("bot_takes", seat=1)
            for state in clients[0].turns():
                clients[0].play(state["legal"][0])
                if clients[0].state["revision"] > 8:
                    break
            clients[1].connect()
            clients[1].do("bot_returns")
            settle(clients, house.registry.tables[made["table"]].table.revision)
            assert clients[0].state["presence"] == ["here", "here"]


def test_resigning_and_rematch_with_handicap(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        with pytest.raises(ServerError, match="running") as refused:
            ask(f"{house.url}/api/tables/{made['table']}/rematch", "POST", {"handicap": True}, clients[0].session)
        assert refused.value.status == 409
        play_on(clients, rng(), 12)
        clients[1].resign()
        settle(clients, house.registry.tables[made["table"]].table.revision)
        result = clients[0].state["result"]
        assert (result["end"], result["places"]) == ("resigned", [1, 2])
        assert [shares[0]["code"] for shares in result["tally"]["seats"]] == ["trees", "trees"]
        verdict = records.verify(records.read(clients[0].record()))
        assert verdict.result is not None
        assert (verdict.result.end, verdict.result.places, verdict.shuffles) == ("resigned", (1, 2), "audited")
        again = f"{house.url}/api/tables/{made['table']}/rematch"
        with Client.join(f"{house.url}/t/{made['table']}#{made['watch']}") as watcher:
            with pytest.raises(ServerError, match="no_seat"):
                ask(again, "POST", {}, watcher.session)
            first = ask(again, "POST", {"handicap": True}, clients[0].session)
            followed = ask(again, "POST", {}, watcher.session)
        assert (followed["table"], followed["keys"], followed["seat"]) == (first["table"], [None, None], None)
        with Client.join(f"{house.url}/t/{first['table']}#{followed['watch']}") as watching:
            assert watching.seat is None
        second = ask(f"{house.url}/api/tables/{made['table']}/rematch", "POST", {"handicap": True}, clients[1].session)
        assert first["table"] == second["table"] != made["table"]
        assert (first["seat"], second["seat"]) == (1, 0)
        assert second["keys"][1] is None
        clients[1].receive()
        assert clients[1].state["rematch"] == first["table"]
        links = [f"{house.url}/t/{first['table']}#{key}" for key in (second["keys"][0], first["keys"][1])]
        with Client.join(links[0]) as bo, Client.join(links[1]) as ada:
            assert (bo.seat, ada.seat) == (0, 1)
            assert ada.table["options"]["handicap_moon"] == ["2<"]
            assert ada.table["options"]["handicap_sun"] == []
            play_on([bo, ada], rng())
            # Once it is over its players may delete it: then nobody can follow there.
            ask(f"{house.url}/api/tables/{first['table']}", "DELETE", token=bo.session)
        for who in (clients[0].session, clients[1].session):
            with pytest.raises(ServerError, match="no_table") as gone:
                ask(again, "POST", {}, who)
            assert gone.value.status == 404


def test_open_seats_in_the_lobby_go_to_who_comes_first(house: House) -> None:
    made = house.table([TWO[0], {"kind": "open"}])
    lobby = ask(f"{house.url}/api/tables")
    assert [table["table"] for table in lobby] == [made["table"]]
    sat = ask(f"{house.url}/api/tables/{made['table']}/sit", "POST", {"name": "Cy"})
    assert sat["seat"] == 1
    with pytest.raises(ServerError, match="seat_taken"):
        ask(f"{house.url}/api/tables/{made['table']}/sit", "POST", {"name": "Di"})
    assert ask(f"{house.url}/api/tables") == []
    # The link that was made for that seat does not open it any more.
    with pytest.raises(ServerError, match="key"):
        Client.join(made["links"][1])
    with Client.join(made["links"][0]) as ada, Client(house.url, made["table"], sat["session"]) as cy:
        assert ada.table["seats"][1]["name"] == "Cy"
        play_on([ada, cy], rng(), 4)


def test_the_maker_cannot_slip_into_a_seat_while_it_is_taken(house: House) -> None:
    """He hears that somebody sat down, and tries the key that was made with the table at that very moment."""
    for _ in range(6):
        made = house.table([TWO[0], {"kind": "open"}])
        address = f"{house.url}/api/tables/{made['table']}"
        with Client.join(made["links"][0]) as maker, ThreadPoolExecutor(1) as guest:
            sitting = guest.submit(ask, f"{address}/sit", "POST", {"name": "Cy"})
            while maker.receive().get("note", {}).get("kind") != "sat":
                pass
            with pytest.raises(ServerError, match="key"):
                ask(f"{address}/session", "POST", None, made["keys"][1])
            assert sitting.result()["seat"] == 1


def test_a_typed_seed_is_not_for_strangers(house: House) -> None:
    with pytest.raises(ServerError, match="seed"):
        house.table([TWO[0], {"kind": "open"}], seed=1)


def test_a_link_to_an_open_seat_sits_down(house: House) -> None:
    made = house.table([TWO[0], {"kind": "open"}])
    with Client.join(made["links"][1], name="Cy") as cy:
        assert cy.table["seats"][1] == {"kind": "person", "name": "Cy", "bot": None, "out": None}


def test_time_runs_out_by_itself(settings: Settings) -> None:
    clock = [10 * 3_600_000]  # stands still while moves are played, however long that takes
    with (
        House(replace(settings, now=lambda: clock[0])) as house,
        house.players(house.table(clock={"kind": "move", "seconds": 1})) as clients,
    ):
        play_on(clients, rng(), 10)
        turn = clients[0].state["turn"]
        clock[0] += 2000
        while not clients[0].over:
            clients[0].receive()
        result = clients[0].state["result"]
        assert (result["end"], result["places"]) == ("time", [2, 1] if turn == 0 else [1, 2])


def test_tables_survive_a_restart_with_sessions_and_ids(settings: Settings) -> None:
    with House(settings) as house:
        made = house.table(clock={"kind": "game", "seconds": 100})
        with house.players(made) as clients:
            play_on(clients, rng(), 9)
            mover = next(client for client in clients if client.my_turn)
            revision, move = mover.state["revision"], mover.state["legal"][0]
            assert mover.do("move", ident="last", revision=revision, move=move)["revision"] == revision + 1
            sessions = [client.session for client in clients]
            settle(clients, revision + 1)
            views = [client.state["view"] for client in clients]
    with House(settings) as house:
        clients = [Client(house.url, made["table"], session) for session in sessions]
        assert [client.state["view"] for client in clients] == views
        again = clients[mover.seat].do("move", ident="last", revision=revision, move=move)
        assert again["revision"] == revision + 1
        assert house.registry.tables[made["table"]].table.entries[-1]["kind"] == "resumed"
        play_on(clients, rng())
        for client in clients:
            client.close()


def test_deleting(house: House) -> None:
    made = house.table([TWO[0], BOT])
    with Client.join(made["links"][0]) as client, Client.join(made["watch_link"]) as watcher:
        with pytest.raises(ServerError) as refused:
            ask(f"{house.url}/api/tables/{made['table']}", "DELETE", token=watcher.session)
        assert refused.value.status == 409
        ask(f"{house.url}/api/tables/{made['table']}", "DELETE", token=client.session)
        with pytest.raises(ServerError, match="deleted"):
            listen(client)
    with pytest.raises(ServerError, match="no_table"):
        Client.join(made["links"][0])
    made = house.table()
    with house.players(made) as clients, pytest.raises(ServerError, match="running"):
        ask(f"{house.url}/api/tables/{made['table']}", "DELETE", token=clients[0].session)


def test_many_tables_at_once(house: House) -> None:
    problems = []

    def one(seed: int) -> None:
        try:
            with house.players(house.table()) as clients:
                play_on(clients, rng(seed))
                assert clients[0].over
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=one, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_a_table_that_nobody_is_at_leaves_memory_and_comes_back(settings: Settings) -> None:
    with House(replace(settings, forget_seconds=0.1)) as house:
        made = house.table()
        with house.players(made) as clients:
            play_on(clients, rng(), 5)
            view = clients[0].state["view"]
        assert comes_true(lambda: not house.registry.tables)
        with Client.join(made["links"][0]) as client:
            assert client.state["view"] == view


@pytest.mark.parametrize("name", playable())
def test_every_game_can_be_played_by_as_many_as_it_takes(house: House, name: str) -> None:
    most = find_game(name).players[1]
    made = house.table([*TWO, *[BOT] * (most - 2)], name, seed=3)
    with house.players(made) as clients:
        play_bots_along(clients, rng(1), 60)
        assert clients[0].over or clients[0].state["revision"] > 20
        if most > 2 and not clients[0].over:
            clients[1].resign()
            assert clients[1].state["result"] is None
            assert clients[1].state["seats"][1]["out"] == "resigned"
            revision = clients[0].state["revision"]
            play_bots_along(clients, rng(2), 10)
            assert clients[0].over or clients[0].state["revision"] > revision


def play_bots_along(clients: Any, choose: Any, moves: Any) -> None:
    """So many moves of persons, with bots' moves in between."""
    for _ in range(moves):
        settle(clients)
        while not clients[0].over and not any(client.my_turn for client in clients):
            clients[0].receive()
            settle(clients)
        if clients[0].over:
            return
        mover = next(client for client in clients if client.my_turn)
        mover.play(choose.choice(mover.state["legal"]))


def test_the_table_explains_itself_and_coaches_who_learns(house: House) -> None:
    """DW-2.4: with bots alone the seat is advised; with other people every seat is told the same; a watcher is told what things are."""
    with house.players(house.table([PERSON, BOT], seed=4)) as (client,):
        while not client.my_turn:
            client.receive()
        told = client.do("about", what="board:S1")
        assert [reason["rule"] for reason in told["told"]][:1] == ["DW-4.5"]
        assert client.do("about", what="x" * 150)["told"] == []
        coached = client.do("coach", revision=client.state["revision"])
        assert coached["after"] == []
        assert set(coached["before"][0]["right"]) <= set(client.state["legal"])
        client.play(client.state["legal"][0])
        while not client.my_turn:
            client.receive()
        with pytest.raises(MoveRefused, match="stale"):
            client.do("coach", revision=client.state["revision"] - 1)
    made = house.table(seed=4)
    with house.players(made) as clients, CheckedClient.join(made["watch_link"]) as watcher:
        mover = next(client for client in clients if client.my_turn)
        other = clients[1 - mover.seat]
        assert mover.do("coach", revision=mover.state["revision"])["before"]
        assert other.do("coach", revision=mover.state["revision"])["before"] == []
        assert watcher.do("about", what="ring")["told"]
