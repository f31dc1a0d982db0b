"""Druiden und Dämonen: what the view says of the actions and of the next turn is what the rules then allow."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from drunemeton.rules.daemonen import Daemonen
from drunemeton.rules.daemonen.state import CHOOSE_ACTIONS
from drunemeton.rules.kernel import SPECTATOR

BEGINS = ("demon ", "remove ", "anchor ", "stone ", "temple ", "convert ", "settle ", "from ")


def choosing(seeds: range, seats: int = 3, **options: Any) -> Iterator[Daemonen]:
    """Games in which a seat is about to choose its first action."""
    for seed in seeds:
        rng = random.Random(seed)
        game = Daemonen.new(seed=seed, seats=seats, options=options)
        for _ in range(rng.randint(30, 420)):
            if game.over:
                break
            game.play(rng.choice(game.actions()))
        while not game.over and (game.state.phase != CHOOSE_ACTIONS or game.state.chosen_count):
            game.play(rng.choice(game.actions()))
        if not game.over:
            yield game


def again(game: Daemonen, *moves: str) -> Daemonen:
    """The same game in another room, with these moves played."""
    twin = Daemonen(game.seats, game.options, game.components, game.chance)
    for step in game.steps[1:]:
        twin.take(step.move, step.action)
    for move in moves:
        twin.play(move)
    return twin


def test_dd_5_1_the_view_says_what_each_action_would_give_now() -> None:
    """DD-5.3 to 5.7: as many places as then can be chosen from, and nothing possible where the action passes by."""
    nothing = something = 0
    for game in choosing(range(14)):
        view = game.view(SPECTATOR)
        names = [one["action"] for one in view["prospects"]]
        assert names == [move.removeprefix("choose ") for move in game.legal()]
        seat = game.to_move
        for one in view["prospects"]:
            then = again(game, f"choose {one['action']}")
            if not then.over and then.to_move == seat and then.state.chosen_count == 1:
                second = next(other for other in then.view(SPECTATOR)["prospects"] if other["action"] == one["action"])
                assert second["up_to"] == one["twice"]
            before = len(then.events(SPECTATOR))
            if then.state.chosen_count == 1:
                then.play(f"choose {one['action']}")
            begun = next(event for event in then.events(SPECTATOR)[before:] if event["kind"] == "action")
            assert begun["left"] == one["twice"]
            assert one["idle"] == (one["possible"] == 0 and (not view["chosen"] or view["chosen"] == [one["action"]]))
            if one["possible"] == 0:
                nothing += 1
                assert then.over or then.state.chosen_count == 0, "the turn has passed by"
            elif one["action"] != "scout" and then.to_move == seat:
                something += 1
                places = [move for move in then.legal() if move.startswith(BEGINS)]
                assert len(places) == sum(one["places"].values())
                assert one["possible"] <= one["up_to"]
    assert nothing > 3
    assert something > 10


def test_the_view_says_how_many_populations_may_still_move_and_what_a_further_one_costs() -> None:
    """DD-5.6, 5.7: a population moves once, and none that is anchored; what is no longer free is paid with trophies."""
    moved = paid = 0
    for number in range(12):
        rng, game = random.Random(number), Daemonen.new(seed=number)
        while not game.over and moved + paid < 400:
            view = game.view(SPECTATOR)
            legal = game.legal()
            if view["phase"] == "move" and not view["half"]:
                own = [cell for cell in view["cells"] if cell["population"] == view["turn"]]
                able = [cell for cell in own if not cell["anchor"] and not cell["moved"]]
                assert view["at_most"] == min(view["left"], len(able)) >= min(view["left"], sum(move.startswith("from ") for move in legal))
                moved += 1
            elif view["phase"] == "populate":
                assert (view["price"] > 0) == (view["left"] == 0)
                settling = [move for move in legal if move.startswith("settle ")]
                if settling and view["left"] == 0:
                    twin = again(game, settling[0])
                    event = next(event for event in twin.events(SPECTATOR)[len(game.events(SPECTATOR)) :] if event["kind"] == "settled")
                    assert event["paid"] == view["price"]
                    paid += 1
            elif view["phase"] != "move":
                assert view["at_most"] == view["left"]
            game.play(rng.choice(legal))
    assert moved > 20


def test_no_prospects_while_an_action_is_carried_out() -> None:
    game = next(choosing(range(1, 9)))
    while game.state.phase == CHOOSE_ACTIONS:
        game.play(game.legal()[0])
    assert game.view(SPECTATOR)["prospects"] == []


def test_dd_5_3_where_demon_fields_could_lie_after_so_many() -> None:
    checked = 0
    for game in choosing(range(10)):
        assert game.to_move is not None
        told = game.view(SPECTATOR)["players"][game.to_move]["next"]["demons"]
        if "choose dark" not in game.legal():
            assert told == []
            continue
        then = again(game, "choose dark")
        if then.state.chosen_count == 1:
            then.play("choose dark")
        first = {move.split()[1] for move in then.legal() if move.startswith("demon ")}
        assert {one["cell"] for one in told if one["steps"] == 1} == first
        second = {one["cell"] for one in told if one["steps"] <= 2}
        for cell in sorted(first)[:4]:
            further = again(then, f"demon {cell}")
            if further.to_move == game.to_move:
                checked += 1
                assert {move.split()[1] for move in further.legal() if move.startswith("demon ")} <= second
    assert checked > 10


def test_dd_5_6_and_5_7_where_populations_could_go() -> None:
    moved = settled = 0
    ways: list[dict[str, Any]] = [{}, {"jump": "line"}, {"jump": "none", "capture_support": "adjacent"}]
    for options in ways:
        for game in choosing(range(12), **options):
            seat = game.to_move
            assert seat is not None
            told = game.view(SPECTATOR)["players"][seat]["next"]
            if "choose move" in game.legal():
                then = again(game, "choose move")
                if then.state.chosen_count == 1:
                    then.play("choose move")
                starts = [move for move in then.legal() if move.startswith("from ")] if then.to_move == seat else []
                goes = set()
                for start in starts:
                    on = again(then, start)
                    if on.to_move == seat and on.state.half:
                        goes |= {move.split()[1] for move in on.legal() if move.startswith("to ")}
                    else:  # there was but one way to go
                        goes |= {event["to"] for event in on.events(SPECTATOR, len(on.steps) - 1) if event["kind"] == "moved"}
                assert goes == set(told["moves"]) | set(told["captures"])
                moved += len(goes)
            if "choose populate" in game.legal():
                then = again(game, "choose populate")
                if then.state.chosen_count == 1:
                    then.play("choose populate")
                fields = {move.split()[1] for move in then.legal() if move.startswith("settle ")} if then.to_move == seat else set()
                assert fields == set(told["settles"])
                settled += len(fields)
    assert moved > 15
    assert settled > 30
