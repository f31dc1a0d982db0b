"""A learner in NumPy: a policy with one layer of weights, trained by REINFORCE in the vector environment, then measured against random.

The chance of an action is the softmax of a linear function of the observation, over the legal actions. When a game is won, everything the
agent did in it becomes a little more likely; when it is lost, less. Some seconds on one core are enough to beat random play clearly.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from drunemeton.envs.gym import SeatsVectorEnv

GAMES = 256


class Policy:
    """Weights, and how they are improved (Adam)."""

    def __init__(self, env: SeatsVectorEnv) -> None:
        box = env.single_observation_space["observation"]  # type: ignore[index]
        self.low, self.width = box.low.astype(np.float32), np.clip(box.high - box.low, 1, 9).astype(np.float32)
        shape = (env.single_action_space.n, box.shape[0] + 1)  # type: ignore[attr-defined]
        self.weights, self.mean, self.square = (np.zeros(shape, np.float32) for _ in range(3))
        self.updates = 0

    def features(self, observation: Any) -> Any:
        """Entries of much the same size, and a constant."""
        scaled = (observation - self.low) / self.width
        return np.concatenate([scaled, np.ones((len(scaled), 1))], axis=1).astype(np.float32)

    def chances(self, rows: Any, masks: Any) -> Any:
        """How likely each action is; 0 for those that are not legal (and everywhere, if there is none)."""
        values = np.where(masks == 1, rows @ self.weights.T, -np.inf)
        values -= np.maximum(values.max(axis=1, keepdims=True), -1e30)
        shares = np.exp(values)
        return shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-30)

    def improve(self, rows: Any, taken: Any, chances: Any, worth: Any, rate: float) -> None:
        """One step uphill: what was done and worth something becomes more likely."""
        push = -chances
        push[np.arange(len(taken)), taken] += 1
        slope = (push * worth[:, None]).T @ rows / len(taken)
        self.updates += 1
        self.mean += 0.1 * (slope - self.mean)
        self.square += 0.01 * (slope**2 - self.square)
        size = np.sqrt(self.square / (1 - 0.99**self.updates)) + 1e-4
        self.weights += rate * self.mean / (1 - 0.9**self.updates) / size


def draw(chances: Any, rng: Any) -> Any:
    """An action for every game, as likely as the policy says."""
    return (chances.cumsum(axis=1) > rng.random((len(chances), 1))).argmax(axis=1)


def learn(steps: int, seed: int = 1) -> Policy:
    """A policy after so many steps of all games against random opponents."""
    env = SeatsVectorEnv("druidenwalzer", GAMES, opponents="random", seat=None, autoreset_mode="SameStep")
    policy = Policy(env)
    rng = np.random.default_rng(seed)
    seen, _ = env.reset(seed=seed)
    games: list[list[tuple[Any, int, Any]]] = [[] for _ in range(GAMES)]
    ended: list[tuple[list[tuple[Any, int, Any]], float]] = []
    for step in range(steps):
        rows = policy.features(seen["observation"])
        chances = policy.chances(rows, seen["action_mask"])
        actions = draw(chances, rng)
        for game, row, action, chance in zip(games, rows, actions, chances, strict=True):
            game.append((row, action, chance))
        seen, rewards, terminated, _, _ = env.step(actions)
        for i in np.flatnonzero(terminated):
            ended.append((games[i], rewards[i]))
            games[i] = []
        if len(ended) >= GAMES // 4:
            usual = sum(reward for _, reward in ended) / len(ended)
            worth = np.array([reward - usual for game, reward in ended for _ in game], np.float32)
            parts = [np.array(part) for part in zip(*(decision for game, _ in ended for decision in game), strict=True)]
            policy.improve(parts[0], parts[1], parts[2], worth, 0.03 * (1 - 0.8 * step / steps))
            ended = []
    return policy


def against(opponents: str, policy: Policy, steps: int = 150) -> tuple[float, int]:
    """Share of the points, sitting at both seats, and over how many games; deals that were not learnt from."""
    env = SeatsVectorEnv("druidenwalzer", GAMES, opponents=opponents, seat=None, autoreset_mode="SameStep")
    seen, _ = env.reset(seed=100_000_000)
    points, games = 0.0, 0
    for _ in range(steps):
        chances = policy.chances(policy.features(seen["observation"]), seen["action_mask"])
        seen, rewards, terminated, _, _ = env.step(chances.argmax(axis=1))
        points += float(((1 + rewards[terminated]) / 2).sum())
        games += int(terminated.sum())
    return points / games, games


def main(steps: int = 1500) -> tuple[float, int]:
    """Learn, and measure."""
    policy = learn(steps)
    share, games = against("random", policy)
    print(f"after {steps} steps of {GAMES} games: {share:.1%} of the points against random ({games} games)")
    return share, games


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:]))
