"""What a search does in a few fixed positions, as a short text: as long as that stays, so do the strengths that were measured.

`plays.json` keeps it for each game. A test compares; whoever changes what is played writes it anew and has measured strengths no more:

    DRUNEMETON_REGENERATE=1 python -m pytest tests/bots/test_behaviour.py
"""

from __future__ import annotations

import random
from hashlib import blake2b
from typing import Any

from ..rules.chance import BY_STEP, Chance
from ..rules.game import Game
from ..rules.options import recorded
from .levels import Strength
from .search import Searcher

# Every way to think that levels differ in: worlds beyond the tree, oversights, how values are weighed, when a node opens.
WAYS = (
    Strength(60, horizon=6),
    Strength(40, overlook=300, explore=0.2, trust=1.0),
    Strength(50, horizon=25, ripe=6, threads=2),
    Strength(30, horizon=2, deepest=2),
)
STEPS = (6, 23, 60)


def positions(game: type[Game]) -> list[Game]:
    """The fixed positions: some way into a game, with something to decide."""
    found = []
    for number, steps in enumerate(STEPS):
        rng = random.Random(number)
        # By former rulings and shuffles: those that came later do not change how a search thinks.
        played = game.new(chance=Chance.from_seed(number, BY_STEP), options=recorded(game.described, {}))
        while not played.over and (len(played.steps) < steps or len(played.actions()) < 3):
            played.play(rng.choice(played.actions()))
        if not played.over:
            found.append(played)
    return found


def behaviour(game: type[Game]) -> str:
    """What the search of this game does in them."""
    digest = blake2b(digest_size=8)
    for number, position in enumerate(positions(game)):
        assert position.to_move is not None
        for way in WAYS:
            seen: list[Any] = []
            for one in Searcher(game, way).consider(position.knowledge[position.to_move], seed=number):
                seen.append((one.action, one.visits, round(one.value, 6)))
            digest.update(repr(seen).encode())
    return digest.hexdigest()
