"""Chances of running games: nobody sees any while a person plays who has not agreed, and then they follow from what all can see alone."""

from __future__ import annotations

from typing import Any

import pytest

from drunemeton.appraisal.played import listened
from drunemeton.appraisal.thinking import ReviewBot
from drunemeton.client import Client, ServerError, ask
from drunemeton.rules.drive import Engine
from drunemeton.rules.game import find_game, playable
from drunemeton.rules.kernel import OPEN, SPECTATOR
from drunemeton.server import chances, conversation
from drunemeton.server.live_table import LiveTable
from drunemeton.table import Table, made

from ..patience import comes_true
from .house import BOT, PERSON, House, listen, play_on, rng
from .test_noninterference import played, twin_games
from .test_review import fetch


def answers(house: House, table: str, sessions: list[str]) -> list[Any]:
    """What a server answers those who ask for the chances of a table: strangers, and whoever has one of these sessions."""
    return [fetch(house, f"/api/tables/{table}/chances", session=session) for session in [None, *sessions]]


@pytest.mark.slow
def test_nobody_sees_chances_before_every_person_has_agreed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    made = house.table(seats=[PERSON, PERSON, BOT], game="celtica")
    with house.players(made) as clients, Client.join(f"{house.url}/t/{made['table']}#{made['watch']}") as watching:
        sessions = [client.session for client in (*clients, watching)]

        def told() -> set[int]:
            found = answers(house, made["table"], sessions)
            assert all(answer == found[0] for answer in found), "not everybody is told the same"
            return {status for status, _ in found}

        play_on(clients, rng(), 3)
        assert told() == {409}
        clients[0].do("agree", agree=True)
        assert told() == {409}
        clients[1].do("agree", agree=True)
        assert comes_true(lambda: watching.receive()["agreed"] == [0, 1])
        assert told() == {200}
        clients[0].do("agree", agree=False)
        assert told() == {409}
        clients[0].resign()  # whoever is out has no say
        assert comes_true(lambda: house.registry.tables[made["table"]].table.seats[0].out is not None)
        assert told() == {200}
        clients[1].do("agree", agree=False)
        assert told() == {409}
        # A planted leak is found.
        monkeypatch.setattr(chances, "may_be_shown", lambda table, agreed: True)
        assert told() == {200}


@pytest.mark.parametrize(
    ("seats", "agreed", "may"),
    [
        ([BOT, BOT], [], True),
        ([PERSON, BOT], [], False),
        ([PERSON, BOT], [1], False),
        ([PERSON, BOT], [0], True),
        ([{"kind": "open"}, BOT], [0], False),
    ],
)
def test_who_has_a_say(seats: Any, agreed: list[int], may: bool) -> None:
    assert chances.may_be_shown(Table("t", made("druidenwalzer", seats, now=0, chance=1)), agreed) is may


def test_before_everybody_has_come_there_is_nothing_to_show() -> None:
    opening = made("druidenwalzer", [PERSON, PERSON], now=0, chance=1) | {"waits": True}
    assert not chances.may_be_shown(Table("t", opening), [0, 1])


# What is handed to who appraises is compared for all games, what he answers for the smallest: his answer follows from that alone.
SMALLEST = min(playable(), key=lambda name: find_game(name).action_count)


