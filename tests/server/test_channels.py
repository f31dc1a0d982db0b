"""Non-interference of what a table and its server do beside the game: two worlds that differ only in what somebody cannot know, and what he
gets by trying. Each channel is also shown a planted leak, which it must find.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from drunemeton.client import ServerError, ask
from drunemeton.rules.chance import Chance, Orders
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.game import find_game
from drunemeton.rules.kernel import SPECTATOR
from drunemeton.server import Settings
from drunemeton.store import Pass, SqliteStore, Summary
from drunemeton.store.writer import Writer, named
from drunemeton.table import Refused, Table, made

from .house import TWO, CheckedClient, House
from .test_noninterference import twin_games

World = Any
Channel = Callable[[World], Any]


def leaks(channel: Channel, one: World, other: World) -> bool:
    return json.dumps(channel(one), default=str) != json.dumps(channel(other), default=str)


# --- Undo with a bot in a person's seat


def dealt_table(orders: Any, moves: Any) -> Table:
    class Dealt(Druidenwalzer):
        def __init__(self, seats: Any, options: Any, components: Any, chance: Any) -> None:
            super().__init__(seats, options, components, Orders(orders))

    def find(_name: Any) -> Any:
        return Dealt

    table = Table("t", made("druidenwalzer", TWO, now=0, chance=Chance(b"the same"), find=find), find=find)
    for number, move in enumerate(moves):
        table.move(table.turn, move, now=number)
    return table


def undo_with_a_bot(world: Any) -> Any:
    """What seat 0 was told of steps that are hidden again afterwards, whatever the bot in seat 1 plays."""
    return [_taken_back(dealt_table(*world), number) for number in range(12)]


def _taken_back(table: Table, number: int) -> Any:
    before = len(table.game.steps)
    table.bot_takes(1, now=100, bot="random", asked_by=0)
    with contextlib.suppress(Refused):
        while table.turn == 1:
            actions = table.game.actions()
            table.move_by_bot(1, actions[number % len(actions)], now=101)
        told = table.game.events(0, since=before)
        while len(table.game.steps) > before:
            table.undo(0, now=102, away={1})
        return told
    return None


@pytest.fixture(scope="module")
def twins() -> Any:
    """Moves after which seat 1 is on turn, and two deals that seat 0 cannot tell apart."""
    for seed in range(1, 40):
        moves, orders, swapped = twin_games(Druidenwalzer, 0, seed, 24)
        while moves:
            table = dealt_table(orders, moves)
            if table.turn == 1 and dealt_table(swapped, moves).game.view(1) != table.game.view(1):
                return moves, orders, swapped
            moves = moves[:-1]
    raise AssertionError("no such game was found")


def test_undo_with_a_bot_in_a_persons_seat(twins: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    moves, *deals = twins
    one, other = ((orders, moves) for orders in deals)
    assert dealt_table(*one).state(0, 0)["view"] == dealt_table(*other).state(0, 0)["view"]
    assert not leaks(undo_with_a_bot, one, other)

    def bots_never_object(table: Any, asker: Any, steps: Any) -> Any:
        return {n for n, seat in enumerate(table.seats) if n != asker and seat.kind == "person" and seat.bot is None}

    monkeypatch.setattr(Table, "must_agree", bots_never_object)
    assert leaks(undo_with_a_bot, one, other)


# --- An open seat


def open_seat(table: Table) -> Any:
    """Everything that the maker of a table can get before anybody has taken the open seat."""
    found: list[Any] = []
    table.enter(0, now=1)
    for seat in (0, 1, None):
        watcher = SPECTATOR if seat is None else seat
        found += [table.state(seat, 2), table.legal(seat), table.events_since(0, watcher), table.because_since(0, watcher)]
    for attempt in (
        lambda: table.move(0, "1<", now=3),
        lambda: table.undo(0, now=3),
        lambda: table.bot_takes(0, now=3, bot="random"),
        lambda: table.resign(0, now=3, bot="random"),
    ):
        with contextlib.suppress(Refused):
            found.append(attempt())
    return found


def waiting_table(secret: bytes) -> Table:
    return Table("t", made("celtica", [{"kind": "person"}, {"kind": "open"}], now=0, chance=Chance(secret)) | {"waits": True})


def test_an_open_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not leaks(open_seat, waiting_table(b"one"), waiting_table(b"other"))
    shown = Table.seen_by
    monkeypatch.setattr(Table, "seen_by", lambda table, seat: shown(table, seat) | {"view": table.game.view(0)})
    assert leaks(open_seat, waiting_table(b"one"), waiting_table(b"other"))


# --- A clock set back


class ByTheClock(Writer):
    """Keeps the passes that a clock calls the newest."""

    def add_passes(self, passes: Any, keep: int = 0) -> None:
        super().add_passes(passes)
        for _digest, table, seat, _made, session in passes if keep else []:
            self._connection.execute(
                "delete from passes where table_id = :table and session = :session and seat is :seat and digest not in"
                " (select digest from passes where table_id = :table and session = :session and seat is :seat"
                " order by made desc limit :keep)",
                {"table": table, "session": session, "seat": seat, "keep": keep},
            )


def clock_set_back(world: Any) -> Any:
    """What the maker's old key opens once somebody has sat down, an hour earlier by the clock."""
    path, writer, secret = world
    store = SqliteStore(path)
    writing = writer(store.path)
    table = waiting_table(secret)
    hour = 3_600_000
    first = {"do": "create", "table": ["t", "celtica", hour, Summary(hour, False, 1)], "first": "{}"}
    assert "problem" not in writing.do(json.dumps(first | {"passes": named([Pass(b"maker", "t", 1, hour)])}).encode())
    sat = {"do": "add_passes", "passes": named([Pass(b"sitter", "t", 1, 0)]), "keep": 1}
    assert "problem" not in writing.do(json.dumps(sat).encode())
    table.enter(0, now=1)
    table.sit(1, "Bo", now=2)
    found = store.find_pass(b"maker", session=False)
    writing.close()
    store.close()
    return None if found is None else table.state(found.seat, 3)["view"]


def test_a_clock_set_back(tmp_path: Path) -> None:
    def world(writer: Any, secret: Any) -> Any:
        return tmp_path / f"{writer.__name__}{secret.decode()}.db", writer, secret

    assert not leaks(clock_set_back, world(Writer, b"one"), world(Writer, b"other"))
    assert leaks(clock_set_back, world(ByTheClock, b"one"), world(ByTheClock, b"other"))


# --- A typed seed


def typed_seed(world: Any) -> Any:
    """What somebody who tries all small seeds knows of the hand of a person at another device."""
    house, seed = world
    table = house.table(TWO, "celtica", seed=seed)
    with CheckedClient.join(table["links"][0]):
        try:
            session = ask(f"{house.url}/api/tables/{table['table']}/session", "POST", token=table["keys"][1])
        except ServerError as refused:
            return refused.code
        found = next(n for n in range(100) if Chance.from_seed(n).commitment == table["commitment"])
        assert session["seat"] == 1
        return find_game("celtica").new(seed=found).view(1)


def test_a_typed_seed(settings: Settings) -> None:
    with House(settings) as house:
        assert not leaks(typed_seed, (house, 3), (house, 4))
    with House(replace(settings, seeds_anywhere=True)) as house:
        assert leaks(typed_seed, (house, 3), (house, 4))
