"""Words of Druiden und Dämonen: moves as text, refusals, and views."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from drunemeton.rules.daemonen import Daemonen
from drunemeton.rules.daemonen.state import ACTIONS
from drunemeton.rules.daemonen.story import cell_text
from drunemeton.rules.errors import Reason
from drunemeton.rules.kernel import OPEN, SPECTATOR
from tests.rules.daemonen.games import eager, random_setup

ROOT = Path(__file__).parents[3]


def test_views_are_data_and_the_same_for_all() -> None:
    rng = random.Random(2)
    game = Daemonen.new(seats=3, seed=2)
    for _ in range(120):
        game.play(eager(rng, game.legal(), game))
        views = [json.dumps(game.view(watcher)) for watcher in (0, 1, 2, SPECTATOR)]
        assert len(set(views)) == 1
        assert all(sum(player["points_from"].values()) == player["points"] for player in game.view()["players"])
    view = game.view(OPEN)
    assert set(view["moves"]) == set(game.legal())
    assert sum(view["unseen"].values()) == view["pile"]
    assert "populations" in str(game)
    json.dumps(game.events())


@pytest.mark.parametrize("number", range(4))
def test_notation_round_trip(number: int) -> None:
    """Every legal move parses back to itself, however it is spaced."""
    rng = random.Random(number)
    seats, options, components = random_setup(rng)
    game = Daemonen.new(seats=seats, seed=number, options=options, components=components)
    for _ in range(300):
        if game.over:
            break
        for action, text in zip(game.actions(), game.legal(), strict=True):
            assert game.parse_move(game.state, text) == action
            assert game.parse_move(game.state, f"  {text.upper().replace(' ', '  ')} ") == action
        game.play(eager(rng, game.legal(), game))


def test_look_alike_rotations_are_understood() -> None:
    game = Daemonen.new(seed=1, components={**Daemonen.default_components(), "fields": {"FWFWFW": 60}, "portals": 0})
    first = game.legal()[0]
    cell = first.split()[1]
    assert {game.parse_move(game.state, f"lay {cell} r{k}") for k in range(6)} == set(game.actions()[:2])


@pytest.mark.parametrize("text", ["", "fly 1,1", "lay 1,1", "lay 1,1 r7", "stone 1,1", "stone 1,1/9", "choose war", "to", "demon a,b"])
def test_unreadable_texts(text: str) -> None:
    reason = Daemonen.new(seed=1).why_not(text)
    assert reason == Reason("dd.unreadable")


def test_every_refusal_gives_a_reason_with_a_rule() -> None:
    """Any action and many texts in any position: legal, or refused with a code of ours, a rule of ours and plain parameters."""
    rules = set(re.findall(r"\*\*(DD-[\d.]+)\*\*", (ROOT / "docs/rules/en/daemonen.md").read_text()))
    codes: Counter[str] = Counter()
    words = ("portal", "demon", "remove", "anchor", "temple", "settle", "from", "to")
    for number in range(5):
        rng = random.Random(number)
        seats, options, components = random_setup(rng)
        game = Daemonen.new(seats=seats, seed=number, options=options, components=components)
        for _ in range(260):
            if game.over:
                break
            tries: list[str | int] = [rng.randrange(ACTIONS), rng.randrange(1700), rng.randrange(16)]
            laid = [cell_text(cell) for cell in game.state.cell[: game.state.laid]]
            cell = f"{rng.randint(-7, 7)},{rng.randint(-7, 7)}"
            for word in words:
                tries.append(f"{word} {rng.choice(laid)}")
            for word in ("stone", "from", "convert"):
                tries.append(f"{word} {rng.choice(laid)}/{rng.randrange(6)}")
            tries += [f"lay {cell} r{rng.randrange(6)}", f"choose {rng.choice(('dark', 'light', 'scout', 'populate', 'move'))}"]
            for move in tries:
                reason = game.why_not(move)
                if reason is not None:
                    assert reason.code.startswith("dd.")
                    assert reason.rule in rules or reason.code == "dd.unreadable", reason
                    json.dumps(reason.params)
                    codes[reason.code] += 1
            game.play(eager(rng, game.legal(), game))
    assert len(codes) >= 40, sorted(codes)
