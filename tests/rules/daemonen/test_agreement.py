"""Druiden und Dämonen as a whole: agreement with the reference, both speeds, invariants, knowledge, notation, reasons, components."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from drunemeton.bots.daemonen import judge
from drunemeton.rules.daemonen import Daemonen
from drunemeton.rules.daemonen.knowledge import Knowledge
from drunemeton.rules.daemonen.state import ACTIONS, SETUP, State
from drunemeton.rules.daemonen.story import cell_text
from drunemeton.rules.drive import Engine
from drunemeton.rules.errors import BadComponents, BadOption, Reason
from drunemeton.rules.game import sample
from drunemeton.rules.kernel import MOVES, OPEN, SPECTATOR, Desk, has_numba, seed
from tests.agreement import assert_agree
from tests.reference.daemonen import Reference
from tests.rules.daemonen.games import assert_sound, assert_tables, canonical, eager, random_setup

ROOT = Path(__file__).parents[3]
compiled = pytest.mark.skipif(not has_numba(), reason="Numba is not there")


def agree(number: int, limit: int = 5000) -> Daemonen:
    """One game on both implementations: three in four build eagerly, the others move at random."""
    seats, options, components = random_setup(random.Random(number))
    choose = eager if number % 4 else None
    game = assert_agree(
        Daemonen, Reference, canonical, seed=number, seats=seats, options=options, components=components, choose=choose, limit=limit
    )
    assert isinstance(game, Daemonen)
    return game


@pytest.mark.parametrize("number", range(20))
def test_agrees_with_the_reference(number: int) -> None:
    agree(number, limit=350)


@pytest.mark.proof
def test_agrees_with_the_reference_at_length() -> None:
    """500 whole games over 2 to 4 players and all options; everything that can happen does."""
    ends: Counter[str] = Counter()
    happened: Counter[str] = Counter()
    for number in range(1000, 1500):
        game = agree(number)
        assert game.result is not None
        ends[game.result.end] += 1
        happened.update(event["kind"] for event in game.events())
    assert set(ends) == {"points", "pile", "guard"}
    assert all(happened[line[0]] >= 20 for line in Daemonen.script.lines.values()), happened


# --- Both speeds ---------------------------------------------------------------------------------------------------


@compiled
def test_random_choice_is_one_of_the_legal_actions() -> None:
    """`random_action` finds the n-th option in the order of `legal`: a whole random game is the same in both worlds."""
    state = State()
    game = Daemonen.new(seed=1)
    Daemonen.prepare(state, 3, game.options, game.components)
    ends = []
    for plain in (True, False):
        engine = Engine(Daemonen, plain=plain)
        box, table, desk = engine.box(state), engine.box(state), engine.desk(11)
        engine.random_games(box, table, desk, 1, 5000)
        ends.append(engine.read(State, table))
    assert ends[0] == ends[1]


# --- Invariants ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(5))
def test_invariants_after_every_step(number: int) -> None:
    """Golden case 3, conservation; connection; limits; and the tables kept incrementally."""
    rng = random.Random(number)
    seats, options, components = random_setup(rng)
    game = Daemonen.new(seats=seats, seed=number, options=options, components=components)
    for step in range(220):
        if game.over:
            break
        game.play(eager(rng, game.legal(), game))
        assert game.state.out_of_range() == []
        assert len(game.actions()) <= MOVES
        if step % 4 == 0:
            assert_sound(game)
    assert_sound(game)


@pytest.mark.proof
def test_invariants_over_whole_games() -> None:
    for number in range(50, 75):
        rng = random.Random(number)
        seats, options, components = random_setup(rng)
        game = Daemonen.new(seats=seats, seed=number, options=options, components=components)
        while not game.over:
            game.play(eager(rng, game.legal(), game))
            assert_sound(game)


# --- Knowledge -----------------------------------------------------------------------------------------------------


def assert_true(game: Daemonen, order: list[int]) -> None:
    """Everybody knows everything but the order of the pile; what is left of it lies as it was prepared."""
    s = game.state
    for known in game.knowledge.values():
        for name in State.fields:
            truth, belief = getattr(s, name), getattr(known, name)
            if name == "pile":
                assert belief[s.pile_at : s.pile_end] == sorted(truth[s.pile_at : s.pile_end], key=order.index)
                assert belief[: s.pile_at] == truth[: s.pile_at]
            else:
                assert truth == belief, name


@pytest.mark.parametrize("number", range(6))
def test_knowledge_is_the_truth_but_for_the_pile(number: int) -> None:
    rng = random.Random(number)
    seats, options, components = random_setup(rng)
    game = Daemonen.new(seats=seats, seed=number, options=options, components=components)
    desk, world, prepared = Desk(), State(), State()
    seed(desk, number, 2, 3)
    Daemonen.prepare(prepared, seats, game.options, game.components)
    order = list(dict.fromkeys(prepared.pile[: prepared.pile_end]))
    for step in range(300):
        assert_true(game, order)
        if step % 10 == 0:
            sample(game.knowledge[0], desk, world)
            for name in State.fields:
                if name != "pile":
                    assert getattr(world, name) == getattr(game.state, name), name
            assert sorted(world.pile) == sorted(game.state.pile)
        if game.over:
            break
        game.play(eager(rng, game.legal(), game))


def test_sampling_is_uniform_over_the_pile() -> None:
    """Every order of the cards still to come is as likely as any other."""
    components = {**Daemonen.default_components(), "fields": {"FFFFFF": 1, "WWWWWW": 1, "FFFFFW": 1}, "portals": 1, "setup_fields": 0}
    game = Daemonen.new(seed=4, components=components)
    desk, world = Desk(), State()
    seed(desk, 1, 2, 3)
    rounds = 2400
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(rounds):
        sample(game.knowledge[1], desk, world)
        orders[tuple(world.pile[:4])] += 1
    assert set(orders) == set(itertools.permutations(game.state.pile[:4]))
    expected = rounds / 24
    assert sum((count - expected) ** 2 / expected for count in orders.values()) < 49.7, "chi square, 23 degrees, one in a thousand"


def test_undo_until_a_draw() -> None:
    """Nothing but a draw brings something hidden to light."""
    game = Daemonen.new(seed=3, options={"first_player": 0})
    while game.state.phase == SETUP:
        game.play(game.actions()[0])
    before = game.state.copy()
    game.play("choose populate")
    game.play("choose scout")
    game.play(next(move for move in game.legal() if move.startswith("settle")))
    assert game.can_undo(0)
    for _ in range(3):
        game.undo(0)
    assert game.state == before
    for move in ("choose scout", "choose scout", "draw"):
        game.play(move)
    assert not game.can_undo(0)


# --- Views, texts, reasons -----------------------------------------------------------------------------------------


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


def test_every_rule_has_a_test() -> None:
    """Every number of the rules text is named by a test."""
    rules = set(re.findall(r"\*\*(DD-[\d.]+)\*\*", (ROOT / "docs/rules/en/daemonen.md").read_text()))
    tests = (Path(__file__).parent / "test_rules.py").read_text()
    assert len(rules) == 24
    assert {rule for rule in rules if not re.search(re.escape(rule) + r"(?!\d)", tests)} == set()


# --- Components and options ----------------------------------------------------------------------------------------


def test_default_components() -> None:
    """DD-7: three printed figures, all else reconstructed, and the file says so."""
    components = Daemonen.default_components()
    assert sum(components["fields"].values()) == 96
    status = {entry: note["status"] for entry, note in Daemonen.provenance().items()}
    assert status.keys() == components.keys()
    assert {entry for entry in status if status[entry] == "sourced"} == {"portals", "setup_fields", "win"}


def maxima(centre: int) -> dict[str, Any]:
    """As many cells as the table holds, of forest alone, and full supplies."""
    land = 128 - (7 if centre else 1)
    return {
        "portals": 0,
        "setup_fields": land // 4 - 1,
        "populations_per_player": 128,
        "stones_per_player": 128,
        "temples": 128,
        "demons": 128,
        "win": 9999,
        "fields": {"FFFFFF": land - 60, "FFFFFW": 60},
    }


@pytest.mark.parametrize("centre", [0, 1])
def test_component_file_at_its_maxima(centre: int) -> None:
    """DD-7: 128 cells laid as densely as they can be, all of them usable for stones."""
    for dense in (True, False):
        rng = random.Random(centre)
        game = Daemonen.new(seats=4, seed=centre, options={"centre_radius": centre}, components=maxima(centre))
        steps = 0
        while not game.over and steps < 900:
            legal = game.legal()
            lays = [move for move in legal if move.startswith("lay")]
            if lays and dense:
                game.play(min(lays, key=distance))
            elif "draw" in legal:
                game.play("draw")
            elif "choose scout" in legal:
                game.play("choose scout")
            else:
                game.play(eager(rng, legal, game))
            steps += 1
            assert game.state.out_of_range() == []
        assert game.state.laid + game.state.discards + len(canonical(game)["pile"]) == 128
        assert_tables(game.state)
        if dense:
            assert game.state.sites > 100


def distance(move: str) -> float:
    q, r = map(int, move.split()[1].split(","))
    return max(abs(q), abs(r), abs(q + r)) + (abs(q) + abs(r)) / 100


@compiled
def test_many_portals_keep_within_the_list_of_moves() -> None:
    """A file with sixty portals: the list of moves, the frontier and the tables hold."""
    components = {**Daemonen.default_components(), "portals": 60, "setup_fields": 5, "fields": {"FFFFFW": 61}}
    game = Daemonen.new(seats=2, seed=3, components=components)
    rng = random.Random(1)
    most = 0
    for _ in range(400):
        if game.over:
            break
        legal = game.legal()
        portals = [move for move in legal if move.startswith("portal")]
        most = max(most, len(legal))
        if portals:
            game.play(max(portals, key=distance))
        else:
            game.play("draw" if "draw" in legal else "choose scout" if "choose scout" in legal else rng.choice(legal))
    assert most < MOVES
    assert_tables(game.state)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"portals": -1}, "portals"),
    ({"win": 0}, "win"),
    ({"demons": 12.5}, "demons"),
    ({"temples": True}, "temples"),
    ({"stones_per_player": "nine"}, "stones_per_player"),
    ({"setup_fields": 26}, "setup_fields"),
    ({"fields": 96}, "fields"),
    ({"fields": {"FFFFF": 96}}, "fields.FFFFF"),
    ({"fields": {"FFFFFX": 96}}, "fields.FFFFFX"),
    ({"fields": {"FFFFFF": -1}}, "fields.FFFFFF"),
    ({"fields": {"FFFFFF": 117}}, "fields"),
    ({"druids": 3}, "druids"),
]


@pytest.mark.parametrize(("change", "entry"), WRONG)
def test_wrong_components_name_the_entry(change: dict[str, Any], entry: str) -> None:
    with pytest.raises(BadComponents) as problem:
        Daemonen.new(seed=1, components={**Daemonen.default_components(), **change})
    assert problem.value.entry == entry


def test_an_entry_that_is_not_named_stays_as_printed() -> None:
    for entry in Daemonen.default_components():
        components = Daemonen.default_components()
        del components[entry]
        assert Daemonen.new(seed=1, components=components).components == Daemonen.new(seed=1).components


def test_wrong_options_name_the_option() -> None:
    wrong = (("jump", "far"), ("centre_radius", 2), ("first_player", 3), ("light_repeat", 1), ("colour", "red"))
    for option, value in wrong:
        with pytest.raises(BadOption) as problem:
            Daemonen.new(seed=1, options={option: value})
        assert problem.value.entry == option
    with pytest.raises(BadOption):
        Daemonen.new(seats=5, seed=1)


# --- The judgement of the greedy bot -------------------------------------------------------------------------------


def test_judgement_changes_nothing_and_likes_points() -> None:
    """The bot looks at a position without touching it, and prefers to have a stone."""
    rng = random.Random(8)
    game = Daemonen.new(seats=2, seed=8, components={**Daemonen.default_components(), "fields": {"FFFFFF": 90}})
    for _ in range(250):
        if game.over:
            break
        before = game.state.copy()
        worth = [judge(game.state, seat) for seat in range(2)]
        assert game.state == before
        assert worth == [judge(game.state, seat) for seat in range(2)]
        game.play(eager(rng, game.legal(), game))
    assert isinstance(game.knowledge[0], Knowledge)


@compiled
@pytest.mark.proof
def test_greedy_reaches_the_points_in_a_fair_share_of_games() -> None:
    from drunemeton.bots.match import Match
    from drunemeton.bots.simulation import simulate

    for seats in (2, 3, 4):
        tally = simulate(Match(Daemonen, ["greedy"] * seats), 60, 1)
        assert tally.ends["points"] >= 24, (seats, tally.ends)
