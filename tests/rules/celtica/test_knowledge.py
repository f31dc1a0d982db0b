"""What a seat of Celtica knows: true where it claims to know, exact where it guesses, and nothing that was not told."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from drunemeton.rules.celtica import Celtica
from drunemeton.rules.celtica.knowledge import Knowledge
from drunemeton.rules.celtica.state import CARD, COLOURS, DECKS, DRUID, EXPERIENCE, HIDDEN, KINDS, PART, SEATS, TRADE, State
from drunemeton.rules.celtica.story import COLOUR_NAMES
from drunemeton.rules.drive import Engine
from drunemeton.rules.game import apply, legal, sample, start
from drunemeton.rules.kernel import SPECTATOR, Desk, seed
from drunemeton.rules.story import told_to

from .games import Dealt, assert_conserved, dealt, path, play, random_setup, settle

HIDDEN_FIELDS = {"hand", "held", "pile", "supply"}


def assert_true(game: Any) -> None:
    """Every watcher's knowledge: public fields equal, known cards true, hidden ones in the right pool with nothing excluded wrongly."""
    s = game.state
    for watcher, k in game.knowledge.items():
        for field in State.fields:
            if field not in HIDDEN_FIELDS:
                assert getattr(k, field) == getattr(s, field), (watcher, field)
        pools: list[list[Counter[int]]] = [[Counter() for _ in range(k.pools[deck])] for deck in range(DECKS)]
        for row in range(DECKS * SEATS):
            deck, seat = divmod(row, SEATS)
            known: Counter[int] = Counter()
            for i, card in enumerate(k.hand[row]):
                if card >= HIDDEN:
                    assert seat != watcher
                    pools[deck][card - HIDDEN][s.hand[row][i]] += 1
                    assert not k.never[row][i] >> (s.hand[row][i] - CARD) & 1
                else:
                    assert card == s.hand[row][i]
                    assert k.never[row][i] == 0
                    known[card] += card > 0
            assert [known[CARD + colour] for colour in range(COLOURS)] == k.held[row]
        for deck in range(DECKS):
            for i in range(s.pile_at[deck], s.pile_end[deck]):
                assert k.pile[deck][i] == HIDDEN + k.pile_pool[deck]
                pools[deck][k.pile_pool[deck]][s.pile[deck][i]] += 1
            for n, pool in enumerate(pools[deck]):
                assert [pool[CARD + colour] for colour in range(COLOURS)] == [
                    k.pool[deck * COLOURS + colour][n] for colour in range(COLOURS)
                ]
                assert sum(pool.values()) == k.pool_size[deck * 75 + n]
        supply = Counter(s.supply[s.supply_at : s.supply_end])
        assert [supply[PART + kind] for kind in range(KINDS)] == k.supply_holds
        assert k.out_of_range() == []


@pytest.mark.parametrize("number", range(16))
def test_ce_7_1_knowledge_is_true_and_pools_match_the_hidden_places(number: int) -> None:
    """CE-7.1, 7.2: after every step, for every seat and the spectator; with decks so small that they are renewed all the time."""
    rng = random.Random(number)
    seats = 2 + number % 4
    options, components = random_setup(rng, seats)
    game = Celtica.new(seed=number, seats=seats, options=options, components=components)
    most = 0
    while not game.over:
        assert_true(game)
        most = max(most, *(k.pools[DRUID] for k in game.knowledge.values()))
        game.play(rng.choice(game.actions()))
    assert_true(game)
    assert most <= 5 * components["druid_cards"]


