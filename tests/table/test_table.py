"""Tables, without any server: whole games, taking back, clocks, leaving, and that the entries alone rebuild everything."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from drunemeton.rules.chance import Chance
from drunemeton.rules.errors import BadComponents, BadOption, GameError
from drunemeton.rules.game import Result
from drunemeton.rules.kernel import SPECTATOR
from drunemeton.table import Refused, Table, made, rematch
from drunemeton.table.streaks import streaks_after

from .games import find

PEOPLE = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}]


def new(seats: Any = None, game: str = "druidenwalzer", seed: int = 1, **more: Any) -> Any:
    return Table("t1", made(game, seats or PEOPLE, now=0, chance=seed, find=find, **more), find=find)


def rebuilt(table: Any) -> Any:
    """The table from its entries, having been through JSON; everything that anybody is shown must be the same."""
    again = Table.rebuild(table.ident, json.loads(json.dumps(table.entries)), find=find)
    now = table.entries[-1]["at"] + 5
    for seat in (*range(len(table.seats)), None):
        assert again.state(seat, now) == table.state(seat, now)
    assert again.describe() == table.describe()
    assert again.bot_due == table.bot_due
    assert again.deadline() == table.deadline()
    return again


def play_some(table: Any, count: int, rng: random.Random, now: int = 0) -> Any:
    for _ in range(count):
        if table.over:
            break
        now += 1
        turn = table.turn
        if table.seats[turn].bot:
            table.move_by_bot(turn, rng.choice(table.game.actions()), now=now)
        else:
            table.move(turn, rng.choice(table.legal(turn)), now=now)
    return now


@pytest.mark.parametrize("seed", range(4))
def test_whole_games_rebuild_at_every_length(seed: int) -> None:
    rng = random.Random(seed)
    table = new(seed=seed)
    now = 0
    while not table.over:
        now = play_some(table, rng.randint(1, 9), rng, now)
        rebuilt(table)
    assert table.turn is None
    assert table.result is not None
    assert table.secret == Chance.from_seed(seed).secret.hex()
    with pytest.raises(Refused, match="over"):
        table.move(0, "pass", now=now)


def test_a_table_names_how_its_shuffles_follow() -> None:
    table = new()
    assert table.opening["derivation"] == "pile"
    rebuilt(table)
    former = {name: value for name, value in table.opening.items() if name != "derivation"}
    assert Table("t1", former, find=find).chance.derivation == "step"


def test_only_the_seat_on_turn_moves_and_is_told_its_moves() -> None:
    table = new()
    turn = table.turn
    assert table.legal(turn)
    assert table.legal(1 - turn) == []
    assert table.legal(None) == []
    before = len(table.entries)
    for seat, code in ((1 - turn, "not_your_turn"), (None, "no_seat"), (7, "no_seat"), (-1, "no_seat")):
        with pytest.raises(Refused, match=code):
            table.move(seat, table.legal(turn)[0], now=1)
    with pytest.raises(Refused, match=r"dw\.unreadable") as refused:
        table.move(turn, "dance!", now=1)
    assert refused.value.reason.rule == "DW-10.3"
    assert len(table.entries) == before
    assert table.secret is None


def test_a_bots_seat_is_not_moved_by_a_person_and_the_other_way_round() -> None:
    table = new([PEOPLE[0], {"kind": "bot", "bot": "random"}])
    assert table.bot_due == (1, "random")
    move = table.game.legal()[0]
    with pytest.raises(Refused, match="bot_plays"):
        table.move(1, move, now=1)
    for illegal in (-1, table.game.action_count - 1):
        with pytest.raises(Refused):
            table.move_by_bot(1, illegal, now=1)
    with pytest.raises(Refused, match="not_your_turn"):
        table.move_by_bot(0, table.game.actions()[0], now=1)
    table.move_by_bot(1, table.game.actions()[0], now=1)
    assert table.entries[-1]["move"] == move


def test_a_bots_move_is_an_integer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its text is written for the record, once; nothing is read back, and the texts of all other moves are not asked for."""
    table = new([PEOPLE[0], {"kind": "bot", "bot": "random"}])

    def fail(*_: Any) -> None:
        raise AssertionError("a text was made or read")

    for name in ("offered", "parse_move", "why_not"):
        monkeypatch.setattr(type(table.game), name, fail)
    table.move_by_bot(1, table.game.actions()[0], now=1)
    assert table.revision == 1


