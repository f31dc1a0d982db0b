"""What a watcher of Celtica is shown: an allow-list, field by field, from what that watcher knows (CE-7.1, 7.2)."""

from __future__ import annotations

import itertools
from typing import Any, TypedDict

from .knowledge import Knowledge
from .play import amulet_size, complete_amulets, place_of
from .state import COLOURS, DRUID, GIVE, HIDDEN, KINDS, OVER, PARTS, RUIN, SEATS, TAKE, TRADE
from .story import COLOUR_NAMES, DECK_NAMES, END_NAMES, KIND_NAMES, PLACE_NAMES, SEAT_NAMES, card_text

PHASES = ("play", "cult", "take", "give", "experience", "over")


class Place(TypedDict):
    """One place of the path, and the druids that stand there."""

    number: int
    kind: str
    parts: int
    druids: list[str]


class Stop(TypedDict):
    """Where a druid would stop: after so many cards, of which the watcher holds enough; how many parts he would take there, how many of
    them he needs, and what he would give up with the least harm."""

    cards: int
    place: int
    kind: str
    parts: int
    takes: int
    needs: int
    loses: list[str]


class Rest(TypedDict):
    """Why the watcher can lead a druid nowhere, and by which rule."""

    why: str
    rule: str


class Change(TypedDict):
    """What a part does to the watcher's amulets (`grows`, `completes`, `twice`; given up `shrinks`, `breaks`, `spare`), and how many parts
    the amulet has then that grows."""

    what: str
    parts: int


class Player(TypedDict):
    """One seat: its cards (`?` for those the watcher may not see), its parts, and how they sort into amulets."""

    seat: str
    hand: list[str]
    experience: list[str]
    playing: bool
    parts: dict[str, int]
    amulets: list[int]
    complete: int
    lacking: list[str]
    rank: int


class CelticaView(TypedDict):
    """The table as one watcher sees it."""

    game: str
    phase: str
    turn: str | None
    left: int
    round: int
    starter: str
    last_round: bool
    places: list[Place]
    druids: dict[str, int]
    before_ruin: list[str]
    into_ruin: list[str]
    ruin_risk: int
    stops: dict[str, list[Stop]]
    rests: dict[str, Rest]
    display: dict[str, int]
    wanted: list[str]
    spare: list[str]
    if_taken: dict[str, Change]
    if_given: dict[str, Change]
    supply: int
    given: dict[str, int]
    pile: dict[str, int]
    discard: dict[str, dict[str, int]]
    unseen: dict[str, dict[str, int]]
    players: list[Player]
    end: str | None


def _named(names: tuple[str, ...], row: list[int]) -> dict[str, int]:
    return {name: row[n] for n, name in enumerate(names) if row[n] > 0}


def _shown(cards: list[int]) -> list[str]:
    return ["?" if card >= HIDDEN else card_text(card) or "?" for card in cards]


def view_of(k: Knowledge, watcher: int, memory: bool) -> CelticaView:
    """The view of a watcher. Nothing is forgotten in Celtica that `memory` could bring back: all discards lie open."""
    seated = watcher if watcher < k.seats else -1
    wanted = _wanted(k, seated) if seated >= 0 else []
    into_ruin = [colour for colour in range(COLOURS) if _only_ruins(k, seated, colour)]
    return {
        "game": "celtica",
        "phase": PHASES[k.phase],
        "turn": None if k.phase == OVER else SEAT_NAMES[k.turn],
        "left": k.left if k.phase in {TAKE, GIVE} else 0,
        "round": k.round,
        "starter": SEAT_NAMES[k.starter],
        "last_round": k.home > 0 and k.phase < TRADE,
        "places": [
            {
                "number": n,
                "kind": PLACE_NAMES[k.place_kind[n]],
                "parts": k.worth[n],
                "druids": [name for colour, name in enumerate(COLOUR_NAMES) if k.druid[colour] == n],
            }
            for n in range(k.places)
        ],
        "druids": {name: k.druid[colour] for colour, name in enumerate(COLOUR_NAMES)},
        "before_ruin": [name for colour, name in enumerate(COLOUR_NAMES) if _next_is_ruin(k, colour)],
        "into_ruin": [COLOUR_NAMES[colour] for colour in into_ruin],
        "ruin_risk": _ruin_risk(k, into_ruin),
        "stops": {name: _stops(k, seated, colour, len(wanted)) for colour, name in enumerate(COLOUR_NAMES)} if seated >= 0 else {},
        "rests": _rests(k, seated) if seated >= 0 else {},
        "display": _named(KIND_NAMES, k.display),
        "wanted": wanted,
        "spare": _spare(k, seated) if seated >= 0 else [],
        "if_taken": _if_taken(k, seated) if seated >= 0 else {},
        "if_given": _if_given(k, seated) if seated >= 0 else {},
        "supply": k.supply_end - k.supply_at,
        "given": _named(KIND_NAMES, k.given),
        "pile": {name: k.pile_end[deck] - k.pile_at[deck] for deck, name in enumerate(DECK_NAMES)},
        "discard": {name: _named(COLOUR_NAMES, k.discard[deck]) for deck, name in enumerate(DECK_NAMES)},
        "unseen": {name: _named(COLOUR_NAMES, _unseen(k, deck)) for deck, name in enumerate(DECK_NAMES)},
        "players": [_player(k, seat) for seat in range(k.seats)],
        "end": END_NAMES[k.end] or None,
    }


