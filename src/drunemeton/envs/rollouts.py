"""Random rollouts in compiled code, for OpenSpiel's searches: `ISMCTSBot(game, RolloutEvaluator(), ...)` and `MCTSBot` alike."""

from __future__ import annotations

from typing import Any

from . import need
from .spiel import SpielState

need("open_spiel", "OpenSpiel")
import numpy as np  # noqa: E402
from open_spiel.python.algorithms import mcts  # noqa: E402


class RolloutEvaluator(mcts.Evaluator):  # type: ignore[misc]
    """Plays a state of one of these games to its end at random, as OpenSpiel's `RandomRolloutEvaluator` does, but without Python.

    One difference: every shuffle to come is drawn anew, where a clone of a state would repeat the shuffles of the original. After
    `resample_from_infostate`, which gives every state a future of its own, that is the same distribution.
    """

    def __init__(self, n_rollouts: int = 1, random_state: Any = None) -> None:
        self.n_rollouts = n_rollouts
        self._random = random_state or np.random.RandomState()
        self._trial: Any = None  # made for the first state that is seen

    def evaluate(self, state: SpielState) -> Any:
        """What each player gets on average."""
        state = self._decided(state)
        table = state.table
        if state.is_terminal():
            return np.array(state.returns())
        setting = table.setting
        if self._trial is None:
            self._trial, self._desk = setting.states(), setting.calls.engine.desk(int(self._random.randint(1 << 31)))
            self._rewards = np.zeros(setting.seats)
        sums = np.zeros(setting.seats)
        setting.calls.rollouts(table.states, self._trial, self._desk, self.n_rollouts, setting.seats, self._rewards, sums)
        return sums / self.n_rollouts

    def _decided(self, state: SpielState) -> SpielState:
        """The state once chance has decided what it has begun."""
        while state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state = state.clone()
            state.apply_action(int(self._random.choice(outcomes, p=chances)))
        return state

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """Every legal action as likely as any other."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]