def test_what_was_asked_for_is_checked() -> None:
    for bad in (
        lambda: new([{"kind": "ghost"}] * 2),
        lambda: new([{"kind": "bot"}] * 2),
        lambda: new([{"kind": "person", "name": "x" * 41}, PEOPLE[1]]),
        lambda: new([{"kind": "person", "name": "a\nb"}, PEOPLE[1]]),
        lambda: new(PEOPLE * 2),
        lambda: new(clock={"kind": "sand", "seconds": 3}),
        lambda: new(clock={"kind": "move", "seconds": 0}),
        lambda: new(options={"moon": 1}),
    ):
        with pytest.raises(BadOption):
            bad()
    with pytest.raises(BadComponents):
        new(components={"sun": {}})
    with pytest.raises(GameError):
        new(game="chess")


def test_undo_by_information_needs_nobody() -> None:
    table = new()
    rng = random.Random(2)
    while not table.can_undo(table.game.steps[-1].seat):
        play_some(table, 1, rng)
    seat = table.game.steps[-1].seat
    shown = table.game.view(SPECTATOR)
    steps = len(table.game.steps)
    change = table.undo(seat, now=100, ident="u")
    assert change.note == {"kind": "undo", "seat": seat, "steps": 1, "seen": False}
    assert len(table.game.steps) == steps - 1
    assert table.game.view(SPECTATOR) != shown
    assert table.done(seat, "u") == table.revision
    rebuilt(table)


def _must_ask(seed: int = 1) -> Any:
    table, rng = new(seed=seed), random.Random(3)
    play_some(table, 9, rng)
    asker = 1 - table.turn
    while table.can_undo(asker):
        play_some(table, 1, rng)
        asker = 1 - table.turn
    return table, asker


def test_undo_by_consent_replays_and_says_what_was_seen() -> None:
    table, asker = _must_ask()
    own = max(n for n, step in enumerate(table.game.steps) if step.seat == asker)
    before = Table.rebuild("t1", table.entries[:1] + [e for e in table.entries[1:] if e["kind"] == "move"][: own - 1])
    change = table.undo(asker, now=50, ident="u")
    assert change.note is not None
    assert change.note["kind"] == "undo_asked"
    assert table.ask is not None
    with pytest.raises(Refused, match="undo_is_asked"):
        table.undo(asker, now=51)
    with pytest.raises(Refused, match="no_undo_asked"):
        table.answer_undo(asker, True, now=51)
    rebuilt(table)
    change = table.answer_undo(1 - asker, True, now=52, ident="y")
    assert change.note is not None
    assert change.note["seen"] is True
    assert table.done(1 - asker, "y") == table.revision
    assert table.done(asker, "y") is None
    for watcher in (0, 1, SPECTATOR):
        assert table.game.view(watcher) == before.game.view(watcher)
    rebuilt(table)
    # The same move brings the same shuffles: what was seen stays known.
    play_some(rebuilt(table), 30, random.Random(5))


def test_undo_refused_and_overtaken() -> None:
    table, asker = _must_ask()
    table.undo(asker, now=50)
    table.answer_undo(1 - asker, False, now=51)
    assert table.ask is None
    table.undo(asker, now=52)
    play_some(table, 1, random.Random(1), 53)
    assert table.ask is None
    rebuilt(table)
    with pytest.raises(Refused, match="nothing_to_undo"):
        new().undo(0, now=1)


def test_a_bot_never_objects_to_undo() -> None:
    table = new([PEOPLE[0], {"kind": "bot", "bot": "random"}])
    play_some(table, 12, random.Random(4))
    change = table.undo(0, now=99)
    assert change.note is not None
    assert change.note["kind"] == "undo"
    rebuilt(table)


def test_resigning_ends_a_game_of_two() -> None:
    table = new()
    table.resign(1, now=4, bot="random")
    assert table.result is not None
    assert (table.result.end, table.result.places, table.result.winners) == ("resigned", (1, 2), [0])
    assert table.state(0, 5)["legal"] == []
    assert table.secret
    rebuilt(table)


def test_with_three_a_bot_plays_on_for_who_leaves() -> None:
    three = [*PEOPLE, {"kind": "person", "name": "Cy"}]
    table = new(three, "numbers", clock={"kind": "move", "seconds": 10})
    table.resign(0, now=1, bot="random")
    assert not table.over
    assert table.bot_due == (0, "random")
    with pytest.raises(Refused, match="is_out"):
        table.bot_returns(0, now=2)
    with pytest.raises(Refused, match="is_out"):
        table.resign(0, now=2, bot="random")
    table.move_by_bot(0, 1, now=2)
    table.move(1, "2", now=3)
    table.move(2, "1", now=4)
    table.move_by_bot(0, 1, now=5)
    assert table.deadline() == 10_005
    assert table.flag(now=10_005, bot="greedy").note == {"kind": "flagged", "seat": 1}
    assert table.bot_due == (1, "greedy")
    rebuilt(table)
    table.move_by_bot(1, 2, now=10_006)
    table.move(2, "1", now=10_007)
    assert table.result is not None
    assert table.result.places == (2, 1, 2)


