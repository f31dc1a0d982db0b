"""OpenSpiel's hearts, the peer that a card game with hidden hands is measured beside."""

from __future__ import annotations

import random
import time
from typing import Any

from .rows import Job, peer


def _dealt() -> tuple[Any, Any]:
    """The game, and a state after a random deal."""
    rng = random.Random(1)
    game = peer("pyspiel").load_game("hearts")
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
    return game, state


def _to_the_end(state: Any, rng: random.Random) -> int:
    taken = 0
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        taken += 1
    return taken


def rollouts(count: int = 6000) -> Job:
    """Decisions a second inside its C++: one simulation of its search with many random rollouts from a fresh deal."""
    pyspiel, rng = peer("pyspiel"), random.Random(1)
    game, state = _dealt()
    length = sum(_to_the_end(state.clone(), rng) for _ in range(30)) / 30

    def job() -> float:
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(count, 7), 2.0, 1, 100, False, 1, False)
        began = time.process_time()
        bot.mcts_search(state)
        return count * length / (time.process_time() - began)

    return job


def ismcts(simulations: int = 2000) -> Job:
    """Simulations a second of its information-set search in C++, from the opening."""
    pyspiel = peer("pyspiel")
    _, state = _dealt()

    def job() -> float:
        final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        bot = pyspiel.ISMCTSBot(7, pyspiel.RandomRolloutEvaluator(1, 7), 2.0, simulations, -1, final, False, False)
        began = time.process_time()
        bot.step(state)
        return simulations / (time.process_time() - began)

    return job


def from_python(seconds: float = 0.4, *, observed: bool) -> Job:
    """Decisions a second when it is driven from Python, with the tensor of every decision or without."""
    game, rng = peer("pyspiel").load_game("hearts"), random.Random(1)

    def job() -> float:
        steps = 0
        began = time.process_time()
        while time.process_time() - began < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if not state.is_chance_node():
                    if observed:
                        state.information_state_tensor()
                    steps += 1
                state.apply_action(rng.choice(state.legal_actions()))
        return steps / (time.process_time() - began)

    return job
