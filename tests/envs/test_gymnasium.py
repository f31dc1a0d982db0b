"""Gymnasium: its checker, autoreset as it defines it, and many games that are the same games one by one."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import drunemeton.envs.gym
from drunemeton.bots.match import Match
from drunemeton.envs import MissingFramework, need
from drunemeton.envs.gym import SeatEnv, SeatsVectorEnv
from drunemeton.rules.game import find_game, playable, random_action
from drunemeton.rules.kernel import Desk
from drunemeton.rules.kernel import seed as seed_desk
from tests.envs.play import NO_ACTIONS, pick

SMALL = {"trees": 2, "stack": 1, "hand": 1, "tokens_to_conquer": 2}


@pytest.mark.parametrize("name", playable())
def test_the_checker_is_content(name: str) -> None:
    check_env(gymnasium.make(f"drunemeton/{find_game(name).__name__}-v0", render_mode="ansi").unwrapped)


def play_out(env: SeatEnv, seed: int) -> list[Any]:
    rng = random.Random(seed)
    history: list[Any] = []
    observation, _ = env.reset(seed=seed)
    over = False
    while not over:
        observation, reward, over, _, _ = env.step(pick(rng, observation["action_mask"]))
        history.append((reward, over, observation["observation"].tobytes()))
    return history


def test_a_seat_against_greedy_repeats_itself_and_can_be_copied() -> None:
    env = SeatEnv("druidenwalzer", opponents="greedy", seat=1)
    first = play_out(env, 3)
    assert play_out(env, 3) == first
    assert play_out(pickle.loads(pickle.dumps(env)), 3) == first
    assert play_out(copy.deepcopy(env), 3) == first
    assert first[-1][0] in (-1.0, 0.0, 1.0)
    with pytest.raises(ValueError, match="seat 2"):
        SeatEnv("druidenwalzer", seat=2)


def test_an_illegal_action_loses() -> None:
    env = SeatEnv("druidenwalzer")
    env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(31)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert "DW-" in info["illegal"]
    assert not observation["action_mask"].any()
    for action in NO_ACTIONS:
        env.reset(seed=1)
        before = env.world.states.tobytes()
        _, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (-1.0, True, False)
        assert "is no action" in info["illegal"]
        assert env.world.states.tobytes() == before
    env.reset(seed=1)
    with pytest.raises(TypeError, match="integer"):
        env.step(0.7)


def vector(mode: AutoresetMode, **more: Any) -> SeatsVectorEnv:
    made = gymnasium.make_vec("drunemeton/Druidenwalzer-v0", 16, autoreset_mode=mode, options=SMALL, **more)
    assert isinstance(made, SeatsVectorEnv)
    return made


def test_autoreset_with_the_next_step() -> None:
    env = vector(AutoresetMode.NEXT_STEP)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observation, _ = env.reset(seed=1)
    ended = np.zeros(16, bool)
    finished = 0
    for _ in range(80):
        assert env.observation_space.contains(observation)
        masks = observation["action_mask"]
        assert (masks.any(axis=1) == ~ended).all()
        observation, rewards, terminated, truncated, _ = env.step(env.random_actions())
        assert not (terminated & ended).any()
        assert (rewards[ended] == 0).all()
        assert (rewards[~terminated] == 0).all()
        assert not truncated.any()
        ended = terminated
        finished += int(terminated.sum())
    assert finished > 30


def test_autoreset_with_the_same_step() -> None:
    env = vector(AutoresetMode.SAME_STEP)
    observation, _ = env.reset(seed=1)
    for _ in range(60):
        observation, _, terminated, _, infos = env.step(env.random_actions())
        assert observation["action_mask"].any(axis=1).all()
        assert ("final_obs" in infos) == terminated.any()
        if terminated.any():
            assert (infos["_final_obs"] == terminated).all()
            for i in range(16):
                assert (infos["final_obs"][i] is not None) == terminated[i]
                if terminated[i]:
                    phase = infos["final_obs"][i]["observation"][2]
                    assert phase == 4
                    assert observation["observation"][i][2] != 4


@pytest.mark.parametrize("illegal", [False, True])
def test_the_last_info_is_handed_out_as_gymnasium_does_it(illegal: bool) -> None:
    """With the same step, the info of a game that ended is `final_info`, as in Gymnasium's own vector of single games."""
    theirs = SyncVectorEnv([lambda: SeatEnv("druidenwalzer", options=SMALL)] * 16, autoreset_mode=AutoresetMode.SAME_STEP)
    ours = vector(AutoresetMode.SAME_STEP)
    for env in (theirs, ours):
        observation, _ = env.reset(seed=1)
        rng = random.Random(1)
        ended = np.zeros(16, bool)
        infos: dict[str, Any] = {}
        while not ended.any():
            assert "final_info" not in infos
            actions = np.array([pick(rng, mask) for mask in observation["action_mask"]])
            if illegal:
                actions[[2, 9]] = 31, -1
            observation, _, ended, _, infos = env.step(actions)
        assert set(infos) - {"illegal", "_illegal"} == {"final_obs", "_final_obs", "final_info", "_final_info"}
        assert infos["_final_info"].tolist() == infos["_final_obs"].tolist() == ended.tolist()
        assert set(infos["final_info"]) == ({"illegal", "_illegal"} if illegal else set())
        if illegal:
            assert np.flatnonzero(infos["final_info"]["_illegal"]).tolist() == [2, 9]


