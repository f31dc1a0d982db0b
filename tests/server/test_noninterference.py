"""Non-interference between server and client: two games that differ only in what a watcher cannot know send that watcher the same bytes.

Time, tokens and the committed secret are handed in; the shuffles come from orders, of which the second game has some hidden cards swapped.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import random
from dataclasses import replace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from drunemeton.client import ask
from drunemeton.rules.chance import Chance, Orders
from drunemeton.rules.errors import GameError
from drunemeton.rules.game import find_game, playable
from drunemeton.rules.kernel import OPEN, SPECTATOR
from drunemeton.server import Settings

from ..patience import PATIENCE
from .house import TWO, House

FIRST = 2  # the revision at which both have come
SECRET = Chance(b"the same for both, so that the commitment is too")


def orders_of(game: Any) -> Any:
    return [[list(cards) for _pile, cards in step] for step in game.orders()]


def played(kind: Any, orders: Any, moves: Any) -> Any:
    game = kind.new(chance=Orders(orders))
    for move in moves:
        game.play(move)
    return game


def twin_games(kind: Any, watcher: int, seed: int, length: int) -> Any:
    """A game, and another that is the same to a watcher and not the same: moves, and the orders of both."""
    rng = random.Random(seed)
    game = kind.new(seed=seed)
    moves: list[Any] = []
    while len(moves) < length and not game.over:
        moves.append(rng.choice(game.legal()))
        game.play(moves[-1])
    orders = orders_of(game)
    told = game.events(watcher)
    current = orders
    swaps = 0
    for _ in range(2000):
        other = json.loads(json.dumps(current))
        shuffles = [order for step in other for order in step if len(order) > 1]
        order = rng.choice(shuffles)
        a, b = rng.sample(range(len(order)), 2)
        if order[a] == order[b]:
            continue
        order[a], order[b] = order[b], order[a]
        try:
            twin = played(kind, other, moves)
        except GameError:
            continue
        if twin.events(watcher) == told and twin.events(OPEN) != game.events(OPEN):
            current, swaps = other, swaps + 1
            # Enough once somebody else, who holds the cards, is told another story; in Daemonen nobody holds any, and piles must do.
            if swaps >= 2 and (kind.name == "daemonen" or any(twin.events(who) != game.events(who) for who in (0, 1))):
                return moves, orders, current
    raise AssertionError("no such game was found")


def transcript(settings: Settings, kind: Any, orders: Any, moves: Any, watcher: int) -> Any:
    """Every byte that a watcher's connection receives while the moves are played, with refusals, previews and a return in between.

    It is long because it is one conversation with all that may happen in it, in its order.
    """

    class Dealt(kind):  # type: ignore[misc]
        def __init__(self, seats: Any, options: Any, components: Any, chance: Any) -> None:
            super().__init__(seats, options, components, Orders(orders))

    clock = [1_000_000]
    tokens = (f"token-{n:026}" for n in itertools.count())
    chosen = replace(
        settings,
        now=lambda: clock[0],
        token=lambda: next(tokens),
        table_id=lambda: "the-table",
        chance=lambda: SECRET,
        find=lambda _name: Dealt,
    )
    received = []
    with House(chosen) as house:
        made = house.table(TWO, kind.name, clock={"kind": "game", "seconds": 100_000})
        address = house.url.replace("http", "ws") + "/api/tables/the-table/play"
        keys = {0: made["keys"][0], 1: made["keys"][1], SPECTATOR: made["watch"]}
        sessions = {
            who: ask(f"{house.url}/api/tables/the-table/session", "POST", token=keys[who])["session"] for who in sorted(keys, reverse=True)
        }

        def hear(who: Any, raw: Any, until: Any) -> Any:
            while True:
                text = raw.recv(PATIENCE)
                if who == watcher:
                    received.append(text)
                message = json.loads(text)
                assert message["type"] != "error", message
                if until(message):
                    return message

        sockets = {}
        try:
            for who in (watcher, *(other for other in keys if other != watcher)):
                sockets[who] = connect(address, proxy=None, compression=None).__enter__()
                sockets[who].send(json.dumps({"type": "hello", "session": sessions[who], "revision": None}))
                hear(who, sockets[who], lambda m: m["type"] == "welcome")
                for earlier, raw in sockets.items():
                    if who not in (earlier, SPECTATOR):
                        hear(earlier, raw, lambda m: m["type"] == "state")
            turn = kind.new(chance=Orders(orders)).to_move
            for number, move in enumerate(moves):
                clock[0] += 1000 + number
                if watcher not in (SPECTATOR, turn):
                    # Whatever somebody out of turn tries, legal for the other or not, gets one and the same answer.
                    for n, attempt in enumerate((move, "W 5<@1", "R 1>", "pass")):
                        raw = sockets[watcher]
                        raw.send(json.dumps({"type": "move", "id": f"w{number}.{n}", "revision": FIRST + number, "move": attempt}))
                        hear(watcher, raw, lambda m: m["type"] == "refused")
                        raw.send(json.dumps({"type": "preview", "id": f"p{number}.{n}", "revision": FIRST + number, "move": attempt}))
                        hear(watcher, raw, lambda m: m["type"] == "refused")
                elif watcher == turn and number % 3 == 0:
                    raw = sockets[watcher]
                    for n, attempt in enumerate(("W 5<@1", "W m1>@2", "W s1>@2", "R 1>", "R @3", "J black", "C orange", "pass", "x")):
                        raw.send(json.dumps({"type": "preview", "id": f"p{number}.{n}", "revision": FIRST + number, "move": attempt}))
                        hear(watcher, raw, lambda m: m["type"] in {"refused", "previewed"})
                raw = sockets[turn]
                raw.send(json.dumps({"type": "move", "id": f"m{number}", "revision": FIRST + number, "move": move}))
                hear(turn, raw, lambda m: m["type"] == "ack")
                for who, other in sockets.items():
                    turn = hear(who, other, lambda m: m["type"] == "events")["turn"]
            with connect(address, proxy=None, compression=None) as again:
                again.send(json.dumps({"type": "hello", "session": sessions[watcher], "revision": FIRST + 3}))
                received.append(again.recv(PATIENCE))
                again.send(json.dumps({"type": "again", "id": "a", "revision": FIRST, "first": 0, "last": len(moves) - 1}))
                received.append(again.recv(PATIENCE))
                again.send('{"type": "undo", "id": "u"}')
                received.append(again.recv(PATIENCE))
                again.send("garbage")
                with contextlib.suppress(ConnectionClosed):
                    while True:
                        received.append(again.recv(PATIENCE))
        finally:
            for raw in sockets.values():
                raw.__exit__(None, None, None)
    settings.store_path.unlink()
    return received


@pytest.mark.parametrize("watcher", [0, 1, SPECTATOR])
@pytest.mark.parametrize(
    ("name", "seed", "length"), [("druidenwalzer", 1, 24), ("druidenwalzer", 2, 20), ("celtica", 1, 12), ("daemonen", 1, 8)]
)
def test_what_a_watcher_cannot_know_does_not_change_a_byte(settings: Settings, name: str, watcher: int, seed: int, length: int) -> None:
    if name not in playable():
        pytest.skip("this game is not there yet")
    kind = find_game(name)
    moves, orders, swapped = twin_games(kind, watcher, seed, length)
    assert played(kind, orders, moves).events(OPEN) != played(kind, swapped, moves).events(OPEN)
    first = transcript(settings, kind, orders, moves, watcher)
    second = transcript(settings, kind, swapped, moves, watcher)
    assert len(first) > len(moves)
    assert first == second


def test_the_comparison_has_teeth(settings: Settings) -> None:
    """The same swap is seen at once by the one who holds the cards."""
    kind = find_game("druidenwalzer")
    moves, orders, swapped = twin_games(kind, 0, 1, 24)
    assert transcript(settings, kind, orders, moves, 1) != transcript(settings, kind, swapped, moves, 1)
