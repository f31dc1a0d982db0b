"""Games of Celtica for tests: the state in canonical form, and random boards and decks."""

from __future__ import annotations

import random
from typing import Any

from drunemeton.rules.celtica import Celtica
from drunemeton.rules.celtica.state import DRUID, EXPERIENCE, GIVE, SEATS, TAKE, State
from drunemeton.rules.celtica.story import COLOUR_NAMES, KIND_NAMES, card_text

PHASES = ("play", "cult", "take", "give", "experience", "over")


def counted(names: tuple[str, ...], row: list[int]) -> dict[str, int]:
    return {name: row[n] for n, name in enumerate(names) if row[n]}


def listed(names: tuple[str, ...], row: list[int]) -> list[str]:
    return sorted(name for n, name in enumerate(names) for _ in range(row[n]))


def hand(s: State, deck: int, seat: int) -> list[str | None]:
    row = deck * SEATS + seat
    return [card_text(card) for card in s.hand[row][: s.hand_size[row]]]


def canonical(game: Celtica) -> dict[str, Any]:
    """The true state as `tests/reference/README.md` writes it."""
    s = game.state
    piles = [[card_text(card) for card in s.pile[deck][s.pile_at[deck] : s.pile_end[deck]]] for deck in (DRUID, EXPERIENCE)]
    return {
        "druids": {name: s.druid[n] for n, name in enumerate(COLOUR_NAMES)},
        "display": counted(KIND_NAMES, s.display),
        "supply": [card_text(part) for part in s.supply[s.supply_at : s.supply_end]],
        "given": listed(KIND_NAMES, s.given),
        "pile": piles[DRUID],
        "discard": listed(COLOUR_NAMES, s.discard[DRUID]),
        "experience_pile": piles[EXPERIENCE],
        "experience_discard": listed(COLOUR_NAMES, s.discard[EXPERIENCE]),
        "hands": [hand(s, DRUID, seat) for seat in range(s.players)],
        "experience": [hand(s, EXPERIENCE, seat) for seat in range(s.players)],
        "parts": [counted(KIND_NAMES, s.parts[seat]) for seat in range(s.players)],
        "turn": s.turn,
        "phase": PHASES[s.phase],
        "left": s.left if s.phase in {TAKE, GIVE} else 0,
        "round": s.round,
        "starter": s.starter,
    }


def board(rng: random.Random, style: str) -> list[dict[str, Any]]:
    """A path: `rich` in find spots, `poor` with many ruins, or `wild`."""
    count = rng.choice([10, 12, 19, 19, 25, 40])
    weights = {"rich": (1, 1, 6), "poor": (1, 6, 2), "wild": (2, 2, 2), "cults": (6, 2, 2)}[style]
    places: list[dict[str, Any]] = [{"kind": "start", "parts": 0}]
    for _ in range(count - 2):
        kind = rng.choices(["cult", "ruin", rng.choice(["village", "castle", "monastery"])], weights)[0]
        most = rng.choice([3, 9])
        parts = {"cult": 0, "ruin": -rng.randint(1, most)}.get(kind, rng.randint(4 if style == "rich" else 1, 9 if style == "rich" else most))
        places.append({"kind": kind, "parts": parts})
    return [*places, {"kind": "goal", "parts": rng.randint(1, 9)}]


def random_setup(rng: random.Random, seats: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options and components: the default ones, rich and poor boards, small decks that are renewed all the time."""
    options = {"first_player": rng.randrange(seats)} if rng.random() < 0.4 else {}
    components = Celtica.default_components()
    if rng.random() < 0.7:
        components["places"] = board(rng, rng.choice(["rich", "poor", "wild", "cults"]))
    if rng.random() < 0.5:
        components["druid_cards"] = rng.choice([1, 2, 3, 5, 8, 15])
        components["experience_cards"] = rng.choice([0, 1, 2, 4, 7])
        components["parts_per_kind"] = rng.choice([1, 2, 3, 6, 14])
    return options, components