def test_a_vector_must_be_dealt_before_it_is_played() -> None:
    for count in (0, -1):
        with pytest.raises(ValueError, match="at least one game"):
            SeatsVectorEnv("druidenwalzer", count)
    env = vector(AutoresetMode.DISABLED, render_mode="ansi")
    for call in (lambda: env.step(np.zeros(16, int)), env.random_actions, env.render):
        with pytest.raises(ResetNeeded, match="reset"):
            call()
    some = np.arange(16) < 3
    with pytest.raises(ResetNeeded, match="first reset"):
        env.reset(options={"reset_mask": some})
    env.reset(seed=1)
    before = env.many.states.tobytes()
    for actions in (0, [0] * 15, np.zeros((16, 1), int), np.full(16, 0.7), np.ones(16, bool)):
        with pytest.raises(ValueError, match="16 whole numbers"):
            env.step(actions)
    assert env.many.states.tobytes() == before
    env.step(env.random_actions().tolist())
    env.reset(options={"reset_mask": some})


def test_every_seed_that_a_single_game_takes_is_good_for_many() -> None:
    env = vector(AutoresetMode.DISABLED)

    def dealt(seed: Any) -> list[bytes]:
        observation, _ = env.reset(seed=seed)
        for _ in range(2):  # the arrows come first, then the shuffle
            observation, *_ = env.step(observation["action_mask"].argmax(axis=1))
        return [row.tobytes() for row in observation["observation"]]

    first = dealt(7)
    assert len(set(first)) > 4
    for seed in ((1 << 32) + 7, (1 << 63) + 7, np.uint64((1 << 63) + 7), (1 << 200) + 7, [(1 << 64) + 7 + i for i in range(16)]):
        assert dealt(seed) == first  # there are 2 ** 32 deals
    assert dealt((1 << 63) - 1)[8:] == first[:8]
    with pytest.raises(ValueError, match="less than 0"):
        env.reset(seed=[-1] * 16)
    with pytest.raises(gymnasium.error.Error):
        env.reset(seed=-1)
    with pytest.raises(ValueError, match="15 seeds"):
        env.reset(seed=[1] * 15)


def test_without_autoreset_games_are_chosen_to_be_dealt() -> None:
    env = vector(AutoresetMode.DISABLED)
    env.reset(seed=1)
    terminated = np.zeros(16, bool)
    while not terminated.any():
        before, _, terminated, _, _ = env.step(env.random_actions())
    with pytest.raises(ValueError, match="reset_mask"):
        env.step(env.random_actions())
    observation, _ = env.reset(options={"reset_mask": terminated})
    assert (observation["observation"][~terminated] == before["observation"][~terminated]).all()
    assert observation["action_mask"].any(axis=1).all()
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": np.zeros(16, bool)})


