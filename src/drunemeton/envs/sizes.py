"""How large the games are: `python -m drunemeton.envs.sizes` plays them at random and greedily, and prints the table of `docs/envs`."""

from __future__ import annotations

import statistics
import sys
from typing import Any

from ..bots.match import Match
from ..rules.game import find_game, playable
from .world import Setting, World


def measure(name: str, seats: int, games: int) -> dict[str, Any]:
    """Decisions, legal actions a decision, and different worlds that a seat thinks possible, over random games."""
    import numpy as np

    setting = Setting(name, seats)
    world = World(setting)
    rng = np.random.default_rng(1)
    decisions, branching = [], []
    for number in range(games):
        mover = world.deal(number)
        while mover >= 0:
            legal = np.flatnonzero(world.look(mover)[1])
            branching.append(len(legal))
            mover = world.play(int(rng.choice(legal)))
        decisions.append(len(world.actions))
    match = Match(setting.game, ["greedy"] * seats)
    greedy = [match.play(number)[0] for number in range(max(3, games // 20))]
    return {
        "decisions": statistics.mean(decisions),
        "most": max(decisions),
        "greedy": statistics.mean(greedy),
        "branching": statistics.mean(branching),
        "widest": max(branching),
        "observation": setting.layout.size,
        "actions": setting.game.action_count,
    }


def table(games: int) -> str:
    """The table, in Markdown."""
    lines = [
        "| game | players | decisions, random (most) | greedy | legal actions (most) | action numbers | observation | hidden |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in playable():
        low, high = find_game(name).players
        for seats in sorted({low, high}):
            found = measure(name, seats, games)
            lines.append(
                f"| {name} | {seats} | {found['decisions']:.0f} ({found['most']}) | {found['greedy']:.0f} | "
                f"{found['branching']:.1f} ({found['widest']}) | {found['actions']} | {found['observation']} | {find_game(name).hidden} |"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    games = sys.argv[1] if len(sys.argv) > 1 else "200"
    if not games.isdecimal() or int(games) < 1:
        sys.exit(f"{games!r} is not how many games to measure: a whole number from 1 on")
    print(table(int(games)))
