"""Games of Druidenwalzer for tests: the state in canonical form, and random set-ups over all options."""

from __future__ import annotations

import random
from typing import Any

from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.druidenwalzer.state import CONTEST, TREES
from drunemeton.rules.druidenwalzer.story import COLOUR_NAMES, SEAT_NAMES, board_text, card_text

SHORT: tuple[dict[str, Any], dict[str, Any]] = (
    {"trees": 2, "stack": 1, "hand": 1, "tokens_to_conquer": 2, "trees_to_lose": 1, "draw_after": 10},
    {},
)  # options and components of a game that is soon over


def canonical(game: Druidenwalzer) -> dict[str, Any]:
    """The true state as `tests/reference/README.md` writes it."""
    s = game.state
    trees = {}
    for tree in range(8):
        if tree % TREES < s.trees:
            trees[board_text(tree)] = {
                "cards": [card_text(card) for card in s.stack[tree][: s.height[tree]]],
                "down": s.down[tree],
                "tokens": s.tokens[tree],
                "lost": s.lost[tree] == 1,
                "druid": COLOUR_NAMES[s.druid_on[tree]] if s.druid_on[tree] >= 0 else None,
            }
    return {
        "trees": trees,
        "cult": {name: sorted(map(card_text, s.cult[n][: s.cult_size[n]])) for n, name in enumerate(SEAT_NAMES)},
        "pile": {name: [card_text(card) for card in s.pile[n][s.pile_at[n] : s.pile_end[n]]] for n, name in enumerate(SEAT_NAMES)},
        "hand": {name: [card_text(card) for card in s.hand[n][: s.hand_size]] for n, name in enumerate(SEAT_NAMES)},
        "turn": s.turn,
        "quiet": 0 if s.stirred else s.quiet,
        "ring": board_text(s.ring),
        "meeting": sorted(name for n, name in enumerate(COLOUR_NAMES) if s.meeting >> n & 1) if s.phase == CONTEST else [],
    }


def setup(rng: random.Random) -> tuple[int, dict[str, Any], dict[str, Any]]:
    """Seats, options and components of some game."""
    return 2, *random_setup(rng)


def random_setup(rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options and components, every option among them."""
    options: dict[str, Any] = {}
    if rng.random() < 0.6:
        options["trees"] = rng.randint(2, 4)
        options["stack"] = rng.randint(1, 5)
        options["hand"] = rng.randint(1, 3)
        options["tokens_to_conquer"] = rng.randint(1, 6)
        options["trees_to_lose"] = rng.randint(1, 2)
    options["moon_row"] = rng.choice(["rotated", "mirrored"])
    options["conquered_cards"] = rng.choice(["by_sign", "tree_owner"])
    options["cover_protects"] = rng.random() < 0.4
    options["draw_after"] = rng.choice([0, 5, 20, 60, 60, 60])
    needed = 1 + options.get("trees", 4) * options.get("stack", 5) + options.get("hand", 3)
    components: dict[str, Any] = {}
    for seat in ("sun", "moon"):
        if rng.random() < 0.4:
            components[seat] = dict(Druidenwalzer.default_components()[seat])
        else:
            size = rng.randint(needed, max(needed, rng.choice([needed + 3, 30, 60])))
            highest = rng.choice([1, 2, 5, 9])
            deck = ["1" + rng.choice("<>")] + [f"{rng.randint(1, highest)}{rng.choice('<>')}" for _ in range(size - 1)]
            components[seat] = {card: deck.count(card) for card in sorted(set(deck))}
        if rng.random() < 0.3:
            left = [card for card, n in components[seat].items() for _ in range(n)]
            spare = len(left) - needed
            removed = rng.sample(left, min(spare, rng.randint(0, 3)))
            for card in removed:
                left.remove(card)
            if any(card.startswith("1") for card in left):
                options[f"handicap_{seat}"] = removed
    return options, components
