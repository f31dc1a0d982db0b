"""Gymnasium: `SeatEnv`, one seat against bots; `SeatsVectorEnv`, thousands of games in one compiled call.

Importing this module registers `drunemeton/Druidenwalzer-v0`, `drunemeton/Celtica-v0` and `drunemeton/Daemonen-v0`, for
`gymnasium.make` and `gymnasium.make_vec` alike. Observations are as in `aec.py`. An illegal action loses the game at once (reward -1,
`illegal` in the info).
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypedDict, Unpack, cast

from ..bots import Bot
from ..bots.own import Who, find_bot
from ..observations.layout import file_of
from ..rules.errors import IllegalMove
from ..rules.game import find_game, playable
from . import need
from .asked import make_many
from .many import CUT_SHORT, FORBIDDEN, NEVER, NEXT_STEP, OPPONENTS, RUNNING, SAME_STEP
from .render import HUMAN, MODES, render
from .world import Setting, World, seed_in

need("gymnasium", "Gymnasium")
import gymnasium  # noqa: E402
import numpy as np  # noqa: E402
from gymnasium import spaces  # noqa: E402
from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

Observation = dict[str, Any]
Info = dict[str, Any]


def spaces_of(setting: Setting) -> tuple[spaces.Dict, spaces.Discrete[Any]]:
    """Observation space and action space of every seat."""
    low, high = setting.layout.bounds()
    actions = setting.game.action_count
    seen: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(low, high, dtype=np.int16),
        "action_mask": spaces.Box(0, 1, (actions,), dtype=np.int8),
    }
    return spaces.Dict(seen), spaces.Discrete(actions)


class TableArguments(TypedDict, total=False):
    """What a game is played with; the smallest table, and the usual options and components, if left out."""

    seats: int | None
    options: Mapping[str, Any] | None
    components: Mapping[str, Any] | None


class VectorArguments(TableArguments, total=False):
    """What may be asked of a vector beside that."""

    render_mode: str | None


def check_mode(mode: str | None, *modes: str) -> None:
    """Refuse a render mode that there is not."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode {mode!r} is none of {', '.join(modes)}")


class SeatEnv(gymnasium.Env[Observation, Any]):
    """One seat of a game; the others are played by a bot.

    `opponents`: a bot of the house (`random`, `greedy`, `level-1`, ...), one of your own by name (`my.module:Bot`), or the bot itself, such
    as a function of a `Position`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [*MODES, HUMAN], "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self, game: str, *, opponents: Who = "random", seat: int = 0, render_mode: str | None = None, **table: Unpack[TableArguments]
    ) -> None:
        check_mode(render_mode, *MODES, HUMAN)
        self.render_mode = render_mode
        self.world = World(Setting(game, **table))
        setting = self.world.setting
        if not isinstance(seat, int) or not 0 <= seat < setting.seats:
            spread = "; None, which spreads games over all seats, is for vectors (gymnasium.make_vec)" if seat is None else ""
            raise ValueError(f"seat {seat} is none of 0 to {setting.seats - 1}{spread}")
        self.seat, self.opponents = seat, setting.seated(opponents)
        self.bot: Bot = find_bot(setting.game, self.opponents, plain=False)
        self.most_decisions: int = file_of(setting.game).MOST_DECISIONS
        self.observation_space, self.action_space = spaces_of(setting)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Deal a new game: with a seed, the one that this seed gives at any table."""
        super().reset(seed=seed)
        if seed is None:
            # A seed's later games follow from it; np_random without one is as good as any secret here.
            seed = int(self.np_random.integers(1 << 62))
        self.world.deal(seed)
        self._opponents_play()
        self._show()
        return self._look(), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, Info]:
        """Carry out an action, and whatever the others then do."""
        try:
            self.world.play(operator.index(action))
        except IllegalMove as problem:
            info = {"illegal": str(problem)}
            self.world.mover = -1
            return self._look(), -1.0, True, False, info
        self._opponents_play()
        self._show()
        over = self.world.mover < 0
        cut = not over and len(self.world.actions) >= self.most_decisions
        reward = self.world.scores()[self.seat] if over else 0.0
        return self._look(), reward, over, cut, {}

    def action_masks(self) -> Any:
        """Which actions are legal, as sb3-contrib's MaskablePPO asks for it."""
        return self._look()["action_mask"].astype(np.bool_)

    def _opponents_play(self) -> None:
        world = self.world
        while world.mover >= 0 and world.mover != self.seat and len(world.actions) < self.most_decisions:
            world.play(self.bot.choose(world.knowledge(world.mover), seed=int(self.np_random.integers(1 << 32))))

    def _look(self) -> Observation:
        row, mask = self.world.look(self.seat)
        if self.world.mover < 0:
            mask[:] = 0
        return {"observation": row, "action_mask": mask}

    def render(self) -> Any:
        """The table as this seat sees it: text, or a picture; for people (`human`) it was printed at every step."""
        if self.render_mode is None:
            raise ValueError(f"to render, make the environment with render_mode={' or '.join(map(repr, (*MODES, HUMAN)))}")
        if self.render_mode == HUMAN:
            return None
        return render(self.world.setting.game, self.world.view(self.seat), self.render_mode)

    def _show(self) -> None:
        if self.render_mode == HUMAN:
            print(render(self.world.setting.game, self.world.view(self.seat), "ansi"), flush=True)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "bot": None}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.bot = find_bot(self.world.setting.game, self.opponents, plain=False)


