"""What the GPU and the processor must agree on, for tests on a GPU and in Numba's simulator alike."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import numpy as np

from drunemeton.bots.arena import LIMIT
from drunemeton.bots.device import DeviceTable, digest, digests_in
from drunemeton.bots.match import Match
from drunemeton.bots.simulation import simulate
from drunemeton.envs.device import AUTORESET, DeviceEnv
from drunemeton.envs.many import Many
from drunemeton.envs.world import Setting
from drunemeton.observations.layout import file_of
from drunemeton.rules.digest import digest_of
from drunemeton.rules.game import find_game
from drunemeton.rules.kernel import Desk, Generic, native


def device_table(name: str, instead: Any = None) -> DeviceTable:
    game = find_game(name)
    return DeviceTable(game, game.players[0], game.lay_out(game.players[0]), instead)


def processor_digests(name: str, first: int, count: int, *, events: bool = False) -> Any:
    """The digests of random games, by the compiled rules of the processor on all its cores."""
    game = find_game(name)
    cast(Generic, digest).bind(game.state_type, digest_of(game.state_type))
    state = game.lay_out(game.players[0]).state
    play = native(digests_in, game.state_type, game.knowledge_type)
    found = np.zeros(count, np.int64)
    parts = max(1, min(64, count // 50))

    def part(n: int) -> None:
        desks = Desk.box()
        desks["listening"] = int(events)
        begin, end = n * count // parts, (n + 1) * count // parts
        play(state.to_box(), game.state_type.box(), desks, first + begin, LIMIT, found[begin:end])

    part(0)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(part, range(1, parts)))
    return found


def outcomes(game: Any, players: list[str], games: int, on: str, options: Any = None, components: Any = None) -> list[Any]:
    """Every game that `simulate` counts, and what it prints."""
    rows: list[Any] = []
    match = Match(game, players, options, components, on=on)
    tally = simulate(match, games, 11, lambda job, played: rows.append((job, played)), rotate=games % len(players) == 0)
    return [*rows, tally.summary()]


def compare_environments(name: str, count: int, steps: int, *, opponents: str, autoreset: str, seats: int | None = None) -> int:
    """Step the same games on both, with the same random actions, and compare every array; answers how many games ended."""
    setting = Setting(name, seats)
    many = Many(setting, count, opponents, None, file_of(setting.game).MOST_DECISIONS)
    there = DeviceEnv(name, count, opponents=opponents, seats=seats, autoreset=autoreset)
    many.deal(np.arange(count) + 7, np.ones(count, np.bool_))
    there.reset(7)
    ended = 0
    for step in range(steps):
        where = f"{name}, {opponents}, {autoreset}, step {step}"
        arrays = [
            ("observations", there.observations, many.rows),
            ("masks", there.masks, many.masks),
            ("rewards", there.rewards, many.rewards),
            ("outcomes", there.outcomes, many.outcomes),
        ]
        for what, one, other in arrays:
            assert np.array_equal(one.copy_to_host(), other), f"{what}: {where}"
        assert np.array_equal(np.asarray(host(there.seats)), many.seats), where
        over = many.outcomes != 0
        ended += int(over.sum())
        assert np.array_equal(there.shares.copy_to_host()[over], many.shares[over]), where
        if autoreset == "same_step":
            assert np.array_equal(there.final_observations.copy_to_host()[over], many.final_rows[over]), where
        chosen = host(there.random_actions())
        legal = many.masks[np.arange(count), chosen] == 1
        assert (legal | (many.courses["offered"] == 0)).all(), where
        # One in a while is illegal: both must end that game.
        actions = np.where((np.arange(count) + step) % 97 == 96, setting.game.action_count, chosen)
        there.step(there._cuda.to_device(actions))
        many.step(actions, AUTORESET[autoreset])
    return ended


def host(array: Any) -> Any:
    return array.copy_to_host() if hasattr(array, "copy_to_host") else array
