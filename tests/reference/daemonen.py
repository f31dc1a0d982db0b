"""Druiden und Dämonen: a plain reference of the rules, written from the spec and the rulebook alone.

Numbers such as DD-5.7 name the rules of the spec. Nothing here is fast on purpose; the only thing that is remembered is
which fields are adjacent, and that is forgotten whenever a field is laid.

It is long because it is one file that needs no other: a reference that imported parts would have to be read in several places.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Cell = tuple[int, int]
Corner = tuple[int, int, int]

# DD-1.1: the six directions; the opposite of k is k + 3.
DIRECTIONS: list[Cell] = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
ACTIONS = ["dark", "light", "scout", "populate", "move"]
FARTHEST = 15  # DD-1.5
MOST_CELLS = 128  # DD-7
DEFAULTS: dict[str, Any] = {
    "centre_radius": 1,
    "portals_conduct_demons": True,
    "may_decline": False,
    "light_repeat": True,
    "one_exchange": False,
    "temples_return": True,
    "demons_return": True,
    "jump": "chain",
    "capture_support": "able",
    "first_player": -1,
    "dark_spells": 2,
    "light_spells": 2,
    "scout_draws": 8,
    "new_people": 2,
    "move_steps": 8,
    "spells_twice": 1,
    "steps_twice": 4,
    "capture_needs": 3,
    "exchange_price": 2,
    "stone_points": 3,
    "temple_points": 5,
    "longest_game": 200,
}


def step(cell: Cell, direction: int) -> Cell:
    """DD-1.1: the cell next to this one in a direction (taken mod 6)."""
    dq, dr = DIRECTIONS[direction % 6]
    return (cell[0] + dq, cell[1] + dr)


def around(cell: Cell) -> list[Cell]:
    """DD-1.1: the six cells around a cell, directions 0 to 5."""
    return [step(cell, direction) for direction in range(6)]


def distance(cell: Cell) -> int:
    """DD-1.5: how far a cell is from the middle."""
    q, r = cell
    return max(abs(q), abs(r), abs(q + r))


def canonical(cell: Cell, k: int) -> Corner:
    """DD-1.2: of the three names of a corner the one whose k is 0 or 1."""
    names = [(cell, k % 6), (step(cell, k), (k + 2) % 6), (step(cell, k + 1), (k + 4) % 6)]
    for (q, r), name_k in names:
        if name_k in (0, 1):
            return (q, r, name_k)
    raise AssertionError("every corner has a name with k 0 or 1")


def corner_fields(corner: Corner) -> list[Cell]:
    """DD-1.2: the three cells of a corner."""
    q, r, k = corner
    return [(q, r), step((q, r), k), step((q, r), k + 1)]


def corners_of(cell: Cell) -> list[Corner]:
    """The six corners of a cell."""
    return [canonical(cell, k) for k in range(6)]


def cell_text(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def corner_text(corner: Corner) -> str:
    return f"{corner[0]},{corner[1]}/{corner[2]}"


def parse_cell(text: str) -> Cell:
    q, r = text.split(",")
    return (int(q), int(r))


def parse_corner(text: str) -> Corner:
    cell, k = text.split("/")
    q, r = parse_cell(cell)
    return (q, r, int(k))


def rotated(printed: str, turn: int) -> str:
    """The sides as they lie: with rK the printed side i lies in direction (i + K) mod 6."""
    lying = [""] * 6
    for i in range(6):
        lying[(i + turn) % 6] = printed[i]
    return "".join(lying)


class Reference:
    def __init__(
        self,
        options: dict[str, Any],
        components: dict[str, Any],
        seats: int,
        shuffle: Callable[[str, list[str]], list[str]],
    ) -> None:
        """Set the table. It is long because all that lies on it and beside it is named here, each once."""
        self.options: dict[str, Any] = {**DEFAULTS, **options}
        self.seats = seats
        self.setup_fields: int = components["setup_fields"]
        self.win: int = components["win"]
        self.population_supply: int = components["populations_per_player"]
        self.stone_supply: int = components["stones_per_player"]

        radius: int = self.options["centre_radius"]
        self.centre: set[Cell] = {
            (q, r) for q in range(-radius, radius + 1) for r in range(-radius, radius + 1) if distance((q, r)) <= radius
        }
        cards: list[str] = ["portal"] * components["portals"]
        for field, count in components["fields"].items():
            cards += [field] * count
        self._validate(cards)

        # What lies on the table (DD-1.6).
        self.land: dict[Cell, str] = {}
        self.portals: set[Cell] = set()
        self.demons: set[Cell] = set()
        self.anchors: dict[Cell, int] = {}
        self.populations: dict[Cell, int] = {}
        self.stones: dict[Corner, int] = {}
        self.temples: set[Cell] = set()
        self.adjacency: dict[Cell, set[Cell]] = {}

        # What lies beside it.
        self.demon_pool: int = components["demons"]
        self.demons_out = 0
        self.temple_pool: int = components["temples"]
        self.temples_out = 0
        self.population_reserve = [self.population_supply] * seats
        self.populations_lost = [0] * seats
        self.stone_reserve = [self.stone_supply] * seats
        self.stones_lost = [0] * seats
        self.trophies = [0] * seats
        self.trophies_spent = [0] * seats
        self.in_hand: str | None = None
        self.discarded: list[str] = []

        # DD-4.1: the first player is drawn, unless the option names him.
        first: int = self.options["first_player"]
        if first == -1:
            first = int(shuffle("seats", sorted(str(seat) for seat in range(seats)))[0])
        self.pile: list[str] = list(shuffle("pile", sorted(cards)))

        # Where the game stands.
        self.current = first
        self.decided = first
        self.turns = 0
        self.phase = "setup"
        self.setup_seats_left = [(first + i) % seats for i in range(1, seats)]
        self.setup_draws_left = self.setup_fields
        self.first_seat = first
        self.chosen: list[str] = []
        self.banned: set[str] = set()
        self.chosen_by_previous_player: list[str] = []
        self.chosen_last_turn: list[list[str]] = [[] for _ in range(seats)]
        self.to_do: list[str] = []
        self.end_kind: str | None = None
        self.winner: int | None = None

        # Within an action.
        self.left = 0
        self.moved: set[Cell] = set()
        self.light_done: set[str] = set()
        self.exchanges = 0
        self.stone_goal: Corner | None = None
        self.temple_goal: Cell | None = None
        self.mover: Cell | None = None

        self.offered: set[str] = set()
        self._advance()

    def _validate(self, cards: list[str]) -> None:
        """DD-7: what component data must fulfil."""
        if not 2 <= self.seats <= 4:
            raise ValueError("The game is for two to four players.")
        for card in cards:
            if card != "portal" and (len(card) != 6 or not set(card) <= set("FWM")):
                raise ValueError(f"The field {card} has not six sides of F, W and M.")
        if len(self.centre) + len(cards) > MOST_CELLS:
            raise ValueError(f"Centre, land and portals are more than {MOST_CELLS} cells.")
        if len(cards) <= 4 * self.setup_fields:
            raise ValueError("The pile must hold more than four times the fields laid at set-up.")

    # ------------------------------------------------------------------ the interface

    def to_move(self) -> int | None:
        return None if self.phase == "over" else self.current

    def legal(self) -> set[str]:
        return set(self.offered)

    def play(self, move: str) -> None:
        if self.phase == "over":
            raise ValueError("The game is over.")
        if move not in self.offered:
            raise ValueError(f"The move {move!r} is not legal here.")
        self.decided = self.current
        self._carry_out(move)
        self._advance()

    def state(self) -> dict[str, Any]:
        cells = {cell_text(cell): "centre" for cell in self.centre}
        cells.update({cell_text(cell): "portal" for cell in self.portals})
        cells.update({cell_text(cell): sides for cell, sides in self.land.items()})
        in_action = self.phase in ACTIONS
        return {
            "cells": cells,
            "demons": sorted(cell_text(cell) for cell in self.demons),
            "anchors": {cell_text(cell): seat for cell, seat in self.anchors.items()},
            "populations": {cell_text(cell): seat for cell, seat in self.populations.items()},
            "stones": {corner_text(corner): seat for corner, seat in self.stones.items()},
            "temples": sorted(cell_text(cell) for cell in self.temples),
            "pile": list(self.pile),
            "in_hand": self.in_hand,
            "discarded": sorted(self.discarded),
            "demon_pool": self.demon_pool,
            "demons_out": self.demons_out,
            "temple_pool": self.temple_pool,
            "temples_out": self.temples_out,
            "population_reserve": list(self.population_reserve),
            "populations_lost": list(self.populations_lost),
            "stone_reserve": list(self.stone_reserve),
            "stones_lost": list(self.stones_lost),
            "trophies": list(self.trophies),
            "trophies_spent": list(self.trophies_spent),
            "points": [self._points(seat) for seat in range(self.seats)],
            "turn": self.decided if self.phase == "over" else self.current,
            "turns": self.turns,
            "chosen": list(self.chosen),
            "banned": sorted(self.banned),
            "phase": self.phase,
            "left": self.left if in_action else 0,
            "moved": sorted(cell_text(cell) for cell in self.moved) if self.phase == "move" else [],
        }

    def result(self) -> dict[str, Any] | None:
        """DD-6.2, DD-6.3: the winner by 36 points is first, the others follow by points; else all rank by points."""
        if self.end_kind is None:
            return None
        ranked = [(1 if seat == self.winner else 0, self._points(seat)) for seat in range(self.seats)]
        places = [1 + sum(1 for other in ranked if other > mine) for mine in ranked]
        return {"end": self.end_kind, "places": places}

    # ------------------------------------------------------------------ the flow of decisions

    def _advance(self) -> None:
        """A decision with exactly one option is never asked: it is carried out at once."""
        while self.phase != "over":
            self.offered = self._options()
            if len(self.offered) != 1:
                return
            (only,) = self.offered
            self._carry_out(only)
        self.offered = set()

    def _options(self) -> set[str]:
        if self.phase == "setup":
            return self._setup_options()
        if self.phase == "choose":
            return self._choose_options()
        if self.phase == "dark":
            return self._dark_options()
        if self.phase == "light":
            return self._light_options()
        if self.phase == "scout":
            return self._scout_options()
        if self.phase == "populate":
            return self._populate_options()
        if self.phase == "move":
            return self._move_options()
        raise AssertionError(f"unknown phase {self.phase}")

    def _carry_out(self, move: str) -> None:
        word, *rest = move.split(" ")
        if word == "choose":
            self._choose(rest[0])
        elif word == "draw":
            self._draw()
        elif word == "lay":
            self._lay(parse_cell(rest[0]), int(rest[1][1:]))
        elif word == "portal":
            self._lay_portal(parse_cell(rest[0]))
        elif word == "discard":
            self._discard()
        elif word == "demon":
            self._place_demon(parse_cell(rest[0]))
        elif word == "remove":
            self._remove_demon(parse_cell(rest[0]))
        elif word == "anchor":
            self._place_anchor(parse_cell(rest[0]))
        elif word == "stone":
            self.stone_goal = parse_corner(rest[0])
        elif word == "temple":
            self.temple_goal = parse_cell(rest[0])
        elif word == "convert":
            self._convert(parse_corner(rest[0]))
        elif word == "settle":
            self._settle(parse_cell(rest[0]))
        elif word == "from" and self.stone_goal is not None:
            self._place_stone(self.stone_goal, None if rest[0] == "reserve" else parse_corner(rest[0]))
        elif word == "from" and self.temple_goal is not None:
            self._place_temple(self.temple_goal, None if rest[0] == "pool" else parse_cell(rest[0]))
        elif word == "from":
            self.mover = parse_cell(rest[0])
        elif word == "to" and self.mover is not None:
            self._move(self.mover, parse_cell(rest[0]))
        elif word in ("end", "stop"):
            self._begin_next_action()
        else:
            raise AssertionError(f"unknown move {move}")

    # ------------------------------------------------------------------ geometry and adjacency

    def _occupied(self, cell: Cell) -> bool:
        return cell in self.centre or cell in self.land or cell in self.portals

    def _touching(self, cell: Cell) -> set[Cell]:
        """DD-2.1: the fields (centre and land; nothing ever stands on a portal) that share an edge with this one."""
        return {other for other in around(cell) if other in self.centre or other in self.land}

    def _touches_portal(self, cell: Cell) -> bool:
        return any(other in self.portals for other in around(cell))

    def _adjacent(self, cell: Cell) -> set[Cell]:
        """DD-2.1: the fields that touch this one, and, if it touches a portal, all others that touch a portal."""
        if cell not in self.adjacency:
            fields = self._touching(cell)
            if self._touches_portal(cell):
                fields |= {other for other in [*self.centre, *self.land] if self._touches_portal(other)}
            self.adjacency[cell] = fields - {cell}
        return self.adjacency[cell]

    def _demon_adjacent(self, cell: Cell) -> set[Cell]:
        """DD-2.2: for the connection of demons portals count only if the option says so."""
        if self.options["portals_conduct_demons"]:
            return self._adjacent(cell)
        return self._touching(cell)

    def _own(self, seat: int) -> set[Cell]:
        """The fields with populations of a player, anchored ones too."""
        return {cell for cell, owner in self.populations.items() if owner == seat}

    def _own_stones(self, seat: int) -> set[Corner]:
        return {corner for corner, owner in self.stones.items() if owner == seat}

    def _may_stand(self, cell: Cell) -> bool:
        """DD-3.4: land with at least two sides that are not mountain, without a demon field."""
        if cell not in self.land or cell in self.demons or cell in self.anchors:
            return False
        return sum(1 for side in self.land[cell] if side != "M") >= 2

    def _free_to_stand(self, cell: Cell) -> bool:
        return self._may_stand(cell) and cell not in self.populations

    def _linked_populations(self, start: set[Cell], seat: int) -> set[Cell]:
        """All own populations linked with those in start through adjacent own populations, start included."""
        own = self._own(seat)
        linked = set(start)
        waiting = list(start)
        while waiting:
            for other in self._adjacent(waiting.pop()):
                if other in own and other not in linked:
                    linked.add(other)
                    waiting.append(other)
        return linked

    def _connected_with_stone(self, seat: int) -> set[Cell]:
        """DD-5.3b: own populations on a field of an own stone, or hanging on one through adjacent own populations."""
        own = self._own(seat)
        at_stones = {cell for corner in self._own_stones(seat) for cell in corner_fields(corner) if cell in own}
        return self._linked_populations(at_stones, seat)

    def _demons_linked(self, start: set[Cell]) -> set[Cell]:
        """The start and, repeatedly, every demon field adjacent to the set."""
        linked = set(start)
        waiting = list(start)
        while waiting:
            for other in self._demon_adjacent(waiting.pop()):
                if other in self.demons and other not in linked:
                    linked.add(other)
                    waiting.append(other)
        return linked

    def _reach(self, seat: int) -> set[Cell]:
        """DD-5.3: the reach of a player. Other players' anchors neither start nor conduct."""
        own_anchors = {cell for cell, owner in self.anchors.items() if owner == seat}
        return self._demons_linked(self.centre | own_anchors)

    def _stones_at(self, cell: Cell, stones: dict[Corner, int]) -> list[Corner]:
        return [corner for corner in corners_of(cell) if corner in stones]

    def _temple_owner(self, cell: Cell) -> int | None:
        """DD-5.4: whoever owns at least two of a temple's stones; 1-1-1 is nobody's."""
        owners = [self.stones[corner] for corner in self._stones_at(cell, self.stones)]
        for seat in range(self.seats):
            if owners.count(seat) >= 2:
                return seat
        return None

    def _temples_owned(self, seat: int) -> set[Cell]:
        return {cell for cell in self.temples if self._temple_owner(cell) == seat}

    def _points(self, seat: int) -> int:
        """DD-6.1."""
        stones, temples = len(self._own_stones(seat)), len(self._temples_owned(seat))
        return len(self._own(seat)) + int(self.options["stone_points"]) * stones + int(self.options["temple_points"]) * temples

    # ------------------------------------------------------------------ laying fields

    def _matches(self, cell: Cell, sides: str) -> bool:
        """DD-3.1: all touching sides match; centre, demon-covered land, portals and own anchors match anything."""
        for direction in range(6):
            other = step(cell, direction)
            if other not in self.land or other in self.demons:
                continue
            if self.anchors.get(other) == self.current:
                continue
            if self.land[other][(direction + 3) % 6] != sides[direction]:
                return False
        return True

    def _empty_cells_beside(self, neighbours: int) -> set[Cell]:
        """DD-1.5, DD-3.1, DD-3.2: empty cells with at least so many occupied neighbours, not too far away."""
        cells = set()
        for occupied in [*self.centre, *self.land, *self.portals]:
            for cell in around(occupied):
                if self._occupied(cell) or distance(cell) > FARTHEST:
                    continue
                if sum(1 for other in around(cell) if self._occupied(other)) >= neighbours:
                    cells.add(cell)
        return cells

    def _land_neighbours_needed(self) -> int:
        """DD-3.1, DD-1.4: two; but one while nothing but a centre of one hexagon lies."""
        if len(self.centre) == 1 and not self.land and not self.portals:
            return 1
        return 2

    def _lay_options(self) -> set[str]:
        """DD-3.1 to DD-3.3: where the field in hand may go; if nowhere it is discarded."""
        printed = self.in_hand
        assert printed is not None
        moves = set()
        if printed == "portal":
            for cell in self._empty_cells_beside(1):
                moves.add(f"portal {cell_text(cell)}")
        else:
            for cell in self._empty_cells_beside(self._land_neighbours_needed()):
                seen: set[str] = set()
                for turn in range(6):
                    sides = rotated(printed, turn)
                    if sides not in seen and self._matches(cell, sides):
                        moves.add(f"lay {cell_text(cell)} r{turn}")
                    seen.add(sides)
            if self.options["may_decline"] and self.phase == "scout":
                moves.add("discard")
        return moves or {"discard"}

    def _draw(self) -> None:
        """DD-3.3: one field, blind; it counts as a draw whatever becomes of it."""
        self.in_hand = self.pile.pop(0)
        if self.phase == "setup":
            self.setup_draws_left -= 1
        else:
            self.left -= 1

    def _lay(self, cell: Cell, turn: int) -> None:
        assert self.in_hand is not None
        self.land[cell] = rotated(self.in_hand, turn)
        self._field_is_laid()

    def _lay_portal(self, cell: Cell) -> None:
        self.portals.add(cell)
        self._field_is_laid()

    def _field_is_laid(self) -> None:
        self.in_hand = None
        self.adjacency = {}
        self._after_step()

    def _discard(self) -> None:
        assert self.in_hand is not None
        self.discarded.append(self.in_hand)
        self.in_hand = None

    # ------------------------------------------------------------------ set-up

    def _setup_options(self) -> set[str]:
        """DD-4.1: in turn order each player draws and lays his fields in a row. The draws are not asked."""
        if self.in_hand is not None:
            return self._lay_options()
        if self.setup_draws_left > 0:
            return {"draw"}
        if self.setup_seats_left:
            self.current = self.setup_seats_left.pop(0)
            self.setup_draws_left = self.setup_fields
            return self._setup_options()
        self._begin_turn(self.first_seat)
        return self._options()

    # ------------------------------------------------------------------ the turn

    def _begin_turn(self, seat: int) -> None:
        """DD-5.1: banned is what the previous player chose and what one chose oneself in the previous turn."""
        self.current = seat
        self.phase = "choose"
        self.chosen = []
        self.banned = set(self.chosen_by_previous_player) | set(self.chosen_last_turn[seat])

    def _choose_options(self) -> set[str]:
        return {f"choose {action}" for action in ACTIONS if action not in self.banned}

    def _choose(self, action: str) -> None:
        """DD-5.1: two actions, carried out in that order; the same one twice is carried out once."""
        self.chosen.append(action)
        if len(self.chosen) == 2:
            self.to_do = [self.chosen[0]]
            if self.chosen[1] != self.chosen[0]:
                self.to_do.append(self.chosen[1])
            self._begin_next_action()

    def _begin_next_action(self) -> None:
        self.left = 0
        self.moved = set()
        self.light_done = set()
        self.exchanges = 0
        if not self.to_do:
            self._end_turn()
            return
        self.phase = self.to_do.pop(0)
        self.left = self._steps_allowed(self.phase, self.chosen[0] == self.chosen[1])

    def _steps_allowed(self, action: str, twice: bool) -> int:
        """DD-5.3 to DD-5.7: the numbers of the actions, chosen once or twice."""
        spells_more = self.options["spells_twice"] if twice else 0
        steps_more = self.options["steps_twice"] if twice else 0
        if action == "dark":
            return max(0, int(self.options["dark_spells"]) + spells_more - (1 if self.seats == 4 else 0))
        if action == "light":
            return int(self.options["light_spells"]) + spells_more
        if action == "scout":
            return int(self.options["scout_draws"]) + steps_more
        if action == "move":
            return int(self.options["move_steps"]) + steps_more
        placements = len(self._temples_owned(self.current)) + int(self.options["new_people"])
        return 2 * placements if twice else placements

    def _end_turn(self) -> None:
        """DD-6.2, DD-6.3: with an empty pile, or after too many turns, most points win."""
        self.turns += 1
        if not self.pile:
            self._end_game("pile", None)
            return
        if self.turns >= self.options["longest_game"]:
            self._end_game("guard", None)
            return
        self.chosen_by_previous_player = list(self.chosen)
        self.chosen_last_turn[self.current] = list(self.chosen)
        self._begin_turn((self.current + 1) % self.seats)

    def _end_game(self, kind: str, winner: int | None) -> None:
        self.end_kind = kind
        self.winner = winner
        self.phase = "over"

    # ------------------------------------------------------------------ after every step

    def _after_step(self) -> None:
        """DD-5.8: what follows from every single step, in this order."""
        self._lose_stones_among_demons()
        self._clear_temples_without_stones()
        self._clear_anchors_without_connection()
        self._clear_demons_without_connection()
        self._look_for_a_winner()

    def _lose_stones_among_demons(self) -> None:
        """DD-5.8: stones with two or more demon fields are out of the game; anchors do not count (5.3b)."""
        for corner, owner in list(self.stones.items()):
            if sum(1 for cell in corner_fields(corner) if cell in self.demons) >= 2:
                del self.stones[corner]
                self.stones_lost[owner] += 1

    def _clear_temples_without_stones(self) -> None:
        """DD-5.8: temples with fewer than three stones."""
        for cell in list(self.temples):
            if len(self._stones_at(cell, self.stones)) < 3:
                self.temples.remove(cell)
                if self.options["temples_return"]:
                    self.temple_pool += 1
                else:
                    self.temples_out += 1

    def _clear_anchors_without_connection(self) -> None:
        """DD-5.8: an anchor without connection is removed; the population stays."""
        for seat in range(self.seats):
            connected = self._connected_with_stone(seat)
            for cell, owner in list(self.anchors.items()):
                if owner == seat and cell not in connected:
                    del self.anchors[cell]
                    self._put_demon_away()

    def _clear_demons_without_connection(self) -> None:
        """DD-5.8: demon fields connected neither with the centre nor with any player's anchor."""
        connected = self._demons_linked(self.centre | set(self.anchors))
        for cell in list(self.demons):
            if cell not in connected:
                self.demons.remove(cell)
                self._put_demon_away()

    def _put_demon_away(self) -> None:
        """DD-5.8: to the pool, or out of the game by the option."""
        if self.options["demons_return"]:
            self.demon_pool += 1
        else:
            self.demons_out += 1

    def _look_for_a_winner(self) -> None:
        """DD-6.2: whoever has enough points wins at once; the player on turn is looked at first, then clockwise."""
        for i in range(self.seats):
            seat = (self.current + i) % self.seats
            if self._points(seat) >= self.win:
                self._end_game("points", seat)
                return

    # ------------------------------------------------------------------ dark magic

    def _dark_options(self) -> set[str]:
        """DD-5.3: place, remove, anchor."""
        moves = {"end"}
        if self.left == 0:
            return moves
        seat = self.current
        if self.demon_pool > 0:
            for cell in self._demon_places(seat):
                moves.add(f"demon {cell_text(cell)}")
            for cell in self._connected_with_stone(seat):
                if cell not in self.anchors:
                    moves.add(f"anchor {cell_text(cell)}")
        for cell in self.demons:
            moves.add(f"remove {cell_text(cell)}")
        for cell, owner in self.anchors.items():
            if owner == seat:
                moves.add(f"remove {cell_text(cell)}")
        return moves

    def _demon_places(self, seat: int) -> set[Cell]:
        """DD-5.3a: land with neither demon field nor anchor, adjacent to one's reach."""
        beside_reach = {cell for reached in self._reach(seat) for cell in self._demon_adjacent(reached)}
        return {cell for cell in beside_reach if cell in self.land and cell not in self.demons and cell not in self.anchors}

    def _place_demon(self, cell: Cell) -> None:
        """DD-5.3a: a population there is out of the game, no trophy; a temple stays."""
        self.demon_pool -= 1
        self.demons.add(cell)
        if cell in self.populations:
            self.populations_lost[self.populations.pop(cell)] += 1
        self.left -= 1
        self._after_step()

    def _remove_demon(self, cell: Cell) -> None:
        """DD-5.3a: any demon field, or one's own anchor, whose population stays."""
        if cell in self.demons:
            self.demons.remove(cell)
        else:
            del self.anchors[cell]
        self._put_demon_away()
        self.left -= 1
        self._after_step()

    def _place_anchor(self, cell: Cell) -> None:
        """DD-5.3b."""
        self.demon_pool -= 1
        self.anchors[cell] = self.current
        self.left -= 1
        self._after_step()

    # ------------------------------------------------------------------ light magic

    def _light_options(self) -> set[str]:
        """DD-5.4: stone, temple, convert; or the source of the stone or temple just begun."""
        if self.stone_goal is not None:
            return {f"from {source}" for source in self._stone_sources(self.stone_goal)}
        if self.temple_goal is not None:
            return {f"from {source}" for source in self._temple_sources()}
        moves = {"end"}
        if self.left == 0:
            return moves
        if self._light_allowed("stone"):
            for corner in self._stone_corners():
                if self._stone_sources(corner):
                    moves.add(f"stone {corner_text(corner)}")
        if self._light_allowed("temple") and self._temple_sources():
            for cell in self._temple_fields():
                moves.add(f"temple {cell_text(cell)}")
        if self._light_allowed("convert") and self.stone_reserve[self.current] > 0:
            for corner in self._stones_to_convert():
                moves.add(f"convert {corner_text(corner)}")
        return moves

    def _light_allowed(self, kind: str) -> bool:
        """Option light_repeat: if false, each of a, b, c at most once in one carrying-out."""
        return bool(self.options["light_repeat"]) or kind not in self.light_done

    def _light_step_done(self, kind: str) -> None:
        self.light_done.add(kind)
        self.left -= 1
        self._after_step()

    def _forest_edges(self, corner: Corner) -> int:
        """DD-1.3, DD-5.4a: how many of a corner's three edges are forest by the printed sides on both sides."""
        k = corner[2]
        h, a, b = corner_fields(corner)
        edges = [(h, k, a), (h, k + 1, b), (a, k + 2, b)]
        return sum(
            1 for one, direction, other in edges if self.land[one][direction % 6] == "F" and self.land[other][(direction + 3) % 6] == "F"
        )

    def _stone_corners(self) -> set[Corner]:
        """DD-5.4a: free corners of three land fields with own populations and at least two edges of forest."""
        own = self._own(self.current)
        corners = set()
        for cell in own:
            for corner in corners_of(cell):
                if corner in self.stones or not set(corner_fields(corner)) <= own:
                    continue
                if self._forest_edges(corner) >= 2:
                    corners.add(corner)
        return corners

    def _stone_sources(self, goal: Corner) -> set[str]:
        """DD-5.4a: the reserve, or an own stone elsewhere, if the final position keeps the limit."""
        seat = self.current
        sources = set()
        if self.stone_reserve[seat] > 0 and self._keeps_stone_limit({**self.stones, goal: seat}):
            sources.add("reserve")
        for corner in self._own_stones(seat):
            after = {**self.stones, goal: seat}
            del after[corner]
            if self._keeps_stone_limit(after):
                sources.add(corner_text(corner))
        return sources

    def _keeps_stone_limit(self, stones: dict[Corner, int]) -> bool:
        """DD-5.4a: no field has more than three stones, and no stone belongs to two fields with three."""
        for corner in stones:
            counts = [len(self._stones_at(cell, stones)) for cell in corner_fields(corner)]
            if max(counts) > 3 or counts.count(3) > 1:
                return False
        return True

    def _place_stone(self, goal: Corner, source: Corner | None) -> None:
        """DD-5.4a."""
        self.stone_goal = None
        if source is None:
            self.stone_reserve[self.current] -= 1
        else:
            del self.stones[source]
        self.stones[goal] = self.current
        self._light_step_done("stone")

    def _temple_fields(self) -> set[Cell]:
        """DD-5.4b: fields with three stones, at least two of them one's own, and no temple yet."""
        return {
            cell
            for cell in self.land
            if cell not in self.temples and len(self._stones_at(cell, self.stones)) == 3 and self._temple_owner(cell) == self.current
        }

    def _temple_sources(self) -> set[str]:
        """DD-5.4b: the pool, or a field whose temple one owns."""
        sources = {cell_text(cell) for cell in self._temples_owned(self.current)}
        if self.temple_pool > 0:
            sources.add("pool")
        return sources

    def _place_temple(self, goal: Cell, source: Cell | None) -> None:
        """DD-5.4b."""
        self.temple_goal = None
        if source is None:
            self.temple_pool -= 1
        else:
            self.temples.remove(source)
        self.temples.add(goal)
        self._light_step_done("temple")

    def _stones_to_convert(self) -> set[Corner]:
        """DD-5.4c: enemy stones of which at least two fields hold own populations."""
        own = self._own(self.current)
        return {
            corner
            for corner, owner in self.stones.items()
            if owner != self.current and sum(1 for cell in corner_fields(corner) if cell in own) >= 2
        }

    def _convert(self, corner: Corner) -> None:
        """DD-5.4c: an own stone from the reserve; the other goes back to its owner's reserve."""
        self.stone_reserve[self.stones[corner]] += 1
        self.stone_reserve[self.current] -= 1
        self.stones[corner] = self.current
        self._light_step_done("convert")

    # ------------------------------------------------------------------ scout

    def _scout_options(self) -> set[str]:
        """DD-5.5, DD-3.3: one may stop before a draw, not after it."""
        if self.in_hand is not None:
            return self._lay_options()
        if self.left > 0 and self.pile:
            return {"draw", "stop"}
        return {"stop"}

    # ------------------------------------------------------------------ new populations

    def _populate_options(self) -> set[str]:
        """DD-5.6."""
        moves = {"end"}
        if self.population_reserve[self.current] == 0:
            return moves
        if self.left == 0 and not self._may_exchange():
            return moves
        for cell in self._settling_places():
            moves.add(f"settle {cell_text(cell)}")
        return moves

    def _may_exchange(self) -> bool:
        """DD-5.6: after the free ones each further one costs two trophies (option one_exchange: one at most)."""
        if self.options["one_exchange"] and self.exchanges >= 1:
            return False
        return self.trophies[self.current] >= int(self.options["exchange_price"])

    def _settling_places(self) -> set[Cell]:
        """DD-5.6: adjacent to an own population or at an own stone; with neither on the board, anywhere."""
        own = self._own(self.current)
        stones = self._own_stones(self.current)
        if not own and not stones:
            return {cell for cell in self.land if self._free_to_stand(cell)}
        places = {cell for population in own for cell in self._adjacent(population)}
        places |= {cell for corner in stones for cell in corner_fields(corner)}
        return {cell for cell in places if self._free_to_stand(cell)}

    def _settle(self, cell: Cell) -> None:
        """DD-5.6."""
        seat = self.current
        if self.left > 0:
            self.left -= 1
        else:
            self.exchanges += 1
            self.trophies[seat] -= int(self.options["exchange_price"])
            self.trophies_spent[seat] += int(self.options["exchange_price"])
        self.population_reserve[seat] -= 1
        self.populations[cell] = seat
        self._after_step()

    # ------------------------------------------------------------------ moving populations

    def _move_options(self) -> set[str]:
        """DD-5.7."""
        if self.mover is not None:
            return {f"to {cell_text(cell)}" for cell in self._targets(self.mover)}
        moves = {"end"}
        if self.left == 0:
            return moves
        for cell in self._own(self.current):
            if self._can_move(cell) and self._targets(cell):
                moves.add(f"from {cell_text(cell)}")
        return moves

    def _can_move(self, cell: Cell) -> bool:
        """DD-5.3b, DD-5.7: anchored ones cannot move, and each moves at most once."""
        return cell not in self.anchors and cell not in self.moved

    def _targets(self, mover: Cell) -> set[Cell]:
        """DD-5.7: steps, jumps and captures."""
        steps = {cell for cell in self._adjacent(mover) if self._free_to_stand(cell)}
        captures = {cell for cell in self._adjacent(mover) if self._can_capture(cell)}
        return steps | captures | self._jumps(mover)

    def _jumps(self, mover: Cell) -> set[Cell]:
        """DD-5.7: over own populations, as the option jump says."""
        if self.options["jump"] == "chain":
            chain = self._linked_populations({mover}, self.current)
            beside = {cell for population in chain for cell in self._adjacent(population)}
            return {cell for cell in beside if self._free_to_stand(cell)}
        if self.options["jump"] == "line":
            own = self._own(self.current)
            landings = set()
            for direction in range(6):
                cell = step(mover, direction)
                while cell in own:
                    cell = step(cell, direction)
                if self._free_to_stand(cell):
                    landings.add(cell)
            return landings
        return set()

    def _can_capture(self, target: Cell) -> bool:
        """DD-5.7: an enemy population that is not anchored, with three own ones adjacent that support the capture."""
        if target not in self.populations or self.populations[target] == self.current or target in self.anchors:
            return False
        supporters = self._adjacent(target) & self._own(self.current)
        if self.options["capture_support"] == "able":
            supporters = {cell for cell in supporters if self._can_move(cell)}
        return len(supporters) >= int(self.options["capture_needs"])

    def _move(self, start: Cell, target: Cell) -> None:
        """DD-5.7: the captured population is a trophy."""
        seat = self.current
        self.mover = None
        if target in self.populations:
            self.populations_lost[self.populations.pop(target)] += 1
            self.trophies[seat] += 1
        del self.populations[start]
        self.populations[target] = seat
        self.moved.add(target)
        self.left -= 1
        self._after_step()