DEALS = 1 << 32  # the generator of a vector's game begins with a word of so many values
AUTORESET = {AutoresetMode.DISABLED: NEVER, AutoresetMode.NEXT_STEP: NEXT_STEP, AutoresetMode.SAME_STEP: SAME_STEP}


class SeatsVectorEnv(VectorEnv[Observation, Any, Any]):
    """Many games at once.

    `opponents`: `random`, `greedy` and bots of your own that are marked with `@rule` play the other seats in compiled code; levels and
    other bots of your own (by name, `my.module:Bot`, or themselves) are asked one by one, which takes as long as they think. With `self`
    every decision of every seat is asked, seen from the seat that must decide (`infos["seat"]`), the reward is that of the seat that has
    just decided, and `infos["rewards"]` has all seats' when a game ends.
    `seat`: where the agent sits; None spreads the games over all seats. With `copy=False` observations and masks are the arrays in which
    the next step overwrites what has changed: do not write into them.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        opponents: Who = "random",
        seat: int | None = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **table: Unpack[VectorArguments],
    ) -> None:
        self.render_mode = table.pop("render_mode", None)
        check_mode(self.render_mode, *MODES)
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": mode, "render_modes": list(MODES)}
        if operator.index(num_envs) < 1:
            raise ValueError(f"num_envs is {num_envs}, but a vector has at least one game")
        setting = Setting(game, **cast(TableArguments, table))
        self.num_envs, self.copy, self.autoreset_mode, self.self_play = num_envs, copy, mode, opponents == "self"
        self.many = make_many(setting, num_envs, opponents, seat, file_of(setting.game).MOST_DECISIONS)
        self.single_observation_space, self.single_action_space = spaces_of(setting)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._everyone = np.ones(num_envs, np.bool_)
        self._dealt = False

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Deal all games: game i gets deal `seed + i`, or the i-th of a list. `options["reset_mask"]` chooses some of them.

        There are 2 ** 32 deals; greater seeds begin anew.
        """
        chosen = self._everyone if options is None or "reset_mask" not in options else options["reset_mask"]
        if not isinstance(chosen, np.ndarray) or chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_ or not chosen.any():
            raise ValueError(f"options['reset_mask'] must be an array of {self.num_envs} truth values, at least one of them True")
        if not self._dealt and not chosen.all():
            raise ResetNeeded("some games were never dealt: the first reset must deal all of them")
        self.many.deal(self._numbers(seed), chosen)
        self._dealt = True
        return self._look(), self._infos()

    def _numbers(self, seed: Any) -> Any:
        """The number of every game's deal."""
        if isinstance(seed, int | np.integer):
            super().reset(seed=int(seed))
            return np.array([(int(seed) + i) % DEALS for i in range(self.num_envs)])
        numbers = self.np_random.integers(1 << 31, size=self.num_envs)
        if seed is not None:
            if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str | bytes):
                raise ValueError(f"{seed!r} is no seed: a whole number, or a list of {self.num_envs}, one for each game")
            if len(seed) != self.num_envs:
                raise ValueError(f"{len(seed)} seeds for {self.num_envs} games")
            for i, one in enumerate(seed):
                if one is not None:
                    number = seed_in(one)
                    if number < 0:
                        raise ValueError(f"seed {one} is less than 0")
                    numbers[i] = number % DEALS
        return numbers

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, Info]:
        """One step of every game; a game that ended is dealt anew as `autoreset_mode` says."""
        many = self.many
        self._must_be_dealt()
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(f"actions must be {self.num_envs} whole numbers, one for each game")
        if self.autoreset_mode is AutoresetMode.DISABLED and many.courses["done"].any():
            raise ValueError("a game is over: reset it with options={'reset_mask': ...}, or choose another autoreset_mode")
        gravest = many.step(given, AUTORESET[self.autoreset_mode])
        infos = self._infos()
        over, cut = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        if gravest != RUNNING:
            ended = many.outcomes != RUNNING
            cut = many.outcomes == CUT_SHORT
            over = ended & ~cut
            told: Info = {}
            if self.self_play:
                told["rewards"], told["_rewards"] = many.shares.copy(), ended
            if gravest == FORBIDDEN:
                forbidden = many.outcomes == FORBIDDEN
                told["illegal"], told["_illegal"] = forbidden, forbidden.copy()
            infos.update(told)
            if self.autoreset_mode is AutoresetMode.SAME_STEP:
                infos.update(self._final(ended, told))
        return self._look(), many.rewards.copy(), over, cut, infos

    def _final(self, ended: Any, told: Info) -> Info:
        """What Gymnasium's own vectors say of games that were dealt anew in the step that ended them: the last observation and info."""
        many = self.many
        final = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(ended):
            final[i] = {"observation": many.final_rows[i].copy(), "action_mask": np.zeros(many.masks.shape[1], np.int8)}
        if self.self_play:
            seats = many.setting.layout.read(many.final_rows, "seat")[:, 0]
            told = {**told, "seat": np.where(ended, seats, 0).astype(many.seats.dtype), "_seat": ended.copy()}
        return {"final_obs": final, "_final_obs": ended.copy(), "final_info": told, "_final_info": ended.copy()}

    def _look(self) -> Observation:
        many = self.many
        if self.copy:
            return {"observation": many.rows.copy(), "action_mask": many.masks.copy()}
        return {"observation": many.rows, "action_mask": many.masks}

    def _infos(self) -> Info:
        if not self.self_play:
            return {}
        return {"seat": self.many.seats.copy(), "_seat": self._everyone.copy()}

    def _must_be_dealt(self) -> None:
        if not self._dealt:
            raise ResetNeeded("no game was dealt yet: call reset() first")

    def action_masks(self) -> Any:
        """Which actions are legal in every game, as truth values."""
        self._must_be_dealt()
        return self.many.masks.astype(np.bool_)

    def random_actions(self) -> Any:
        """A legal action for every game, each as likely."""
        self._must_be_dealt()
        return self.many.random_actions()

    def greedy_actions(self) -> Any:
        """What greedy would do in every game, from what the agent knows: somebody to learn from."""
        self._must_be_dealt()
        actions = np.zeros(self.num_envs, np.int64)
        self.many.greedy_actions(actions)
        return actions

    def render(self) -> tuple[Any, ...]:
        """Each game as its agent sees it: text, or a picture."""
        if self.render_mode is None:
            raise ValueError(f"to render, make the environment with render_mode={' or '.join(map(repr, MODES))}")
        self._must_be_dealt()
        game = self.many.setting.game
        return tuple(render(game, self.many.view(i), self.render_mode) for i in range(self.num_envs))


for _name in playable():
    _title = find_game(_name).__name__
    if f"drunemeton/{_title}-v0" not in gymnasium.registry:
        gymnasium.register(
            f"drunemeton/{_title}-v0",
            entry_point=f"{__name__}:SeatEnv",
            vector_entry_point=f"{__name__}:SeatsVectorEnv",
            kwargs={"game": _name},
        )

__all__ = ["OPPONENTS", "SeatEnv", "SeatsVectorEnv"]
