"""A bot for any of the games, in compiled rules: `drunemeton simulate druidenwalzer --seats rollout_bot:choose,level-3 --rotate`

It tries every legal action in worlds that fit what its seat knows, lets everybody play on at random to the end, and takes the action that
won most often. docs/own-bots.md builds it step by step.
"""

from typing import Any

from drunemeton.rules.game import apply, legal, place_of, random_action, sample, to_move
from drunemeton.rules.kernel import rule

WORLDS = 60  # for each action


@rule
def wins(k: Any, d: Any, states: Any, seat: int, action: int) -> int:
    """In how many sampled worlds the seat ends first after this action."""
    won = 0
    for _ in range(WORLDS):
        sample(k, d, states[0])  # a state that fits all that the seat was told
        s = states[0]
        apply(s, d, action)
        while to_move(s) >= 0:
            apply(s, d, random_action(s, d))
        if place_of(s, seat) == 1:
            won += 1
    return won


@rule
def choose(k: Any, d: Any, states: Any, seat: int) -> int:
    """The action that wins most often when everybody plays on at random."""
    count = legal(k, d)
    best = 0
    most = -1
    for n in range(count):
        legal(k, d)  # `wins` has used the desk, where legal actions are written
        action = d.moves[n]
        won = wins(k, d, states, seat, action)
        if won > most:
            most = won
            best = action
    return best
