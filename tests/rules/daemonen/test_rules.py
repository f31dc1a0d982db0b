"""Every numbered rule of Druiden und Dämonen, on positions built by hand; the golden cases of the specification among them.

It is long because it is read beside the text of the rules, in its order.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from drunemeton.rules.daemonen import Daemonen, land, pieces
from drunemeton.rules.daemonen.notation import corner_name, parse_move
from drunemeton.rules.daemonen.play import find_options
from drunemeton.rules.daemonen.state import SETUP, STEP, State
from drunemeton.rules.daemonen.story import cell_text
from tests.rules.daemonen.games import Builder, at, canonical, cells, neighbours

# A rose of seven fields around 5,0, away from the centre; its corners 0, 2 and 4 make 5,0 a field with three stones.
HEART = "5,0"
ROSE = ("5,0", "6,0", "6,-1", "5,-1", "4,0", "4,1", "5,1")
THREE = ("5,0/0", "5,0/2", "5,0/4")
# A road of land from the centre outwards.
ROAD = ("2,0", "3,0", "4,0", "5,0", "6,0", "7,0")


def moves(game: Daemonen, word: str) -> set[str]:
    return {move.split(" ", 1)[1] for move in game.legal() if move.split()[0] == word}


def kinds(game: Daemonen) -> list[str]:
    """The events of the last step."""
    return [event["kind"] for event in game.events(since=len(game.steps) - 1)]


def why(game: Daemonen, move: str) -> tuple[str, str | None]:
    reason = game.why_not(move)
    assert reason is not None, f"{move} is legal"
    return reason.code, reason.rule


def rose(seats: int = 2, sides: str = "FFFFFF", **options: Any) -> Builder:
    return Builder(seats, **options).land(*ROSE, sides=sides)


# --- 1 Geometry ----------------------------------------------------------------------------------------------------


def test_directions() -> None:
    """DD-1.1"""
    assert neighbours("0,0") == ["1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1"]
    for k, name in enumerate(neighbours("3,-2")):
        assert neighbours(name)[(k + 3) % 6] == "3,-2"
        assert at(name) == at("3,-2") + STEP[k]


def test_three_names_of_a_corner() -> None:
    """DD-1.2, golden case 2: (h,k), (A,k+2) and (B,k+4) are one corner."""
    built = rose().people(0, *ROSE)
    game = built.choose("light", "light")
    for k in range(6):
        a, b = neighbours(HEART)[k], neighbours(HEART)[(k + 1) % 6]
        names = [corner_name(at(HEART), k), corner_name(at(a), (k + 2) % 6), corner_name(at(b), (k + 4) % 6)]
        assert len(set(names)) == 1
        actions = {parse_move(game.state, text) for text in (f"stone {HEART}/{k}", f"stone {a}/{(k + 2) % 6}", f"stone {b}/{(k + 4) % 6}")}
        assert len(actions) == 1
    assert built.s.sites == 6


def test_edges_of_a_corner() -> None:
    """DD-1.3, DD-5.4: h|A, h|B and A|B are the edges of a corner; two of three must be forest on both sides."""
    for h_a, h_b, a_b in itertools.product("FW", repeat=3):
        built = Builder()
        # Corner 0 of 5,0: A = 6,0 and B = 6,-1. h's sides 0 and 1; A's sides 3 (to h) and 2 (to B); B's sides 4 (to h) and 5 (to A).
        built.land("5,0", sides=f"{h_a}{h_b}WWWW").land("6,0", sides=f"WW{a_b}{h_a}WW").land("6,-1", sides=f"WWWW{h_b}{a_b}")
        assert (built.site("5,0/0") >= 0) == ((h_a, h_b, a_b).count("F") >= 2)
    one_sided = Builder().land("5,0", sides="FFWWWW").land("6,0", sides="WWWFWW").land("6,-1", sides="WWWWWW")
    assert one_sided.site("5,0/0") < 0


def test_great_demon_field() -> None:
    """DD-1.4, golden case 1: six cells for a first land field, twelve for a portal; every field fits."""
    assert {cell for cell, kind in canonical(Builder().game)["cells"].items() if kind == "centre"} == {"0,0", *neighbours("0,0")}
    for card in Daemonen.default_components()["fields"]:
        game = Builder().hold(card)
        assert {move.split()[0] for move in moves(game, "lay")} == {"1,1", "2,-1", "1,-2", "-1,-1", "-2,1", "-1,2"}
        assert len(game.legal()) == 6 * land.looks(game.state.hand)
    assert len(moves(Builder().hold("portal"), "portal")) == 12


def test_small_centre() -> None:
    """DD-1.4, option centre_radius 0: one neighbour is enough while nothing but the centre lies."""
    game = Builder(centre_radius=0).hold("FFFFFF")
    assert {move.split()[0] for move in moves(game, "lay")} == set(neighbours("0,0"))
    game = Builder(centre_radius=0).portal("1,0").hold("FFFFFF")
    assert {move.split()[0] for move in moves(game, "lay")} == {"1,-1", "0,1"}


def test_rim() -> None:
    """DD-1.5: nothing farther than 15 from the middle, portals neither."""
    built = Builder().land(*(f"{q},0" for q in range(2, 16)))
    game = built.hold("portal")
    assert "15,-1" in moves(game, "portal")
    assert not any(name in moves(game, "portal") for name in ("16,0", "16,-1", "15,1"))
    assert why(game, "portal 16,0") == ("dd.beyond_the_rim", "DD-1.5")


def test_what_a_cell_holds() -> None:
    """DD-1.6: an anchor is a demon field under a population, and a temple may stand there too."""
    built = rose().people(0, *ROSE).stones(0, *THREE).temples(HEART).anchors(0, HEART)
    state = canonical(built.ready())
    assert state["anchors"] == {HEART: 0}
    assert state["demons"] == []
    assert state["populations"][HEART] == 0
    assert state["temples"] == [HEART]
    view = built.game.view(0)
    (cell,) = [cell for cell in view["cells"] if cell["cell"] == HEART]
    assert (cell["kind"], cell["anchor"], cell["demon"], cell["temple_of"]) == ("land", True, False, "red")


# --- 2 Adjacency ---------------------------------------------------------------------------------------------------


def far_portals(**options: Any) -> Builder:
    """Two portals; 3,0 and 2,0 touch the first, -3,0 the second; -4,0 touches neither."""
    return Builder(**options).land("2,0", "3,0", "-3,0", "-4,0").portal("3,-1", "-3,1")


def around(built: Builder, name: str) -> set[str]:
    slot = built.slot(name)
    low, middle, high = (land.slot_word(slot, w) for w in range(3))
    return set(cells(built.s, list(land.adjacent(built.s, low, middle, high, 1))))


def test_adjacent_through_portals() -> None:
    """DD-2.1: fields that touch any portal are adjacent to each other, the centre's hexagons too."""
    assert around(far_portals(), "3,0") == {"2,0", "3,0", "-3,0"}
    assert around(far_portals(), "-4,0") == {"-3,0"}
    at_the_centre = Builder().land("2,0", "6,0").portal("2,-1", "6,-1")
    assert around(at_the_centre, "6,0") == {"2,0", "6,0", "1,0", "1,-1"}
    same = Builder().land("5,-2", "5,0").portal("5,-1")
    assert "5,0" in around(same, "5,-2"), "the same portal counts as well"