@pytest.mark.parametrize("number", range(6))
def test_ce_7_2_a_sample_could_be_the_truth(number: int) -> None:
    """CE-7.2: all cards are there, and the watcher would have been told, and asked, the same."""
    rng = random.Random(number)
    seats = 2 + number % 4
    options, components = random_setup(rng, seats)
    game = Celtica.new(seed=number, seats=seats, options=options, components=components)
    desk = Desk()
    seed(desk, number, 3, 4)
    while not game.over:
        assert game.to_move is not None
        for watcher in (game.to_move, SPECTATOR):
            world = State()
            k = game.knowledge[watcher]
            sample(k, desk, world)
            assert_conserved(world, components)
            for field in State.fields:
                if field not in HIDDEN_FIELDS:
                    assert getattr(world, field) == getattr(game.state, field)
            for row in range(DECKS * SEATS):
                for i in range(k.hand_size[row]):
                    assert k.hand[row][i] >= HIDDEN or world.hand[row][i] == k.hand[row][i]
                    assert not k.never[row][i] >> (world.hand[row][i] - CARD) & 1
        world = State()
        sample(game.knowledge[game.to_move], desk, world)
        assert desk.moves[: legal(world, desk)] == game.actions()
        for _ in range(3):
            if not game.over:
                game.play(rng.choice(game.actions()))


# --- The distribution ----------------------------------------------------------------------------------------------


def arrangements(cards: Any, own: Any, length: int) -> Any:
    """Orders of a pile with their weights: all beginnings of that length, the rest as it may be; `own` fixes what the watcher saw."""
    left = Counter(cards)

    def beginnings(n: Any, weight: int, chosen: Any) -> Iterator[Any]:
        if n == min(length, len(cards)):
            yield weight, [*chosen, *sorted(left.elements())]
            return
        for card in sorted(left):
            if left[card] and own.get(n, card) == card:
                times = left[card]
                left[card] -= 1
                yield from beginnings(n + 1, weight * times, [*chosen, card])
                left[card] += 1

    return list(beginnings(0, 1, []))


def worlds_of(game: Any, watcher: int, deck: int, length: int) -> Any:
    """All ways in which the shuffles of one deck may have fallen so that the watcher was told what he was told, with weights.

    By definition: the same moves are made in every one of them, and one in which a move is not legal, or in which the watcher is told
    anything else, is no longer possible. The other deck lies as it truly does; what is told of the one does not depend on the other.
    """
    blank = State()
    Celtica.prepare(blank, game.seats, game.options, game.components)
    worlds = [(1, blank)]
    desk = Desk()
    desk.listening = 1
    pile_name = ("druid", "experience")[deck]
    for n, step in enumerate(game.steps):
        choices = []
        for pile, cards in game.orders()[n]:
            own = {}
            if pile == pile_name and n == 0 and deck == DRUID and watcher < game.seats:
                first = 5 * ((watcher - game.options["first_player"]) % game.seats)
                own = {i: cards[i] for i in range(first, min(first + 5, len(cards)))}
            choices.append(arrangements(cards, own, length if n == 0 else len(cards)) if pile == pile_name else [(1, cards)])
        rows = told_to(step.rows, watcher)
        after = []
        for (weight, world), orders in itertools.product(worlds, itertools.product(*choices)):
            state = world.copy()
            desk.told = desk.fault = 0
            tape = [card for _, order in orders for card in order]
            desk.tape[: len(tape)] = tape
            desk.tape_end = max(len(tape), 1)
            desk.tape_at = 0 if tape else 1
            if n == 0:
                start(state, desk)
            else:
                if step.action not in desk.moves[: legal(state, desk)]:
                    continue
                apply(state, desk, step.action)
            if desk.fault == 0 and told_to(desk.events[: desk.told], watcher) == rows:
                after.append((weight * math.prod(w for w, _ in orders), state))
        worlds = after
        assert 0 < len(worlds) < 30000
    return worlds


def hands_of(s: Any, deck: int, piles: bool) -> Any:
    rows = tuple(tuple(s.hand[deck * SEATS + seat][: s.hand_size[deck * SEATS + seat]]) for seat in range(s.seats))
    return (rows, tuple(s.pile[deck][s.pile_at[deck] : s.pile_end[deck]])) if piles else rows


