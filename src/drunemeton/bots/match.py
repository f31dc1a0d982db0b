"""Games between bots, as fast as they go.

Random and greedy play whole games in compiled code. A table with searching bots, or with bots of your own, plays in the arena, and several
such games go side by side in processes of their own. Deals are the same either way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..rules.chance import deal_of
from ..rules.drive import Engine, Round, begin, go_on, lay_out, learn
from ..rules.errors import GameError
from ..rules.game import Game, end_of, legal, place_of, random_action, to_move
from ..rules.kernel import CHOICES, MOVES, Record, below, rule, seed
from . import SIMPLE, seated
from .arena import LIMIT, Arena, Player
from .details import Decisions, Detail, detail_of
from .greedy import WORLDS, Mind, greedy_action, prepare_judge
from .own import check_names, find_bot

if TYPE_CHECKING:
    from .device import AheadTable

Outcome = tuple[int, int, str, list[int]]  # decisions, turns, kind of end, places
RANDOM, GREEDY = 0, 1


class Players(NamedTuple):
    """Who plays in compiled code: RANDOM or GREEDY by seat, rows for greedy to count in, and how many worlds it tries."""

    policies: Any
    moves: Any
    sums: Any
    worlds: int


@rule
def open_game(table: Round, policies: Any, deal: int, salt: int) -> int:
    """Lay a game out and deal it; answers whether anybody follows it.

    The table's second desk thinks, and draws at random: by the deal and `salt`, which changes no shuffle.
    """
    lay_out(table)
    thinking = 0
    for seat in range(len(policies)):
        thinking |= policies[seat]
    table.desks[0].listening = thinking
    seed(table.desks[1], deal, 1 + salt, CHOICES)
    begin(table.states[0], table.desks[0], deal)
    return thinking


@rule
def tell_greedy(table: Round, policies: Any) -> None:
    """Let those who think take in what has just happened."""
    for seat in range(len(policies)):
        if policies[seat] == GREEDY:
            learn(table.knows[seat], table.desks[0], seat)


@rule
def report_game(s: Record, decisions: int, turns: int, seats: int, report: Any) -> None:
    """Write what a game came to: decisions, turns (changes of seat), kind of end, then each seat's place."""
    report[0] = decisions
    report[1] = turns
    report[2] = end_of(s) if to_move(s) < 0 else -1
    for seat in range(seats):
        report[3 + seat] = place_of(s, seat)


@rule
def play_game(table: Round, players: Players, report: Any, deal: int, limit: int) -> None:
    """One game from the prepared state, and its report."""
    policies = players.policies
    seats = len(policies)
    thinking = open_game(table, policies, deal, 0)
    s = table.states[0]  # only now: plain rules lay another record there
    d = table.desks[0]
    decisions = 0
    turns = 0
    last = -1
    seat = to_move(s)
    while seat >= 0 and decisions < limit:
        if thinking:
            tell_greedy(table, policies)
        if seat != last:
            turns += 1
            last = seat
        action = 0
        if policies[seat] == GREEDY:
            mind = Mind(table.knows, table.desks, table.states, players.moves, players.sums)
            action = greedy_action(mind, seat, seat, 1, 1, players.worlds)
        else:
            action = random_action(s, table.desks[1])
        # A longer report also keeps the decisions.
        if 3 + seats + 2 * decisions + 1 < len(report):
            report[3 + seats + 2 * decisions] = seat
            report[4 + seats + 2 * decisions] = action
        decisions += 1
        go_on(s, d, action)
        seat = to_move(s)
    report_game(s, decisions, turns, seats, report)