def test_what_portals_shorten() -> None:
    """DD-2.2: new populations go through portals; demons do unless the option says no; being at a stone needs touching."""
    game = far_portals().people(0, "3,0").choose("populate", "populate")
    assert moves(game, "settle") == {"2,0", "-3,0"}
    for conduct in (True, False):
        built = Builder(portals_conduct_demons=conduct).land("1,1", "6,0", "5,1", sides="FFFFFF").portal("2,1", "6,-1").demons("1,1")
        game = built.choose("dark", "dark")
        assert ("6,0" in moves(game, "demon")) == conduct
    built = rose().people(0, *ROSE).stones(0, "5,0/0").land("9,0").portal("7,-1", "9,-1")
    assert "9,0" not in cells(built.s, list(pieces.stone_fields(built.s, 0)))


# --- 3 Laying fields -----------------------------------------------------------------------------------------------


def test_sides_must_match() -> None:
    """DD-3.1: two occupied neighbours, and all touching sides match; centre, portals and demon fields match anything."""
    built = Builder().land("2,0", sides="WWWWWW").land("3,-1", sides="FFFFFF")
    game = built.hold("FWWWWW")
    # 3,0 touches 3,-1 in direction 2 (forest) and 2,0 in direction 3 (water).
    assert {move for move in moves(game, "lay") if move.startswith("3,0")} == {"3,0 r2"}
    assert why(game, "lay 3,0 r0") == ("dd.sides_differ", "DD-3.1")
    assert why(game, "lay 4,-1 r0") == ("dd.two_neighbours", "DD-3.1")
    assert why(game, "lay 2,0 r0") == ("dd.cell_taken", "DD-3.1")
    reason = game.why_not("lay 3,0 r0")
    assert reason is not None
    assert reason.params["fits"] == ["r2"]
    assert why(built.hold("MMMMMM"), "lay 3,0 r0") == ("dd.fits_in_no_way", "DD-3.1")
    portal = Builder().land("2,0", sides="WWWWWW").portal("3,-1").hold("FFWFFF")
    assert {move for move in moves(portal, "lay") if move.startswith("3,0")} == {"3,0 r1"}
    dark = Builder().land("2,0", "3,-1", sides="WWWWWW").demons("2,0", "3,-1").hold("FMMMMM")
    assert {move for move in moves(dark, "lay") if move.startswith("3,0")} == {f"3,0 r{k}" for k in range(6)}


def test_own_anchors_match_anything() -> None:
    """DD-3.1: only the layer's own anchors."""
    for seat, fits in ((0, 6), (1, 0)):
        built = Builder().land("5,0", "6,-1", sides="WWWWWW").people(seat, "5,0", "6,-1").anchors(seat, "5,0", "6,-1")
        game = built.hold("FFFFFM")
        assert len([move for move in moves(game, "lay") if move.startswith("6,0")]) == fits


def test_later_mismatches() -> None:
    """DD-3.1: a mismatch that shows when a demon field goes away does no harm."""
    built = Builder().land("2,0", "3,-1", sides="WWWWWW").demons("2,0").land("3,0", sides="FFFFFF").people(0, "3,0")
    game = built.choose("dark", "dark")
    game.play("remove 2,0")
    assert canonical(game)["cells"]["3,0"] == "FFFFFF"
    assert canonical(game)["populations"] == {"3,0": 0}