def _next_is_ruin(k: Knowledge, colour: int) -> bool:
    at = k.druid[colour] + 1
    return at < k.places and k.place_kind[at] == RUIN


def _only_ruins(k: Knowledge, seat: int, colour: int) -> bool:
    """Whether a card of his, drawn now, could lead this druid only into ruins: also together with the cards of his that the seat holds."""
    held = k.held[seat][colour] + k.held[SEATS + seat][colour] if seat >= 0 else 0
    ahead = range(k.druid[colour] + 1, k.druid[colour] + held + 2)
    return all(at < k.places and k.place_kind[at] == RUIN for at in ahead)


def _ruin_risk(k: Knowledge, into_ruin: list[int]) -> int:
    """CE-4.3: of a hundred druid cards that may be drawn now, so many lead only into a ruin; an empty pile is renewed first."""
    if k.pile_end[DRUID] > k.pile_at[DRUID]:
        # Cards of older piles are in hands, and cannot be drawn.
        pile = [k.pool[DRUID * COLOURS + colour][k.pile_pool[DRUID]] for colour in range(COLOURS)]
    else:
        pile = list(k.discard[DRUID])
    bad = sum(pile[colour] for colour in into_ruin)
    return round(100 * bad / sum(pile)) if sum(pile) else 0


def _stops(k: Knowledge, seat: int, colour: int, wanted: int) -> list[Stop]:
    """CE-3.3: for each number of cards he could play, where the druid would stop; none for a druid at the goal. `wanted`: so many kinds of
    the display he needs."""
    stops: list[Stop] = []
    goal = k.places - 1
    if k.druid[colour] == goal:
        return stops
    shown = sum(k.display)
    for cards in range(1, k.held[seat][colour] + k.held[SEATS + seat][colour] + 1):
        at = min(k.druid[colour] + cards, goal)
        takes = max(0, min(k.worth[at], shown))
        stops.append(
            {
                "cards": cards,
                "place": at,
                "kind": PLACE_NAMES[k.place_kind[at]],
                "parts": k.worth[at],
                "takes": takes,
                "needs": min(takes, wanted),
                "loses": _loses(k, seat, -k.worth[at]),
            }
        )
    return stops


def _rests(k: Knowledge, seat: int) -> dict[str, Rest]:
    """CE-3.1, 3.4: the druids that he can lead nowhere: he holds no card of theirs, or they are at the goal."""
    rests: dict[str, Rest] = {}
    for colour, name in enumerate(COLOUR_NAMES):
        if k.held[seat][colour] + k.held[SEATS + seat][colour] == 0:
            rests[name] = {"why": "no_card_of", "rule": "CE-3.1"}
        elif k.druid[colour] == k.places - 1:
            rests[name] = {"why": "druid_at_goal", "rule": "CE-3.4"}
    return rests


def _unseen(k: Knowledge, deck: int) -> list[int]:
    """Cards of each colour that lie in places hidden from the watcher."""
    return [sum(k.pool[deck * COLOURS + colour]) for colour in range(COLOURS)]


def _lacking(k: Knowledge, seat: int) -> list[str]:
    """The kinds that his first incomplete amulet lacks."""
    complete = complete_amulets(k, seat)
    return [name for kind, name in enumerate(KIND_NAMES) if k.parts[seat][kind] == complete]


def _wanted(k: Knowledge, seat: int) -> list[str]:
    """What the display holds of that."""
    return [name for name in _lacking(k, seat) if k.display[KIND_NAMES.index(name)] > 0]


def _if_taken(k: Knowledge, seat: int) -> dict[str, Change]:
    """CE-6.4: what one more part does to his amulets, for every kind of the display."""
    complete = complete_amulets(k, seat)
    size = amulet_size(k, seat, complete + 1)
    more: Change = {"what": "completes" if size + 1 == KINDS else "grows", "parts": size + 1}
    twice: Change = {"what": "twice", "parts": size}
    shown = [kind for kind in range(KINDS) if k.display[kind] > 0]
    return {KIND_NAMES[kind]: more if k.parts[seat][kind] == complete else twice for kind in shown}


