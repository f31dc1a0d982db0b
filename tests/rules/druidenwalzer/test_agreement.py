"""The rules and the plain reference, written independently of each other, agree after every decision of random games.

Random players seldom get far into what is rare, so the two are also compared from random positions near the end: trees empty, lost or
one token short of it, few values, short piles.
"""

from __future__ import annotations

import random

import pytest

from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.druidenwalzer.state import PASS
from tests.agreement import assert_agree
from tests.reference.druidenwalzer import Reference, Tree

from .games import canonical, random_setup, setup
from .positions import Laid, check_invariants, position


def agree(seed: int) -> Druidenwalzer:
    """One random game over random options on both."""
    game = assert_agree(Druidenwalzer, Reference, canonical, seed=seed, setup=setup(random.Random(seed)), limit=1500)
    assert isinstance(game, Druidenwalzer)
    check_invariants(game.state)
    return game


def test_150_games_agree() -> None:
    ends = {game.result.end if game.result else "" for game in map(agree, range(150))}
    assert ends >= {"conquest", "empty", "draw"}, "all kinds of end occur"


@pytest.mark.proof
@pytest.mark.parametrize("block", range(20))
def test_2000_games_agree(block: int) -> None:
    for seed in range(1000 + 100 * block, 1100 + 100 * block):
        agree(seed)


# --- From positions near the end -----------------------------------------------------------------------------------


def rare_position(rng: random.Random) -> Laid:
    """The words for a position in which much is about to happen."""
    options, _ = random_setup(rng)
    options = {name: value for name, value in options.items() if not name.startswith("handicap")}
    trees, to_lose, to_conquer = options.get("trees", 4), options.get("trees_to_lose", 2), options.get("tokens_to_conquer", 6)
    highest = rng.choice([1, 2, 2, 3, 5])

    def some(least: int, most: int) -> list[str]:
        return [f"{rng.choice('sm')}{rng.randint(1, highest)}{rng.choice('<>')}" for _ in range(rng.randint(least, most))]

    trees_laid: dict[str, str] = {}
    tokens: dict[str, int] = {}
    druids: dict[str, str] = {}
    turn, quiet = rng.choice(["sun", "moon"]), rng.randint(0, max(0, options["draw_after"] - 1))
    lost: list[str] = []
    for seat in ("sun", "moon"):
        own = [f"{seat[0].upper()}{n + 1}" for n in range(trees)]
        fallen = rng.sample(own, rng.choice([0, to_lose - 1]))
        lost += fallen
        standing = [name for name in own if name not in fallen]
        for name in standing:
            stack = [] if rng.random() < 0.15 else some(1, 3)
            down = rng.randint(0, max(0, len(stack) - 1))
            trees_laid[name] = " ".join(card + ("?" if depth < down else "") for depth, card in enumerate(stack))
            tokens[name] = rng.choice([to_conquer - 1, to_conquer - 1, rng.randint(0, to_conquer - 1)])
        homes = rng.sample(standing, trees - 1)
        druids[seat] = " ".join(f"{colour}@{home[1]}" for colour, home in zip(("orange", "purple", "black"), homes, strict=False))
    size = options.get("hand", 3)
    hands = {seat: " ".join(rng.choice(some(1, 1)) if rng.random() < 0.6 else "-" for _ in range(size)) for seat in ("sun", "moon")}
    piles = {seat: " ".join(some(0, 2)) for seat in ("sun", "moon")}
    cults = {seat: " ".join(some(0, 3)) for seat in ("sun", "moon")}
    cards: Laid = {"trees": trees_laid, "hands": hands, "piles": piles, "cults": cults}
    return {**cards, "tokens": tokens, "druids": druids, "lost": " ".join(lost), "turn": turn, "quiet": quiet, "options": options}


def follow(words: Laid, rng: random.Random, steps: int) -> set[str]:
    """Play on from a position on both; answers the kinds of events that came up."""
    game = position(seed=rng.randrange(1000), **words)
    orders: list[tuple[str, list[str]]] = []

    def shuffle(name: str, cards: list[str]) -> list[str]:
        if not orders:  # its own set-up; a shuffle too many would show in the piles
            return cards
        pile, order = orders.pop(0)
        assert (pile, sorted(order)) == (name, sorted(cards))
        return order

    reference = Reference(dict(words["options"]), game.components, 2, shuffle)
    while reference.phase != "action":  # through its set-up, to be overwritten
        reference.play(min(reference.legal()))
    state = canonical(game)
    reference.trees = {name: Tree(**tree) for name, tree in state["trees"].items()}
    reference.cult = {seat: list(state["cult"][name]) for seat, name in enumerate(("sun", "moon"))}
    reference.pile = {seat: list(state["pile"][name]) for seat, name in enumerate(("sun", "moon"))}
    reference.hand = {seat: list(state["hand"][name]) for seat, name in enumerate(("sun", "moon"))}
    reference.begin_turn(state["turn"])
    reference.quiet = words["quiet"]
    asked: set[str] = set()
    for _ in range(steps):
        where = f"{words}, played {[step.move for step in game.steps[1:]]}"
        assert game.to_move == reference.to_move(), where
        assert canonical(game) == reference.state(), where
        check_invariants(game.state)
        if game.over:
            assert game.result is not None
            assert reference.result() == {"end": game.result.end, "places": list(game.result.places)}, where
            break
        legal = game.legal()
        assert set(legal) - {"pass"} == reference.legal(), where
        move = rng.choice(legal)
        game.play(PASS if move == "pass" else move)
        for pile, cards in game.orders()[-1]:
            orders.append((pile, [game.order_text(pile, card) for card in cards]))
        if move == "pass":
            reference.carry_out_forced()
        else:
            reference.play(move)
        assert not orders, where
        asked |= {move[0]} | {event["kind"] for event in game.script.events(game.steps[-1].rows)}
    return asked


def agree_from_positions(seed: int, count: int) -> set[str]:
    """So many positions, with a few moves from each."""
    rng = random.Random(seed)
    asked: set[str] = set()
    for _ in range(count):
        words = rare_position(rng)
        for _ in range(3):
            asked |= follow(words, rng, 6)
    return asked


def test_rare_positions_agree() -> None:
    asked = agree_from_positions(2, 150)
    assert {"W", "J", "R", "C", "tree_lost", "stayed", "shuffled", "passed", "scattered", "ended"} <= asked


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(10, 20))
def test_many_rare_positions_agree(seed: int) -> None:
    agree_from_positions(seed, 500)