def test_portals() -> None:
    """DD-3.2: a portal goes next to anything, must be placed, and nothing may stand on it."""
    game = Builder(may_decline=True).land("2,0").hold("portal")
    assert moves(game, "portal") == {cell_text(cell) for cell in game.state.front[: game.state.front_count]}
    assert why(game, "discard") == ("dd.portal_must_lie", "DD-3.2")
    assert why(game, "portal 9,0") == ("dd.touches_nothing", "DD-3.2")
    assert why(game, "lay 3,0 r0") == ("dd.portal_in_hand", "DD-3.2")
    game.play("portal 3,0")
    assert game.state.left == 3, "the draw counted when it was drawn"
    built = far_portals().people(0, "3,0")
    populate = built.choose("populate", "populate")
    assert why(populate, "settle 3,-1") == ("dd.not_land", "DD-3.2")


def test_drawing() -> None:
    """DD-3.3: stop before a draw, never after it; with may_decline a land field may be discarded, though not in the set-up."""
    game = Builder().choose("scout", "scout")
    assert set(game.legal()) == {"draw", "stop"}
    game.play("draw")
    assert why(game, "stop") == ("dd.lay_first", "DD-3.3")
    assert why(game, "discard") == ("dd.must_lay", "DD-3.3")
    declining = Builder(may_decline=True).hold("FFFFFF", left=3)
    declining.play("discard")
    assert canonical(declining)["discarded"] == ["FFFFFF"]
    assert "discard" not in Daemonen.new(seed=2, options={"may_decline": True}).legal()


def test_field_that_fits_nowhere() -> None:
    """DD-3.3: it is discarded and counts as a draw, in the set-up too."""
    built = Builder(centre_radius=0).land("1,0", sides="WWWWWW").land("0,1", sides="WWWWWW")
    built.land("-1,1", "-1,0", "0,-1", "1,-1", sides="WWWWWW")
    game = built.hold("MMMMMM")
    assert canonical(game)["discarded"] == ["MMMMMM"]
    assert set(game.legal()) == {"draw", "stop"}
    components = {**Daemonen.default_components(), "fields": {"FFFFFF": 20, "WWWWWW": 20, "MMMMMM": 20}, "portals": 0}
    for seed in range(40):
        random_game = Daemonen.new(seed=seed, components=components)
        while random_game.state.phase == SETUP:
            random_game.play(random_game.actions()[0])
        state = canonical(random_game)
        assert len(state["cells"]) - 7 + len(state["discarded"]) == 10
        if state["discarded"]:
            return
    pytest.fail("no field was ever discarded in the set-up")


def test_where_populations_stand() -> None:
    """DD-3.4: two sides that are not mountain, mixed ones count; no demon field; a temple does not hinder."""
    built = Builder().land("5,0", sides="FWMMMM").land("6,0", sides="FMMMMM").land("5,1", sides="WMMMMW").land("4,1").demons("4,1")
    game = built.choose("populate", "populate")
    assert moves(game, "settle") == {"5,0", "5,1"}
    assert why(game, "settle 6,0") == ("dd.mountain", "DD-3.4")
    assert why(game, "settle 4,1") == ("dd.demon_there", "DD-3.4")
    templed = rose().people(0, *ROSE[1:]).stones(0, *THREE).temples(HEART).choose("populate", "populate")
    assert HEART in moves(templed, "settle")


# --- 4 Set-up ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_setup(seats: int) -> None:
    """DD-4.1: from the first player on, clockwise, five draws in a row each; nobody has populations."""
    game = Daemonen.new(seats=seats, seed=seats)
    first = game.state.first
    while game.state.phase == SETUP:
        game.play(game.actions()[-1])
    drawn = [event["seat"] for event in game.events() if event["kind"] == "drawn"]
    order = [game.seat_names[(first + i) % seats] for i in range(seats)]
    assert drawn == [seat for seat in order for _ in range(5)]
    assert canonical(game)["populations"] == {}
    assert game.to_move == first
    assert {Daemonen.new(seats=seats, seed=seed).state.first for seed in range(40)} == set(range(seats))
    assert Daemonen.new(seats=seats, seed=1, options={"first_player": 1}).state.first == 1


# --- 5.1, 5.2 The turn ---------------------------------------------------------------------------------------------


def test_bans() -> None:
    """DD-5.1: what the previous player chose, and what one chose oneself in the previous turn, carried out or not."""
    game = rose().ready()
    assert len(game.legal()) == 5
    game.play("choose move")  # nothing can be moved, so it is not carried out
    game.play("choose light")
    assert game.to_move == 1
    assert {"action": "move", "by": ["previous"]} in game.view(1)["banned"]
    assert moves(game, "choose") == {"dark", "scout", "populate"}
    assert why(game, "choose light") == ("dd.banned", "DD-5.1")
    game.play("choose scout")
    game.play("choose scout")
    game.play("stop")
    assert game.to_move == 0
    assert moves(game, "choose") == {"dark", "populate"}
    reason = game.why_not("choose move")
    assert reason is not None
    assert reason.params == {"action": "move", "by": ["own"], "allowed": ["dark", "populate"]}


