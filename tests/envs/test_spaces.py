"""Observations and actions: as described, from knowledge alone, the same by every way, and cheap enough to be measured by `bench envs`."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from drunemeton.envs.describe import page
from drunemeton.envs.many import NEVER, Many
from drunemeton.envs.world import Setting, World, dealt, desk, observe
from drunemeton.observations.druidenwalzer import count_values
from drunemeton.observations.layout import file_of, layout_of
from drunemeton.rules.errors import BadOption, GameError, IllegalMove
from drunemeton.rules.game import Game, find_game, legal, playable, to_move
from drunemeton.rules.kernel import SPECTATOR, Desk, Generic, native
from tests.envs.play import NO_ACTIONS, SETTINGS, pick
from tests.noninterference import leaks, twin_of

DOCS = Path(__file__).parents[2] / "docs" / "envs"


def seen(game: Game, seat: int) -> tuple[list[int], list[int]]:
    """What a seat of a game observes, by the plain rules: entries, and legal actions."""
    own = file_of(type(game))
    cast(Generic, observe).bind(game.knowledge_type, own.observe)
    row = [0] * layout_of(game.name, game.seats).size
    own.observe(game.knowledge[seat], game.knowledge[seat], seat, row)
    desk = Desk()
    count = legal(game.knowledge[seat], desk) if to_move(game.knowledge[seat]) == seat else 0
    return row, sorted(desk.moves[:count])


@pytest.mark.parametrize(("name", "seats", "options"), SETTINGS)
def test_an_observation_is_as_described_and_the_same_plain_and_compiled(name: str, seats: int, options: dict[str, Any]) -> None:
    rng = random.Random(f"{name} {seats}")
    setting = Setting(name, seats, options)
    low, high = setting.layout.bounds()
    world = World(setting)
    world.deal(11)
    game = find_game(name).new(seats=seats, seed=11, options=options)
    for _ in range(120):
        if game.to_move is None:
            break
        for seat in range(seats):
            row, mask = world.look(seat)
            assert ((low <= row) & (row <= high)).all(), [
                f for f, at in setting.layout.at.items() if (row[at] < low[at]).any() or (row[at] > high[at]).any()
            ]
            plain, allowed = seen(game, seat)
            assert row.tolist() == plain
            assert np.flatnonzero(mask).tolist() == allowed
        action = rng.choice(game.actions())
        game.play(action)
        world.play(action)
    assert world.mover == (-1 if game.to_move is None else game.to_move)


@pytest.mark.parametrize("name", playable())
def test_the_actions_are_numbered_without_gap_or_overlap(name: str) -> None:
    game = find_game(name)
    end = 0
    for kind in layout_of(name, game.players[0]).actions:
        assert kind.first == end, kind.name
        end += kind.size
    assert end == game.action_count


def test_an_observation_says_what_the_view_says() -> None:
    """Not only written and described alike: field by field it is what the table shows."""
    rng = random.Random(5)
    for seed in range(6):
        game = find_game("druidenwalzer").new(seed=seed)
        for _ in range(40):
            if game.to_move is None:
                break
            seat = game.to_move
            layout = layout_of("druidenwalzer", 2)
            row = np.array(seen(game, seat)[0])
            view = game.view(seat)
            order = sorted(range(len(view["trees"])), key=lambda n: ((n // 4) ^ seat, n % 4))
            assert layout.read(row, "tokens").ravel().tolist() == [view["trees"][n]["tokens"] for n in order]
            assert layout.read(row, "height").ravel().tolist() == [view["trees"][n]["cards"] for n in order]
            names = ("sun", "moon")
            assert layout.read(row, "pile").tolist() == [view["pile"][names[seat]], view["pile"][names[1 - seat]]]
            own = [int(card[1]) if card else 0 for card in view["hand"][names[seat]]]
            assert layout.read(row, "hand")[0, :, 0].tolist() == own
            assert layout.read(row, "hand")[1, :, 0].tolist() == [
                0 if c is None else -1 if c == "?" else int(c[1]) for c in view["hand"][names[1 - seat]]
            ]
            cards = sum(layout.read(row, "unseen").ravel()) + sum(view["trees"][n]["cards"] > 0 for n in order)
            assert cards <= 120
            game.play(rng.choice(game.actions()))


@pytest.mark.parametrize("name", playable())
def test_every_axis_is_described(name: str) -> None:
    low, high = find_game(name).players
    for seats in range(low, high + 1):
        layout = layout_of(name, seats)
        named = [axis for field in layout.fields.values() for axis in field.by]
        assert set(named) == set(layout.axes)
        for field in layout.fields.values():
            assert len(field.by) == (0 if field.shape == (1,) else len(field.shape)), field.name
            assert all(field.shape[i] == seats for i, axis in enumerate(field.by) if axis == "player"), field.name


@pytest.mark.parametrize(("name", "seats"), [("celtica", 2), ("celtica", 4), ("daemonen", 3)])
def test_players_are_counted_from_the_one_who_looks(name: str, seats: int) -> None:
    """Himself first, then the next seat and so on; hands of Celtica by kind of card, then by player."""
    world = World(Setting(name, seats))
    layout = world.setting.layout
    rng = random.Random(1)
    world.deal(1)
    apart = set()
    for _ in range(60 if name == "celtica" else 200):
        world.play(pick(rng, world.look(world.mover)[1]))
        for seat in range(seats):
            row, known = world.look(seat)[0], world.knowledge(seat)
            round_the_table = [(seat + i) % seats for i in range(seats)]
            assert layout.read(row, "turn")[0] == round_the_table.index(known.turn)
            if name == "celtica":
                shown = layout.read(row, "hand_size").tolist()
                assert shown == [[known.hand_size[deck * 5 + who] for who in round_the_table] for deck in (0, 1)]
                assert layout.read(row, "parts").tolist() == [list(known.parts[who]) for who in round_the_table]
            else:
                shown = layout.read(row, "players")[:, [0, 1, 5]].tolist()
                assert shown == [[known.points[who], known.reserve[who], known.trophies[who]] for who in round_the_table]
            apart.add(str(shown))
    assert len(apart) > 2 * seats


def test_what_druidenwalzer_says_of_set_up_and_end() -> None:
    """As the documentation has it: druids to set from 0, nothing unseen before the shuffle, empty trees marked until the next turn."""
    marked = 0
    for number in range(40):
        world = World(Setting("druidenwalzer"))
        layout = world.setting.layout
        rng = random.Random(number)
        mover, setting, fill = world.deal(number), [], 0
        while mover >= 0:
            row, mask = world.look(mover)
            phase = int(layout.read(row, "phase")[0])
            if phase == 0:
                assert layout.read(row, "pile").tolist() == [30, 30 - len(world.actions)]
                assert not layout.read(row, "unseen").any()
            elif phase == 1:
                setting.append(int(layout.read(row, "setting")[0]))
                # Six cards in each pile, four face down at each tree, three in the other hand.
                assert layout.read(row, "unseen").sum(axis=1).tolist() == [6 + 16, 6 + 16 + 3]
            else:
                assert layout.read(row, "setting")[0] == 0
            mover = world.play(pick(rng, mask))
            fill = int(layout.read(row, "must_fill").sum())
        assert setting == [0, 1, 2, 0, 1, 2]
        last = layout.read(world.look(0)[0], "must_fill").sum()
        marked += int(last > 0 and last == fill)
    assert marked > 0


# --- Non-interference ----------------------------------------------------------------------------------------------


def positions(name: str, number: int) -> Game:
    rng = random.Random(number)
    low, high = find_game(name).players
    game = find_game(name).new(seats=rng.randint(low, high), seed=number)
    for _ in range(rng.randint(8, 60)):
        if game.over:
            break
        game.play(rng.choice(game.actions()))
    return game


@pytest.mark.parametrize("name", playable())
def test_no_observation_tells_what_its_seat_cannot_know(name: str) -> None:
    channels = {"observation": seen}
    for number in range(20):
        game = positions(name, number)
        for seat in range(game.seats):
            assert leaks(game, seat, random.Random(number), channels) == []


def leaky(game: Game, seat: int) -> Any:
    """An observation of the true state, as it would be if somebody took the wrong record."""
    row = [0] * layout_of(game.name, game.seats).size
    truth = game.knowledge_type()
    truth.assign(game.state)
    file_of(type(game)).observe(truth, truth, seat, row)
    return row


@pytest.mark.parametrize("name", ["druidenwalzer", "celtica"])
def test_a_planted_leak_is_noticed(name: str) -> None:
    found = []
    for number in range(20):
        game = positions(name, number)
        found += [leaks(game, seat, random.Random(number), {"leaky": leaky}) for seat in range(game.seats)]
    if name == "druidenwalzer":
        assert ["leaky"] in found
    # An observation of Celtica has no entry for a card of another hand: there a leak would have to come through a new field.
    told = [leaks(positions(name, n), 0, random.Random(n), {"hands": lambda game, seat: game.state.hand}) for n in range(10)]
    assert ["hands"] in told


@pytest.mark.parametrize(("name", "seats", "options"), SETTINGS)
def test_the_vector_shows_what_a_seat_knows_and_nothing_else(name: str, seats: int, options: dict[str, Any]) -> None:
    """There an observation is made of what everybody was told and of a memory of what that seat alone was told, over the one before it.

    It must be what folding each seat's own events gives.
    """
    setting = Setting(name, seats, options)
    many = Many(setting, 3, "self", 0, 5000)
    many.deal(np.array([5, 6, 7]), np.ones(3, bool))
    # The same games, with what every seat was told folded seat by seat.
    worlds = [World(setting) for _ in range(3)]
    for number, world in zip((5, 6, 7), worlds, strict=True):
        world.deal(number)
    rng = random.Random(3)
    for step in range(500):
        actions = np.zeros(3, np.int64)
        for i, world in enumerate(worlds):
            if many.courses["done"][i]:
                continue
            seat = int(many.courses["seat"][i])
            row, mask = world.look(seat)
            assert many.rows[i].tolist() == row.tolist()
            assert many.masks[i].tolist() == mask.tolist()
            if step % 25 == 0:
                assert many.view(i) == world.view(seat)
            actions[i] = pick(rng, mask)
            world.play(int(actions[i]))
        if many.courses["done"].any():
            break
        many.step(actions, NEVER)


@pytest.mark.parametrize("name", ["druidenwalzer", "celtica"])
def test_the_others_of_an_imagined_world_know_what_they_would(name: str) -> None:
    """A sampled world: each of the others knows its own hand there, and what everybody was told, and no more than that."""
    from drunemeton.envs.spiel import HeldGame

    setting = Setting(name, 3 if name == "celtica" else 2)
    table = HeldGame(setting)
    table.dealt = dealt(5)
    table.play(-1)
    rng = random.Random(8)
    for _ in range(25 if name == "druidenwalzer" else 3):
        table.play(rng.choice(table.legal()))
    seat = table.player
    before = table.knows[seat].tobytes()
    other = (seat + 1) % setting.seats
    hands = set()
    for number in range(40):
        world = table.imagined(seat, number)
        known = setting.game.knowledge_type.from_box(world.knows, other)
        state = setting.game.state_type.from_box(world.states)
        assert world.knows[seat].tobytes() == before
        hands.add(str(file_of(setting.game).private(world.knows[other], other)))
        rows = [other] if name == "druidenwalzer" else [other, other + 5]
        assert all(cast(Any, known).hand[row] == cast(Any, state).hand[row] for row in rows)
    assert len(hands) > 5


@pytest.mark.parametrize("size", [0, 1, 40, 64, 65, 100, 120])
def test_cards_are_counted_alike_in_both_worlds(size: int) -> None:
    """Compiled, 64 places at once; a deck of one's own may have more cards than that."""
    rng = random.Random(size)
    cards = [rng.randint(1, 9) | rng.getrandbits(2) << 4 for _ in range(size)] + [0] * (120 - size)
    packed = 0
    for card in cards[:size]:
        packed += 1 << 7 * ((card & 15) - 1)
    assert count_values(cards, size) == packed
    assert cast(Any, native(count_values))(np.array(cards, np.int8), size) == packed


