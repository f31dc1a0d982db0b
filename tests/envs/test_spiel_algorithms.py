"""OpenSpiel's own algorithms, unchanged, on the small game that ships by name; searches on a large one.

The neural ones need JAX on the processor: `make proof` installs it.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, exploitability, external_sampling_mccfr, ismcts, mcts, outcome_sampling_mccfr

import drunemeton.envs.spiel
from drunemeton.envs.rollouts import RolloutEvaluator
from drunemeton.rules.errors import GameError

SMALL = "drunemeton_druidenwalzer_small"
RANDOM_PLAY = 0.3611  # its exploitability
DECISIONS, CHANCE, ENDS = 252, 165, 1000


@pytest.fixture(scope="module")
def game() -> Any:
    return pyspiel.load_game(SMALL)


def every_decision(state: Any) -> Any:
    """All histories in which somebody decides, and how many there are in all."""
    waiting, count = [state], 0
    found = []
    while waiting:
        state = waiting.pop()
        count += 1
        if not state.is_terminal():
            waiting += [state.child(action) for action in state.legal_actions()]
            if not state.is_chance_node():
                found.append(state)
    return found, count


def test_the_small_game_is_small_and_its_tensors_tell_what_its_strings_tell(game: Any) -> None:
    """As many different tensors as information states, in every history that there is."""
    decisions, count = every_decision(game.new_initial_state())
    assert (len(decisions), count) == (DECISIONS, DECISIONS + CHANCE + ENDS)
    tensors: dict[str, set[bytes]] = {}
    for state in decisions:
        for player in (0, 1):
            tensor = np.array(state.information_state_tensor(player), np.float32)
            assert tensor.shape == tuple(game.information_state_tensor_shape())
            tensors.setdefault(state.information_state_string(player), set()).add(tensor.tobytes())
    assert all(len(same) == 1 for same in tensors.values())
    assert len({tensor for same in tensors.values() for tensor in same}) == len(tensors) > 250


@pytest.mark.parametrize("name", ["druidenwalzer", "celtica"])
def test_tensors_of_large_games_hold_the_last_events_too(name: str) -> None:
    """Resampled worlds have the tensor of the true one; a short memory holds the end of a long one."""
    long, short = (pyspiel.load_game(f"drunemeton_{name}", {"seed": 5, "memory": memory}) for memory in (300, 4))
    rng = random.Random(3)
    states = [game.new_initial_state() for game in (long, short)]
    for _ in range(20):
        action = rng.choice(states[0].legal_actions())
        for state in states:
            state.apply_action(action)
    player = states[0].current_player()
    whole, end = (np.array(state.information_state_tensor(player)) for state in states)
    seen = len(states[0].observation_tensor(player))
    assert (whole[:seen] == states[0].observation_tensor(player)).all()
    events = states[0].table.recalled()
    assert len(events) > 20
    assert (whole[seen:].reshape(300, -1)[: len(events)] == events).all()
    assert not whole[seen:].reshape(300, -1)[len(events) :].any()
    assert (end[seen:].reshape(4, -1) == events[-4:]).all()
    world = states[0].resample_from_infostate(player, rng.random)
    assert (np.array(world.information_state_tensor(player)) == whole).all()
    with pytest.raises(GameError, match="memory is 0"):
        pyspiel.load_game(f"drunemeton_{name}", {"memory": 0})


def test_cfr_plus(game: Any) -> None:
    solver = cfr.CFRPlusSolver(game)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.12


@pytest.mark.parametrize("kind", ["external", "outcome"])
def test_mccfr(game: Any, kind: str) -> None:
    np.random.seed(1)
    if kind == "external":
        solver: Any = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
        iterations = 60
    else:
        solver, iterations = outcome_sampling_mccfr.OutcomeSamplingSolver(game), 300
    for _ in range(iterations):
        solver.iteration()
    assert exploitability.exploitability(game, solver.average_policy()) < RANDOM_PLAY


def played_out(game: Any, bots: Any, rng: random.Random) -> list[float]:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(bots[state.current_player()].step(state))
    returns: list[float] = state.returns()
    return returns


@pytest.mark.parametrize("kind", ["mcts", "ismcts"])
def test_its_searches_beat_random_play(kind: str) -> None:
    """MCTS sees the state itself and so plays with open cards; ISMCTS plays by the rules. Both are OpenSpiel's."""
    large = pyspiel.load_game("drunemeton_druidenwalzer", {"seed": 3, "options": "trees:2;stack:2;hand:2;tokens_to_conquer:2"})
    rng, draws = random.Random(1), np.random.RandomState(1)
    search: Any = mcts.MCTSBot if kind == "mcts" else ismcts.ISMCTSBot
    bot = search(large, uct_c=1.0, max_simulations=40, evaluator=RolloutEvaluator(1, draws), random_state=draws)

    class Anything:
        def step(self, state: Any) -> int:
            return int(rng.choice(state.legal_actions()))

    won = sum(played_out(large, [bot, Anything()] if seat == 0 else [Anything(), bot], rng)[seat] for seat in (0, 1) * 4)
    assert won > 0


# --- Neural ones, with JAX on the processor -------------------------------------------------------------------------


@pytest.mark.proof
def test_deep_cfr(game: Any) -> None:
    from open_spiel.python.jax import deep_cfr

    solver = deep_cfr.DeepCFRSolver(
        game,
        policy_network_layers=(32,),
        advantage_network_layers=(32,),
        num_iterations=8,
        num_traversals=12,
        learning_rate=1e-3,
        batch_size_advantage=64,
        batch_size_strategy=64,
        memory_capacity=10_000,
        policy_network_train_steps=300,
        advantage_network_train_steps=100,
    )
    solver.solve()
    found = exploitability.exploitability(game, policy.tabular_policy_from_callable(game, solver.action_probabilities))
    assert found < RANDOM_PLAY + 0.2  # so few iterations prove that it runs, not how well it plays


@pytest.mark.proof
@pytest.mark.parametrize("kind", ["dqn", "nfsp"])
def test_learning_agents(kind: str) -> None:
    """They play the small game with one another for a while, and lose to nobody by an illegal action."""
    from open_spiel.python.jax import dqn, nfsp

    env = rl_environment.Environment(SMALL)
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    little: Any = {"batch_size": 32, "min_buffer_size_to_learn": 64, "learn_every": 8, "replay_buffer_capacity": 500}
    if kind == "dqn":
        agents: Any = [dqn.DQN(n, size, actions, (32,), **little) for n in (0, 1)]
    else:
        # It has nothing to average, and fails, if it is to learn before its first best response.
        often: Any = {**little, "learn_every": 32, "anticipatory_param": 0.9}
        agents = [nfsp.NFSP(n, size, actions, (32,), reservoir_buffer_capacity=500, **often) for n in (0, 1)]
    ended = 0
    for _ in range(200):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
        assert sum(step.rewards) == 0
        ended += 1
    assert ended == 200
    assert agents[0].loss is not None


def test_names_that_ship() -> None:
    names = pyspiel.registered_names()
    assert {SMALL, "drunemeton_celtica", "drunemeton_celtica_explicit"} <= set(names)
    assert "drunemeton_celtica_small" not in names
    assert drunemeton.envs.spiel.MEMORY == 256
