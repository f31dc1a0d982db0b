"""Tables that begin at a stage: tries are judged, others reply by the stage, what was arranged stays, and entries rebuild all."""

from __future__ import annotations

from typing import Any

import pytest

from drunemeton.lessons import Stage, find_stage, stages
from drunemeton.records import read, replay, write
from drunemeton.rules.game import playable
from drunemeton.table import Refused, Table, begun_at, made, seats_of

TAUGHT = [stage for game in playable() for stage in stages(game) if not stage.closing]


def table_of(stage: Stage, *, lesson: bool = True) -> Table:
    seats = seats_of(stage, "Ada") if lesson else [{"kind": "person", "name": f"P{n}"} for n in range(stage.seats)]
    entry = made(stage.game, seats, now=0, options=stage.options, components=stage.components)
    return Table("t", begun_at(entry, stage, lesson=lesson))


def reply(table: Table) -> None:
    while table.bot_due is not None and table.reply is not None:
        table.move_by_bot(table.bot_due[0], table.game.offered()[table.reply], now=1)


@pytest.mark.parametrize("stage", TAUGHT, ids=lambda stage: f"{stage.game}-{stage.name}")
def test_a_stage_is_learnt_at_a_table_and_the_table_is_rebuilt_as_it_was(stage: Stage) -> None:
    table = table_of(stage)
    assert (table.turn, table.lesson_done, table.describe()["arranged"], table.describe()["auditable"]) == (stage.seat, False, True, False)
    for move in stage.solution:
        assert not table.lesson_done
        table.move(stage.seat, move, now=1)
        reply(table)
    assert table.lesson_done
    again = Table.rebuild("t", table.entries)
    assert again.game.view(stage.seat) == table.game.view(stage.seat)
    assert again.lesson_done
    assert again.bot_due is None, "nobody goes on after the goal"


def test_a_wrong_try_is_refused_with_what_would_happen_and_changes_nothing() -> None:
    table = table_of(find_stage("celtica", "parts"))
    before = table.state(0, 0)
    with pytest.raises(Refused) as refused:
        table.move(0, "take sun", now=1)
    assert (refused.value.reason.code, refused.value.reason.params["part"]) == ("lesson.ce.parts.wrong.twice", "sun")
    assert table.state(0, 0) == before
    table.move(0, "take star", now=1)


def test_what_is_no_legal_move_is_refused_by_the_rules_first() -> None:
    with pytest.raises(Refused) as refused:
        table_of(find_stage("celtica", "parts")).move(0, "take flame", now=1)
    assert refused.value.reason.code == "ce.not_in_display"


def test_nothing_that_was_arranged_is_taken_back() -> None:
    stage = find_stage("celtica", "parts")
    table = table_of(stage)
    assert not table.can_undo(0)
    assert not table.has_moved(0)
    with pytest.raises(Refused):
        table.undo(0, now=1)
    view = table.game.view(0)
    table.move(0, "take star", now=1)
    table.undo(0, now=1)
    assert table.game.view(0) == view
    table.move(0, "take oak", now=1)


def test_after_the_goal_nobody_moves() -> None:
    table = table_of(find_stage("druidenwalzer", "dance"))
    table.move(1, "W 4>@2", now=1)
    assert table.bot_due is None
    assert table.reply is None


def test_with_friends_nothing_is_judged_and_every_seat_is_told_that_it_is_arranged() -> None:
    stage = find_stage("druidenwalzer", "way")
    table = table_of(stage, lesson=False)
    table.move(1, "R 5>", now=1)
    assert table.turn == 0
    said: dict[str, Any] = table.describe()
    assert (said["arranged"], said["auditable"], said["lesson"]) == (True, False, None)


def test_the_closing_game_is_dealt_like_any_other() -> None:
    stage = find_stage("celtica", "game")
    tables = [table_of(stage) for _ in range(2)]
    assert tables[0].game.orders() != tables[1].game.orders()
    assert tables[0].describe()["auditable"]
    assert tables[0].describe()["lesson"]["closing"]
    assert tables[0].reply is None


def test_a_table_whose_stage_is_gone_can_still_be_played() -> None:
    stage = find_stage("druidenwalzer", "way")
    entry = table_of(stage).opening | {"lesson": "forgotten"}
    table = Table("t", entry)
    table.move(1, "R 5>", now=1)
    assert table.lesson is None


def test_the_record_of_an_arranged_game_replays_and_claims_no_audit() -> None:
    table = table_of(find_stage("druidenwalzer", "conquer"), lesson=False)
    table.move(1, "W 2>@4", now=1)
    assert table.over
    record = read(write(table.game))
    assert (record.auditable, record.secret) == (False, None)
    assert replay(record).result == table.game.result
