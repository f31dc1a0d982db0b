"""`drunemeton bench search`: how fast the search is beside a peer, what a second thread brings, and what a thinking bot costs the server.

Fixed positions and numbers of simulations, best of interleaved rounds. CPU time beside the peer, wall time where threads are compared.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from drunemeton.bots import ask_once, make_bot
from drunemeton.bots.levels import Strength
from drunemeton.bots.search import Searcher
from drunemeton.rules.game import Game, find_game, playable

from . import bars, hearts
from .rows import Measured, interleaved, row

SHORT_ROUNDS = 30  # where wall time counts: whoever else wants a core spoils some rounds, but not all
SIMULATIONS = 10_000
TO_THE_END = 100_000  # decisions: playouts go to the end of the game
GAME = find_game(bars.ANY_GAME)


def measure() -> list[Measured]:
    """All rows for the search."""
    rates = interleaved({"ours": _simulations(time.process_time), "hearts": hearts.ismcts()})
    threads = interleaved({"one": _simulations(time.perf_counter), "two": _simulations(time.perf_counter, threads=2)}, SHORT_ROUNDS)
    return [
        row(
            f"{GAME.name}, simulations/s and thread with full playouts (peer: hearts, ISMCTS of OpenSpiel in C++)",
            rates["ours"],
            peer=rates["hearts"],
            at_least=3 * rates["hearts"],
        ),
        row(
            f"{GAME.name}, simulations/s on two threads (peer: on one)", threads["two"], peer=threads["one"], at_least=1.6 * threads["one"]
        ),
        *(_a_turn(name, level) for name in playable() for level in (5, 8)),
        row("event loop beside two thinking bots, p99 of its delay, ms", 1000 * asyncio.run(_delay()), below=20),
    ]


def _begun() -> Game:
    """A game that has begun in earnest."""
    game = GAME.new(seed=5)
    while len(game.steps) < 9:
        game.play(game.actions()[0])
    return game


def _simulations(clock: Callable[[], float], threads: int = 1) -> Callable[[], float]:
    game = _begun()
    assert game.to_move is not None
    searcher = Searcher(GAME, Strength(SIMULATIONS * threads, horizon=TO_THE_END, threads=threads))
    knows = searcher.engine.box(game.knowledge[game.to_move])
    searcher.consider_in(knows, seed=1)

    def job() -> float:
        began = clock()
        searcher.consider_in(knows, seed=2)
        return SIMULATIONS * threads / (clock() - began)

    return job


def _a_turn(name: str, level: int) -> Measured:
    """How long a level takes for a turn, the longest of a few in the middle of a game."""
    game_type = find_game(name)
    game = game_type.new(seed=5)
    quick, strong = make_bot(game_type, "greedy", plain=False), make_bot(game_type, f"level-{level}", plain=False)
    ask_once(strong, game_type)  # what must be compiled is compiled once
    opening = _opening(game_type, quick)
    spent = [0.0]
    last = None
    while game.to_move is not None and len(spent) < 8:
        seat, known = game.to_move, game.knowledge[game.to_move]
        middle = len(game.steps) > opening
        if seat != last:
            spent.append(0.0)
            last = seat
        if not middle:
            spent = [0.0]
        began = time.perf_counter()
        action = (strong if middle else quick).choose(known, seed=len(game.steps))
        spent[-1] += time.perf_counter() - began
        game.play(action)
    return row(f"{name}, a turn of level {level}, seconds, the longest of seven", max(spent), below=bars.TURN.get(name, {}).get(level))


def _opening(game_type: type[Game], bot: Any) -> int:
    """How many steps come before the middle of a game: a third of what these players take."""
    game = game_type.new(seed=5)
    while game.to_move is not None:
        game.play(bot.choose(game.knowledge[game.to_move], seed=len(game.steps)))
    return len(game.steps) // 3


async def _delay() -> float:
    """The 99th percentile of how late the event loop comes while two bots of level 8 think without pause, as the server lets them."""
    from drunemeton.server.bot_pool import BotPool

    game = _begun()
    assert game.to_move is not None
    known = game.knowledge[game.to_move]
    bot_pool = BotPool(2, 60.0)

    async def think() -> None:
        seed = 0
        while True:
            seed += 1
            await bot_pool.choose(GAME, "level-8", known, seed)

    await asyncio.gather(*(bot_pool.choose(GAME, "level-8", known, 1) for _ in range(2)))
    await asyncio.sleep(20)  # until both have compiled
    thinking: list[asyncio.Task[Any]] = [asyncio.create_task(think()) for _ in range(2)]
    late = []
    until = time.perf_counter() + 10
    while time.perf_counter() < until:
        began = time.perf_counter()
        await asyncio.sleep(0.002)
        late.append(time.perf_counter() - began - 0.002)
    for task in thinking:
        task.cancel()
    await asyncio.gather(*thinking, return_exceptions=True)
    await bot_pool.close()
    late.sort()
    return late[int(len(late) * 0.99)]