@pytest.mark.parametrize("name", playable())
def test_chances_follow_from_what_all_can_see(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = find_game(name)
    moves, *deals = twin_games(kind, SPECTATOR, 3, 24)
    one, other = (played(kind, orders, moves) for orders in deals)
    assert chances.public_story(one) == chances.public_story(other)
    if name == SMALLEST:
        bot, last = ReviewBot(kind), len(moves)
        asked = [{**chances.public_story(game), "steps": [0, last]} for game in (one, other)]
        found = [bot.review(("", "public", more), seed=0) for more in asked]
        assert found[0] == found[1]
        assert [sum(values) for values in found[0]["chances"]] == pytest.approx([1, 1], abs=1e-3)
    # A planted leak is found.
    monkeypatch.setattr(chances, "SPECTATOR", OPEN)
    assert chances.public_story(one) != chances.public_story(other)


@pytest.mark.parametrize("name", playable())
def test_the_story_leads_to_what_spectators_know(name: str) -> None:
    kind = find_game(name)
    game = kind.new(seed=5)
    for _ in range(20):
        game.play(rng().choice(game.legal()))
    told = chances.public_story(game)
    laid = kind.lay_out(told["seats"], told["options"], told["components"])
    engine = Engine(kind)
    *_, box = listened(engine, laid.knowledge, told["story"])
    assert (box == engine.box(game.known_to(SPECTATOR))).all()


def test_each_step_is_told_with_the_revision_that_brought_it() -> None:
    table = Table("t", made("druidenwalzer", [PERSON, BOT], now=0, chance=1))
    for _ in range(3):
        assert table.turn is not None
        table.seats[table.turn].bot = None
        table.move(table.turn, next(iter(table.offered)), now=1)
    assert chances.reached_at(table) == [0, 1, 2, 3]
    seat = table.game.steps[-1].seat
    table.undo(seat, now=2)
    while table.ask is not None:
        table.answer_undo(min(table.ask.waiting), True, now=3)
    kept = len(table.game.steps)
    assert chances.reached_at(table) == [0, 1, 2, 3][:kept]
    table.move(table.turn, next(iter(table.offered)), now=4)
    assert chances.reached_at(table) == [*range(kept), table.revision]


def test_what_was_taken_back_has_other_marks() -> None:
    marks = chances.marks_of([[1], [2], [3]])
    assert chances.marks_of([[1], [2], [4]])[:2] == marks[:2]
    assert chances.marks_of([[1], [2], [4]])[2] != marks[2]
    assert chances.marks_of([[1], [5], [3]])[2] != marks[2]


@pytest.mark.slow
def test_bots_alone_are_watched_with_their_chances(house: House) -> None:
    made = house.table(seats=[{"kind": "bot", "bot": "level-5"}] * 2)  # they take their time, so that there is something to watch
    path = f"/api/tables/{made['table']}/chances"
    with Client.join(f"{house.url}/t/{made['table']}#{made['watch']}"):
        assert comes_true(lambda: len(fetch(house, path)[1]["points"]) > 1)
        for values in fetch(house, path)[1]["points"]:
            assert sum(values) == pytest.approx(1, abs=1e-3)


@pytest.mark.slow
def test_whoever_takes_over_a_seat_has_not_agreed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two have agreed; then somebody else comes with the link of one of them, or the one comes on another device: he is asked himself."""
    made = house.table(seats=[PERSON, PERSON])
    path = f"/api/tables/{made['table']}/chances"
    with house.players(made) as clients:
        for client in clients:
            client.do("agree", agree=True)
        assert fetch(house, path)[0] == 200
        with Client.join(made["links"][1]) as another:
            assert fetch(house, path)[0] == 409
            assert comes_true(lambda: clients[0].receive()["agreed"] == [0])
            another.do("agree", agree=True)
            assert fetch(house, path)[0] == 200
            assert fetch(house, f"/api/tables/{made['table']}/review")[0] == 409
            # A planted leak is found.
            monkeypatch.setattr(LiveTable, "forget_agreement", lambda live, seat: None)
            with Client.join(made["links"][1]):
                assert fetch(house, path)[0] == 200


@pytest.mark.slow
def test_whoever_sits_down_after_the_others_agreed_is_asked_himself(house: House) -> None:
    made = house.table(seats=[PERSON, {"kind": "open"}, BOT], game="celtica")
    path = f"/api/tables/{made['table']}/chances"
    with Client.join(made["links"][0]) as first:
        first.do("agree", agree=True)
        assert fetch(house, path)[0] == 409, "nobody is dealt anything before everybody has come"
        sat = ask(f"{house.url}/api/tables/{made['table']}/sit", "POST", {"name": "Bo"})
        with Client(house.url, made["table"], sat["session"]) as second:
            assert second.state["waiting_for"] == []
            assert fetch(house, path)[0] == 409
            second.do("agree", agree=True)
            assert fetch(house, path)[0] == 200


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["review", "chances", "appraise", "analyse", "public", "why"])
def test_no_message_asks_for_what_a_running_game_is_worth(house: House, kind: str) -> None:
    """The WebSocket knows no such message: whoever sends one is sent away, players and spectators alike."""
    made = house.table(seats=[PERSON, PERSON])
    with house.players(made) as clients, Client.join(f"{house.url}/t/{made['table']}#{made['watch']}") as watching:
        play_on(clients, rng(), 3)
        for client in (*clients, watching):
            client.send({"type": kind, "id": "x", "revision": client.state["revision"]})
            with pytest.raises(ServerError) as sent_away:
                listen(client)
            assert sent_away.value.code == "garbage"


WORTH = {"value", "values", "chance", "chances", "points", "within"}


def words_in(answer: Any) -> set[str]:
    """The names of all fields in an answer, however deep."""
    if isinstance(answer, dict):
        return set(answer).union(*map(words_in, answer.values()))
    return set().union(*map(words_in, answer)) if isinstance(answer, list) else set()


@pytest.mark.slow
def test_no_message_is_answered_by_a_value_while_people_play(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a player or spectator may send: no answer holds a number of the appraisal, nor what the adviser would do."""
    made = house.table(seats=[PERSON, PERSON])
    with house.players(made) as clients, Client.join(f"{house.url}/t/{made['table']}#{made['watch']}") as watching:
        play_on(clients, rng(), 3)

        def answered() -> set[str]:
            told = set()
            for client in (*clients, watching):
                asked: dict[str, dict[str, Any]] = {"hint": {}, "coach": {}, "about": {"what": "ring"}, "again": {"first": 0, "last": 1}}
                for kind, fields in asked.items():
                    client.send({"type": kind, "id": "x", "revision": client.state["revision"], **fields})
                    while (answer := client.receive())["type"] in {"state", "events"}:
                        pass
                    told.add(answer["type"])
                    assert answer["type"] == "hinted" or not WORTH & words_in(answer), answer
            return told

        assert answered() <= {"refused", "coached", "explained", "again"}
        # A planted leak is found.
        monkeypatch.setattr(conversation, "_alone", lambda table, seat: True)
        assert "hinted" in answered()