def assert_distribution(game: Any, watcher: int, deck: int, length: int, piles: bool = False, samples: int = 6000) -> Any:
    """What `sample` gives against the exact distribution: the same support, and a chi-square that chance explains."""
    exact: Counter[Any] = Counter()
    for weight, world in worlds_of(game, watcher, deck, length):
        exact[hands_of(world, deck, piles)] += weight
    total = sum(exact.values())
    engine = Engine(Celtica)
    knows, states, desks = engine.box(game.knowledge[watcher]), engine.box(State()), engine.desk(len(game.steps))
    found: Counter[Any] = Counter()
    for _ in range(samples):
        engine.sample(knows, desks, states, 1)
        s = states[0]
        rows = s["hand"] if engine.compiled else s.hand
        sizes = s["hand_size"] if engine.compiled else s.hand_size
        key: Any = tuple(tuple(int(card) for card in rows[deck * SEATS + seat][: sizes[deck * SEATS + seat]]) for seat in range(game.seats))
        if piles:
            pile = s["pile"][deck] if engine.compiled else s.pile[deck]
            key = (key, tuple(int(card) for card in pile[game.state.pile_at[deck] : game.state.pile_end[deck]]))
        found[key] += 1
    assert set(found) <= set(exact), "a sample that does not fit what was told"
    square, freedom, rest, seen = 0.0, -1, 0.0, 0
    for key, weight in exact.items():
        expected = samples * weight / total
        if expected < 5:
            rest += expected
            seen += found[key]
            continue
        square += (found[key] - expected) ** 2 / expected
        freedom += 1
    if rest >= 5:
        square += (seen - rest) ** 2 / rest
        freedom += 1
    assert square <= freedom + 4.5 * (2 * max(freedom, 1)) ** 0.5, (square, freedom, len(exact))
    return len(exact)


def small(number: int, board: Any, seats: int = 2, **counts: Any) -> Any:
    """A game with few cards, in which the second seat watches."""
    components = Celtica.default_components() | {"places": path(board)} | counts
    return Celtica.new(seed=number, seats=seats, options={"first_player": 0}, components=components)


@pytest.mark.parametrize("number", range(5))
def test_sampling_druid_cards_is_exact_through_renewals(number: int) -> None:
    """CE-4.4, 7.2: ten druid cards, all dealt, and cult places: piles of a few cards are renewed while others are still held."""
    rng = random.Random(number)
    game = small(number, "c v1 c v1 c c v1 c 1", druid_cards=2, experience_cards=1)
    sizes = []
    while game.state.round == 1 and not game.over and len(game.steps) < 16:
        # Drawing keeps several pools alive.
        moves = [move for move in game.legal() if move in {"draw"} or move.endswith(" 1")] or game.legal()
        game.play(rng.choice(moves))
        if len(game.steps) % 4 == 0 and game.state.round == 1:
            sizes.append(assert_distribution(game, 1, DRUID, 10, piles=True))
    assert max(sizes) > 3


@pytest.mark.parametrize("number", range(4))
def test_sampling_knows_that_the_lowest_look_alike_is_played(number: int) -> None:
    """CE-3.0: a card that leaves a place tells that no lower place held its like."""
    rng = random.Random(number)
    game = small(number, "v1 " * 8 + "1", druid_cards=3)
    checked = 0
    while game.state.round == 1 and checked < 3:
        plays = [move for move in game.legal() if move.endswith(" 1")] or game.legal()
        game.play(rng.choice(plays))
        if game.state.phase == 0 and game.state.hand_size[0] in {3, 4} and game.to_move == 1:
            assert_distribution(game, 1, DRUID, 10)
            checked += 1
    assert checked


def test_sampling_by_hand() -> None:
    """CE-3.0: red from the second place, so the first is not red; the numbers are easily counted."""
    game = dealt("v1 " * 8 + "1", "white red red grey black / white brown grey brown black", druid_cards=2)
    settle(play(game, "red 1"))
    k = game.knowledge[1]
    assert [k.never[0][i] for i in range(4)] == [2, 0, 0, 0]
    # Left are white, red, grey and black: red lies in one of the three other places, each as likely.
    desk = Desk()
    seen: Counter[Any] = Counter()
    seed(desk, 1, 2, 3)
    for _ in range(3000):
        world = State()
        sample(k, desk, world)
        seen[world.hand[0].index(2)] += 1
    assert seen[0] == 0
    assert all(900 < seen[place] < 1100 for place in (1, 2, 3))