class Match:
    """Players at a table, ready to play any number of deals."""

    def __init__(
        self,
        game: type[Game],
        players: Sequence[str],
        options: Mapping[str, Any] | None = None,
        components: Mapping[str, Any] | None = None,
        *,
        plain: bool = False,
        on: str = "cpu",
    ) -> None:
        """With `on="gpu"` random and greedy play the same games there, many deals ahead."""
        check_names(game, players)
        self.game = game
        self.players = [seated(game, name, len(players), options, components) for name in players]
        self.laid = game.lay_out(len(players), options, components)
        self.options, self.components = self.laid.options, self.laid.components
        self.simple = all(name in SIMPLE for name in players)
        self._table: CompiledTable | SearchTable | AheadTable
        self._turned = 0
        if on == "gpu":
            from .device import AheadTable

            self._table = AheadTable(self)
        elif self.simple:
            self._table = CompiledTable(self, plain)
        else:
            self._table = SearchTable(self)

    def warm(self) -> None:
        """Have everything compiled that the players need."""
        self._table.warm()

    def play(self, deal: int, turned: int = 0) -> Outcome:
        """Play one deal, everybody so many seats further on: decisions, turns, kind of end (`unfinished` at the limit), players' places."""
        seats = len(self.players)
        seated = [self.players[(seat - turned) % seats] for seat in range(seats)]
        decisions, turns, end, places = self._table.play(seated, deal)
        self._turned = turned
        return decisions, turns, end, [places[(player + turned) % seats] for player in range(seats)]

    def taken(self) -> Decisions:
        """The decisions of the game that was played last, a seat and an action each."""
        last = self._table.last()
        if last is None:
            raise GameError("of a game that was played on a GPU no decisions are kept")
        return last[1]

    def detail(self) -> Detail | None:
        """More of the game that was played last; not of one that was played on a GPU."""
        last = self._table.last()
        return None if last is None else detail_of(self.game, *last, len(self.players), self._turned)


class CompiledTable:
    """Where random and greedy play: a whole game in one call."""

    def __init__(self, match: Match, plain: bool) -> None:
        game, seats = match.game, len(match.players)
        prepare_judge(game)
        self.game = game
        engine = Engine(game, plain=plain)
        self.table = engine.round(match.laid, seats)
        self._players = Players(engine.row(seats), engine.row(MOVES), engine.row(MOVES), WORLDS)
        self._engine, self._seats = engine, seats
        self._report = engine.row(3 + seats + 2 * LIMIT)
        self._play: Any = engine.twin(play_game)

    def warm(self) -> None:
        """Have it compiled, by a game that ends at once."""
        self._play(self.table, self._players, self._report, 0, 1)

    def play(self, seated: Sequence[str], deal: int) -> Outcome:
        """One deal with these players, by seat."""
        self._players.policies[:] = [SIMPLE.index(name) for name in seated]
        self._play(self.table, self._players, self._report, deal_of(deal), LIMIT)
        decisions, turns, end, *places = (int(n) for n in self._report[: 3 + self._seats])
        return decisions, turns, self.game.ends[end] if end >= 0 else "unfinished", places

    def last(self) -> tuple[Any, Decisions]:
        """How the last game ended, and its decisions."""
        first, count = 3 + self._seats, 2 * int(self._report[0])
        taken = [int(n) for n in self._report[first : first + count]]
        return self._engine.read(self.game.state_type, self.table.states), list(zip(taken[::2], taken[1::2], strict=True))


@rule
def any_action(knows: Any, desks: Any) -> int:
    """Any legal action of the seat on turn, each as likely."""
    d = desks[0]
    count = legal(knows[0], d)
    return int(d.moves[below(d, count)])


class RandomPlayer:
    """Random, from a knowledge in a box."""

    def __init__(self, game: type[Game]) -> None:
        self.engine = Engine(game)
        self.act: Any = self.engine.twin(any_action)

    def choose_in(self, knows: Any, *, seed: int) -> int:
        """Any legal action."""
        return int(self.act(knows, self.engine.desk(seed)))


class SearchTable:
    """Where searching bots play, those from outside, and anybody with them."""

    def __init__(self, match: Match) -> None:
        self.arena = Arena(match.game, len(match.players), match.options, match.components)
        self.names = match.players
        self.bots: dict[str, Player] = {
            name: RandomPlayer(match.game) if name == "random" else cast(Player, find_bot(match.game, name, plain=False))
            for name in match.players
        }

    def warm(self) -> None:
        """Have everybody compiled, by a game that ends after every seat has decided."""
        self.arena.play([self.bots[name] for name in self.names], 0, limit=4 * len(self.names))

    def play(self, seated: Sequence[str], deal: int) -> Outcome:
        """One deal with these players, by seat."""
        end, places = self.arena.play([self.bots[name] for name in seated], deal)
        return self.arena.decisions, self.arena.turns, end, places

    def last(self) -> tuple[Any, Decisions]:
        """How the last game ended, and its decisions."""
        return self.arena.game.state_type.from_box(self.arena.table.states), self.arena.taken