def test_ban_never_empties_the_choice() -> None:
    """DD-5.1, golden case 8: all 225 combinations of pairs leave an action; with one left both choices are made at once."""
    pairs = list(itertools.combinations_with_replacement(range(5), 2))
    assert len(pairs) ** 2 == 225
    for own, other in itertools.product(pairs, repeat=2):
        s = State()
        s.seats = 2
        s.phase = SETUP
        s.last = [1 << own[0] | 1 << own[1], 1 << other[0] | 1 << other[1], 0, 0]
        pieces.new_turn(s, 0)
        assert find_options(s) == 5 - len({*own, *other}) >= 1
    built = rose().people(0, HEART)
    built.s.last = [0b11, 0b1100, 0, 0]
    game = built.ready()
    assert canonical(game)["chosen"] == ["move", "move"]
    assert canonical(game)["left"] == 12


def test_markers_are_no_populations() -> None:
    """DD-5.1: choosing takes nothing from the supply."""
    game = rose().choose("populate", "light")
    assert canonical(game)["population_reserve"] == [24, 24]


AMOUNTS = [("dark", 2, 3), ("light", 2, 3), ("scout", 8, 12), ("populate", 2, 4), ("move", 8, 12)]


@pytest.mark.parametrize(("action", "once", "twice"), AMOUNTS)
@pytest.mark.parametrize("seats", [2, 4])
def test_amounts_and_partial_actions(action: str, once: int, twice: int, seats: int) -> None:
    """DD-5.1, DD-5.2, DD-5.3, DD-5.5: once or twice; dark magic one less with four players; every action may be ended at any step."""
    other = "scout" if action != "scout" else "populate"
    for pair, amount in (((action, other), once), ((action, action), twice)):
        built = rose(seats).people(0, *ROSE[:5]).land("1,1")
        game = built.choose(*pair)
        assert canonical(game)["phase"] == action
        assert canonical(game)["left"] == amount - (seats == 4 and action == "dark")
        ending = "stop" if action == "scout" else "end"
        assert ending in game.legal()
        game.play(ending)
        assert canonical(game)["phase"] == (other if pair[0] != pair[1] else "choose")


# --- 5.3 Dark magic ------------------------------------------------------------------------------------------------


def test_reach_and_placing() -> None:
    """DD-5.3a: onto land adjacent to the reach; a population there is out of the game, own ones too, and nobody's trophy."""
    built = Builder().land(*ROAD).people(1, "3,0").people(0, "4,0").demons("2,0")
    game = built.choose("dark", "dark")
    assert moves(game, "demon") == {"3,0"}
    assert why(game, "demon 4,0") == ("dd.out_of_reach", "DD-5.3")
    assert why(game, "demon 2,0") == ("dd.already_dark", "DD-5.3")
    assert why(game, "remove 0,0") == ("dd.not_land", "DD-5.3")
    game.play("demon 3,0")
    assert kinds(game)[:2] == ["demon_placed", "population_lost"]
    state = canonical(game)
    assert (state["populations_lost"], state["trophies"], state["demon_pool"]) == ([0, 1], [0, 0], 10)
    game.play("demon 4,0")
    assert canonical(game)["populations_lost"] == [1, 1]


def test_temple_under_a_demon_field_stays() -> None:
    """DD-5.3a, DD-5.4b: a demon field neither removes a temple nor keeps one away."""
    built = rose().people(0, *ROSE[1:]).stones(0, *THREE).temples(HEART).land("2,0", "3,0").demons("2,0", "3,0")
    game = built.choose("dark", "light")
    game.play("demon 4,0")
    assert canonical(game)["temples"] == [HEART]
    game.play("demon 5,0")
    # Two of the three fields of the stone at 4,0 are dark now: it falls, and the temple with it.
    assert canonical(game)["temples"] == []
    covered = rose().people(0, *ROSE[1:]).stones(0, *THREE).demons(HEART).choose("light", "light")
    assert moves(covered, "temple") == {HEART}


def test_removing() -> None:
    """DD-5.3a: any demon field or an own anchor, nobody else's; the population stays."""
    for seat in (0, 1):
        built = rose().people(seat, *ROSE).stones(seat, "5,0/0").anchors(seat, HEART).land("1,1").demons("1,1")
        game = built.choose("dark", "dark")
        assert (HEART in moves(game, "remove")) == (seat == 0)
        assert "1,1" in moves(game, "remove")
        if seat == 1:
            assert why(game, f"remove {HEART}") == ("dd.foreign_anchor", "DD-5.3")
        else:
            game.play(f"remove {HEART}")
            assert canonical(game)["populations"][HEART] == 0
            assert canonical(game)["demon_pool"] == 11
        assert why(game, "remove 6,0") == ("dd.no_demon_there", "DD-5.3")


def test_anchoring() -> None:
    """DD-5.3b: at an own stone, or hanging on it through own populations, anchored ones too; then it cannot move or die."""
    built = rose().people(0, "5,0", "6,0", "6,-1").stones(0, "5,0/0").land("7,0", "8,0", "10,0").people(0, "7,0", "8,0", "10,0")
    built.people(1, "5,1").anchors(0, "7,0").land("1,1")
    game = built.choose("dark", "move")
    assert moves(game, "anchor") == {"5,0", "6,0", "6,-1", "8,0"}
    assert why(game, "anchor 10,0") == ("dd.not_connected", "DD-5.3")
    assert why(game, "anchor 7,0") == ("dd.already_anchored", "DD-5.3")
    assert why(game, "anchor 5,1") == ("dd.not_your_population", "DD-5.3")
    game.play("anchor 8,0")
    assert why(game, "demon 8,0") == ("dd.already_dark", "DD-5.3")
    game.play("end")
    assert why(game, "from 8,0") == ("dd.anchored", "DD-5.3")