def test_copies_are_handed_out_unless_one_wants_the_arrays() -> None:
    for kept in (True, False):
        env = vector(AutoresetMode.NEXT_STEP, copy=kept)
        first, _ = env.reset(seed=1)
        before = first["observation"].copy()
        for _ in range(5):
            env.step(env.random_actions())
        assert (first["observation"] == before).all() == kept


@pytest.mark.parametrize("opponents", ["self", "greedy"])
def test_a_vector_in_the_middle_of_its_games_can_be_copied(opponents: str) -> None:
    env = vector(AutoresetMode.NEXT_STEP, opponents=opponents, render_mode="ansi")
    env.reset(seed=5)
    for _ in range(9):
        env.step(env.random_actions())
    histories = []
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env), env):
        history = []
        for _ in range(40):
            observation, rewards, _, _, infos = twin.step(twin.random_actions())
            seen = (observation["observation"].tobytes(), observation["action_mask"].tobytes(), twin.render())
            history.append((rewards.tobytes(), str(infos), *seen))
        histories.append(history)
    assert histories[0] == histories[1] == histories[2]
    assert len(set(histories[0][-1][-1])) > 1


def test_self_play_tells_whose_decision_it_is() -> None:
    env = vector(AutoresetMode.SAME_STEP, opponents="self")
    _, infos = env.reset(seed=1)
    seats = infos["seat"]
    for _ in range(60):
        observation, rewards, terminated, _, infos = env.step(env.random_actions())
        assert (observation["observation"][:, 0] == infos["seat"]).all()
        if terminated.any():
            own = infos["rewards"][np.arange(16), seats]
            assert (rewards[terminated] == own[terminated]).all()
            assert np.abs(infos["rewards"].sum(axis=1)).max() == 0
            assert (infos["final_info"]["rewards"] == infos["rewards"]).all()
            assert (infos["final_info"]["seat"][terminated] == seats[terminated]).all()
        seats = infos["seat"]


def test_an_illegal_action_loses_in_the_vector_too() -> None:
    env = vector(AutoresetMode.NEXT_STEP)
    env.reset(seed=1)
    actions = env.random_actions()
    actions[3], actions[5] = 31, -7
    _, rewards, terminated, _, infos = env.step(actions)
    assert np.flatnonzero(infos["illegal"]).tolist() == [3, 5]
    assert rewards[3] == rewards[5] == -1
    assert terminated[3]


def test_game_n_has_the_deals_of_simulate() -> None:
    """The same number, the same deal: the same moves then lead to the same end."""
    match = Match(find_game("druidenwalzer"), ["random", "random"])
    for deal in (3, 4, 5):
        decisions, _, _, places = match.play(deal)
        env = SeatsVectorEnv("druidenwalzer", 1, opponents="self", autoreset_mode="Disabled")
        env.reset(seed=deal)
        # The match chose its moves with a desk of its own: choose as it did.
        desk = Desk()
        seed_desk(desk, deal, 1, 0xB07)
        for step in range(decisions):
            state = env.many.setting.game.state_type.from_box(env.many.states)
            _, _, terminated, _, infos = env.step(np.array([random_action(state, desk)]))
            assert terminated[0] == (step == decisions - 1)
        assert infos["rewards"][0].tolist() == [places[1] - places[0], places[0] - places[1]]


def test_greedy_opponents_are_stronger_than_random_ones() -> None:
    scores = {}
    for opponents in ("random", "greedy"):
        env = SeatsVectorEnv("druidenwalzer", 64, opponents=opponents, seat=None, autoreset_mode="SameStep")
        env.reset(seed=2)
        total = games = 0.0
        for _ in range(60):
            _, rewards, terminated, _, _ = env.step(env.random_actions())
            total += rewards.sum()
            games += terminated.sum()
        scores[opponents] = total / games
    assert abs(scores["random"]) < 0.3
    assert scores["greedy"] < -0.5


def test_a_missing_framework_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nowhere_to_be_found", None)
    with pytest.raises(MissingFramework, match=r"pip install drunemeton\[envs\]"):
        need("nowhere_to_be_found", "Nowhere")
    assert drunemeton.envs.gym.SeatEnv is SeatEnv