# --- Refusals, documentation ---------------------------------------------------------------------------------------


def test_what_cannot_be_is_refused_with_a_reason() -> None:
    with pytest.raises(BadOption, match=r"takes 2$"):
        Setting("druidenwalzer", 3)
    with pytest.raises(BadOption, match="unknown"):
        Setting("celtica", 2, {"wings": 1})
    for wrong in ({"options": "trees=3"}, {"components": "mine.toml"}, {"options": [("trees", 3)]}):
        with pytest.raises(GameError, match="should be a mapping"):
            Setting("celtica", 2, **wrong)  # type: ignore[arg-type]
    world = World(Setting("druidenwalzer"))
    rng = desk()["rng"].tolist()  # of whatever this thread's worlds did last, such as resampling
    with pytest.raises(GameError, match="over"):
        world.play(0)
    world.deal(1)
    before = world.states.tobytes()
    with pytest.raises(IllegalMove, match="DW-"):
        world.play(30)
    assert world.states.tobytes() == before
    assert desk()["rng"].tolist() == rng
    for seats in (0, 1, -2):
        with pytest.raises(BadOption, match="takes 2 to 5"):
            Setting("celtica", seats)


@pytest.mark.parametrize("name", playable())
def test_a_number_that_is_no_action_changes_nothing(name: str) -> None:
    """Least of all may it deal anew in the middle of a game."""
    world, twin = World(Setting(name)), World(Setting(name))
    rng = random.Random(3)
    for each in (world, twin):
        each.deal(2)
    for _ in range(12):
        for action in (*NO_ACTIONS, find_game(name).action_count):
            with pytest.raises(IllegalMove, match=f"^{action} is no action: they have the numbers from 0 to"):
                world.play(action)
        action = pick(rng, world.look(world.mover)[1])
        world.play(action)
        twin.play(action)
        assert world.states.tobytes() == twin.states.tobytes()
        assert world.knows.tobytes() == twin.knows.tobytes()
        assert world.actions == twin.actions


@pytest.mark.parametrize("name", playable())
def test_the_documentation_of_the_spaces_is_up_to_date(name: str) -> None:
    """Written by `python -m drunemeton.envs.describe docs/envs`."""
    assert (DOCS / f"{name}.md").read_text(encoding="utf-8") == page(name)


def test_a_twin_differs_in_what_is_hidden() -> None:
    game = positions("druidenwalzer", 1)
    assert any(str(twin_of(game, 0, random.Random(n)).state.hand[1]) != str(game.state.hand[1]) for n in range(9))
    assert SPECTATOR not in range(game.seats)
