"""Intervals that cover, comparisons that do not cry wolf, looks that stay within their chance to err."""

from __future__ import annotations

import math

import numpy as np
import pytest

from drunemeton.lab import stats


def test_an_interval_covers_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    for draw, truth in ((lambda: rng.normal(3, 2, 200), 3.0), (lambda: (rng.random(200) < 0.3).astype(float), 0.3)):
        covered = sum(low <= truth <= high for low, high in ((e.low, e.high) for e in (stats.estimate(draw()) for _ in range(2000))))
        assert 0.93 < covered / 2000 < 0.97


def test_looks_together_err_no_oftener_than_one() -> None:
    for deals in (40, 100, 1000, 9999):
        found = stats.looks(deals, True)
        assert found[-1].deals == deals
        assert [look.deals for look in found] == sorted({look.deals for look in found})
        assert math.isclose(sum(look.part for look in found), 1)
    assert stats.looks(500, False) == [(500, 1.0)]
    rng = np.random.default_rng(2)
    wrong = 0
    for _ in range(1000):
        values = rng.normal(0, 1, 400)
        looked = [stats.estimate(values[: look.deals], stats.SURE * look.part) for look in stats.looks(400, True)]
        wrong += any(one.low > 0 or one.high < 0 for one in looked)
    assert wrong / 1000 < 0.07


def test_holm_keeps_the_chance_of_any_false_finding() -> None:
    assert stats.holm([0.001, 0.04, 0.03, 0.5], 0.05) == [True, False, False, False]
    assert stats.holm([0.001, 0.01, 0.015, 0.5], 0.05) == [True, True, True, False]
    rng = np.random.default_rng(3)
    families = [[stats.chance_of(rng.normal(0, 1, 60)) for _ in range(20)] for _ in range(300)]
    assert sum(any(stats.holm(one, 0.05)) for one in families) / 300 < 0.1


def test_few_changed_deals_prove_little() -> None:
    """Three deals of a thousand that differ are no finding, however exact their mean is."""
    values = np.zeros(1000)
    values[:3] = 1.0
    assert stats.chance_of(values) == 0.25
    assert stats.chance_of(np.zeros(1000)) == 1.0
    values[:40] = 1.0
    assert stats.chance_of(values) < 1e-6


def test_pairing_says_how_many_games_it_saves() -> None:
    rng = np.random.default_rng(4)
    luck = rng.normal(0, 3, 4000)
    base, other = luck + rng.normal(0, 1, 4000), luck + rng.normal(1, 1, 4000)
    assert stats.pairing(base, other) == pytest.approx(10, rel=0.15)
