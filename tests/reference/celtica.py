"""A plain reference for Celtica, written from the numbered rules (CE-...) and the rulebook alone."""

from collections.abc import Callable
from typing import Any

COLOURS = ["white", "red", "grey", "brown", "black"]
KINDS = ["sun", "moon", "star", "oak", "stag", "raven", "wave", "flame", "centre"]
FIND_SPOTS = ["village", "castle", "monastery", "goal"]
DISPLAY_SIZE = 9
HAND_SIZE = 5
FIRST_PARTS = 2


def counts(parts: list[str]) -> dict[str, int]:
    """How many parts of each kind there are; only kinds that are there."""
    return {kind: parts.count(kind) for kind in KINDS if kind in parts}


def amulets(parts: list[str]) -> list[int]:
    """CE-6.4: amulet k has as many parts as there are kinds held at least k times; largest first."""
    sizes: list[int] = []
    k = 1
    while True:
        size = len([kind for kind in KINDS if parts.count(kind) >= k])
        if size == 0:
            return sizes
        sizes.append(size)
        k += 1


def is_better(mine: list[str], other: list[str]) -> bool:
    """CE-6.4: more complete amulets; then the largest incomplete one, the second largest, ...; a missing one is 0."""
    my_sizes = amulets(mine)
    other_sizes = amulets(other)
    my_complete = my_sizes.count(len(KINDS))
    other_complete = other_sizes.count(len(KINDS))
    if my_complete != other_complete:
        return my_complete > other_complete
    my_rest = [size for size in my_sizes if size < len(KINDS)]
    other_rest = [size for size in other_sizes if size < len(KINDS)]
    for i in range(max(len(my_rest), len(other_rest))):
        my_size = my_rest[i] if i < len(my_rest) else 0
        other_size = other_rest[i] if i < len(other_rest) else 0
        if my_size != other_size:
            return my_size > other_size
    return False


def ranking(all_parts: list[list[str]]) -> list[int]:
    """CE-6.4: a place by seat, 1 is best; who is equal shares the place, and the next place is skipped."""
    places = []
    for mine in all_parts:
        better = [other for other in all_parts if is_better(other, mine)]
        places.append(1 + len(better))
    return places