def _if_given(k: Knowledge, seat: int) -> dict[str, Change]:
    """CE-6.4: what one part less does to his amulets, for every kind that he has: what he has most often is missed by none."""
    complete = complete_amulets(k, seat)
    size = amulet_size(k, seat, complete + 1)
    broken: Change = {"what": "breaks", "parts": KINDS - 1}
    less: Change = {"what": "shrinks", "parts": size - 1}
    spare: Change = {"what": "spare", "parts": size}
    own = [kind for kind in range(KINDS) if k.parts[seat][kind] > 0]
    return {KIND_NAMES[kind]: (broken, less, spare)[min(2, k.parts[seat][kind] - complete)] for kind in own}


def _spare(k: Knowledge, seat: int) -> list[str]:
    """His kinds, the least harmful to give up first: those of which he has most; of equals those that are easiest to get back."""
    own = [kind for kind in range(KINDS) if k.parts[seat][kind] > 0]
    return [KIND_NAMES[kind] for kind in sorted(own, key=lambda kind: (-k.parts[seat][kind], -k.display[kind], kind))]


def _loses(k: Knowledge, seat: int, count: int) -> list[str]:
    """CE-4.2: what a ruin takes from him with the least harm, part by part: as many as it shows, and no more than he has."""
    parts = list(k.parts[seat])
    lost: list[str] = []
    for _ in range(min(sum(parts), count)):
        kind = max(range(KINDS), key=lambda kind: (parts[kind], k.display[kind], -kind))
        parts[kind] -= 1
        lost.append(KIND_NAMES[kind])
    return lost


def _player(k: Knowledge, seat: int) -> Player:
    sizes = itertools.takewhile(bool, (amulet_size(k, seat, n) for n in range(1, PARTS + 1)))
    return {
        "seat": SEAT_NAMES[seat],
        "hand": _shown(k.hand[seat][: k.hand_size[seat]]),
        "experience": _shown(k.hand[SEATS + seat][: k.hand_size[SEATS + seat]]),
        "playing": k.hand_size[seat] > 0,
        "parts": _named(KIND_NAMES, k.parts[seat]),
        "amulets": list(sizes),
        "complete": complete_amulets(k, seat),
        "lacking": _lacking(k, seat),
        "rank": int(place_of(k, seat)),
    }


# --- The table in text ---------------------------------------------------------------------------------------------


def draw(view: CelticaView) -> str:
    """The table in text: the path in rows of seven, the parts, the players."""
    lines = [f"round {view['round']}{', the last' if view['last_round'] else ''}: {_due(view)}", ""]
    for first in range(0, len(view["places"]), 7):
        lines += _path(view["places"][first : first + 7])
    lines.append("")
    druid, wise = view["pile"]["druid"], view["pile"]["experience"]
    lines.append(f"display {_counts(view['display']) or 'empty'}   supply {view['supply']}   given up {sum(view['given'].values())}")
    lines.append(f"piles   {druid} druid, {wise} experience   unseen {_counts(view['unseen']['druid'])}")
    lines.append("")
    for player in view["players"]:
        mark = "*" if view["turn"] == player["seat"] else " "
        lines.append(f"{mark} {player['seat'].capitalize():9} {_cards(player['hand'])} | {_cards(player['experience'])}")
        amulets = " + ".join(str(size) for size in player["amulets"]) or "none"
        rank = f"   rank {player['rank']}" if view["end"] else ""
        lines.append(f"            {_counts(player['parts']) or 'no parts'}   amulets {amulets}{rank}")
    return "\n".join(lines)


def _due(view: CelticaView) -> str:
    if view["turn"] is None:
        return f"over ({view['end']})"
    what = {
        "play": "plays cards",
        "cult": f"may draw a card; {len(view['before_ruin'])} druids stand before a ruin",
        "take": f"takes {view['left']}",
        "give": f"gives up {view['left']}",
        "experience": "may trade experience",
    }
    return f"{view['turn'].capitalize()} {what[view['phase']]}"


def _path(places: list[Place]) -> list[str]:
    heads = [f"{place['number']} {place['kind']}" + (f" {place['parts']:+}" if place["parts"] else "") for place in places]
    druids = [" ".join(name[:3] for name in place["druids"]) for place in places]
    widths = [max(16, len(text) + 1) for text in druids]
    return ["".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip() for row in (heads, druids)]


def _counts(counts: dict[str, int]) -> str:
    return " ".join(f"{name} {n}" if n > 1 else name for name, n in counts.items())


def _cards(cards: list[str]) -> str:
    return " ".join(cards) or "-"


def points_of(s: Any, seat: int) -> int:
    """CE-6.4: how many parts a seat holds."""
    return int(sum(s.parts[seat]))