def test_a_bot_takes_a_seat_and_hands_it_back() -> None:
    table = new()
    turn = table.turn
    with pytest.raises(Refused, match="no_bot_plays"):
        table.bot_returns(turn, now=1)
    table.bot_takes(turn, now=1, bot="random", ident="b")
    assert table.bot_due == (turn, "random")
    with pytest.raises(Refused, match="bot_plays"):
        table.move(turn, table.game.legal()[0], now=2)
    play_some(table, 1, random.Random(1), 2)
    rebuilt(table)
    table.bot_returns(turn, now=3)
    assert table.bot_due is None
    rebuilt(table)
    table.bot_takes(0, now=4, bot="random", ident="c", asked_by=1)
    assert table.done(1, "c") == table.revision


def test_open_seats_are_taken() -> None:
    table = new([PEOPLE[0], {"kind": "open"}])
    with pytest.raises(Refused, match="is_open"):
        table.bot_takes(1, now=1, bot="random")
    table.sit(1, " Cy ", now=2)
    assert table.seats[1].describe() == {"kind": "person", "name": "Cy", "bot": None, "out": None}
    with pytest.raises(Refused, match="no_such_seat"):
        table.sit(5, "X", now=3)
    rebuilt(table)


def test_clock_per_game_runs_for_persons_after_everybodys_first_decision() -> None:
    table, rng = new(clock={"kind": "game", "seconds": 100}), random.Random(1)
    first = table.turn
    assert table.deadline() is None
    table.move(first, table.legal(first)[0], now=60_000)
    assert table.deadline() is None
    while table.deadline() is None:
        play_some(table, 1, rng, 70_000)
    turn = table.turn
    assert table.deadline() == 170_001
    table.move(turn, table.legal(turn)[0], now=90_001)
    assert table.clocks(90_001)["left"][turn] == 80_000
    again = rebuilt(table)
    # The server was down for an hour: nobody is charged for it.
    again.resume(now=4_000_000)
    assert again.clocks(4_000_000) == table.clocks(90_001)
    turn = table.turn
    table.bot_takes(turn, now=90_002, bot="random")
    assert table.deadline() is None
    rebuilt(table)


def test_time_is_up() -> None:
    table = new(clock={"kind": "move", "seconds": 5})
    rng = random.Random(1)
    now = play_some(table, 12, rng)
    turn = table.turn
    with pytest.raises(Refused, match="time_left"):
        table.flag(now=now + 4999, bot="random")
    with pytest.raises(Refused, match="time"):
        table.move(turn, table.legal(turn)[0], now=now + 5000)
    table.flag(now=now + 5000, bot="random")
    assert table.result is not None
    assert table.result.end == "time"
    assert table.result.winners == [1 - turn]
    rebuilt(table)


def test_a_decision_has_its_time_once() -> None:
    """Neither a bot that holds the seat for a moment nor taking back gives new time."""
    table = new(clock={"kind": "move", "seconds": 5})
    now = play_some(table, 12, random.Random(1))
    turn = table.turn
    table.bot_takes(turn, now=now + 2000, bot="random")
    assert table.deadline() is None
    table.bot_returns(turn, now=now + 60_000)
    assert table.deadline() == now + 63_000
    rebuilt(table)
    table.move(turn, table.legal(turn)[0], now=now + 62_000)
    if table.undo(turn, now=now + 62_500).note["kind"] == "undo_asked":
        table.answer_undo(1 - turn, True, now=now + 62_500)
    assert table.turn == turn
    assert table.deadline() == now + 63_500, "one second was left to him when he moved"
    rebuilt(table)


def test_messages_carried_out_are_remembered_after_a_rebuild() -> None:
    table = new()
    turn = table.turn
    table.move(turn, table.legal(turn)[0], now=1, ident="m1")
    assert rebuilt(table).done(turn, "m1") == 1
    assert table.done(1 - turn, "m1") is None


