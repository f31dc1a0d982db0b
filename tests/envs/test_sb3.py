"""Stable-Baselines3: its own checks of a VecEnv, and MaskablePPO on it. It brings PyTorch, so `make proof` installs and runs it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = [pytest.mark.proof, pytest.mark.filterwarnings("default")]


def vec(**more: Any) -> Any:
    from drunemeton.envs.sb3 import SeatsVecEnv

    small = {"trees": 2, "stack": 1, "hand": 1, "tokens_to_conquer": 2}
    return SeatsVecEnv("druidenwalzer", 8, seat=None, options=small, **more)


@pytest.mark.parametrize("one_hot", [False, True])
def test_a_vector_of_theirs(one_hot: bool) -> None:
    env = vec(one_hot=one_hot)
    env.seed(3)
    first = env.reset()
    env.seed(3)
    assert (env.reset() == first).all()
    ended = 0
    for _ in range(60):
        assert all(env.observation_space.contains(row) for row in first)
        masks = np.stack(env.env_method("action_masks"))
        first, rewards, done, infos = env.step(masks.argmax(axis=1))
        for i in np.flatnonzero(done):
            assert env.observation_space.contains(infos[i]["terminal_observation"])
            assert not infos[i]["TimeLimit.truncated"]
            ended += 1
        assert not rewards[~done].any()
    assert ended > 5
    with pytest.raises(ValueError, match="name a bot"):
        vec(opponents="self")


def test_maskable_ppo_runs_without_an_illegal_action() -> None:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecMonitor

    env = vec(opponents="random")
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=128, n_epochs=4, seed=1, device="cpu")
    model.learn(8_000)
    seen, games = env.reset(), 0
    for _ in range(300):
        masks = np.stack(env.env_method("action_masks"))
        actions, _ = model.predict(seen, action_masks=masks, deterministic=True)
        assert masks[np.arange(8), actions].all()
        seen, _, done, _ = env.step(actions)
        games += int(done.sum())
    assert games > 20  # so few steps prove that it runs, not how well it plays
    assert VecMonitor(env).reset().shape == seen.shape
