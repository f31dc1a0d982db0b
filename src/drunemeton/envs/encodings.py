"""Observations as neural networks like them: entries between 0 and 1, or a place for each value.

`Encoding` does the arithmetic for one observation or a batch; the wrappers put it around an environment of `gym.py`, single or vector. The
mask stays as it is beside it.
"""

from __future__ import annotations

from typing import Any

from . import need

need("gymnasium", "Gymnasium")
import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
from gymnasium import spaces  # noqa: E402
from gymnasium.vector import VectorEnv, VectorWrapper  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

MOST = 16  # values that an entry may have to get a place for each


class Encoding:
    """Whole numbers with known bounds as numbers between 0 and 1.

    With `one_hot` an entry of at most `most` values becomes as many, one of them 1; one that can have more values stays one number.
    """

    def __init__(self, box: spaces.Box, *, one_hot: bool = False, most: int = MOST) -> None:
        low, high = box.low.astype(np.int64), box.high.astype(np.int64)
        spans = high - low + 1
        spread = (spans <= most) & (spans > 2) if one_hot else np.zeros(len(spans), np.bool_)  # of two values one number tells all
        widths = np.where(spread, spans, 1)
        starts = np.cumsum(widths) - widths
        self.size = int(widths.sum())
        self._low, self._scale = low, np.maximum(spans - 1, 1).astype(np.float32)
        self._scaled, self._scaled_at = np.flatnonzero(~spread), starts[~spread]
        self._spread, self._spread_at = np.flatnonzero(spread), starts[spread]

    @property
    def space(self) -> spaces.Box:
        """Where the numbers lie."""
        return spaces.Box(0.0, 1.0, (self.size,), dtype=np.float32)

    def __call__(self, rows: Any) -> Any:
        """An observation, or a batch of them."""
        rows = np.asarray(rows)
        above = rows - self._low
        found = np.zeros((*rows.shape[:-1], self.size), np.float32)
        found[..., self._scaled_at] = above[..., self._scaled] / self._scale[self._scaled]
        np.put_along_axis(found, self._spread_at + above[..., self._spread], 1.0, axis=-1)
        return found


def encoding_of(space: spaces.Space[Any], *, one_hot: bool, most: int) -> Encoding:
    """The encoding for the observations of an environment."""
    if not isinstance(space, spaces.Dict) or not isinstance(space["observation"], spaces.Box):
        raise ValueError("these wrappers go around the environments of drunemeton.envs.gym, whose observations have named parts")
    return Encoding(space["observation"], one_hot=one_hot, most=most)


class NormalisedObservation(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Every entry of the observation between 0 and 1."""

    one_hot = False

    def __init__(self, env: gymnasium.Env[Any, Any], *, most: int = MOST) -> None:
        super().__init__(env)
        self.encoding = encoding_of(env.observation_space, one_hot=self.one_hot, most=most)
        self.observation_space = spaces.Dict({**env.observation_space.spaces, "observation": self.encoding.space})  # type: ignore[attr-defined]

    def observation(self, observation: Any) -> Any:
        """The observation with its numbers encoded."""
        return {**observation, "observation": self.encoding(observation["observation"])}

    def action_masks(self) -> Any:
        """Which actions are legal, as truth values."""
        return self.env.unwrapped.action_masks()  # type: ignore[attr-defined]


class OneHotObservation(NormalisedObservation):
    """Every entry that has few values spread over as many numbers, one of them 1; the others between 0 and 1."""

    one_hot = True


class NormalisedVectorObservation(VectorWrapper):
    """Every entry of the observations between 0 and 1, the last ones in `final_obs` too, which wrappers of Gymnasium's own kind refuse."""

    one_hot = False

    def __init__(self, env: VectorEnv[Any, Any, Any], *, most: int = MOST) -> None:
        super().__init__(env)
        single: Any = env.single_observation_space
        self.encoding = encoding_of(single, one_hot=self.one_hot, most=most)
        self.single_observation_space = spaces.Dict({**single.spaces, "observation": self.encoding.space})
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def _encoded(self, seen: Any) -> Any:
        return {**seen, "observation": self.encoding(seen["observation"])}

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> Any:
        """Deal games; their observations with their numbers encoded."""
        seen, infos = self.env.reset(seed=seed, options=options)
        return self._encoded(seen), infos

    def step(self, actions: Any) -> Any:
        """A step, with the last observations of games that were dealt anew encoded too."""
        seen, rewards, over, cut, infos = self.env.step(actions)
        if "final_obs" in infos:
            last = [one and self._encoded(one) for one in infos["final_obs"]]
            infos = {**infos, "final_obs": np.array([*last, None], object)[:-1]}
        return self._encoded(seen), rewards, over, cut, infos

    def action_masks(self) -> Any:
        """Which actions are legal in every game, as truth values."""
        return self.env.unwrapped.action_masks()  # type: ignore[attr-defined]


class OneHotVectorObservation(NormalisedVectorObservation):
    """Every entry that has few values spread over as many numbers, one of them 1; the others between 0 and 1."""

    one_hot = True
