"""A table in this process: what a bot for the network is tried at, without a server and its limits."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from drunemeton import client, records
from drunemeton.client import MoveRefused
from drunemeton.local import LocalClient
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import playable

EXAMPLE = Path(__file__).parents[1] / "examples" / "twenty_line_bot.py"


@pytest.mark.parametrize("seats", [["me", "random"], ["random", "me"]])
def test_the_example_bot_plays_here_as_it_does_at_a_server(
    seats: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unchanged: it is handed this table where it would have joined another."""
    made: list[LocalClient] = []

    def join(link: str, name: str | None = None) -> LocalClient:
        made.append(LocalClient(link, seats, seed=4))
        return made[0]

    monkeypatch.setattr(client.Client, "join", join)
    monkeypatch.setattr("sys.argv", ["twenty_line_bot.py", "druidenwalzer"])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    end, place = capsys.readouterr().out.split()
    assert made[0].state["result"] == {"end": end, "places": [int(place), 3 - int(place)][:: 1 if seats[0] == "me" else -1]}
    record = records.read(made[0].record())
    assert records.replay(record).over


@pytest.mark.parametrize("name", playable())
def test_what_a_seat_is_told_here_is_what_it_may_know(name: str) -> None:
    with LocalClient(name, ["me", "random"], seed=3, options=None) as table:
        told: list[Any] = []
        for number, state in enumerate(table.turns()):
            assert state["turn"] == table.seat
            assert state["view"] == table.game.view(table.seat)
            told += table.news()
            assert told == table.game.events(table.seat)
            if number == 12:
                break
            table.play(state["legal"][number % len(state["legal"])])


def test_what_cannot_be_done_is_refused_with_its_reason() -> None:
    table = LocalClient("druidenwalzer", seed=1)
    before = table.state
    for call in (table.play, table.preview):
        with pytest.raises(MoveRefused) as refused:
            call("W 99<@7")
        assert refused.value.reason.code
    with pytest.raises(MoveRefused, match="nothing_to_undo"):
        LocalClient("druidenwalzer", ["random", "me"], seed=1).undo()
    assert table.state is before
    for _ in range(200):
        assert table.preview(before["legal"][0])  # as many as one likes
    for seats in (["greedy", "greedy"], ["me", "me"], ["me", "nobody"], ["me"]):
        with pytest.raises(GameError):
            LocalClient("druidenwalzer", seats)
