"""What a seat of Druidenwalzer knows: what a fold over told events says is true, and sampling from it is exact."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations, product
from typing import Any

import pytest

from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.druidenwalzer.state import HIDDEN, State
from drunemeton.rules.game import apply, sample, start
from drunemeton.rules.kernel import OPEN, SPECTATOR, Desk, seed
from drunemeton.rules.story import orders_in, told_to

from .games import random_setup

CARD_FIELDS = {"stack", "hand", "pile"}


def leaves(value: Any) -> list[int]:
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list) else [value]


def assert_true(game: Druidenwalzer) -> int:
    """Everything that any watcher believes to know is so; answers how many cards are hidden from the spectator."""
    s = game.state
    hidden = 0
    for watcher, k in game.knowledge.items():
        for name in s.fields:
            truth, belief = leaves(getattr(s, name)), leaves(getattr(k, name))
            if name == "options":
                assert watcher != s.turn or truth == belief
            elif name == "cult":
                assert sorted(truth) == sorted(belief)
            elif name in CARD_FIELDS:
                assert all(b in (t, *range(HIDDEN, HIDDEN + 6)) for t, b in zip(truth, belief, strict=True)) or name == "pile"
            else:
                assert truth == belief, f"{name} for {watcher}"
        places = leaves(k.stack) + leaves(k.hand) + [card for n in (0, 1) for card in k.pile[n][k.pile_at[n] : k.pile_end[n]]]
        true_places = leaves(s.stack) + leaves(s.hand) + [card for n in (0, 1) for card in s.pile[n][s.pile_at[n] : s.pile_end[n]]]
        for pool in range(6):
            cards = sorted(t for t, b in zip(true_places, places, strict=True) if b == HIDDEN + pool)
            assert cards == sorted(k.pool[pool][: k.pool_size[pool]]), f"pool {pool} of {watcher}"
        if watcher < 2:
            assert all(card < HIDDEN for card in k.hand[watcher])
        else:
            hidden = sum(card >= HIDDEN for card in places)
    return hidden


def test_knowledge_is_true_and_pools_hold_what_is_hidden() -> None:
    for number in range(24):
        rng = random.Random(number)
        options, components = random_setup(rng)
        game = Druidenwalzer.new(seed=number, options=options, components=components)
        for _ in range(150):
            assert_true(game)
            if game.over:
                break
            game.play(rng.choice(game.actions()))


# --- Exactness: the sampler against all deals ----------------------------------------------------------------------

SMALL = {"trees": 2, "stack": 1, "hand": 2, "tokens_to_conquer": 6}
DECK = {"sun": {"1<": 2, "2<": 2, "3>": 2}, "moon": {"1<": 2, "2>": 2, "4<": 2}}


def key(s: Any) -> tuple[Any, ...]:
    """Where every hidden card lies."""
    piles = [tuple(s.pile[n][s.pile_at[n] : s.pile_end[n]]) for n in (0, 1)]
    return (tuple(leaves(s.stack)), tuple(leaves(s.hand)), *piles)


def told(desk: Desk, watcher: int) -> list[tuple[int, ...]]:
    return told_to(desk.events[: desk.told], watcher)


def run(state: State, action: int, tape: list[int] | None) -> tuple[State, Desk]:
    state, desk = state.copy(), Desk()
    desk.listening = 1
    seed(desk, 1, 2, 3)
    if tape:
        desk.tape[: len(tape)] = tape
        desk.tape_end = len(tape)
    if action < 0:
        start(state, desk)
    else:
        apply(state, desk, action)
    assert desk.fault == 0
    return state, desk


def all_worlds(game: Druidenwalzer, watcher: int) -> Counter[tuple[Any, ...]]:
    """Every deal, by brute force: all orders of all shuffles, kept if the watcher would have been told the same."""
    state = State()
    Druidenwalzer.prepare(state, 2, game.options, game.components)
    worlds = [state]
    for step in game.steps:
        expected = told_to(step.rows, watcher)
        following = []
        for world in worlds:
            if step.action >= 0 and not world.options >> step.action & 1:
                continue  # of look-alikes another place would have been played
            after, desk = run(world, step.action, None)
            piles = [sorted(cards) for _, cards in orders_in(desk.events[: desk.told])]
            if not piles:
                if told(desk, watcher) == expected:
                    following.append(after)
                continue
            # Different orders of look-alikes look the same; each distinct order stands for equally many.
            for orders in product(*(sorted(set(permutations(pile))) for pile in piles)):
                after, desk = run(world, step.action, [card for order in orders for card in order])
                if told(desk, watcher) == expected:
                    following.append(after)
        worlds = following
    return Counter(key(world) for world in worlds)


def mid_draw_game(number: int) -> Druidenwalzer | None:
    """A short game in which a pile was renewed in the middle of a draw, and the cards drawn are still hidden from somebody."""
    rng = random.Random(number)
    game = Druidenwalzer.new(seed=number, options=SMALL, components=DECK)
    while not game.over and len(game.steps) < 14:
        game.play(rng.choice(game.actions()))
        kinds = [event["kind"] for event in game.events(OPEN, len(game.steps) - 1) if event["kind"] != "order"]
        renewed = any(kinds[i : i + 3] == ["drawn", "shuffled", "drawn"] for i in range(len(kinds)))
        if renewed and not game.over and len(game.steps) > 4:
            return game
    return None


def chi_square(expected: Counter[tuple[Any, ...]], seen: Counter[tuple[Any, ...]]) -> tuple[float, int]:
    total, draws = sum(expected.values()), sum(seen.values())
    assert set(seen) <= set(expected), "a sampled state is impossible"
    square = sum((seen[k] - draws * n / total) ** 2 / (draws * n / total) for k, n in expected.items())
    return square, len(expected) - 1


def place_skipped_game(number: int) -> Druidenwalzer | None:
    """A short game in which somebody has played a card from behind another that is still hidden: that one is no look-alike."""
    rng = random.Random(number)
    game = Druidenwalzer.new(seed=number, options=SMALL, components=DECK)
    while not game.over and len(game.steps) < 10:
        game.play(rng.choice(game.actions()))
        known = game.knowledge[SPECTATOR]
        if not game.over and any(known.never[seat][0] and known.hand[seat][0] >= HIDDEN for seat in (0, 1)):
            return game
    return None


SKIPPED = [100, 101]
MID_DRAW = [0, 1, 2]
WATCHED = [  # in `make test` three positions by one watcher each, in `make proof` all by all
    pytest.param(number, watcher, marks=[] if at % 2 == 0 and (at + turn) % 3 == 0 else pytest.mark.proof)
    for at, number in enumerate([-1, *MID_DRAW, *SKIPPED])
    for turn, watcher in enumerate([0, 1, SPECTATOR])
]


@pytest.mark.parametrize(("number", "watcher"), WATCHED)
def test_sampling_is_the_uniform_distribution_over_all_deals(number: int, watcher: int) -> None:
    """At the start (-1), after a pile was renewed in the middle of a draw, and after a card was played from behind a hidden one."""
    if number < 0:
        game: Druidenwalzer | None = Druidenwalzer.new(seed=3, options=SMALL, components=DECK)
        assert game is not None
        for _ in range(2):
            game.play(game.actions()[0])
    else:
        game = place_skipped_game(number) if number in SKIPPED else mid_draw_game(number)
        assert game is not None
    expected = all_worlds(game, watcher)
    assert key(game.state) in expected
    desk = Desk()
    seed(desk, 99, watcher, 5)
    seen: Counter[tuple[Any, ...]] = Counter()
    world = State()
    for _ in range(max(3000, 12 * len(expected))):
        sample(game.knowledge[watcher], desk, world)
        seen[key(world)] += 1
    square, degrees = chi_square(expected, seen)
    # Mean and spread of chi-square: five standard deviations and a little for few degrees.
    assert square < degrees + 5 * (2 * degrees) ** 0.5 + 12, (square, degrees)


def test_enough_games_have_what_makes_sampling_hard() -> None:
    assert len(MID_DRAW) == 3
    assert len(SKIPPED) == 2
