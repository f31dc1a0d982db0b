"""How released records and tables are made: `python -m tests.records.release NAME` adds today's games, and never changes an old file.

NAME says which day's code it was. The moves are half a bot's and half chance's, so that games reach their ends through many rules.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from drunemeton import records
from drunemeton.bots import make_bot
from drunemeton.rules.chance import Chance
from drunemeton.rules.game import Game, Result, find_game
from drunemeton.store.migrations import VERSION, migrate
from drunemeton.table import Table, made

RELEASED = Path(__file__).parent / "released"
Choose = Callable[[Game], int]
STORES = Path(__file__).parents[1] / "store" / "running"


class Kind(NamedTuple):
    """One record: a game, its seats and options, and how far it is played."""

    game: str
    what: str
    seats: int
    options: Mapping[str, Any] = {}
    changes: Mapping[str, Any] = {}
    seed: int | None = None
    moves: int | None = None
    left: str = ""


KINDS = (
    Kind("druidenwalzer", "default", 2),
    Kind("druidenwalzer", "seed", 2, seed=7),
    Kind("druidenwalzer", "variants", 2, {"moon_row": "mirrored", "conquered_cards": "tree_owner", "cover_protects": True}),
    Kind("druidenwalzer", "handicap", 2, {"handicap_sun": ["5<", "5>"], "trees": 3, "stack": 4, "hand": 2, "draw_after": 20}),
    Kind("druidenwalzer", "resigned", 2, moves=20, left="resigned"),
    Kind("druidenwalzer", "running", 2, moves=25),
    Kind("celtica", "two", 2),
    Kind("celtica", "three", 3, {"first_player": 2}),
    Kind("celtica", "four", 4, seed=14),
    Kind("celtica", "five", 5),
    Kind("celtica", "components", 3, {}, {"druid_cards": 9, "experience_cards": 3, "parts_per_kind": 6}),
    Kind("celtica", "running", 3, moves=30),
    Kind("daemonen", "two", 2),
    Kind("daemonen", "three", 3, {"first_player": 1, "jump": "line", "capture_support": "adjacent"}),
    Kind("daemonen", "four", 4, seed=9),
    Kind("daemonen", "variants", 2, {"centre_radius": 0, "may_decline": True, "light_repeat": False, "one_exchange": True, "jump": "none"}),
    Kind("daemonen", "no-return", 2, {"temples_return": False, "demons_return": False, "portals_conduct_demons": False}),
    Kind("daemonen", "components", 2, {}, {"win": 9, "demons": 9, "temples": 6, "setup_fields": 2}),
    Kind("daemonen", "running", 3, moves=60),
)


def chooser(game: type[Game], rng: random.Random) -> Choose:
    """Who plays: chance and greedy, half and half."""
    greedy = make_bot(game, "greedy", plain=True)

    def choose(playing: Game) -> int:
        actions = playing.actions()
        if rng.random() < 0.5:
            return int(rng.choice(actions))
        assert playing.to_move is not None
        return int(greedy.choose(playing.knowledge[playing.to_move], seed=rng.getrandbits(32)))

    return choose


def played(kind: Kind) -> str:
    """The record of one game."""
    game_type, rng = find_game(kind.game), random.Random(f"{kind.game} {kind.what}")
    chance = Chance(rng.randbytes(32)) if kind.seed is None else Chance.from_seed(kind.seed)
    components = {**game_type.default_components(), **kind.changes} if kind.changes else None
    game = game_type(kind.seats, kind.options, components, chance)
    choose = chooser(game_type, rng)
    while not game.over and (kind.moves is None or len(game.steps) <= kind.moves):
        game.play(choose(game))
    return records.write(game, Result(kind.left, (2, 1)) if kind.left else None)


def play_on(table: Table, choose: Choose, now: int) -> int:
    """Whoever is on turn plays; who it was."""
    seat, action = table.turn, choose(table.game)
    assert seat is not None
    if table.seats[seat].bot:
        table.move_by_bot(seat, action, now=now)
    else:
        table.move(seat, table.game.move_text(table.game.state, action), now=now, ident=f"m{now}")
    return seat


def table_of(name: str) -> Table:
    """A running table: a person with a clock, an open seat that was taken, bots, moves taken back, somebody away."""
    game_type, rng = find_game(name), random.Random(name)
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "open"}, {"kind": "bot", "bot": "greedy", "name": "Bo"}][: game_type.players[1]]
    opening = made(name, seats, now=1000, clock={"kind": "game", "seconds": 3600}, chance=Chance(rng.randbytes(32)))
    table, choose = Table(name, opening), chooser(game_type, rng)
    table.sit(1, "Cy", now=1500)
    for n in range(40):
        seat = play_on(table, choose, 2000 + 700 * n)
        if n % 10 == 5 and table.seats[seat].bot is None and table.game.can_undo(seat):
            table.undo(seat, now=2300 + 700 * n)
    table.bot_takes(1, bot="greedy", now=40_000)
    play_on(table, choose, 40_500)
    return table


def write_store(path: Path) -> None:
    """A store with one running table of each game as SQL, and beside it the records that it must come back as."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection)
    for name in sorted({kind.game for kind in KINDS}):
        table = table_of(name)
        connection.execute("insert into tables (id, game, made, touched) values (?, ?, 1000, 40500)", (name, name))
        for number, entry in enumerate(table.entries):
            connection.execute("insert into entries (table_id, number, entry) values (?, ?, ?)", (name, number, json.dumps(entry)))
        path.with_name(f"{path.stem}-{name}.txt").write_text(records.write(table.game), encoding="utf-8")
    path.write_text("\n".join([f"pragma user_version = {VERSION};", *connection.iterdump()]) + "\n", encoding="utf-8")


def main(name: str) -> None:
    """Today's games beside the old ones."""
    for kind in KINDS:
        target = RELEASED / f"{kind.game}-{name}-{kind.what}.txt"
        if not target.exists():
            target.write_text(played(kind), encoding="utf-8")
    store = STORES / f"{name}.sql"
    if not store.exists():
        write_store(store)


if __name__ == "__main__":
    main(sys.argv[1])