def test_anchor_extends_the_reach_of_its_owner_alone() -> None:
    """DD-5.3: an anchor acts as the great demon field for its owner; others' anchors neither start nor conduct."""
    for seat in (0, 1):
        built = rose().people(seat, *ROSE).stones(seat, "5,0/0").anchors(seat, "6,0").land("7,0")
        game = built.choose("dark", "dark")
        assert ("7,0" in moves(game, "demon")) == (seat == 0)


def test_anchor_does_not_count_against_stones() -> None:
    """DD-5.3b: a stone falls to demon fields, not to anchors."""
    built = rose().people(0, *ROSE).stones(0, "5,0/0").land("2,0", "3,0").demons("2,0", "3,0")
    game = built.choose("dark", "dark")
    game.play("anchor 5,0")
    game.play("anchor 6,0")
    assert canonical(game)["stones"] == {"5,0/0": 0}


# --- 5.4 Light magic -----------------------------------------------------------------------------------------------


def test_placing_a_stone() -> None:
    """DD-5.4a: a free corner of three land fields with own populations and enough forest; it needs no populations afterwards."""
    built = (
        rose()
        .people(0, "5,0", "6,0", "6,-1")
        .people(1, "5,-1")
        .land("9,0", "10,0", "10,-1", sides="WWWWWW")
        .people(0, "9,0", "10,0", "10,-1")
    )
    game = built.choose("light", "move")
    assert moves(game, "stone") == {"5,0/0"}
    assert why(game, "stone 5,0/1") == ("dd.three_populations", "DD-5.4")
    assert why(game, "stone 6,0/0") == ("dd.three_land_fields", "DD-5.4")
    assert why(game, "stone 9,0/0") == ("dd.too_little_forest", "DD-5.4")
    game.play("stone 5,0/0")
    assert canonical(game)["stones"] == {"5,0/0": 0}, "the reserve is the only source, so it is not asked"
    game.play("from 6,0")
    game.play(f"to {sorted(moves(game, 'to'))[0]}")
    assert canonical(game)["stones"] == {"5,0/0": 0}


def test_limit_for_stones() -> None:
    """DD-5.4a: no field with more than three stones, and no stone of two fields with three, whoever owns them."""
    extra = ("7,0", "7,-1", "6,1")
    full = rose().land(*extra).people(0, *ROSE, *extra).stones(1, *THREE, "6,0/0")
    game = full.choose("light", "light")
    assert why(game, "stone 5,0/1") == ("dd.stone_limit", "DD-5.4"), "a fourth stone at 5,0"
    # 6,0 has two stones; with a third the one at 5,0/0 would belong to two fields with three.
    assert why(game, "stone 6,0/4") == ("dd.stone_limit", "DD-5.4")
    two = rose().land(*extra).people(0, *ROSE, *extra).stones(1, "5,0/0", "5,0/2", "6,0/0").choose("light", "light")
    assert two.why_not("stone 6,0/4") is None


def test_moving_a_stone() -> None:
    """DD-5.4a: taken up and put down in one step; within the temple's field the temple stays, elsewhere it falls."""
    built = rose().people(0, *ROSE).stones(0, *THREE).temples(HEART)
    game = built.choose("light", "light")
    assert "5,0/1" in moves(game, "stone"), "moving one of the three keeps the limit"
    game.play("stone 5,0/1")
    assert moves(game, "from") == {"5,0/0", "4,0/0", "4,1/0"}
    assert why(game, "from reserve") == ("dd.stone_limit", "DD-5.4")
    assert why(game, "end") == ("dd.finish_the_step", "DD-5.2")
    assert canonical(game)["left"] == 3
    game.play("from 5,0/0")
    assert canonical(game)["temples"] == [HEART]
    assert canonical(game)["left"] == 2
    away = rose().land("9,0", "10,0", "10,-1").people(0, *ROSE, "9,0", "10,0", "10,-1").stones(0, *THREE).temples(HEART)
    game = away.choose("light", "light")
    game.play("stone 9,0/0")
    assert "reserve" in moves(game, "from")
    game.play("from 5,0/0")
    assert kinds(game)[:2] == ["stone_placed", "temple_lost"]
    assert canonical(game)["temple_pool"] == 12


