"""PettingZoo: its own checkers, and what its own environments fail: copies and pickles in the middle of a game."""

from __future__ import annotations

import copy
import importlib
import pickle
import random
import warnings
from typing import Any

import numpy as np
import pettingzoo
import pytest

from drunemeton.rules.errors import GameError, IllegalMove
from drunemeton.rules.game import find_game, playable
from tests.envs.play import NO_ACTIONS, pick

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the checkers themselves import an environment in a way that PettingZoo calls old
    from pettingzoo.test import api_test, seed_test

# The checker knows by name which of its own environments may observe a dictionary with a mask; ours are told what they look like.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


def module(name: str) -> Any:
    return importlib.import_module(f"drunemeton.envs.{name}_v0")


@pytest.mark.parametrize("name", playable())
def test_the_checkers_are_content(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    api_test(module(name).env(), num_cycles=150)
    seed_test(module(name).env, num_cycles=80)
    seed_test(module(name).raw_env, num_cycles=40)


@pytest.mark.parametrize("name", playable())
def test_the_registry_knows_them(name: str) -> None:
    module(name)
    env = pettingzoo.make("aec", f"drunemeton/{name}_v0", seats=find_game(name).players[0])
    env.reset(seed=1)
    assert str(env.unwrapped) == f"{name}_v0"


def play_out(env: Any, seed: int, limit: int = 400) -> list[Any]:
    rng = random.Random(seed)
    history = []
    for agent in env.agent_iter(limit):
        observation, reward, terminated, truncated, _ = env.last()
        history.append((agent, reward, terminated, truncated, observation["observation"].tobytes(), observation["action_mask"].tobytes()))
        env.step(None if terminated or truncated else pick(rng, observation["action_mask"]))
    return history


@pytest.mark.parametrize("name", playable())
@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_copies_and_pickles_go_on_alike(name: str, kind: str) -> None:
    env = getattr(module(name), kind)(seats=find_game(name).players[0])
    env.reset(seed=4)
    play_out(env, 1, 15)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), copy.deepcopy(pickle.loads(pickle.dumps(env)))]
    expected = play_out(env, 2)
    assert len(expected) > 15
    for twin in twins:
        assert play_out(twin, 2) == expected


@pytest.mark.parametrize(("name", "seats"), [("druidenwalzer", 2), ("celtica", 4)])
def test_rewards_come_at_the_end_and_add_up_to_nothing(name: str, seats: int) -> None:
    for seed in range(4):
        env = module(name).env(seats=seats)
        env.reset(seed=seed)
        history = play_out(env, seed, 5000)
        ends = {agent: reward for agent, reward, terminated, *_ in history if terminated}
        assert len(ends) == seats
        assert sum(ends.values()) == pytest.approx(0)
        assert all(reward == 0 for _, reward, terminated, *_ in history if not terminated)
        assert max(ends.values()) > 0 or set(ends.values()) == {0}
        assert env.agents == []


@pytest.mark.parametrize("seed", ["x", 1.5, [1]])
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    with pytest.raises(GameError, match="seeds are whole numbers"):
        module("druidenwalzer").raw_env().reset(seed=seed)


def test_options_are_arguments() -> None:
    env = module("druidenwalzer").env(options={"trees": 2, "hand": 1, "stack": 1})
    env.reset(seed=1)
    assert len(play_out(env, 1, 4000)) > 4
    with pytest.raises(GameError, match="option trees"):
        module("druidenwalzer").env(options={"trees": 9})
    with pytest.raises(GameError, match="takes 2 to 5"):
        module("celtica").env(seats=0)
    with pytest.raises(ValueError, match="rgb_array"):
        module("celtica").env(render_mode="film")


def test_an_illegal_action_loses_or_is_refused() -> None:
    raw = module("druidenwalzer").raw_env()
    raw.reset(seed=1)
    with pytest.raises(IllegalMove):
        raw.step(31)
    for action in NO_ACTIONS:
        with pytest.raises(IllegalMove, match="is no action"):
            raw.step(action)
    with pytest.raises(TypeError, match="integer"):
        raw.step(0.7)
    with pytest.raises(ValueError, match="must decide"):
        raw.step(None)
    fresh = module("druidenwalzer").raw_env()
    fresh.reset(seed=1)
    assert play_out(raw, 1) == play_out(fresh, 1)
    env = module("druidenwalzer").env()
    env.reset(seed=1)
    agent = env.agent_selection
    env.last()
    env.step(31)
    assert env.terminations[agent]
    assert env.rewards[agent] == -1


@pytest.mark.parametrize("name", playable())
def test_pictures(name: str) -> None:
    rng = random.Random(2)
    for mode in ("ansi", "rgb_array"):
        env = module(name).env(render_mode=mode, seats=find_game(name).players[0])
        env.reset(seed=6)
        pictures = []
        for _ in range(3):
            for _ in range(12):
                env.step(pick(rng, env.last()[0]["action_mask"]))
            pictures.append(env.render())
        if mode == "ansi":
            assert len(set(pictures)) == 3
            assert "?" in pictures[0] or name == "daemonen"
        else:
            assert pictures[0].shape == (480, 720, 3)
            assert pictures[0].dtype == np.uint8
            assert any((pictures[0] != other).any() for other in pictures[1:])


def test_without_a_mode_nothing_is_rendered() -> None:
    env = module("celtica").raw_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="render_mode"):
        env.render()
