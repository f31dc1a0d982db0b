"""Games in compiled rules: players that may be forbidden something, and a second look at a game that was played, which counts.

Whoever is forbidden nothing plays as in `bots/match.py`, decision by decision.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from ..bots.greedy import best_of, judge
from ..bots.judgement import outlook
from ..bots.match import GREEDY, open_game, tell_greedy
from ..rules.drive import Round, begin, go_on, lay_out
from ..rules.game import apply, end_of, legal, place_of, random_action, sample, to_move
from ..rules.kernel import Record, Row, below, rule, set_record
from .things import things_of

# What is kept of a game, before what is kept by seat.
DECISIONS, TURNS, END, BEGAN, OPTIONS, BITS, NARROW, LEADS, OPEN, DRAMA, MOMENTS = range(11)
HEAD = 11
FREE, WITHOUT, ONLY = range(3)
FEW = 2  # options: hardly a choice
SURE = 0.9  # from this chance on a game is decided
LEAD = 0.6  # who leads is ahead of the next at least by odds of 5 to 3


class Bound(NamedTuple):
    """Who plays, and what he may do: policies and listed things by seat, the first action of each kind, and rows to count in."""

    policies: Any
    listed: Any  # things, by seat
    held: Any  # by seat: FREE, WITHOUT what is listed, or doing ONLY that
    firsts: Any
    moves: Any
    sums: Any
    used: Any
    worlds: int


class Watched(NamedTuple):
    """What a game is looked at with: decisions, the first action of each kind, outlooks by moment and seat, rows; and the appraisal's
    map: how far an outlook must be ahead for odds of e to 1, and what being on turn is worth."""

    taken: Any  # seat and action in turn
    firsts: Any
    outlooks: Any
    used: Any
    report: Any
    uses: Any  # by thing and seat
    scale: float
    turn: float


@rule
def kind_of(firsts: Any, action: int) -> int:
    """The kind of an action."""
    kind = 0
    for n in range(len(firsts)):
        if action >= firsts[n]:
            kind = n
    return kind


@rule
def uses_listed(s: Record, action: int, listed: Any, firsts: Any, used: Row) -> bool:
    """Whether an action is of a kind, or uses a thing, that is listed."""
    if listed[kind_of(firsts, action)]:
        return True
    for n in range(things_of(s, action, used)):
        if listed[len(firsts) + used[n]]:
            return True
    return False


@rule
def allowed(s: Record, d: Any, players: Bound, seat: int) -> int:
    """Write the legal actions that a seat may take to `moves`; all of them where no other is legal. Answers how many."""
    count = legal(s, d)
    kept = 0
    held = players.held[seat]
    for i in range(count):
        if held == FREE or uses_listed(s, d.moves[i], players.listed[seat], players.firsts, players.used) == (held == ONLY):
            players.moves[kept] = d.moves[i]
            kept += 1
    if kept == 0:
        for i in range(count):
            players.moves[i] = d.moves[i]
        kept = count
    return kept


@rule
def best_allowed(table: Round, players: Bound, seat: int) -> int:
    """Greedy's choice among what is allowed."""
    d = table.desks[1]
    states = table.states
    moves = players.moves
    sums = players.sums
    count = 0
    for world in range(players.worlds):
        sample(table.knows[seat], d, states[1])
        if world == 0:
            count = allowed(states[1], d, players, seat)
            for i in range(count):
                sums[i] = 0
        for i in range(count):
            set_record(states, 2, states, 1)
            apply(states[2], d, moves[i])
            sums[i] += judge(states[2], seat)
    return best_of(d, moves, sums, count)


@rule
def play_bound(table: Round, players: Bound, taken: Any, deal: int, salt: int, limit: int) -> int:
    """One game of a deal; answers how many decisions were taken. `salt` changes what players choose by chance, and no shuffle."""
    thinking = open_game(table, players.policies, deal, salt)
    s = table.states[0]  # only now: plain rules lay another record there
    d = table.desks[0]
    decisions = 0
    seat = to_move(s)
    while seat >= 0 and decisions < limit:
        if thinking:
            tell_greedy(table, players.policies)
        action = 0
        if players.policies[seat] == GREEDY:
            action = best_allowed(table, players, seat)
        elif players.held[seat] == FREE:
            action = random_action(s, table.desks[1])
        else:
            count = allowed(s, table.desks[1], players, seat)
            action = players.moves[below(table.desks[1], count)]
        taken[2 * decisions] = seat
        taken[2 * decisions + 1] = action
        decisions += 1
        go_on(s, d, action)
        seat = to_move(s)
    return decisions


@rule
def bits_of(count: int) -> int:
    """How many yes-or-no questions tell one of so many options from the others."""
    found = 0
    while (1 << found) < count:
        found += 1
    return found


@rule
def look_again(table: Round, seen: Watched, deal: int, decisions: int) -> None:
    """Carry a game out once more, and count: what is kept of it stands in the report, then each seat's place."""
    lay_out(table)
    s = table.states[0]
    d = table.desks[0]
    report = seen.report
    seats = len(report) - HEAD
    for n in range(HEAD):
        report[n] = 0
    for thing in range(len(seen.uses)):
        for seat in range(seats):
            seen.uses[thing][seat] = 0
    d.listening = 0
    begin(s, d, deal)
    report[BEGAN] = to_move(s)
    last = -1
    for n in range(decisions):
        seat = to_move(s)
        action = seen.taken[2 * n + 1]
        count = legal(s, d)
        report[OPTIONS] += count
        report[BITS] += bits_of(count)
        report[NARROW] += int(count <= FEW)
        if seat != last:
            report[TURNS] += 1
            last = seat
            for other in range(seats):
                seen.outlooks[report[MOMENTS]][other] = outlook(s, other) + (seen.turn if other == seat else 0.0)
            report[MOMENTS] += 1
        seen.uses[kind_of(seen.firsts, action)][seat] += 1
        for n_used in range(things_of(s, action, seen.used)):
            seen.uses[len(seen.firsts) + seen.used[n_used]][seat] += 1
        go_on(s, d, action)
    report[DECISIONS] = decisions
    report[END] = end_of(s) if to_move(s) < 0 else -1
    for seat in range(seats):
        report[HEAD + seat] = place_of(s, seat)
    follow_leads(seen, seats)


@rule
def follow_leads(seen: Watched, seats: int) -> None:
    """Who led when, by the chances at each moment: changes of the lead, until when the end was open, how far the winner was behind."""
    report = seen.report
    winner = -1
    first = 0
    for seat in range(seats):
        if report[HEAD + seat] == 1:
            first += 1
            winner = seat
    leader = -1
    decided = 0
    behind = 0.0
    for moment in range(report[MOMENTS]):
        row = seen.outlooks[moment]
        best = 0
        for seat in range(1, seats):
            if row[seat] > row[best]:
                best = seat
        total = 0.0  # chances, as parts of the best one
        second = 0.0
        own = 1.0
        for seat in range(seats):
            part = math.exp((row[seat] - row[best]) / seen.scale)
            total += part
            if seat != best:
                second = max(second, part)
            if seat == winner:
                own = part
        if second <= LEAD and best != leader:
            report[LEADS] += int(leader >= 0)
            leader = best
        if best != winner or total > 1.0 / SURE:
            decided = moment + 1
        behind += (1.0 - own) / total
    moments = max(report[MOMENTS], 1)
    # Where all share the first place nobody was ever ahead for good.
    report[OPEN] = 1000 if first == seats else 1000 * decided // moments
    report[DRAMA] = 0 if first == seats else int(1000 * behind / moments + 0.5)
