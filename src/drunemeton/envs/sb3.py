"""Stable-Baselines3: thousands of games in one compiled call, as its `VecEnv`.

>>> from sb3_contrib import MaskablePPO
>>> from drunemeton.envs.sb3 import SeatsVecEnv
>>> model = MaskablePPO("MlpPolicy", SeatsVecEnv("druidenwalzer", 64, opponents="greedy", seat=None))

It comes with `pip install stable-baselines3 sb3-contrib`, which brings PyTorch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import MissingFramework
from .encodings import MOST, Encoding
from .gym import SeatsVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as problem:
    raise MissingFramework("Stable-Baselines3 is not installed; `pip install stable-baselines3 sb3-contrib` brings it") from problem
import numpy as np
from gymnasium.vector import AutoresetMode


class SeatsVecEnv(VecEnv):  # type: ignore[misc]
    """`SeatsVectorEnv` in the form that Stable-Baselines3 asks for: one row of numbers between 0 and 1 a game, and `action_masks`.

    `one_hot` gives entries with at most `most` values a place for each. Other arguments are those of `SeatsVectorEnv`; opponents are
    bots, since a game of one's own seats has no single reward.
    """

    def __init__(self, game: str, num_envs: int, *, one_hot: bool = False, most: int = MOST, **more: Any) -> None:
        if more.get("opponents") == "self":
            raise ValueError("opponents='self' is for SeatsVectorEnv: here every game has one agent, so name a bot")
        self.env = SeatsVectorEnv(game, num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **more)
        self.encoding = Encoding(self.env.single_observation_space["observation"], one_hot=one_hot, most=most)  # type: ignore[index]
        self.render_mode = self.env.render_mode
        self._actions: Any = None
        super().__init__(num_envs, self.encoding.space, self.env.single_action_space)

    def reset(self) -> Any:
        """Deal all games: by the seed that was set, if one was."""
        number = self._seeds[0]
        self._reset_seeds()
        seen, _ = self.env.reset(seed=number)
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        return self.encoding(seen["observation"])

    def step_async(self, actions: Any) -> None:
        """Take the actions of a step."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """Carry them out."""
        seen, rewards, over, cut, told = self.env.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        done = over | cut
        for i in np.flatnonzero(done):
            last = self.encoding(told["final_obs"][i]["observation"])
            infos[i] = {"terminal_observation": last, "TimeLimit.truncated": bool(cut[i])}
        return self.encoding(seen["observation"]), rewards.astype(np.float32), done, infos

    def action_masks(self) -> Any:
        """Which actions are legal in every game, as truth values."""
        return self.env.action_masks()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """What each game says: its mask. There is nothing else to ask of a single one."""
        if method_name != "action_masks":
            raise AttributeError(f"games of one vector share everything but action_masks; there is no {method_name} of a single one")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for every game."""
        return [getattr(self.env, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all games: they share it."""
        setattr(self.env, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game has a wrapper of its own."""
        return [False] * len(list(self._get_indices(indices)))

    def get_images(self) -> Sequence[Any]:
        """A picture of each game, with `render_mode="rgb_array"`."""
        return self.env.render()

    def close(self) -> None:
        """Nothing to release."""
