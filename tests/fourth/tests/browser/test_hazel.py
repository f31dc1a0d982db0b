"""Hazel in a real browser, at the plain table: from the lobby to the end of a game."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Opener

MOST_TAPS = 80


def test_hazel_is_played_from_the_lobby_to_its_end(opened: Opener) -> None:
    page = opened(preview=False)
    page.goto("/")
    page.locator("[data-play=hazel]").click()
    expect(page.locator("[data-plain-board]")).to_contain_text("Oak")
    move, over = page.locator("[data-move]").first, page.locator("[data-end]")
    for _ in range(MOST_TAPS):
        expect(move.or_(over).first).to_be_visible()
        if over.count():
            break
        move.click()
    expect(over).to_be_visible()
