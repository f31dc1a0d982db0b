"""Chance: where shuffles come from, and what binds them."""

from __future__ import annotations

import hashlib

import pytest

from drunemeton.rules.chance import Chance, Orders, fits
from drunemeton.rules.druidenwalzer import Druidenwalzer
from drunemeton.rules.errors import BadOrder
from drunemeton.rules.kernel import Desk, below, seed


def test_the_same_secret_and_step_give_the_same_words_and_others_do_not() -> None:
    chance = Chance(b"s" * 32)
    rngs = []
    for step in (0, 1, 0):
        desk = Desk()
        chance.begin(desk, step)
        rngs.append([below(desk, 1 << 30) for _ in range(4)])
    assert rngs[0] == rngs[2] != rngs[1]


def test_a_generator_that_is_set_late_is_the_same() -> None:
    chance, late, early = Chance(b"s" * 32), Desk(), Desk()
    chance.begin(late, 5)
    seed(early, *chance.words(5))
    assert [below(late, 1 << 30) for _ in range(9)] == [below(early, 1 << 30) for _ in range(9)]
    assert late.rng == early.rng


def test_the_generator_is_cleared_after_every_step() -> None:
    game = Druidenwalzer.new()
    game.play("1<")
    game.play("1<")
    assert game.desk.rng == [0, 0, 0, 0]
    assert not any("rng" in name for name in game.state.fields)


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
