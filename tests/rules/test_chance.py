"""Chance: where shuffles come from, and what binds them."""

from __future__ import annotations

import hashlib
import random
import struct
from collections import Counter
from dataclasses import replace

import pytest

from drunemeton.rules import chance as chances
from drunemeton.rules import kernel
from drunemeton.rules.chance import BY_STEP, Chance, Orders, _below, fits
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.errors import BadOrder, GameError
from drunemeton.rules.game import find_game, playable
from drunemeton.rules.kernel import PILES, STREAM, Desk, mix, seed, shuffle
from drunemeton.table import Table, made

NONE = [0] * PILES
SECRETS = [Chance(b"s" * 32), Chance(b"s" * 32, derivation=BY_STEP), Chance.from_seed(5), Chance.from_seed(5, BY_STEP)]
NAMES = [f"{'secret' if chance.auditable else 'seed'} by {chance.derivation}" for chance in SECRETS]


def laid(chance: Chance, step: int, name: int, count: int, n: int = 30) -> list[int]:
    """A pile shuffled at a desk that chance has prepared."""
    desk = Desk()
    shuffled = NONE[:]
    shuffled[name] = count
    chance.begin(desk, step, shuffled)
    pile = list(range(n))
    shuffle(desk, name, pile, n)
    assert desk.shuffled[name] == count + 1
    assert sorted(pile) == list(range(n))
    return pile


@pytest.mark.parametrize("chance", SECRETS, ids=NAMES)
def test_the_same_secret_gives_the_same_shuffles(chance: Chance) -> None:
    assert laid(chance, 3, 1, 2) == laid(chance, 3, 1, 2) != laid(replace(chance, secret=chance.secret + b"1"), 3, 1, 2)


@pytest.mark.parametrize("chance", [SECRETS[0], SECRETS[2]], ids=[NAMES[0], NAMES[2]])
def test_a_shuffle_follows_from_pile_and_count_not_from_the_step(chance: Chance) -> None:
    assert laid(chance, 3, 1, 2) == laid(chance, 99, 1, 2)
    assert len({tuple(laid(chance, 3, name, count)) for name in range(3) for count in range(3)}) == 9


@pytest.mark.parametrize("chance", [SECRETS[1], SECRETS[3]], ids=[NAMES[1], NAMES[3]])
def test_before_derivations_were_named_it_followed_from_the_step(chance: Chance) -> None:
    assert laid(chance, 3, 1, 2) == laid(chance, 3, 0, 7) != laid(chance, 4, 1, 2)


def test_the_former_derivation_is_as_it_was() -> None:
    # Made by the code of before: words of a step, and the two piles that they shuffle.
    chance, desk, early = Chance(b"s" * 32, derivation=BY_STEP), Desk(), Desk()
    chance.begin(desk, 5, NONE)
    words = struct.unpack(">3I", hashlib.blake2b((5).to_bytes(8, "big"), key=b"s" * 32, digest_size=12).digest())
    seed(early, *words)
    for n in (9, 6):
        one, other = list(range(n)), list(range(n))
        shuffle(desk, 0, one, n)
        mix(early, other, n)
        assert one == other


def test_an_audited_shuffle_is_what_the_documentation_says() -> None:
    """Recomputed from docs/records.md: the hash alone, no generator of ours."""

    def documented(secret: bytes, pile: int, count: int, n: int) -> list[int]:
        blocks = (
            hashlib.blake2b(b"shuffle" + pile.to_bytes(2, "big") + count.to_bytes(4, "big") + block.to_bytes(4, "big"), key=secret)
            for block in range(1000)
        )
        words = (int.from_bytes(block.digest()[at : at + 4], "big") for block in blocks for at in range(0, 64, 4))
        cards = list(range(n))
        for i in range(n - 1, 0, -1):
            word = next(word for word in words if word < 2**32 - 2**32 % (i + 1))
            cards[i], cards[word % (i + 1)] = cards[word % (i + 1)], cards[i]
        return cards

    chance = Chance(bytes(range(32)))
    for pile, count, n in [(0, 0, 2), (1, 0, 60), (0, 3, 110), (7, 70_000, 17)]:
        assert laid(chance, 1, pile, count, n) == documented(chance.secret, pile, count, n)


@pytest.mark.slow
def test_audited_shuffles_reach_every_order_alike() -> None:
    orders = Counter(tuple(laid(SECRETS[0], 0, 2, count, 4)) for count in range(2_400))
    assert len(orders) == 24
    assert sum((n - 100) ** 2 / 100 for n in orders.values()) < 49.7  # 23 degrees, p = 0.001


def test_words_that_would_favour_low_numbers_are_passed_over() -> None:
    assert _below(iter([2**32 - 1, 2**32 - 2, 8]), 6) == 2
    assert _below(iter([2**32 - 5]), 6) == (2**32 - 5) % 6


