"""What the things on the table of Druiden und Dämonen are, and what they do now."""

from __future__ import annotations

from ..teaching import Saying
from .story import ACTION_NAMES
from .view import Cell, DaemonenView, Player

ACTIONS = {"dark": "DD-5.3", "light": "DD-5.4", "scout": "DD-5.5", "populate": "DD-5.6", "move": "DD-5.7"}
PLAIN = {
    "in_hand": "DD-3.1",
    "in_hand_portal": "DD-3.2",
    "chosen": "DD-5.1",
    "reach": "DD-5.3",
    "move_draw": "DD-3.3",
    "move_stop": "DD-3.3",
    "move_discard": "DD-3.3",
    "move_end": "DD-5.2",
    "move_from": "DD-5.4",
}
POOLS = {"pile": "DD-6.2", "demon_pool": "DD-5.3", "temple_pool": "DD-5.4"}


def things(view: DaemonenView) -> list[str]:
    """All that can be asked about."""
    return [
        *PLAIN,
        *POOLS,
        *(f"action:{action}" for action in ACTION_NAMES),
        *(f"cell:{cell['cell']}" for cell in view["cells"]),
        *(f"cell:{cell}" for cell in view["frontier"]),
        *(f"corner:{corner['corner']}" for corner in view["corners"]),
        *(f"player:{player['seat']}" for player in view["players"]),
    ]


def about(view: DaemonenView, what: str) -> list[Saying]:
    """What it is, and what it does now."""
    kind, _, name = what.partition(":")
    if kind in PLAIN:
        return [Saying(f"{kind}", PLAIN[kind])]
    if kind in POOLS:
        counts = {"pile": view["pile"], "demon_pool": view["demon_pool"], "temple_pool": view["temple_pool"]}
        return [Saying(f"{kind}", POOLS[kind], {"count": counts[kind]})]
    if kind == "action" and name in ACTIONS:
        return _action(view, name)
    if kind == "cell":
        if name in view["frontier"]:
            return [Saying("frontier", "DD-3.1")]
        return [told for cell in view["cells"] if cell["cell"] == name for told in _cell(view, cell)]
    if kind == "corner":
        return _corner(view, name)
    return [told for player in view["players"] if kind == "player" and player["seat"] == name for told in _player(view, player)]


def _action(view: DaemonenView, action: str) -> list[Saying]:
    told = [Saying(f"action_{action}", ACTIONS[action])]
    told += [Saying(f"barred_{by}", "DD-5.1") for ban in view["banned"] if ban["action"] == action for by in ban["by"]]
    for prospect in view["prospects"]:
        if prospect["action"] == action:
            told.append(Saying("prospect", "DD-5.2", {"possible": prospect["possible"], "most": prospect["up_to"]}))
    return told


def _cell(view: DaemonenView, cell: Cell) -> list[Saying]:
    if cell["kind"] != "land":
        return [Saying("centre", "DD-1.4") if cell["kind"] == "centre" else Saying("portal", "DD-2.1")]
    told: list[Saying] = []
    if cell["population"]:
        told.append(Saying("anchored" if cell["anchor"] else "population", "DD-6.1", {"seat": cell["population"]}))
        told += _threats(view, cell)
    elif cell["demon"]:
        told.append(Saying("demon", "DD-5.8"))
    else:
        told.append(Saying("land", "DD-3.4") if cell["habitable"] else Saying("bare", "DD-3.4"))
    if cell["moved"]:
        told.append(Saying("moved", "DD-5.7"))
    if cell["temple"]:
        owner = cell["temple_of"]
        told.append(Saying("temple", "DD-5.4", {"seat": owner}) if owner else Saying("temple_free", "DD-5.4"))
    if cell["at_portal"]:
        told.append(Saying("at_portal", "DD-2.1"))
    return told


def _threats(view: DaemonenView, cell: Cell) -> list[Saying]:
    """Who could lay a demon field here, or capture who stands here, in his next turn."""
    told = []
    for player in view["players"]:
        if player["seat"] == cell["population"]:
            continue
        for threat in player["next"]["demons"]:
            if threat["cell"] == cell["cell"]:
                told.append(Saying("threat", "DD-5.3", {"seat": player["seat"], "steps": threat["steps"]}))
        if cell["cell"] in player["next"]["captures"]:
            told.append(Saying("capture", "DD-5.7", {"seat": player["seat"]}))
    return told


def _corner(view: DaemonenView, name: str) -> list[Saying]:
    for corner in view["corners"]:
        if corner["corner"] == name:
            if corner["stone"]:
                return [Saying("stone", "DD-6.1", {"seat": corner["stone"]}), Saying("stone_falls", "DD-5.8")]
            told = [Saying("site", "DD-5.4")]
            if corner["ready"] and view["turn"]:
                told.append(Saying("site_ready", "DD-5.4", {"seat": view["turn"]}))
            return told
    return []


def _player(view: DaemonenView, player: Player) -> list[Saying]:
    told = [
        Saying("player", "DD-6.1", {"points": player["points"], "win": view["win"]}),
        Saying("reserve", "DD-5.6", {"populations": player["reserve"], "stones": player["stone_reserve"]}),
    ]
    if player["trophies"]:
        told.append(Saying("trophies", "DD-5.6", {"count": player["trophies"]}))
    return told
