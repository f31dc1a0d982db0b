"""Tables that begin where a finished game stood: arranged, with its cards, and never while that game is played."""

from __future__ import annotations

import pytest

from drunemeton.client import Client, ServerError, make_table

from ..patience import comes_true
from .house import BOT, PERSON, House, play_on, rng

pytestmark = pytest.mark.slow


def test_a_game_goes_on_from_where_a_finished_one_stood(house: House) -> None:
    made = house.table()
    with house.players(made) as clients:
        play_on(clients, rng(), 9)
        with pytest.raises(ServerError) as found:
            make_table(house.url, "druidenwalzer", [PERSON, BOT], position={"table": made["table"], "step": 4})
        assert found.value.code == "running"
        clients[0].resign()
        assert comes_true(lambda: house.registry.tables[made["table"]].table.over)
    old = house.registry.tables[made["table"]].table
    seats = [PERSON if seat == old.game.steps[9].seat else BOT for seat in range(2)]
    again = make_table(house.url, "druidenwalzer", seats, position={"table": made["table"], "step": 8})
    new = house.registry.tables[again["table"]].table
    assert [step.move for step in new.game.steps] == [step.move for step in old.game.steps[:9]]
    assert new.game.orders() == old.game.orders()[:9]
    assert not new.opening["auditable"]
    with Client.join(next(link for link in again["links"] if link)) as client:
        state = next(iter(client.turns()))
        assert old.game.steps[9].move in state["legal"]
    with pytest.raises(ServerError):
        make_table(house.url, "druidenwalzer", seats, position={"table": made["table"], "step": 9})