def test_the_fast_generator_has_no_part_in_audited_shuffles(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the fast generator was asked")

    expected = laid(SECRETS[0], 0, 0, 0)
    for module in (kernel, chances):
        for name in ("below", "mix", "seed"):
            monkeypatch.setattr(module, name, never, raising=False)
    assert laid(SECRETS[0], 0, 0, 0) == expected


def test_an_unknown_derivation_is_refused() -> None:
    with pytest.raises(GameError, match="cards"):
        Chance(b"s" * 32, derivation="cards")


@pytest.mark.parametrize("number", [0, 9, -1, 2**63, 2**64 + 9, 10**30])
def test_any_whole_number_is_the_number_of_a_deal(number: int) -> None:
    deal = Chance.from_seed(number).deal
    assert deal is not None
    assert -(2**63) <= deal < 2**63
    assert (deal - number) % 2**64 == 0


@pytest.mark.parametrize("chance", [*SECRETS, Chance(b"seed of an oak", auditable=False)])
def test_the_desk_is_cleared_after_every_step(chance: Chance) -> None:
    game = Druidenwalzer(2, None, None, chance)
    game.play("1<")
    game.play("1<")
    desk = game.desk
    assert (desk.rng, desk.source, desk.dealer, desk.deal, desk.shuffled) == ([0, 0, 0, 0], STREAM, None, 0, NONE)
    assert not {"rng", "deal", "shuffled"} & game.state.fields.keys()


@pytest.mark.parametrize("name", playable())
def test_the_desk_counts_every_pile(name: str) -> None:
    assert len(find_game(name).script.piles) <= PILES


@pytest.mark.parametrize("chance", SECRETS, ids=NAMES)
def test_the_same_move_brings_the_same_shuffle_after_it_was_taken_back(chance: Chance) -> None:
    table = Table("t", made("druidenwalzer", [{"kind": "person", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}], now=0, chance=chance))
    undone = 0
    while not table.over and undone < 6:
        turn, before = table.turn, len(table.game.steps)
        assert turn is not None
        move = random.Random(before).choice(table.legal(turn))
        if turn == 0:
            table.move(0, move, now=0)
        else:
            table.move_by_bot(turn, table.offered[move], now=0)
        came = table.game.orders()
        if turn == 0 and came[-1]:
            state = table.game.state.copy()
            table.undo(0, now=0)
            assert len(table.game.steps) == before
            table.move(0, move, now=0)
            assert table.game.orders() == came
            assert table.game.state == state
            undone += 1
    assert undone


@pytest.mark.parametrize("chance", SECRETS, ids=NAMES)
def test_shuffles_are_counted_right_where_steps_are_played_again(chance: Chance) -> None:
    later = 0
    for number in range(6):
        game, straight = (Druidenwalzer(2, {"hand": 3, "trees": 2, "stack": 2}, None, chance) for _ in range(2))
        rng = random.Random(number)
        while not game.over:
            seat, move, other = game.to_move, rng.choice(game.legal()), rng.choice(game.legal())
            assert seat is not None
            game.play(other)
            if game.can_undo(seat):
                game.undo(seat)
                game.play(move)
            straight.play(move if game.steps[-1].move == move else other)
            assert game.state == straight.state
        later += sum(map(len, straight.orders()[3:]))
    assert later > 4


def test_a_fresh_secret_has_256_bits_and_takes_in_what_seats_throw_in() -> None:
    first, second = Chance.fresh(), Chance.fresh([b"nonce"])
    assert len(first.secret) == len(second.secret) == 32
    assert first.secret != second.secret
    assert first.auditable


def test_the_commitment_binds_the_secret() -> None:
    chance = Chance.fresh()
    assert chance.commitment == hashlib.sha256(b"drunemeton shuffle\n" + chance.secret).hexdigest()
    assert fits(chance.commitment, chance.secret)
    assert not fits(chance.commitment, chance.secret[:-1] + bytes([chance.secret[-1] ^ 1]))


def test_a_typed_seed_is_repeatable_and_marked() -> None:
    one, two = Druidenwalzer.new(seed=9), Druidenwalzer.new(seed=9)
    for game in (one, two):
        game.play("1<")
        game.play("1>")
    assert one.state == two.state
    assert not one.chance.auditable


@pytest.mark.slow
def test_thinking_never_changes_a_shuffle() -> None:
    quiet, busy = (Druidenwalzer(2, None, None, Chance(b"k" * 32)) for _ in range(2))
    while not quiet.over:
        move = quiet.legal()[-1]
        for considered in busy.legal():
            busy.preview(considered, samples=2)
        quiet.play(move)
        busy.play(move)
        assert quiet.state == busy.state


def test_orders_that_do_not_fit_are_refused_and_nothing_changes() -> None:
    game = Druidenwalzer(2, None, None, Orders([[], [], [[1, 2, 3]]]))
    game.play("1<")
    before = game.state.copy()
    with pytest.raises(BadOrder):
        game.play("1<")
    assert game.state == before
    assert len(game.steps) == 2


def test_missing_orders_do_not_fall_back_to_a_generator() -> None:
    game = Druidenwalzer(2, None, None, Orders([]))
    game.play("1<")
    with pytest.raises(BadOrder):
        game.play("1<")