def test_temples() -> None:
    """DD-5.4b: three stones, at least two of them own, no temple yet; from the pool or from another own temple."""
    for owners, own in (((0, 0, 0), True), ((0, 0, 1), True), ((0, 1, 1), False)):
        built = rose().land("9,0").people(0, "9,0")
        for seat, corner in zip(owners, THREE, strict=True):
            built.stones(seat, corner)
        game = built.choose("light", "populate")
        if own:
            game.play(f"temple {HEART}")
            assert canonical(game)["temples"] == [HEART]
            assert game.state.points[0] == 1 + 3 * owners.count(0) + 5
        else:
            assert canonical(game)["phase"] == "populate"
    empty = Builder(2, {"temples": 1}).land(*ROSE, "9,0", "10,0", "10,-1", "9,-1", "8,0", "8,1", "9,1").stones(0, *THREE)
    empty.stones(0, "9,0/0", "9,0/2", "9,0/4").temples(HEART)
    game = empty.choose("light", "light")
    assert why(game, f"temple {HEART}") == ("dd.temple_there", "DD-5.4")
    game.play("temple 9,0")
    assert canonical(game)["temples"] == ["9,0"], "the other temple is the only source"


def test_converting() -> None:
    """DD-5.4c, golden case 6: two own populations at an enemy stone; a temple's five points flip, and 1-1-1 is nobody's."""
    built = rose(3).people(0, "5,0", "6,0").stones(1, "5,0/0", "5,0/2").stones(0, "5,0/4").temples(HEART)
    assert pieces.holder(built.s, built.slot(HEART)) == 1
    game = built.choose("light", "light")
    assert moves(game, "convert") == {"5,0/0"}
    assert why(game, "convert 5,0/2") == ("dd.two_populations", "DD-5.4")
    assert why(game, "convert 5,0/4") == ("dd.own_stone", "DD-5.4")
    before = list(game.state.points)
    game.play("convert 5,0/0")
    state = canonical(game)
    assert state["stone_reserve"] == [7, 8, 9]
    assert [b - a for a, b in zip(before, state["points"], strict=False)] == [8, -8, 0]
    third = rose(3).people(0, "5,0", "6,0").stones(1, "5,0/0", "5,0/2").stones(2, "5,0/4").temples(HEART)
    game = third.choose("light", "light")
    game.play("convert 5,0/0")
    assert pieces.holder(third.s, third.slot(HEART)) == -1
    assert canonical(game)["points"] == [5, 3, 3]
    assert [player["points_from"] for player in game.view()["players"][:2]] == [
        {"populations": 2, "stones": 3, "temples": 0},
        {"populations": 0, "stones": 3, "temples": 0},
    ]
    trios = ("9,0", "10,0", "10,-1", "13,0", "14,0", "14,-1")
    poor = (
        Builder(2, {"stones_per_player": 1}).land(*ROSE, *trios).people(0, "5,0", "6,0", *trios[:3]).stones(1, "5,0/0").stones(0, "13,0/0")
    )
    assert why(poor.choose("light", "light"), "convert 5,0/0") == ("dd.no_stone_left", "DD-5.4")


def test_light_repeat() -> None:
    """DD-5.4, option light_repeat: each spell at most once."""
    game = rose().people(0, *ROSE).choose("light", "light")
    game.play("stone 5,0/0")
    assert "4,0/0" in moves(game, "stone")
    once = rose(light_repeat=False).people(0, *ROSE).stones(0, "5,0/0", "5,0/2").choose("light", "light")
    once.play("stone 5,0/4")
    once.play("from reserve")
    assert why(once, "stone 5,0/1") == ("dd.spell_cast", "DD-5.4")
    assert set(once.legal()) == {"end", f"temple {HEART}"}


# --- 5.5 Scout -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pair", "draws"), [(("scout", "populate"), 8), (("scout", "scout"), 12)])
def test_scouting(pair: tuple[str, str], draws: int) -> None:
    """DD-5.5: up to eight draws, chosen twice twelve."""
    game = Daemonen.new(seed=5, options={"first_player": 0})
    while game.state.phase == SETUP:
        game.play(game.actions()[0])
    before = len(canonical(game)["pile"])
    for action in pair:
        game.play(f"choose {action}")
    while canonical(game)["phase"] == "scout":
        game.play("draw" if "draw" in game.legal() else game.actions()[0])
    assert before - len(canonical(game)["pile"]) == draws


# --- 5.6 New populations -------------------------------------------------------------------------------------------


def test_new_populations() -> None:
    """DD-5.6: the first anywhere; then adjacent to own ones, those just placed included, or at an own stone."""
    game = rose().land("9,0", "10,0").choose("populate", "populate")
    assert moves(game, "settle") == {*ROSE, "9,0", "10,0"}
    game.play("settle 9,0")
    assert moves(game, "settle") == {"10,0"}
    game = rose().stones(0, "5,0/0").people(1, "5,0").land("9,0").choose("populate", "populate")
    assert moves(game, "settle") == {"6,0", "6,-1"}
    assert why(game, "settle 9,0") == ("dd.not_adjacent", "DD-5.6")
    assert why(game, "settle 5,0") == ("dd.field_taken", "DD-5.6")


def test_temples_bring_populations() -> None:
    """DD-5.6: temples owned when the action begins + 2, chosen twice 2 x (temples + 2)."""
    for pair, amount in ((("populate", "scout"), 3), (("populate", "populate"), 6)):
        game = rose().people(0, "5,0").stones(0, *THREE).temples(HEART).choose(*pair)
        assert canonical(game)["left"] == amount


def test_walled_in_stone() -> None:
    """DD-5.6: a player whose only stone is walled in cannot place."""
    game = rose().land("9,0").stones(0, "5,0/0").people(1, "5,0", "6,0", "6,-1").choose("populate", "scout")
    assert canonical(game)["phase"] == "scout"


