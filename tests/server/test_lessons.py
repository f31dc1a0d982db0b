"""Lessons over the wire: the list of stages, a stage learnt to its end, a wrong try, and a table for friends."""

from __future__ import annotations

from typing import Any

import pytest

from drunemeton.client import MoveRefused, ServerError, ask
from drunemeton.lessons import figures, find_stage, stages

from .house import CheckedClient, House


def test_the_stages_are_listed(house: House) -> None:
    listed = ask(f"{house.url}/api/lessons/celtica")
    assert [one["name"] for one in listed] == [stage.name for stage in stages("celtica")]
    assert listed[-1]["closing"]
    with pytest.raises(ServerError):
        ask(f"{house.url}/api/lessons/chess")


def test_the_figures_of_how_to_play_come_as_positions(house: House) -> None:
    told = ask(f"{house.url}/api/lessons/druidenwalzer/figures")
    assert [one["name"] for one in told] == [one["name"] for one in figures("druidenwalzer")]
    assert set(told[0]["view"]["hand"]["sun"]) <= {"?", None}, "a figure knows what its seat knows"
    with pytest.raises(ServerError):
        ask(f"{house.url}/api/lessons/chess/figures")


def test_a_stage_is_learnt_over_the_wire_and_the_opponent_replies(house: House) -> None:
    stage = find_stage("druidenwalzer", "jump")
    made = house.table([{"kind": "person", "name": "Ada"}], stage.game, stage=stage.name, lesson=True)
    with CheckedClient.join(made["links"][stage.seat]) as client:
        assert client.table["lesson"]["name"] == "jump"
        assert client.table["arranged"]
        with pytest.raises(MoveRefused, match=r"lesson\.dw\.jump\.wrong\.druid"):
            client.play("J purple")
        client.play("J orange")
        while not client.state["lesson_done"]:
            client.receive()
        assert client.state["view"]["trees"][0]["tokens"] == 1


def test_a_table_for_friends_begins_at_a_stage(house: House) -> None:
    made = house.table([{"kind": "person", "name": "Ada"}, {"kind": "open"}], stage="contest")
    with CheckedClient.join(made["links"][0]) as client:
        assert (client.table["arranged"], client.table["auditable"], client.table["lesson"]) == (True, False, None)


@pytest.mark.parametrize("asked", [{"stage": "nothing"}, {"stage": "contest", "seats": [{"kind": "person"}] * 3}])
def test_what_is_no_stage_makes_no_table(house: House, asked: Any) -> None:
    body = {"game": "druidenwalzer", "seats": [{"kind": "person"}, {"kind": "person"}], **asked}
    with pytest.raises(ServerError):
        ask(f"{house.url}/api/tables", "POST", body)