class Reference:
    """One game of Celtica."""

    def __init__(
        self,
        options: dict[str, Any],
        components: dict[str, Any],
        seats: int,
        shuffle: Callable[[str, list[str]], list[str]],
    ) -> None:
        self.shuffle = shuffle
        self.seats = seats
        self.places: list[dict[str, Any]] = components["places"]
        self.goal = len(self.places) - 1
        self.druids: dict[str, int] = dict.fromkeys(COLOURS, 0)
        self.pile: list[str] = []
        self.discard: list[str] = []
        self.experience_pile: list[str] = []
        self.experience_discard: list[str] = []
        self.supply: list[str] = []
        self.given: list[str] = []
        self.display: list[str] = []
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.experience: list[list[str]] = [[] for _ in range(seats)]
        self.parts: list[list[str]] = [[] for _ in range(seats)]
        self.phase = "play"
        self.left = 0
        self.round = 1
        self.end: str | None = None
        self.waiting: list[int] = []  # seats whose experience phase is still to come
        self.starter = 0
        self.mover = 0  # the seat that acts, asked or not
        self.last_player = 0  # the seat that made the last play
        self.asked = 0  # the seat that was asked last

        self.asks_order = bool(options.get("ask_order", False))
        self.set_up(options, components)
        self.carry_out_forced()

    # The interface.

    def to_move(self) -> int | None:
        """The seat that must decide; None when the game is over."""
        return None if self.phase == "over" else self.asked

    def legal(self) -> set[str]:
        """The texts of all legal moves."""
        if self.phase == "over":
            return set()
        return set(self.moves())

    def play(self, move: str) -> None:
        """Carry out a decision and everything forced that follows."""
        if self.phase == "over":
            raise ValueError("The game is over.")
        if move not in self.moves():
            raise ValueError(f"The move {move!r} is not legal now (phase {self.phase}, seat {self.asked}).")
        self.carry_out(move)
        self.carry_out_forced()

    def state(self) -> dict[str, Any]:
        """The whole state as plain data."""
        return {
            "druids": dict(self.druids),
            "display": counts(self.display),
            "supply": list(self.supply),
            "given": sorted(self.given),
            "pile": list(self.pile),
            "discard": sorted(self.discard),
            "experience_pile": list(self.experience_pile),
            "experience_discard": sorted(self.experience_discard),
            "hands": [list(hand) for hand in self.hands],
            "experience": [list(cards) for cards in self.experience],
            "parts": [counts(parts) for parts in self.parts],
            "turn": self.asked,
            "phase": self.phase,
            "left": self.left,
            "round": self.round,
            "starter": self.starter,
        }

    def result(self) -> dict[str, Any] | None:
        """CE-6.4: the kind of end and the place of every seat; None while the game runs."""
        if self.phase != "over":
            return None
        return {"end": self.end, "places": ranking(self.parts)}

    # Set-up.

    def set_up(self, options: dict[str, Any], components: dict[str, Any]) -> None:
        """CE-2.1 to 2.3."""
        first = int(options.get("first_player", -1))
        if first == -1:
            first = int(self.shuffle("seats", [str(seat) for seat in range(self.seats)])[0])
        druid_cards = [colour for colour in COLOURS for _ in range(components["druid_cards"])]
        experience_cards = [colour for colour in COLOURS for _ in range(components["experience_cards"])]
        parts = [kind for kind in KINDS for _ in range(components["parts_per_kind"])]
        self.pile = list(self.shuffle("druid", sorted(druid_cards)))
        self.experience_pile = list(self.shuffle("experience", sorted(experience_cards)))
        self.supply = list(self.shuffle("parts", sorted(parts)))

        self.starter = first
        self.mover = first
        self.deal_druid_cards()
        self.refill_display()
        for seat in self.around(first):
            for _ in range(FIRST_PARTS):
                self.draw_part(self.parts[seat])

    def deal_druid_cards(self) -> None:
        """CE-2.2, 5.2: five cards for each, seat by seat from the starting player."""
        for seat in self.around(self.starter):
            for _ in range(HAND_SIZE):
                self.draw_druid_card(seat)

    # Seats.

    def left_neighbour(self, seat: int) -> int:
        """The next seat clockwise."""
        return (seat + 1) % self.seats

    def around(self, first: int) -> list[int]:
        """All seats clockwise, beginning with the given one."""
        return [(first + i) % self.seats for i in range(self.seats)]

    # Drawing and renewing (CE-4.4: a pile is renewed only when something must be drawn and it is empty).

    def draw_druid_card(self, seat: int) -> None:
        """CE-4.4: one druid card into the hand; nothing if there is none."""
        if not self.pile and self.discard:
            self.pile = list(self.shuffle("druid", sorted(self.discard)))
            self.discard = []
        if self.pile:
            self.hands[seat].append(self.pile.pop(0))

    def draw_experience_card(self, seat: int) -> None:
        """CE-4.4: one experience card into the hand; nothing if there is none."""
        if not self.experience_pile and self.experience_discard:
            self.experience_pile = list(self.shuffle("experience", sorted(self.experience_discard)))
            self.experience_discard = []
        if self.experience_pile:
            self.experience[seat].append(self.experience_pile.pop(0))

    def draw_part(self, target: list[str]) -> None:
        """CE-4.4: one part from the supply to the target; nothing if there is none."""
        if not self.supply and self.given:
            self.supply = list(self.shuffle("parts", sorted(self.given)))
            self.given = []
        if self.supply:
            target.append(self.supply.pop(0))

    def refill_display(self) -> None:
        """CE-2.2, 4.1, 6.3: up to nine parts, as far as possible."""
        while len(self.display) < DISPLAY_SIZE and (self.supply or self.given):
            self.draw_part(self.display)

    # Moves.

    def moves(self) -> list[str]:
        """CE-3.0: every option of the decision that is due."""
        if self.phase == "play":
            return self.play_moves()
        if self.phase == "cult":
            return self.cult_moves()
        if self.phase == "take":
            return [f"take {kind}" for kind in counts(self.display)]
        if self.phase == "give":
            return [f"give {kind}" for kind in counts(self.parts[self.mover])]
        return self.experience_moves()

    def play_moves(self) -> list[str]:
        """CE-3.1, 3.2, 3.4: one colour, any number of druid cards and of experience cards, at least one in all."""
        moves = []
        for colour in COLOURS:
            for druid_cards in range(self.hands[self.mover].count(colour) + 1):
                for experience_cards in range(self.experience[self.mover].count(colour) + 1):
                    if experience_cards > 0:
                        moves.append(f"{colour} {druid_cards}+{experience_cards}")
                    elif druid_cards > 0:
                        moves.append(f"{colour} {druid_cards}")
        return moves

    def cult_moves(self) -> list[str]:
        """CE-4.3: he may draw, if there is a card at all (CE-4.4)."""
        if self.pile or self.discard:
            return ["draw", "no"]
        return ["no"]

    def experience_moves(self) -> list[str]:
        """CE-6.3: swap for one card, take for two, or stop."""
        moves = ["stop"]
        cards = len(self.experience[self.mover])
        if cards >= 1:
            for own in counts(self.parts[self.mover]):
                for wanted in counts(self.display):
                    if own != wanted:
                        moves.append(f"swap {own} {wanted}")
        if cards >= 2:
            for wanted in counts(self.display):
                moves.append(f"take {wanted}")
        return moves

    def carry_out_forced(self) -> None:
        """CE-3.0, 8.3: a decision with one option is carried out at once, and parts that all go; the next real one is asked."""
        while self.phase != "over":
            moves = self.moves()
            if len(moves) > 1 and (self.asks_order or not self.everything_goes()):
                self.asked = self.mover
                return
            self.carry_out(moves[0])

    def everything_goes(self) -> bool:
        """CE-8.3: the parts to give up are all that he holds, or the parts to take all that the display shows."""
        if self.phase == "give":
            return self.left == len(self.parts[self.mover])
        return self.phase == "take" and self.left == len(self.display)

    def carry_out(self, move: str) -> None:
        """Carry out one legal move of the seat that acts."""
        if self.phase == "play":
            self.carry_out_play(move)
        elif self.phase == "cult":
            self.carry_out_cult(move)
        elif self.phase == "take":
            self.carry_out_take(move)
        elif self.phase == "give":
            self.carry_out_give(move)
        else:
            self.carry_out_experience(move)

    # The turn.

    def carry_out_play(self, move: str) -> None:
        """CE-3.1 to 3.5: discard the cards, move the druid, let the place act."""
        colour, number = move.split(" ")
        if "+" in number:
            druid_text, experience_text = number.split("+")
            druid_cards = int(druid_text)
            experience_cards = int(experience_text)
        else:
            druid_cards = int(number)
            experience_cards = 0

        self.last_player = self.mover
        for _ in range(druid_cards):
            self.hands[self.mover].remove(colour)
            self.discard.append(colour)
        for _ in range(experience_cards):
            self.experience[self.mover].remove(colour)
            self.experience_discard.append(colour)

        if self.druids[colour] == self.goal:
            self.end_turn()  # CE-3.4
            return
        self.druids[colour] = min(self.druids[colour] + druid_cards + experience_cards, self.goal)  # CE-3.3
        self.enter_place(self.places[self.druids[colour]])

    def enter_place(self, place: dict[str, Any]) -> None:
        """CE-4: the place where the druid stops acts."""
        if place["kind"] in FIND_SPOTS:
            self.left = min(int(place["parts"]), len(self.display))
            self.phase = "take"
            if self.left == 0:
                self.finish_find_spot()
        elif place["kind"] == "ruin":
            self.left = min(-int(place["parts"]), len(self.parts[self.mover]))
            self.phase = "give"
            if self.left == 0:
                self.finish_ruin()
        else:
            self.phase = "cult"

    def carry_out_take(self, move: str) -> None:
        """CE-4.1: one part from the display as it lies."""
        kind = move.split(" ")[1]
        self.display.remove(kind)
        self.parts[self.mover].append(kind)
        self.left -= 1
        if self.left == 0:
            self.finish_find_spot()

    def finish_find_spot(self) -> None:
        """CE-4.1: the display is refilled when all parts have been taken."""
        self.refill_display()
        self.end_turn()

    def carry_out_give(self, move: str) -> None:
        """CE-4.2: one part onto the pile of given-up parts."""
        kind = move.split(" ")[1]
        self.parts[self.mover].remove(kind)
        self.given.append(kind)
        self.left -= 1
        if self.left == 0:
            self.finish_ruin()

    def finish_ruin(self) -> None:
        """CE-4.2: one experience card, also if nothing could be given up; no refill of the display."""
        self.draw_experience_card(self.mover)
        self.end_turn()

    def carry_out_cult(self, move: str) -> None:
        """CE-4.3: draw one druid card or not."""
        if move == "draw":
            self.draw_druid_card(self.mover)
        self.end_turn()

    def end_turn(self) -> None:
        """CE-6.2 first, then 5.1; else the next player who holds druid cards (CE-3.6)."""
        self.phase = "play"
        if all(self.druids[colour] == self.goal for colour in COLOURS):
            self.end_at_once("all_home")
        elif not self.display and not self.supply and not self.given:
            self.end_at_once("parts")
        elif not any(self.hands):
            self.end_round()
        else:
            self.mover = self.left_neighbour(self.mover)
            while not self.hands[self.mover]:
                self.mover = self.left_neighbour(self.mover)

    # Rounds and the end.

    def end_round(self) -> None:
        """CE-5.1, 5.2, 6.1: the game ends if a druid is at the goal; else a new round begins."""
        if any(self.druids[colour] == self.goal for colour in COLOURS):
            self.begin_experience_phase("goal")
            return
        self.round += 1
        self.starter = self.left_neighbour(self.last_player)
        self.mover = self.starter
        self.deal_druid_cards()

    def end_at_once(self, end: str) -> None:
        """CE-6.2: all druid cards are discarded."""
        for hand in self.hands:
            self.discard.extend(hand)
            hand.clear()
        self.begin_experience_phase(end)

    def begin_experience_phase(self, end: str) -> None:
        """CE-6.3: once around from the left neighbour of whoever made the last play; no refill before."""
        self.end = end
        self.phase = "experience"
        self.waiting = self.around(self.left_neighbour(self.last_player))
        self.mover = self.waiting.pop(0)

    def carry_out_experience(self, move: str) -> None:
        """CE-6.3: one step. Who can only stop is not asked, so he is skipped, or done."""
        words = move.split(" ")
        if words[0] == "swap":
            self.pay(1)
            self.parts[self.mover].remove(words[1])
            self.display.remove(words[2])
            self.parts[self.mover].append(words[2])
            self.display.append(words[1])
        elif words[0] == "take":
            self.pay(2)
            self.display.remove(words[1])
            self.parts[self.mover].append(words[1])
        else:
            self.finish_experience()

    def pay(self, number: int) -> None:
        """CE-6.3: paid cards leave by lowest colour index."""
        for _ in range(number):
            card = min(self.experience[self.mover], key=COLOURS.index)
            self.experience[self.mover].remove(card)
            self.experience_discard.append(card)

    def finish_experience(self) -> None:
        """CE-6.3: after each player the display is refilled as far as possible; then the next one."""
        self.refill_display()
        if self.waiting:
            self.mover = self.waiting.pop(0)
        else:
            self.phase = "over"