def test_trophies_buy_populations() -> None:
    """DD-5.6: after the free ones, two trophies each, any number; with one_exchange at most one."""
    for once in (False, True):
        built = rose(one_exchange=once).people(0, HEART).land("7,0", "7,-1")
        built.s.trophies[0] = 5
        built.s.lost[1] = 5
        built.s.reserve[1] -= 5
        game = built.choose("populate", "scout")
        for cell in ("6,0", "6,-1"):
            game.play(f"settle {cell}")
        assert canonical(game)["left"] == 0
        game.play("settle 7,0")
        assert canonical(game)["trophies"] == [3, 0]
        assert canonical(game)["trophies_spent"] == [2, 0]
        assert (canonical(game)["phase"] == "populate") == (not once)
        if not once:
            game.play("settle 7,-1")
            assert canonical(game)["phase"] == "scout", "one trophy is left, which buys nothing"


# --- 5.7 Move ------------------------------------------------------------------------------------------------------


def test_steps_and_jumps() -> None:
    """DD-5.7: to a free field next to the mover or to the chain it hangs on; options line and none."""
    row = [f"{q},0" for q in range(3, 10)]
    for jump, targets in (("chain", {"3,0", "8,0", "6,1"}), ("line", {"3,0", "8,0"}), ("none", {"3,0"})):
        built = Builder(jump=jump).land(*row, "6,1").people(0, "4,0", "5,0", "6,0", "7,0").anchors(0, "6,0")
        game = built.choose("move", "move")
        game.play("from 4,0")
        if moves(game, "to"):
            assert moves(game, "to") == targets
            assert why(game, "to 9,0") == ("dd.too_far", "DD-5.7")
        else:
            assert targets == {"3,0"}, "the only target is taken at once"


def test_each_population_moves_once() -> None:
    """DD-5.7: different populations; one that has moved or is anchored stays."""
    game = rose().people(0, "5,0", "6,0").choose("move", "move")
    game.play("from 5,0")
    game.play("to 4,0")
    assert canonical(game)["moved"] == ["4,0"]
    assert canonical(game)["left"] == 11
    assert why(game, "from 4,0") == ("dd.has_moved", "DD-5.7")
    assert why(game, "from 5,1") == ("dd.not_your_population", "DD-5.7")


def test_capture() -> None:
    """DD-5.7, golden case 7: three able own populations next to the target, the mover among them; portals count; anchors never."""
    two = rose().people(1, HEART).people(0, "6,0", "6,-1").choose("move", "move")
    two.play("from 6,0")
    assert HEART not in moves(two, "to")
    assert why(two, f"to {HEART}") == ("dd.capture_support", "DD-5.7")
    three = rose().people(1, HEART).people(0, "6,0", "6,-1", "5,-1").choose("move", "move")
    three.play("from 6,0")
    three.play(f"to {HEART}")
    assert kinds(three)[:2] == ["captured", "moved"]
    state = canonical(three)
    assert (state["trophies"], state["populations_lost"], state["populations"][HEART]) == ([1, 0], [0, 1], 0)
    # A portal in the place of 5,1 opens 5,0 to 11,1, which touches another one.
    portal = Builder().land(*ROSE[:-1], "11,1").portal("5,1", "12,0").people(1, HEART).people(0, "6,-1", "5,-1", "11,1")
    game = portal.choose("move", "move")
    game.play("from 11,1")
    assert HEART in moves(game, "to"), "the third supports, and steps, through a portal"
    held = rose().people(1, *ROSE[:1]).people(0, "6,0", "6,-1", "5,-1").stones(1, "5,0/0").anchors(1, HEART).choose("move", "move")
    held.play("from 6,0")
    assert why(held, f"to {HEART}") == ("dd.anchored_enemy", "DD-5.7")


def test_capture_support() -> None:
    """DD-5.7, golden case 7, option capture_support: one of the three has already moved."""
    for support in ("able", "adjacent"):
        built = rose(capture_support=support).people(1, HEART).people(0, "6,0", "6,-1", "5,1").land("4,2")
        game = built.choose("move", "move")
        game.play("from 5,1")
        game.play("to 4,1")
        game.play("from 6,0")
        assert (HEART in moves(game, "to")) == (support == "adjacent")


def test_capture_never_by_jump() -> None:
    """DD-5.7: the mover itself must be adjacent to the target."""
    built = rose().people(1, HEART).people(0, "6,0", "6,-1", "5,-1").land("7,0").people(0, "7,0")
    game = built.choose("move", "move")
    game.play("from 7,0")
    assert why(game, f"to {HEART}") == ("dd.capture_by_jump", "DD-5.7")


# --- 5.8 Consequences ----------------------------------------------------------------------------------------------


def test_cutting_a_chain_of_demons() -> None:
    """DD-5.8, golden case 4: all behind the cut goes; a branch on an anchor survives, and only its owner extends it."""
    for owner in (0, 1):
        built = Builder().land("2,0", "3,-1", "4,-2", "2,1", "2,2", "2,3", "3,3", "3,2", "1,3")
        built.demons("2,0", "3,-1", "4,-2", "2,1", "2,2").people(owner, "2,3", "3,3", "3,2").stones(owner, "2,3/0").anchors(owner, "2,3")
        game = built.choose("dark", "dark")
        assert "1,3" in moves(game, "demon")
        game.play("remove 2,0")
        assert canonical(game)["demons"] == ["2,1", "2,2"]
        assert ("1,3" in moves(game, "demon")) == (owner == 0)