def test_a_first_place_that_all_share_names_all_and_ends_a_streak() -> None:
    """CE-6.4, DD-6.2: a shared victory is one, for as many as share it."""
    assert Result("goal", (1, 1, 3, 4)).winners == [0, 1]
    assert Result("goal", (1, 1, 1)).winners == [0, 1, 2]
    table = new()
    table.opening["series"] = {"streaks": [2, 1]}
    table.result = Result("draw", (1, 1))
    assert streaks_after(table.opening["series"], table.result) == [0, 0]
    table.result = Result("conquest", (1, 2))
    assert streaks_after(table.opening["series"], table.result) == [3, 0]


def test_events_since_a_revision() -> None:
    table = new()
    play_some(table, 6, random.Random(1))
    assert table.events_since(4, 0) == table.game.events(0, since=5)
    assert table.events_since(table.revision, 0) == []
    assert table.events_since(99, 0) is None
    table.bot_takes(0, now=9, bot="random")
    assert table.events_since(4, 0) == table.game.events(0, since=5), "what is no move changes no story"


def test_events_since_a_revision_after_something_was_taken_back() -> None:
    table, asker = _must_ask()
    seen = table.revision
    table.undo(asker, now=50)
    table.answer_undo(1 - asker, True, now=51)
    for watcher in (0, 1, SPECTATOR):
        assert table.events_since(seen, watcher) is None, "what he saw is no longer so"
        assert table.events_since(0, watcher) == table.game.events(watcher, since=1), "who saw nothing of it is told what counts now"


def test_an_unknown_entry_is_refused_loudly() -> None:
    table = new()
    with pytest.raises(GameError, match="does not know"):
        Table.rebuild("t", [*table.entries, {"kind": "teleported", "at": 3}])


def test_a_table_of_other_rules_is_refused_loudly() -> None:
    table = new()
    with pytest.raises(GameError, match="version 99 of the rules"):
        Table.rebuild("t", [table.opening | {"rules": 99}])


def finish(table: Any, loser: Any) -> Any:
    table.resign(loser, now=table.entries[-1]["at"] + 1, bot="random")
    return table


def next_game(table: Any, **more: Any) -> Any:
    return Table("t2", rematch(table, now=9, **more))


def test_rematch_swaps_seats_and_gives_the_handicap_of_dw_8_1() -> None:
    first = finish(new(), loser=1)
    second = next_game(first, handicap=True)
    assert [seat.name for seat in second.seats] == ["Bo", "Ada"]
    assert second.opening["options"]["handicap_moon"] == ["2<"]
    assert second.opening["options"]["handicap_sun"] == []
    assert second.opening["series"]["streaks"] == [0, 1]
    assert second.state(None, 9)["left_out"] == []
    finish(second, loser=0)
    assert second.state(None, 9)["left_out"] == [[], [["2<", "2>"], ["3<", "3>"]]], "what the page offers comes from the rule"
    third = next_game(second, handicap=True, cards={1: ["3>", "2>"]})
    assert [seat.name for seat in third.seats] == ["Ada", "Bo"]
    assert third.opening["options"]["handicap_sun"] == ["3>", "2>"]
    assert third.opening["options"]["handicap_moon"] == []
    fourth = next_game(finish(third, loser=1), handicap=False)
    assert fourth.opening["options"]["handicap_sun"] == fourth.opening["options"]["handicap_moon"] == []
    assert fourth.opening["series"]["streaks"] == [0, 3]
    fifth = next_game(finish(fourth, loser=1), handicap=True)
    assert fifth.opening["series"]["streaks"] == [0, 1]
    assert fifth.opening["options"]["handicap_moon"] == ["2<"]
    rebuilt(fifth)
    with pytest.raises(Refused, match="running"):
        rematch(fifth, now=10, handicap=True)
    with pytest.raises(BadOption):
        rematch(finish(fifth, loser=0), now=10, handicap=True, cards={1: ["5<"]})


def test_a_handicap_agreed_on_freely_moves_along_with_its_player() -> None:
    first = finish(new(options={"handicap_sun": ["1<"]}), loser=1)
    second = next_game(first, handicap=True)
    assert second.opening["options"]["handicap_moon"] == ["1<", "2<"]
    third = next_game(finish(second, loser=1), handicap=True)
    assert third.opening["options"]["handicap_sun"] == ["1<"]
    assert third.opening["options"]["handicap_moon"] == ["2<"]


def test_a_rematch_is_noted_once() -> None:
    table = finish(new(), loser=0)
    table.note_rematch("t2", now=9)
    assert table.state(None, 9)["rematch"] == "t2"
    with pytest.raises(Refused, match="rematch_is_made"):
        table.note_rematch("t3", now=9)
    rebuilt(table)
    with pytest.raises(Refused, match="running"):
        new().note_rematch("t2", now=9)
