"""A plain reference for the rules of Druidenwalzer.

Written from the numbered rules (DW-1.1 and so on) and the rulebooks alone. It is slow and obvious on purpose.
Cards are texts such as "s5<" (sign, value, arrow); boards are texts such as "S4" and "MC".

It is long because it is one file that needs no other: a reference that imported parts would have to be read in several places.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

COLOURS = ["orange", "purple", "black"]  # DW-1.4
SUN = 0
MOON = 1
CULT_NAME = {SUN: "sun", MOON: "moon"}  # how a cult is called in components, state and shuffles
SIGN = {SUN: "s", MOON: "m"}  # the sign on a card
LETTER = {SUN: "S", MOON: "M"}  # the first letter of a board
COUNTER_CLOCKWISE = ">"

DEFAULTS: dict[str, Any] = {
    "trees": 4,
    "stack": 5,
    "hand": 3,
    "tokens_to_conquer": 6,
    "trees_to_lose": 2,
    "draw_after": 60,
    "moon_row": "rotated",
    "conquered_cards": "by_sign",
    "cover_protects": False,
    "handicap_sun": [],
    "handicap_moon": [],
}
RANGES = {
    "trees": (2, 4),
    "stack": (1, 5),
    "hand": (1, 3),
    "tokens_to_conquer": (1, 6),
    "trees_to_lose": (1, 2),
}
MOST_FORCED_IN_A_ROW = 60  # DW-6.5: so many decisions without a choice are a draw; only a freak deck gets here


@dataclass
class Tree:
    """One tree board with what lies on it and below it."""

    cards: list[str] = field(default_factory=list)  # bottom to top
    down: int = 0  # how many of them, from the bottom, lie face down
    tokens: int = 0
    lost: bool = False
    druid: str | None = None


def value_of(card: str) -> int:
    """The value of a card text such as "s5<"."""
    return int(card[1])


def arrow_of(card: str) -> str:
    """The arrow of a card text such as "s5<"."""
    return card[2]


class Reference:
    """One game of Druidenwalzer. Seat 0 is Sun, seat 1 is Moon."""

    def __init__(
        self,
        options: dict[str, Any],
        components: dict[str, Any],
        seats: int,
        shuffle: Callable[[str, list[str]], list[str]],
    ) -> None:
        self.check_options(options, seats)
        chosen = {**DEFAULTS, **options}
        self.number_of_trees: int = chosen["trees"]
        self.stack: int = chosen["stack"]
        self.hand_size: int = chosen["hand"]
        self.tokens_to_conquer: int = chosen["tokens_to_conquer"]
        self.trees_to_lose: int = chosen["trees_to_lose"]
        self.draw_after: int = chosen["draw_after"]
        self.moon_row: str = chosen["moon_row"]
        self.conquered_cards: str = chosen["conquered_cards"]
        self.cover_protects: bool = chosen["cover_protects"]
        self.shuffle = shuffle

        self.colours: list[str] = COLOURS[: self.number_of_trees - 1]  # DW-8.3
        self.ring_of_boards: list[str] = self.lay_out_boards()
        self.trees: dict[str, Tree] = {board: Tree() for board in self.ring_of_boards if board[1] != "C"}
        self.cult: dict[int, list[str]] = {SUN: [], MOON: []}
        self.pile: dict[int, list[str]] = {}  # the next card first
        self.hand: dict[int, list[str | None]] = {SUN: self.empty_hand(), MOON: self.empty_hand()}
        for seat, handicap in [(SUN, chosen["handicap_sun"]), (MOON, chosen["handicap_moon"])]:
            self.pile[seat] = self.build_deck(seat, components[CULT_NAME[seat]], list(handicap))

        self.phase: str = "arrow"  # then "druids", "action", "contests" and "over"
        self.turn: int = MOON
        self.quiet: int = 0
        self.something_happened: bool = False  # a token was placed or a tree was lost in this turn
        self.ring: str | None = None
        self.meeting: list[str] = []  # the colours that have still to meet in this turn
        self.empty_at_start: list[str] = []  # DW-7.1: own trees that were empty when this turn began
        self.outcome: dict[str, Any] | None = None
        self.carry_out_forced()

    # ------------------------------------------------------------------ the six things everybody may call

    def to_move(self) -> int | None:
        """The seat that must decide; None when the game is over."""
        if self.phase == "over":
            return None
        return self.turn

    def legal(self) -> set[str]:
        """The texts of all moves the seat that must decide may make."""
        if self.phase == "arrow":
            return self.arrow_moves()
        if self.phase == "druids":
            return self.druid_moves()
        if self.phase == "action":
            return self.action_moves()
        if self.phase == "contests":
            return {"C " + colour for colour in self.meeting}
        return set()

    def play(self, move: str) -> None:
        """Make one move, and all forced ones after it."""
        if self.phase == "over":
            raise ValueError(f"The game is over, so {move!r} cannot be played.")
        if move not in self.legal():
            raise ValueError(f"{move!r} is not a legal move here.")
        self.carry_out(move)
        self.carry_out_forced()

    def state(self) -> dict[str, Any]:
        """Everything there is to know, in canonical form."""
        trees: dict[str, Any] = {}
        for name in sorted(self.trees):
            tree = self.trees[name]
            trees[name] = {
                "cards": list(tree.cards),
                "down": tree.down,
                "tokens": tree.tokens,
                "lost": tree.lost,
                "druid": tree.druid,
            }
        return {
            "trees": trees,
            "cult": {CULT_NAME[seat]: sorted(self.cult[seat]) for seat in (SUN, MOON)},
            "pile": {CULT_NAME[seat]: list(self.pile[seat]) for seat in (SUN, MOON)},
            "hand": {CULT_NAME[seat]: list(self.hand[seat]) for seat in (SUN, MOON)},
            "turn": self.turn,
            "quiet": self.quiet,
            "ring": self.ring,
            "meeting": sorted(self.meeting) if self.phase == "contests" else [],
        }

    def result(self) -> dict[str, Any] | None:
        """How the game ended; None while it is running."""
        if self.outcome is None:
            return None
        return {"end": self.outcome["end"], "places": list(self.outcome["places"])}

    # ------------------------------------------------------------------ 1 components

    def check_options(self, options: dict[str, Any], seats: int) -> None:
        """DW-8.3 and the options named elsewhere: refuse what the rules do not know."""
        if seats != 2:
            raise ValueError("Druidenwalzer is for two players.")
        for name in options:
            if name not in DEFAULTS:
                raise ValueError(f"There is no option {name!r}.")
        for name, (least, most) in RANGES.items():
            if not least <= options.get(name, DEFAULTS[name]) <= most:
                raise ValueError(f"Option {name!r} must lie between {least} and {most}.")
        if options.get("draw_after", 0) < 0:
            raise ValueError("Option 'draw_after' must not be negative.")
        if options.get("moon_row", "rotated") not in ("rotated", "mirrored"):
            raise ValueError("Option 'moon_row' must be rotated or mirrored.")
        if options.get("conquered_cards", "by_sign") not in ("by_sign", "tree_owner"):
            raise ValueError("Option 'conquered_cards' must be by_sign or tree_owner.")

    def lay_out_boards(self) -> list[str]:
        """DW-1.1: all boards, clockwise, seen from above."""
        rising = [str(number) for number in range(1, self.number_of_trees + 1)]
        falling = list(reversed(rising))
        sun_row = ["S" + digit for digit in falling]
        if self.moon_row == "mirrored":
            moon_row = ["M" + digit for digit in rising]
        else:
            moon_row = ["M" + digit for digit in falling]
        return [*sun_row, "MC", *moon_row, "SC"]

    def build_deck(self, seat: int, counts: dict[str, int], handicap: list[str]) -> list[str]:
        """DW-1.3 and DW-8.1: the sorted deck of a player, without the cards of his handicap."""
        deck: list[str] = []
        for kind, count in counts.items():
            if len(kind) != 2 or kind[0] not in "123456789" or kind[1] not in "<>":
                raise ValueError(f"{kind!r} is not a card: it needs a value from 1 to 9 and an arrow.")
            deck.extend([SIGN[seat] + kind] * count)
        if len(deck) > 60:
            raise ValueError("A deck has at most 60 cards.")
        for kind in handicap:
            card = SIGN[seat] + kind
            if card not in deck:
                raise ValueError(f"The handicap {kind!r} is not in the deck of {CULT_NAME[seat]}.")
            deck.remove(card)
        if not any(value_of(card) == 1 for card in deck):
            raise ValueError(f"The deck of {CULT_NAME[seat]} needs at least one 1.")
        least = self.number_of_trees * self.stack + self.hand_size + 1
        if len(deck) < least:
            raise ValueError(f"The deck of {CULT_NAME[seat]} needs at least {least} cards.")
        return sorted(deck)

    def empty_hand(self) -> list[str | None]:
        """A hand with all its places empty."""
        return [None] * self.hand_size

    # ------------------------------------------------------------------ small helpers

    def opponent(self, seat: int) -> int:
        """The other seat."""
        return MOON if seat == SUN else SUN

    def owner_of(self, board: str) -> int:
        """The seat on whose side a board lies."""
        return SUN if board[0] == "S" else MOON

    def own_trees(self, seat: int) -> list[str]:
        """The names of a player's trees, lost ones too, in the order 1, 2, 3, 4."""
        return [LETTER[seat] + str(number) for number in range(1, self.number_of_trees + 1)]

    def standing_trees(self, seat: int) -> list[str]:
        """The names of a player's standing trees, in the order 1, 2, 3, 4."""
        return [name for name in self.own_trees(seat) if not self.trees[name].lost]

    def free_trees(self, seat: int) -> list[str]:
        """The names of a player's standing trees without a druid."""
        return [name for name in self.standing_trees(seat) if self.trees[name].druid is None]

    def lost_count(self, seat: int) -> int:
        """How many trees a player has lost."""
        return len([name for name in self.own_trees(seat) if self.trees[name].lost])

    def tree_of_druid(self, seat: int, colour: str) -> str:
        """The name of the tree on which a player's druid of that colour stands."""
        for name in self.own_trees(seat):
            if self.trees[name].druid == colour:
                return name
        raise AssertionError(f"The {colour} druid of {CULT_NAME[seat]} stands nowhere.")

    def hand_cards(self, seat: int) -> list[str]:
        """The cards in a player's hand, without the empty places."""
        return [card for card in self.hand[seat] if card is not None]

    def move_text(self, seat: int, card: str) -> str:
        """A card as it is written in a move: the mover's own sign is left out."""
        if card[0] == SIGN[seat]:
            return card[1:]
        return card

    def card_from_text(self, seat: int, text: str) -> str:
        """The card that a move text means; the opposite of move_text."""
        if text[0] in SIGN.values():
            return text
        return SIGN[seat] + text

    def turn_up(self, name: str) -> None:
        """A face-down card on top of a stack is turned up."""
        tree = self.trees[name]
        if tree.cards and tree.down == len(tree.cards):
            tree.down -= 1

    def top_value(self, name: str) -> int:
        """DW-5.3: the value of a tree's top card; a tree without cards counts 0."""
        cards = self.trees[name].cards
        return value_of(cards[-1]) if cards else 0

    def take_from_hand(self, seat: int, card: str) -> None:
        """A card leaves the hand; of look-alikes the one in the lowest place. Its place stays empty."""
        self.hand[seat][self.hand[seat].index(card)] = None

    # ------------------------------------------------------------------ carrying out decisions

    def carry_out(self, move: str) -> None:
        """Carry out one decision."""
        if self.phase == "arrow":
            self.lay_down_one(move)
        elif self.phase == "druids":
            self.place_druid(move)
        elif self.phase == "contests":
            self.fight(move.removeprefix("C "))
            self.go_on_with_contests()
        elif move.startswith("W "):
            self.waltz(move)
        elif move.startswith("J "):
            self.jump(move)
        else:
            self.retreat(move)

    def carry_out_forced(self) -> None:
        """A decision with exactly one option is never asked, and a pass is always forced (DW-3.4)."""
        for _ in range(MOST_FORCED_IN_A_ROW):
            if self.phase == "over":
                return
            moves = self.legal()
            if len(moves) > 1 or self.look_alikes_hide_a_choice():
                return
            if moves:
                self.carry_out(next(iter(moves)))
            else:
                self.pass_turn()
        if self.phase != "over":
            self.end_game("draw", [1, 1])

    def look_alikes_hide_a_choice(self) -> bool:
        """Two look-alikes in hand may be played from either place: asked, since others cannot see that it is one move (DW-10.2)."""
        return self.phase == "action" and len(self.hand_cards(self.turn)) > 1

    # ------------------------------------------------------------------ 2 set-up

    def arrow_moves(self) -> set[str]:
        """DW-2.1: which of his 1s a player may lay on his cult board."""
        return {card[1:] for card in self.pile[self.turn] if value_of(card) == 1}

    def lay_down_one(self, move: str) -> None:
        """DW-2.1: Moon, then Sun, before the shuffle."""
        card = SIGN[self.turn] + move
        self.pile[self.turn].remove(card)
        self.cult[self.turn].append(card)
        if self.turn == MOON:
            self.turn = SUN
        else:
            self.deal(MOON)
            self.deal(SUN)
            self.phase = "druids"
            self.turn = MOON

    def deal(self, seat: int) -> None:
        """DW-2.2, DW-2.3: shuffle, lay the stacks, turn up their tops, take a hand; the rest is the pile."""
        deck = list(self.shuffle(CULT_NAME[seat], sorted(self.pile[seat])))
        for name in self.own_trees(seat):
            tree = self.trees[name]
            for _ in range(self.stack):
                tree.cards.append(deck.pop(0))
            tree.down = len(tree.cards)
            self.turn_up(name)
        for place in range(self.hand_size):
            self.hand[seat][place] = deck.pop(0)
        self.pile[seat] = deck

    def next_druid(self, seat: int) -> str | None:
        """The colour of the druid that a player puts on a tree next; None when all stand."""
        placed = [self.trees[name].druid for name in self.own_trees(seat)]
        for colour in self.colours:
            if colour not in placed:
                return colour
        return None

    def druid_moves(self) -> set[str]:
        """DW-2.4: the next druid may go to any own tree without one."""
        return {f"{self.next_druid(self.turn)}@{name[1]}" for name in self.free_trees(self.turn)}

    def place_druid(self, move: str) -> None:
        """DW-2.4: Moon puts down all his druids, then Sun."""
        colour, number = move.split("@")
        self.trees[LETTER[self.turn] + number].druid = colour
        if self.next_druid(self.turn) is not None:
            return
        if self.turn == MOON:
            self.turn = SUN
        else:
            self.begin_turn(MOON)  # DW-2.5

    # ------------------------------------------------------------------ 3 the turn

    def begin_turn(self, seat: int) -> None:
        """DW-3.0, and DW-7.1: note which own trees are empty now."""
        self.phase = "action"
        self.turn = seat
        self.something_happened = False
        self.empty_at_start = [name for name in self.standing_trees(seat) if not self.trees[name].cards]

    def action_moves(self) -> set[str]:
        """DW-3.0, DW-7.1: waltz, jump and retreat; only a waltz if a tree is empty and there is a hand card."""
        if self.empty_at_start and self.hand_cards(self.turn):
            return self.waltz_moves()
        return self.waltz_moves() | self.jump_moves() | self.retreat_moves()

    def waltz_moves(self) -> set[str]:
        """DW-4.1: any hand card at any own standing tree."""
        moves: set[str] = set()
        for card in self.hand_cards(self.turn):
            for name in self.standing_trees(self.turn):
                moves.add(f"W {self.move_text(self.turn, card)}@{name[1]}")
        return moves

    def jump_moves(self) -> set[str]:
        """DW-3.2: any own druid, if there is a standing tree without one."""
        if not self.free_trees(self.turn):
            return set()
        return {f"J {colour}" for colour in self.colours}

    def retreat_moves(self) -> set[str]:
        """DW-3.1: any hand card, or the top card of any own tree."""
        moves: set[str] = set()
        for card in self.hand_cards(self.turn):
            moves.add(f"R {self.move_text(self.turn, card)}")
        for name in self.standing_trees(self.turn):
            if self.trees[name].cards:
                moves.add(f"R @{name[1]}")
        return moves

    def retreat(self, move: str) -> None:
        """DW-3.1: one card goes to the own cult board, whatever its sign."""
        text = move.removeprefix("R ")
        if text.startswith("@"):
            name = LETTER[self.turn] + text[1]
            card = self.trees[name].cards.pop()
            self.turn_up(name)
        else:
            card = self.card_from_text(self.turn, text)
            self.take_from_hand(self.turn, card)
        self.cult[self.turn].append(card)
        self.end_turn()

    def jump(self, move: str) -> None:
        """DW-3.2: a druid moves to the own standing tree without a druid; tokens stay."""
        colour = move.removeprefix("J ")
        target = self.free_trees(self.turn)[0]
        self.trees[self.tree_of_druid(self.turn, colour)].druid = None
        self.trees[target].druid = colour
        self.end_turn()

    def pass_turn(self) -> None:
        """DW-3.4: no action is legal."""
        self.end_turn()

    def end_turn(self) -> None:
        """DW-3.5: after action, contests and ring: empty trees, drawing, draw rule. The game's end stops it at once."""
        self.lose_empty_trees()
        if self.phase == "over":
            return
        self.draw_cards()
        self.apply_draw_rule()
        if self.phase == "over":
            return
        self.begin_turn(self.opponent(self.turn))

    # ------------------------------------------------------------------ 4 the waltz

    def waltz(self, move: str) -> None:
        """DW-4.1, DW-4.2: play a card, move the ring, dance, and hold the contests (also without dancers, DW-4.9)."""
        text, number = move.removeprefix("W ").split("@")
        card = self.card_from_text(self.turn, text)
        name = LETTER[self.turn] + number
        self.take_from_hand(self.turn, card)
        self.trees[name].cards.append(card)
        self.ring = name
        self.dance(card, name)
        for tree in self.trees:  # DW-4.8
            self.turn_up(tree)
        self.begin_contests()

    def boards_in_direction(self, arrow: str) -> list[str]:
        """DW-1.1, DW-4.5: the boards that count as a step, in the order in which a dancer passes them."""
        boards = [board for board in self.ring_of_boards if board not in self.trees or not self.trees[board].lost]
        if arrow == COUNTER_CLOCKWISE:
            boards.reverse()
        return boards

    def dance(self, card: str, played_at: str) -> None:
        """DW-4.3 to DW-4.7: who dances, where to, how far, in which order."""
        boards = self.boards_in_direction(arrow_of(card))
        steps = int(played_at[1])
        start = boards.index(played_at)
        others = boards[start + 1 :] + boards[:start]  # DW-4.6: in the order in which they are met

        dancers: list[tuple[str, int]] = []  # tree, and place in its stack counted from the bottom
        for board in others:
            if board in self.trees and self.top_value(board) == value_of(card):
                dancers.append((board, len(self.trees[board].cards) - 1))

        for board, place in dancers:
            covered = len(self.trees[board].cards) > place + 1
            if covered and self.cover_protects:  # DW-8.2
                continue
            dancer = self.trees[board].cards.pop(place)
            target = boards[(boards.index(board) + steps) % len(boards)]
            if target in self.trees:
                self.trees[target].cards.append(dancer)
            else:
                self.cult[self.owner_of(target)].append(dancer)

    # ------------------------------------------------------------------ 5 the contests

    def begin_contests(self) -> None:
        """DW-5.1: which colours meet is fixed now; the colour on the ring's tree rests."""
        assert self.ring is not None
        resting = self.trees[self.ring].druid
        self.meeting = [colour for colour in self.colours if colour != resting]
        self.go_on_with_contests()

    def go_on_with_contests(self) -> None:
        """DW-5.2: fight in the order orange, purple, black, or ask for the next colour where that matters."""
        while self.phase != "over" and self.meeting:
            if self.order_matters():
                self.phase = "contests"
                return
            self.fight(self.meeting[0])
        if self.phase == "over":
            return
        self.ring = None  # DW-5.5
        self.end_turn()

    def order_matters(self) -> bool:
        """DW-5.2: would both players lose the game if all remaining contests were fought with the tops now lying?"""
        lost = {seat: self.lost_count(seat) for seat in (SUN, MOON)}
        for colour in self.meeting:
            loser = self.loser_of_contest(colour)
            if loser is None:
                continue
            if self.trees[self.tree_of_druid(loser, colour)].tokens + 1 >= self.tokens_to_conquer:
                lost[loser] += 1
        return lost[SUN] >= self.trees_to_lose and lost[MOON] >= self.trees_to_lose

    def loser_of_contest(self, colour: str) -> int | None:
        """DW-5.3: the seat with the lower top card; None for a tie."""
        sun_value = self.top_value(self.tree_of_druid(SUN, colour))
        moon_value = self.top_value(self.tree_of_druid(MOON, colour))
        if sun_value == moon_value:
            return None
        return SUN if sun_value < moon_value else MOON

    def fight(self, colour: str) -> None:
        """DW-5.3 to DW-5.5: one contest."""
        self.meeting.remove(colour)
        loser = self.loser_of_contest(colour)
        if loser is None:
            return
        winner = self.opponent(loser)
        losing_tree = self.tree_of_druid(loser, colour)
        winning_tree = self.tree_of_druid(winner, colour)
        self.trees[losing_tree].tokens += 1
        self.note_event()
        self.cult[winner].append(self.trees[winning_tree].cards.pop())
        self.turn_up(winning_tree)
        if self.trees[losing_tree].tokens >= self.tokens_to_conquer:
            self.lose_tree(losing_tree, "conquest")

    # ------------------------------------------------------------------ 6 losing a tree, and the end

    def lose_tree(self, name: str, end: str) -> None:
        """DW-6.1 to DW-6.3: a tree is turned over."""
        owner = self.owner_of(name)
        tree = self.trees[name]
        tree.lost = True
        self.note_event()
        if self.lost_count(owner) >= self.trees_to_lose:  # DW-6.1: everything stays as it lies
            places = [2, 2]
            places[self.opponent(owner)] = 1
            self.end_game(end, places)
            return
        if tree.druid is not None:  # DW-6.2
            target = self.free_trees(owner)[0]
            self.trees[target].druid = tree.druid
            tree.druid = None
        tree.tokens = 0
        for card in tree.cards:  # DW-6.3
            if self.conquered_cards == "tree_owner":
                self.cult[owner].append(card)
            elif card[0] == SIGN[SUN]:
                self.cult[SUN].append(card)
            else:
                self.cult[MOON].append(card)
        tree.cards = []
        tree.down = 0

    def note_event(self) -> None:
        """DW-6.5: a token was placed or a tree was lost, so the row of quiet turns is broken."""
        self.something_happened = True
        self.quiet = 0

    def apply_draw_rule(self) -> None:
        """DW-6.5: too many single turns in a row without a token or a lost tree."""
        if not self.something_happened:
            self.quiet += 1
        if self.draw_after > 0 and self.quiet >= self.draw_after:
            self.end_game("draw", [1, 1])

    def end_game(self, end: str, places: list[int]) -> None:
        """The game is over."""
        self.phase = "over"
        self.outcome = {"end": end, "places": places}

    # ------------------------------------------------------------------ 7 empty trees, and the hand

    def lose_empty_trees(self) -> None:
        """DW-7.2: trees that were empty when the turn began, and are standing and empty now, fall, 1 first."""
        for name in self.empty_at_start:
            if self.phase == "over":
                return
            if not self.trees[name].lost and not self.trees[name].cards:
                self.lose_tree(name, "empty")

    def draw_cards(self) -> None:
        """DW-7.3: an empty hand is filled from place 1; the cult board is shuffled only when a card is missing."""
        seat = self.turn
        if self.hand_cards(seat):
            return
        for place in range(self.hand_size):
            if not self.pile[seat] and self.cult[seat]:
                self.pile[seat] = list(self.shuffle(CULT_NAME[seat], sorted(self.cult[seat])))
                self.cult[seat] = []
            if not self.pile[seat]:
                return
            self.hand[seat][place] = self.pile[seat].pop(0)
