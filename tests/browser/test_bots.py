"""Bots in a real browser: chosen by level, with name, temper and strength; a hint for who plays them."""

from __future__ import annotations

import random

from playwright.sync_api import expect

from .conftest import Opener
from .hands import TABLE, by_list, play, state


def test_a_level_is_chosen_and_a_hint_is_given(opened: Opener) -> None:
    page = opened(language="de")
    page.goto("/new/druidenwalzer")
    menu = page.locator("select[aria-label]").first
    expect(menu.locator("option")).to_have_count(10)
    menu.select_option("level-2")
    expect(menu.locator("option:checked")).to_have_text("Stufe 2 · Hasel")
    expect(page.locator("[data-temper=level-2]")).to_contain_text("Übersieht vieles")
    page.locator("[data-begin]").click()
    page.wait_for_selector(TABLE)
    play(page, by_list, random.Random(2), turns=6)
    assert state(page) == "mine"
    page.locator("[data-hint]").click()
    first = page.locator("[data-hint-move]").first
    first.wait_for(timeout=90_000)
    expect(page.locator("[data-advice]")).to_contain_text("Gewinnchance")
    expect(page.locator("[data-list-move][data-pointed]")).to_have_attribute("data-list-move", first.get_attribute("data-hint-move") or "?")
    # Once a move is played the hint is gone.
    by_list(page, random.Random(1))
    expect(page.locator("[data-hint-move]")).to_have_count(0)