def test_plain_cut() -> None:
    """DD-5.8, golden case 4: without an anchor the whole chain is cleared."""
    for returns in (True, False):
        game = Builder(demons_return=returns).land(*ROAD).demons("2,0", "3,0", "4,0", "5,0").choose("dark", "dark")
        game.play("remove 2,0")
        state = canonical(game)
        assert state["demons"] == []
        assert (state["demon_pool"], state["demons_out"]) == ((12, 0) if returns else (8, 4))


def test_losing_a_link() -> None:
    """DD-5.8, golden case 5: without the link the anchor goes, then its demons; the population stays."""
    built = rose().people(0, "5,0", "6,0", "6,-1").stones(0, "5,0/0").land("7,0", "8,0", "9,0", "10,0").people(0, "7,0", "8,0")
    built.anchors(0, "8,0").demons("9,0", "10,0")
    game = built.choose("move", "move")
    game.play("from 7,0")
    game.play(next(f"to {cell}" for cell in sorted(moves(game, "to")) if cell in ROSE[3:5]))
    assert [kind for kind in kinds(game) if kind != "scored"] == ["moved", "anchor_removed", "demon_removed", "demon_removed"]
    state = canonical(game)
    assert state["anchors"] == {}
    assert state["populations"]["8,0"] == 0


def test_cascade() -> None:
    """DD-5.8: stone, temple, anchor, demon fields, points, in this order."""
    built = rose().portal("2,-1", "7,-2").land("7,0", "8,0").people(1, "6,0", "7,0").stones(1, *THREE).temples(HEART)
    built.anchors(1, "7,0").demons("6,-1", "8,0")
    game = built.choose("dark", "dark")
    game.play(f"demon {HEART}")
    assert kinds(game) == ["demon_placed", "stone_lost", "temple_lost", "anchor_removed", "demon_removed", "scored"]
    state = canonical(game)
    assert state["demons"] == ["5,0", "6,-1"]
    assert state["populations"] == {"6,0": 1, "7,0": 1}
    assert state["points"] == [0, 2 + 6]


def test_temple_falls_with_its_stone() -> None:
    """DD-5.8, option temples_return: a temple with fewer than three stones goes to the pool, or out of the game."""
    for returns in (True, False):
        built = rose(temples_return=returns).land("2,0", "3,0").stones(1, *THREE).temples(HEART).demons("2,0", "3,0", "4,0")
        game = built.choose("dark", "dark")
        game.play("demon 5,-1")
        assert [kind for kind in kinds(game) if kind != "scored"] == ["demon_placed", "stone_lost", "temple_lost"]
        state = canonical(game)
        assert state["stones_lost"] == [0, 1]
        assert (state["temple_pool"], state["temples_out"]) == ((12, 0) if returns else (11, 1))
        assert state["points"] == [0, 6]


# --- 6 Points and end ----------------------------------------------------------------------------------------------


def test_points() -> None:
    """DD-6.1: 1 a population, 3 a stone, 5 a temple owned."""
    game = rose().people(0, *ROSE[:4]).people(1, "5,1").stones(0, *THREE[:2]).stones(1, THREE[2]).temples(HEART).ready()
    assert game.state.points[:2] == [4 + 6 + 5, 1 + 3]
    view = game.view(0)
    assert [(p["populations"], p["stones"], p["temples"], p["points"]) for p in view["players"]] == [(4, 2, 1, 15), (1, 1, 0, 4)]


def test_win_in_the_middle_of_an_action() -> None:
    """DD-6.2, golden case 9: enough points end the game at once; the unfinished turn does not count."""
    game = Builder(3, {"win": 9}).land(*ROSE).people(0, *ROSE[:6]).people(1, "5,1").choose("light", "light")
    game.play("stone 5,0/0")
    assert game.result is not None
    assert (game.result.end, game.result.places) == ("points", (1, 2, 3))
    assert canonical(game)["turns"] == 0
    assert why(game, "end") == ("over", None)


def test_empty_pile() -> None:
    """DD-6.2, golden case 9: the turn is completed, second action included; most points win, ties share."""
    built = rose(3).people(1, "5,0").people(2, "6,0").land("9,0")
    built.s.pile_at = built.s.pile_end - 1
    game = built.choose("scout", "populate")
    game.play("draw")
    game.play(game.actions()[0])
    assert canonical(game)["phase"] == "populate"
    assert not game.over
    game.play("settle 9,0")
    if not game.over:
        game.play("end")
    assert game.result is not None
    assert game.result.end == "pile"
    assert set(game.result.places) <= {1, 3}
    assert canonical(game)["turns"] == 1


def test_guard() -> None:
    """DD-6.3: after 200 turns of single players most points win; an empty pile comes first."""
    for pile, end in ((True, "guard"), (False, "pile")):
        built = rose().people(0, HEART)
        built.s.turns = 199
        if not pile:
            built.s.pile_at = built.s.pile_end
        game = built.choose("move", "move")
        game.play("end")
        assert game.result is not None
        assert (game.result.end, game.result.places, canonical(game)["turns"]) == (end, (1, 2), 200)
