"""The fit of a judgement to played positions: a softmax over the seats, first of weighted sums, then with hidden cells, in NumPy alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..bots.judgement import mind_of

HELD_OUT = 7  # one of so many games is kept apart; no divisor of the deals on a sheet, whose first game it would be for ever
BATCH = 1024
DECAY = 1e-4  # of weights, so that those that hardly matter stay small


@dataclass(frozen=True)
class Fitted:
    """A mind, and how well it foretells results of games kept apart (log loss; guessing evenly comes to the logarithm of the seats)."""

    mind: list[int]
    loss: float
    even: float
    positions: int
    games: int


class Net:
    """Weights by name: straight ones, cells (none in a weighted sum), and one for each handicap, early and late."""

    def __init__(self, columns: int, cells: int, handicaps: int, rng: np.random.Generator) -> None:
        self.weights: dict[str, Any] = {
            "straight": np.zeros(columns, np.float32),
            "into": (rng.standard_normal((columns, cells)) * (0.5 / columns**0.5)).astype(np.float32),
            "begin": np.full(cells, 0.1, np.float32),
            "out": np.zeros(cells, np.float32),
            "handicap": np.zeros(handicaps, np.float32),
        }
        self.first = {key: np.zeros_like(one) for key, one in self.weights.items()}
        self.second = {key: np.zeros_like(one) for key, one in self.weights.items()}
        self.steps = 0

    def chances(self, x: Any, handicap: Any) -> tuple[Any, Any]:
        """Chances by position and seat, and the cells."""
        w = self.weights
        cells = np.maximum(x @ w["into"] + w["begin"], 0)
        scores = x @ w["straight"] + cells @ w["out"] + handicap @ w["handicap"]
        scores -= scores.max(1, keepdims=True)
        odds = np.exp(scores)
        return odds / odds.sum(1, keepdims=True), cells

    def learn(self, x: Any, handicap: Any, target: Any, rate: float) -> None:
        """One step of Adam on the log loss of a batch."""
        w = self.weights
        chances, cells = self.chances(x, handicap)
        error = ((chances - target) / len(x)).reshape(-1)
        flat = x.reshape(-1, x.shape[2])
        inner = cells.reshape(len(flat), cells.shape[2])
        back = error[:, None] * w["out"] * (inner > 0)
        slopes = {
            "straight": error @ flat,
            "into": flat.T @ back,
            "begin": back.sum(0),
            "out": error @ inner,
            "handicap": error @ handicap.reshape(-1, handicap.shape[2]),
        }
        self.steps += 1
        for key, slope in slopes.items():
            pulled = slope + DECAY * w[key]
            self.first[key] = 0.9 * self.first[key] + 0.1 * pulled
            self.second[key] = 0.999 * self.second[key] + 0.001 * pulled * pulled
            step = self.first[key] / (1 - 0.9**self.steps) / (np.sqrt(self.second[key] / (1 - 0.999**self.steps)) + 1e-8)
            w[key] = (w[key] - rate * step).astype(np.float32)

    def mind(self, mean: Any, spread: Any) -> list[int]:
        """What was learnt as whole numbers over the columns as they are counted."""
        w = self.weights
        into = w["into"] / spread[:, None]
        return mind_of(w["straight"] / spread, into, w["begin"] - mean @ into, w["out"])


def fit(data: Mapping[str, Any], cells: int, epochs: int, believe: float = 0.0, seed: int = 1) -> Fitted:
    """Fit a network with so many cells, or a weighted sum (0), and keep what does best on games kept apart.

    `believe` is how much a search's own finding counts beside the result, where a learnt judgement made it.
    """
    rng = np.random.default_rng(seed)
    columns = data["columns"]
    apart = data["game"] % HELD_OUT == 0
    learn, check = np.flatnonzero(~apart), np.flatnonzero(apart)
    sample = columns[rng.choice(learn, min(len(learn), 50_000), replace=False)].reshape(-1, columns.shape[2]).astype(np.float32)
    mean, spread = sample.mean(0), sample.std(0)
    spread[spread < 1e-3] = 1e9  # tells nothing
    won = data["won"]
    target = np.where(np.isnan(data["searched"]), won, (1 - believe) * won + believe * data["searched"]).astype(np.float32)
    # How strong somebody plays tells the less, the more of the game is over.
    early = data["handicap"] * (1 - data["over"])[:, None, None]
    handicap = np.concatenate([data["handicap"], early], 2).astype(np.float32)

    def batch(rows: Any) -> Any:
        return (columns[rows].astype(np.float32) - mean) / spread

    def loss(net: Net) -> float:
        total = 0.0
        for at in range(0, len(check), BATCH):
            rows = check[at : at + BATCH]
            chances, _ = net.chances(batch(rows), handicap[rows])
            total -= float((won[rows] * np.log(np.maximum(chances, 1e-9))).sum())
        return total / max(1, len(check))

    net = Net(columns.shape[2], cells, handicap.shape[2], rng)
    best, mind = np.inf, net.mind(mean, spread)
    for epoch in range(epochs):
        rate = 0.004 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 0.0001
        order = rng.permutation(learn)
        for at in range(0, len(order), BATCH):
            rows = order[at : at + BATCH]
            net.learn(batch(rows), handicap[rows], target[rows], rate)
        now = loss(net)
        if now < best:
            best, mind = now, net.mind(mean, spread)
    return Fitted(mind, best, float(np.log(columns.shape[1])), len(columns), len(np.unique(data["game"])))