def enters(game: Any, move: str, place: Any) -> Any:
    """Whether a play leads its druid there."""
    colour, _, cards = move.partition(" ")
    return colour in COLOUR_NAMES and game.state.druid[COLOUR_NAMES.index(colour)] + int(cards) == place


def collected(number: int) -> Any:
    """A game at its experience phase: Ulster went into every ruin he could and kept the cards, Connacht avoided them."""
    components = Celtica.default_components() | {"places": path("v1 r1 v1 v1 v1 v1 v1 v1 1"), "experience_cards": 2}
    rng = random.Random(number)
    game = Celtica.new(seed=1000 * number, seats=2, options={"first_player": 0}, components=components)
    while not game.over and game.state.phase != TRADE:
        moves = [move for move in game.legal() if "+" not in move]
        ruins = [move for move in moves if enters(game, move, 2)]
        others = [move for move in moves if move not in ruins]
        game.play(rng.choice(ruins or moves) if game.to_move == 0 else rng.choice(others or moves))
    assert (game.to_move, game.state.pile_at[EXPERIENCE] <= 5) == (0, True)
    return game, rng


@pytest.mark.parametrize(
    "number", [*(pytest.param(number, marks=pytest.mark.proof) for number in (21, 39)), 40, 74]
)  # deals in which Ulster trades first, and one to three colours are told to be absent
def test_sampling_experience_cards_is_exact_in_the_experience_phase(number: int) -> None:
    """CE-6.3, 7.2: paid cards leave by lowest colour, from the lowest place, which tells something about those that stay."""
    game, rng = collected(number)
    game.play(rng.choice([move for move in game.legal() if move.startswith("swap")]))
    assert any(game.knowledge[SPECTATOR].never[SEATS])
    assert_distribution(game, SPECTATOR, EXPERIENCE, game.state.pile_at[EXPERIENCE])


def test_sampling_the_supply_is_uniform() -> None:
    """CE-7.2: every order of the hidden supply is as likely; its contents are known by what lies open."""
    game = dealt("r2 b4 " + "v1 " * 6 + "1", "white white white red red / grey grey red red red", parts_per_kind=2)
    s, k, desk = game.state, game.knowledge[0], Desk()
    seen: Counter[Any] = Counter()
    seed(desk, 4, 5, 6)
    left = s.supply[s.supply_at : s.supply_end]
    assert sorted(PART + kind for kind in range(KINDS) for _ in range(k.supply_holds[kind])) == sorted(left)
    for _ in range(4000):
        world = State()
        sample(k, desk, world)
        seen[tuple(world.supply[s.supply_at : s.supply_at + 2])] += 1
    pairs = Counter(itertools.permutations(left, 2))
    assert set(seen) == set(pairs)
    total = sum(pairs.values())
    square = sum((seen[pair] - 4000 * n / total) ** 2 / (4000 * n / total) for pair, n in pairs.items())
    assert square < len(pairs) + 4.5 * (2 * len(pairs)) ** 0.5


