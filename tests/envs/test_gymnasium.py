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
from drunemeton.bots import compiling
from drunemeton.bots.arena import Arena
from drunemeton.bots.match import Match
from drunemeton.bots.own import find_bot
from drunemeton.envs import MissingFramework, need
from drunemeton.envs.encodings import NormalisedObservation, NormalisedVectorObservation, OneHotObservation, OneHotVectorObservation
from drunemeton.envs.gym import SeatEnv, SeatsVectorEnv
from drunemeton.envs.many import Many
from drunemeton.envs.render import render
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import find_game, legal, playable, random_action
from drunemeton.rules.kernel import Desk, compile_watchers, rule
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
    assert info["illegal"].startswith("31: First choose the arrow")  # in words, with the rule
    assert "DW-2.1" in info["illegal"]
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
    for call in (lambda: env.step(np.zeros(16, int)), env.random_actions, env.greedy_actions, env.render):
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


@pytest.mark.parametrize("game", playable())
def test_greedy_advises_as_it_plays(game: str) -> None:
    """Whether greedy sits in a seat or is only asked what it would do there, the games are the same."""
    ends = []
    for opponents in ("self", "greedy"):
        env = SeatsVectorEnv(game, 4, opponents=opponents, autoreset_mode=AutoresetMode.NEXT_STEP)
        env.reset(seed=11)
        results: dict[int, list[float]] = {}
        while len(results) < 4:
            env.step(env.greedy_actions())
            for i in np.flatnonzero(env.many.outcomes):
                results.setdefault(int(i), env.many.shares[i].tolist())
        ends.append(results)
    assert ends[0] == ends[1]


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
    wrong: tuple[tuple[Any, str], ...] = (
        *((seed, "a whole number, or a list of 16") for seed in ("7" * 16, 1.5, b"x", {"seed": 1})),
        *(([*range(15), one], "seeds are whole numbers") for one in ("x", 1.5, [1])),
    )
    for seed, why in wrong:
        with pytest.raises(ValueError, match=why):
            env.reset(seed=seed)


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


def last(position: Any) -> int:
    """A bot of one's own: a function of a position."""
    return int(position.actions()[-1])


def test_a_seat_against_a_bot_of_ones_own() -> None:
    """The bot itself, or its name; it answers as it does anywhere, and what it must not answer is refused with its name."""
    histories = [play_out(SeatEnv("druidenwalzer", opponents=bot, seat=1), 3) for bot in (last, f"{__name__}:last")]
    assert histories[0] == histories[1]
    env = SeatEnv("druidenwalzer", opponents=last)
    assert play_out(pickle.loads(pickle.dumps(env)), 4) == play_out(env, 4)
    with pytest.raises(GameError, match="answered 99, which is no legal action"):
        play_out(SeatEnv("druidenwalzer", opponents=lambda position: 99), 1)
    with pytest.raises(GameError, match=r"no bot 'nobody'.*module:Name"):
        SeatEnv("druidenwalzer", opponents="nobody")


@pytest.mark.parametrize("opponents", [last, "level-1"])
def test_many_games_against_bots_that_are_asked(opponents: Any) -> None:
    """The agent's moves handed to a match of the same deal: the bot answers there as it does in the vector."""
    env = vector(AutoresetMode.NEXT_STEP, opponents=opponents, seat=None)
    seen, _ = env.reset(seed=7)
    taken: list[list[int]] = [[] for _ in range(16)]
    ended: dict[int, float] = {}
    while len(ended) < 16:
        assert env.observation_space.contains(seen)
        actions = env.random_actions()
        running = [i for i in range(16) if i not in ended]
        for i in running:
            assert seen["observation"][i][0] == i % 2  # it is the agent who is asked
            taken[i].append(int(actions[i]))
        seen, rewards, over, _, _ = env.step(actions)
        ended |= {i: float(rewards[i]) for i in running if over[i]}

    class Reader:
        def __init__(self, actions: list[int]) -> None:
            self.actions = iter(actions)

        def choose_in(self, knows: Any, *, seed: int) -> int:
            return next(self.actions)

    game = find_game("druidenwalzer")
    arena, bot = Arena(game, 2, SMALL), find_bot(game, opponents, plain=False)
    for i in range(16):
        agent = Reader(taken[i])
        _, places = arena.play([agent, bot] if i % 2 == 0 else [bot, agent], 7 + i)
        assert list(agent.actions) == []
        assert ended[i] == places[1 - i % 2] - places[i % 2]


@rule
def lowest(k: Any, d: Any, states: Any, seat: int) -> int:
    """A compiled bot: the legal action with the smallest number."""
    count = legal(k, d)
    found = d.moves[0]
    for n in range(count):
        found = min(found, d.moves[n])
    return int(found)


def lowest_asked(position: Any) -> int:
    return int(min(position.actions()))


