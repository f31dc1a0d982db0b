"""Lines of one's story watched again: the table as this watcher saw it then, from what he was told alone."""

from __future__ import annotations

import json
import random

import pytest

from drunemeton.lessons import find_stage
from drunemeton.records.frames import changed
from drunemeton.rules.game import playable
from drunemeton.rules.kernel import SPECTATOR
from drunemeton.table import Table, begun_at, made, seats_of, seen_again
from drunemeton.table.again import MOST

TWO = [{"kind": "person"}, {"kind": "person"}]


@pytest.mark.parametrize("name", playable())
def test_everything_that_was_shown_can_be_shown_again(name: str) -> None:
    table = Table("t", made(name, TWO, now=0, chance=3))
    rng = random.Random(3)
    shown = {watcher: [table.game.view(watcher)] for watcher in table.game.watchers}
    told = {watcher: [0] for watcher in table.game.watchers}
    for number in range(40):
        if table.turn is None:
            break
        table.move(table.turn, rng.choice(list(table.offered)), now=number)
        for watcher in table.game.watchers:
            shown[watcher].append(table.game.view(watcher))
            told[watcher].append(len(table.events_since(0, watcher) or []))
    for watcher, (*places, end) in told.items():
        answer = json.loads(json.dumps(seen_again(table, watcher, 0, end - 1)))  # as it travels
        assert [step["events"] for step in answer["steps"]] == [b - a for a, b in zip(told[watcher], told[watcher][1:], strict=False)]
        view = answer["view"]
        assert view == shown[watcher][0]
        for step, after in zip(answer["steps"], shown[watcher][1:], strict=True):
            view = changed(view, step["changes"])
            assert view == after
        # A line in the middle of a step brings the whole step, which begins with its first event.
        middle = seen_again(table, watcher, places[20], places[20])
        assert middle is not None
        assert (middle["first"], len(middle["steps"]), middle["view"]) == (places[20], 1, shown[watcher][20])


def test_what_was_never_told_is_not_shown() -> None:
    table = Table("t", made("druidenwalzer", TWO, now=0, chance=3))
    assert seen_again(table, SPECTATOR, 0, 0) is None
    assert table.turn is not None
    table.move(table.turn, next(iter(table.offered)), now=1)
    told = len(table.events_since(0, 0) or [])
    assert seen_again(table, 0, 0, told - 1) is not None
    for first, last in [(-1, 0), (0, told), (told, told), (1, 0)]:
        assert seen_again(table, 0, first, last) is None


def test_a_long_story_comes_in_parts() -> None:
    table = Table("t", made("celtica", TWO, now=0, chance=3))
    rng = random.Random(1)
    while len(table.game.steps) < MOST + 20:
        assert table.turn is not None
        table.move(table.turn, rng.choice(list(table.offered)), now=1)
    answer = seen_again(table, 0, 0, len(table.events_since(0, 0) or []) - 1)
    assert answer is not None
    assert len(answer["steps"]) == MOST


def test_an_arranged_game_is_shown_from_where_it_began() -> None:
    """What lies before was told to nobody: places are counted from there, and the view is that of the arrangement."""
    stage = find_stage("celtica", "parts")
    opening = made("celtica", seats_of(stage, ""), now=0, options=stage.options, components=stage.components)
    table = Table("t", begun_at(opening, stage, lesson=True))
    assert table.begun > 1
    before = table.game.view(stage.seat)
    table.move(stage.seat, stage.solution[0], now=1)
    answer = seen_again(table, stage.seat, 0, 0)
    assert answer is not None
    assert (answer["first"], answer["view"]) == (0, before)