@pytest.mark.parametrize("number", range(6))
def test_sampling_places_with_excluded_colours_is_exact(number: int) -> None:
    """Any exclusions that leave a way to lay the cards: against all ways, counted one by one."""
    rng = random.Random(number)
    counts = [rng.randint(0, 3) for _ in range(COLOURS)]
    deck = [CARD + colour for colour in range(COLOURS) for _ in range(counts[colour])]
    rng.shuffle(deck)
    places = min(4, len(deck) - 1)
    k = Knowledge()
    k.seats, k.pools, k.pile_pool = 2, [1, 0], [0, -1]
    for colour in range(COLOURS):
        k.pool[colour][0] = counts[colour]
    k.pool_size[0] = len(deck)
    k.hand_size[0], k.hand_size[1] = places // 2, places - places // 2
    spots = [(seat, i) for seat in (0, 1) for i in range(k.hand_size[seat])]
    for n, (seat, i) in enumerate(spots):
        k.hand[seat][i] = HIDDEN
        k.never[seat][i] = rng.getrandbits(COLOURS) & ~(1 << (deck[n] - CARD))
    k.pile_end[0] = len(deck) - places
    k.pile[0][: k.pile_end[0]] = [HIDDEN] * k.pile_end[0]
    exact = Counter(
        order
        for order in itertools.permutations(deck, places)
        if not any(k.never[seat][i] >> (order[n] - CARD) & 1 for n, (seat, i) in enumerate(spots))
    )
    engine = Engine(Celtica)
    knows, states, desks = engine.box(k), engine.box(State()), engine.desk(number)
    found: Counter[Any] = Counter()
    samples = 8000
    for _ in range(samples):
        engine.sample(knows, desks, states, 1)
        hand = states[0]["hand"] if engine.compiled else states[0].hand
        found[tuple(int(hand[seat][i]) for seat, i in spots)] += 1
    assert set(found) <= set(exact)
    total = sum(exact.values())
    square = sum((found[way] - samples * n / total) ** 2 / (samples * n / total) for way, n in exact.items())
    assert square < len(exact) + 4.5 * (2 * len(exact)) ** 0.5


# --- Nothing else ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(3))
def test_ce_7_2_what_a_seat_cannot_know_changes_nothing_for_it(number: int) -> None:
    """CE-7.2: other hidden cards and another generator, and the same view, legal moves, reasons and log."""
    rng = random.Random(number)
    game = Celtica.new(seed=number, seats=3)
    for _ in range(60):
        game.play(rng.choice(game.legal()))
    while game.over or game.state.phase != 0:
        game.play(game.legal()[0])
    seat = game.to_move
    assert seat is not None
    desk = Desk()
    seed(desk, number, 1, 1)
    for _ in range(5):
        world = State()
        sample(game.knowledge[seat], desk, world)
        assert world != game.state
        count = legal(world, desk)
        assert desk.moves[:count] == game.actions()
        for action in range(0, Celtica.action_count, 7):
            if action not in game.actions():
                assert Celtica.refusal(world, action) == Celtica.refusal(game.state, action)
        assert all(Celtica.move_text(world, action) == Celtica.move_text(game.state, action) for action in game.actions())
        move = game.actions()[0]
        twin, true = world.copy(), game.state.copy()
        for state in (twin, true):
            one = Desk()
            seed(one, 1, 1, 1)
            one.listening = 1
            apply(state, one, move)
            rows = told_to(one.events[: one.told], seat)
            assert rows[0] == told_to(one.events[:1], seat)[0]
        assert (twin.druid, twin.phase, twin.left) == (true.druid, true.phase, true.left)


def test_undo_while_nobody_has_seen_anything_new() -> None:
    """A part taken may be taken back; a card played or a display refilled may not."""
    game = dealt("b2 " + "v1 " * 7 + "1", "white white white red red / grey grey red red red")
    play(game, "white 1")
    assert not game.can_undo(0)
    before = game.state.copy()
    play(game, "take sun")
    assert game.can_undo(0)
    game.undo(0)
    assert game.state == before
    play(game, "take sun", "take moon")
    assert not game.can_undo(0)


def test_preview_tells_what_is_certain_and_how_likely_the_rest_is() -> None:
    """CE-9: where a druid stops is certain, what is turned up is not."""
    game = dealt("v1 c r2 " + "v1 " * 5 + "1", "white white white red red / grey grey red red red")
    foreseen = game.preview("white 2")
    walked = next(item for item in foreseen if item.event["kind"] == "walked")
    assert walked.certain
    assert walked.event["to"] == 2
    play(game, "white 2")
    drawn = [item for item in game.preview("draw", samples=200) if item.event["kind"] == "dealt"]
    assert drawn
    assert not any(item.certain for item in drawn)
    assert {event["card"] for item in drawn for event, _ in item.instead} <= set(COLOUR_NAMES)
    assert isinstance(game.chance, Dealt)