def test_a_compiled_bot_of_ones_own_plays_like_the_same_bot_that_is_asked() -> None:
    histories = []
    for opponents in (lowest, lowest_asked):
        env = vector(AutoresetMode.SAME_STEP, opponents=opponents, seat=None)
        env.reset(seed=3)
        history = []
        for _ in range(50):
            seen, rewards, over, _, _ = env.step(env.random_actions())
            history.append((seen["observation"].tobytes(), rewards.tobytes(), over.tobytes()))
        histories.append(history)
        twin = pickle.loads(pickle.dumps(env))
        assert (twin.step(twin.random_actions())[0]["observation"] == env.step(env.random_actions())[0]["observation"]).all()
    assert histories[0] == histories[1]


def test_a_seat_that_is_none_is_explained() -> None:
    with pytest.raises(ValueError, match="seat None is none of 0 to 1; None, which spreads games over all seats, is for vectors"):
        gymnasium.make("drunemeton/Druidenwalzer-v0", seat=None)
    with pytest.raises(ValueError, match="'film' is none of ansi, rgb_array, human"):
        SeatEnv("druidenwalzer", render_mode="film")


def test_for_people_the_table_is_printed_at_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make("drunemeton/Druidenwalzer-v0", render_mode="human")
    seen, _ = env.reset(seed=1)
    first = capsys.readouterr().out
    assert first == render(find_game("druidenwalzer"), env.unwrapped.world.view(0), "ansi") + "\n"  # type: ignore[attr-defined]
    env.step(int(seen["action_mask"].argmax()))
    assert capsys.readouterr().out not in ("", first)
    assert env.render() is None  # type: ignore[func-returns-value]


def test_masks_as_sb3_contrib_asks_for_them() -> None:
    single = SeatEnv("druidenwalzer")
    seen, _ = single.reset(seed=1)
    assert single.action_masks().dtype == bool
    assert (single.action_masks() == seen["action_mask"]).all()
    many = vector(AutoresetMode.NEXT_STEP)
    seen, _ = many.reset(seed=1)
    assert (many.action_masks() == seen["action_mask"]).all()


@pytest.mark.parametrize("wrapper", [NormalisedObservation, OneHotObservation])
@pytest.mark.parametrize("name", playable())
def test_encoded_observations_tell_the_same(wrapper: Any, name: str) -> None:
    """Numbers from 0 to 1 from which the whole numbers can be read again."""
    env = wrapper(SeatEnv(name))
    box = SeatEnv(name).observation_space["observation"]  # type: ignore[index]
    seen, _ = env.reset(seed=2)
    rng = random.Random(2)
    for _ in range(10):
        assert env.observation_space.contains(seen)
        plain = env.env.unwrapped._look()["observation"]
        assert (decoded(env.encoding, seen["observation"], box) == plain).all()
        assert (env.action_masks() == seen["action_mask"]).all()
        seen, _, over, _, _ = env.step(pick(rng, seen["action_mask"]))
        if over:
            seen, _ = env.reset()


def decoded(encoding: Any, row: Any, box: Any) -> Any:
    """The whole numbers again, entry by entry and slowly."""
    spans = (box.high - box.low + 1).astype(int)
    found, at = [], 0
    for low, span in zip(box.low, spans, strict=True):
        spread = encoding._spread.size > 0 and 2 < span <= 16
        part = row[at : at + (span if spread else 1)]
        if spread:
            assert sorted(part.tolist()) == [0.0] * (span - 1) + [1.0]
        found.append(low + (int(part.argmax()) if spread else round(float(part[0]) * max(span - 1, 1))))
        at += len(part)
    assert at == len(row)
    return found


@pytest.mark.parametrize("wrapper", [NormalisedVectorObservation, OneHotVectorObservation])
def test_vectors_can_be_encoded_too(wrapper: Any) -> None:
    env = wrapper(vector(AutoresetMode.SAME_STEP))
    seen, _ = env.reset(seed=1)
    ended = 0
    for _ in range(40):
        assert env.observation_space.contains(seen)
        assert (env.action_masks() == seen["action_mask"]).all()
        seen, _, over, _, infos = env.step(env.unwrapped.random_actions())
        for i in np.flatnonzero(over):
            assert env.single_observation_space.contains(infos["final_obs"][i])
            ended += 1
    assert ended > 10
    with pytest.raises(ValueError, match=r"drunemeton\.envs\.gym"):
        NormalisedObservation(gymnasium.make("CartPole-v1"))


def test_who_waits_for_the_compiler_is_told_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    ordinary = Many._run

    def compiled(self: Many, *given: Any) -> int:
        for tell in compile_watchers:
            tell("envs.many.step_many")
            tell("envs.many.act")
        return ordinary(self, *given)

    monkeypatch.setattr(compiling, "PATIENCE", 0.0)
    monkeypatch.setattr(Many, "_run", compiled)
    vector(AutoresetMode.SAME_STEP).reset(seed=1)
    assert capsys.readouterr().err.count(compiling.COMPILING) == 1
    assert not compile_watchers
