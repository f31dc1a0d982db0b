"""PettingZoo: one agent after the other, `player_0` at seat 0 and so on. What `druidenwalzer_v0` and its sisters are made of.

An observation is a dictionary: `observation` (see `layout.py`) and `action_mask`, which is empty while another agent decides. Rewards come
at the end: the share of the other players that an agent left behind, less the share of those before it. They lie between -1 and 1, add
up to 0, and are +1, -1 or 0 for two players.
"""

from __future__ import annotations

import operator
import random
import secrets
from collections.abc import Mapping
from typing import Any, ClassVar

from ..observations.layout import file_of
from . import need
from .gym import check_mode, spaces_of
from .render import HUMAN, MODES, render
from .world import Setting, World, seed_in

need("pettingzoo", "PettingZoo")
import pettingzoo  # noqa: E402
from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

Observation = dict[str, Any]


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game as PettingZoo plays it, without wrappers. Copies and pickles of a game in the middle go on like the game itself."""

    game: ClassVar[str]
    metadata: ClassVar[dict[str, Any]]

    def __init__(
        self,
        *,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        components: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_mode(render_mode, *MODES, HUMAN)
        self.render_mode = render_mode
        self.world = World(Setting(self.game, seats, options, components))
        setting = self.world.setting
        self.most_decisions: int = file_of(setting.game).MOST_DECISIONS
        self.possible_agents = [f"player_{seat}" for seat in range(setting.seats)]
        self.agents: list[str] = []
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces = {agent: spaces_of(setting) for agent in self.possible_agents}
        self._seeds: random.Random | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may answer."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a new game: with a seed, the one that this seed gives at any table; without, the next one after the last seed given."""
        if seed is not None:
            seed = seed_in(seed)
            self._seeds = random.Random(seed)
        else:
            seed = secrets.randbits(63) if self._seeds is None else self._seeds.getrandbits(63)
        mover = self.world.deal(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[max(mover, 0)]
        if mover < 0:
            self._finish()
        self._show()

    def observe(self, agent: str) -> Observation:
        """What an agent sees now."""
        row, mask = self.world.look(self.seat_of[agent])
        return {"observation": row, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Carry out the action of the agent whose turn it is (an illegal one is refused, to no effect); None where a game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must decide: None is for agents whose game is over")
        mover = self.world.play(operator.index(action))
        self._cumulative_rewards[agent] = 0.0
        if mover >= 0:
            self.agent_selection = self.possible_agents[mover]
            if len(self.world.actions) >= self.most_decisions:
                self.truncations = dict.fromkeys(self.agents, True)
        else:
            self._finish()
        self._show()

    def _finish(self) -> None:
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards = dict(zip(self.possible_agents, self.world.scores(), strict=True))
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> Any:
        """The table as the agent on turn sees it: text, or a picture; for people (`human`) it was printed at every step."""
        if self.render_mode is None:
            raise ValueError(f"to render, make the environment with render_mode={' or '.join(map(repr, (*MODES, HUMAN)))}")
        return None if self.render_mode == HUMAN else self._drawn(self.render_mode)

    def _drawn(self, mode: str) -> Any:
        seat = self.seat_of.get(self.agent_selection, 0)
        return render(self.world.setting.game, self.world.view(seat), mode)

    def _show(self) -> None:
        if self.render_mode == HUMAN:
            print(self._drawn("ansi"), flush=True)

    def close(self) -> None:
        """Nothing to release."""


def named(game: str) -> type[GameEnv]:
    """The environment class of a game, which PettingZoo's registry then knows too."""
    pettingzoo.register("aec", f"drunemeton/{game}_v0", entry_point=f"{__package__}.{game}_v0:env")
    metadata = {"name": f"{game}_v0", "render_modes": [*MODES, HUMAN], "is_parallelizable": False, "render_fps": 2}
    return type("raw_env", (GameEnv,), {"__module__": f"{__package__}.{game}_v0", "game": game, "metadata": metadata})


def wrapped(raw: GameEnv) -> Any:
    """With PettingZoo's usual wrappers: an illegal action loses the game, and calls in the wrong order are refused."""
    legal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))
