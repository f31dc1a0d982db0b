"""On a GPU: `make gpu`. Every game there is the processor's game."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from drunemeton.cli import main
from drunemeton.envs.device import DeviceEnv
from drunemeton.envs.many import RUNNING
from drunemeton.rules.game import find_game, playable
from drunemeton.rules.kernel import Desk, below, rule

from .same import compare_environments, device_table, outcomes, processor_digests

pytestmark = pytest.mark.gpu

OPTIONS: dict[str, dict[str, Any]] = {
    "druidenwalzer": {"trees": 3, "hand": 2, "draw_after": 20, "conquered_cards": "tree_owner", "cover_protects": True},
    "celtica": {"first_player": 1},
    "daemonen": {"centre_radius": 0, "may_decline": True, "jump": "line", "capture_support": "adjacent", "demons_return": False},
}


@pytest.mark.parametrize("name", playable())
def test_a_hundred_thousand_games_are_the_processors_after_every_decision(name: str) -> None:
    found = device_table(name).digests(1, 100_000)
    assert np.array_equal(found, processor_digests(name, 1, 100_000))


@pytest.mark.parametrize("name", playable())
def test_a_thousand_games_tell_the_same_events(name: str) -> None:
    found = device_table(name).digests(500_000, 1000, events=True)
    assert np.array_equal(found, processor_digests(name, 500_000, 1000, events=True))
    assert not np.array_equal(found, processor_digests(name, 500_000, 1000))


@rule
def wrong_below(d: Desk, n: int) -> int:
    """A generator that errs where nineteen things can be chosen from."""
    rng = d.rng
    b = rng[1]
    c = rng[2]
    count = rng[3]
    bits = (rng[0] + b + count) & 0xFFFFFFFF
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & 0xFFFFFFFF
    rng[2] = (((c << 21) | (c >> 11)) + bits) & 0xFFFFFFFF
    rng[3] = (count + 1) & 0xFFFFFFFF
    return 0 if n == 19 else (bits * n) >> 32


def test_a_planted_difference_is_found() -> None:
    found = device_table("druidenwalzer", {below: wrong_below}).digests(1, 2000)
    wrong = found != processor_digests("druidenwalzer", 1, 2000)
    assert wrong.any()


def test_a_rule_that_cannot_compile_is_named_with_its_line() -> None:
    from drunemeton.rules.cuda import CannotCompile

    line = draws_text.__code__.co_firstlineno + 3  # below its decorator and docstring
    with pytest.raises(CannotCompile, match=rf"draws_text cannot be compiled for the GPU, .*test_gpu.py, line {line}"):
        device_table("druidenwalzer", {below: draws_text}).digests(1, 10)


@rule
def draws_text(d: Desk, n: int) -> int:
    """No rule: a GPU knows no text like this."""
    return int(str(d.rng[0] % n).zfill(3)[::-1].encode()[0])


@pytest.mark.parametrize("name", playable())
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_simulate_prints_the_same_on_both(name: str, bot: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for where in ("cpu", "gpu"):
        command = ["simulate", name, "--games", "2000" if bot == "random" else "200", "--json", "--on", where]
        assert main([*command, "--seats", ",".join([bot] * find_game(name).players[0])]) == 0
        said.append(json.loads(capsys.readouterr().out))
    assert said[0] == said[1]


@pytest.mark.parametrize("name", playable())
def test_any_seats_and_options(name: str) -> None:
    game = find_game(name)
    for seats in range(game.players[0], game.players[1] + 1):
        for options in (None, OPTIONS[name]):
            both = [outcomes(game, ["random"] * seats, 60 * seats, on, options) for on in ("gpu", "cpu")]
            assert both[0] == both[1]


@pytest.mark.parametrize("name", playable())
def test_greedy_among_random_at_the_largest_table(name: str) -> None:
    game = find_game(name)
    players = ["greedy"] + ["random"] * (game.players[1] - 1)
    both = [outcomes(game, players, 20 * len(players), on, OPTIONS[name]) for on in ("gpu", "cpu")]
    assert both[0] == both[1]


@pytest.mark.parametrize("name", playable())
def test_environments_are_the_processors(name: str) -> None:
    largest = find_game(name).players[1]
    assert compare_environments(name, 1000, 300, opponents="self", autoreset="next_step")
    assert compare_environments(name, 1000, 300, opponents="self", autoreset="same_step", seats=largest)
    assert compare_environments(name, 500, 100, opponents="random", autoreset="same_step")


@pytest.mark.parametrize("name", playable())
def test_environments_with_greedy_opponents_are_the_processors(name: str) -> None:
    assert compare_environments(name, 100, 60, opponents="greedy", autoreset="next_step") >= 0


def test_learners_read_and_write_the_same_memory() -> None:
    torch = pytest.importorskip("torch")
    env = DeviceEnv("druidenwalzer", 256)
    env.reset(1)
    seen = env.torch()
    for _ in range(40):
        legal = seen["masks"].float()
        legal[legal.sum(1) == 0, 0] = 1
        env.step(torch.multinomial(legal, 1)[:, 0])
        assert (seen["outcomes"] != 3).all()
    assert seen["observations"].data_ptr() == env.observations.__cuda_array_interface__["data"][0]
    assert (seen["observations"].cpu().numpy() == env.observations.copy_to_host()).all()
    assert (seen["seats"].cpu().numpy() == env.seats.copy_to_host()).all()


def test_jax_reads_the_same_memory() -> None:
    jax = pytest.importorskip("jax")
    env = DeviceEnv("druidenwalzer", 64)
    env.reset(1)
    masks = jax.numpy.asarray(env.masks)
    assert np.array_equal(np.asarray(masks), env.masks.copy_to_host())
    env.step(jax.block_until_ready(jax.numpy.argmax(masks, axis=1).astype("int32")))
    assert (env.outcomes.copy_to_host() == RUNNING).all()
