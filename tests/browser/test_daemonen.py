"""Druiden und Dämonen in a real browser: a whole game by mouse, a phone with four seats, the keyboard alone, the map's window."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from drunemeton.rules.game import find_game

from .conftest import DESK, PHONE, Opener
from .hands import TABLE, play, state
from .test_pages import assert_accessible

SEED = 5


def sit(page: Page, seats: int = 2, **components: int) -> None:
    """A table with the first seat for us and short rules; bots take the others."""
    page.goto("/")
    whole: dict[str, Any] = {**find_game("daemonen").default_components(), **components}
    bots = [{"kind": "bot", "bot": "random"} for _ in range(seats - 1)]
    made = page.request.post(
        "/api/tables", data={"game": "daemonen", "seats": [{"kind": "person"}, *bots], "components": whole, "seed": SEED}
    )
    assert made.ok, made.text()
    page.goto(f"/t/{made.json()['table']}#{made.json()['keys'][0]}")
    page.wait_for_selector(TABLE)
    state(page)


def revision(page: Page) -> str | None:
    return page.get_attribute(TABLE, "data-revision")


def act(page: Page, rng: random.Random) -> None:
    """A button or a lit place, as a person would: point, look, play. Settling is preferred, so that the game ends."""
    touch = page.viewport_size == PHONE
    buttons, places = page.locator("button[data-move]"), page.locator("[data-place]")
    if page.locator(".action").count():
        wanted = page.locator("[data-move='choose populate']")
        button = wanted if wanted.count() else buttons.nth(rng.randrange(buttons.count()))
        button.tap() if touch else button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        button.tap() if touch else button.click()
        return
    over = page.locator("[data-move=end], [data-move=stop]")
    settling = page.locator(".step.now").count() == 0 or places.count() == 0 or "Settle" in page.inner_text(".step.now")
    if not places.count() or (over.count() and not settling and rng.random() < 0.6):
        button = over if over.count() and rng.random() < 0.6 else buttons.first
        button.tap() if touch else button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        button.tap() if touch else button.click()
        return
    place = places.nth(rng.randrange(places.count()))
    name = place.get_attribute("data-place")
    box = place.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = revision(page)
    if touch:
        page.touchscreen.tap(x, y)
        expect(page.locator("[data-armed]").first).to_be_visible()
        assert revision(page) == before, "the first tap only previews"
        page.touchscreen.tap(x, y)
        return
    ghost = page.locator(f"[data-ghost*=' {name}']")
    for _ in range(5):
        page.mouse.move(x, y)
        # A late answer about the move before may take the light away once: then one points again.
        page.wait_for_timeout(60)
        if ghost.count():
            break
        page.mouse.move(3, 3)
    expect(ghost).to_be_attached()
    page.mouse.click(x, y)
    if page.locator("[data-cycle]").count():
        # Several rotations fit: the place is held, and the next click plays.
        page.locator("[data-cycle=right]").click()
        page.mouse.click(x, y)
    page.mouse.move(3, 3)


def test_a_whole_game_by_mouse(opened: Opener) -> None:
    page = opened(DESK)
    sit(page, win=5, setup_fields=3)
    assert play(page, act, random.Random(3), turns=150), "the game goes on and on"
    end = page.locator("dialog[data-end]")
    expect(end).to_be_visible()
    expect(end).to_have_attribute("data-end", "points")
    expect(end.locator("li")).to_have_count(3)


def by_keys(page: Page, rng: random.Random) -> None:
    """Arrows to a button or a lit place, Enter; a button wants it twice."""
    before = revision(page)
    wish = "[data-move='choose populate']"
    for step in range(12):
        page.keyboard.press(rng.choice(["ArrowRight", "ArrowDown"]))
        if step > 0 and page.locator(wish).count() == page.locator(f"{wish}:focus").count():
            break
    page.keyboard.press("Enter")
    expect(page.locator(f"[data-armed], {TABLE}:not([data-revision='{before}'])").first).to_be_visible()
    if page.locator("button[data-move]:focus").count():
        page.keyboard.press("Enter")


def test_a_whole_game_by_keyboard(opened: Opener) -> None:
    page = opened(DESK)
    sit(page, win=3, setup_fields=4)
    assert play(page, by_keys, random.Random(4), turns=150), "the game goes on and on"
    expect(page.locator("dialog[data-end]")).to_be_visible()


def test_a_whole_game_of_four_by_touch(opened: Opener) -> None:
    page = opened(PHONE)
    sit(page, seats=4, win=4, setup_fields=2)
    assert play(page, act, random.Random(6), turns=150), "the game goes on and on"
    expect(page.locator("dialog[data-end]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], "nothing hangs over the edge"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_four_seats_on_a_phone_by_touch(opened: Opener, theme: str) -> None:
    page = opened(PHONE, theme=theme, language="de")
    sit(page, seats=4, setup_fields=2)
    assert_accessible(page, "set-up")
    play(page, act, random.Random(2), turns=2)
    state(page)
    expect(page.locator(".action")).to_have_count(5)
    assert_accessible(page, "choice of actions")
    play(page, act, random.Random(2), turns=4)
    assert state(page) == "mine"
    assert_accessible(page, "in an action")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], "nothing hangs over the edge"
    assert page.locator(".scores li").count() == 4
    assert "web.dd" not in page.inner_text("body")


def test_by_keyboard_alone(opened: Opener) -> None:
    page = opened(DESK)
    sit(page)
    keys = page.keyboard
    keys.press("ArrowRight")
    ghost = page.locator("[data-ghost]")
    expect(ghost).to_be_attached()
    first = ghost.get_attribute("data-ghost") or ""
    keys.press("r")
    expect(ghost).not_to_have_attribute("data-ghost", first)
    turned = ghost.get_attribute("data-ghost") or ""
    assert turned.rsplit(" ", 1)[0] == first.rsplit(" ", 1)[0], "turned on the spot"
    before = revision(page)
    keys.press("Enter")
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    state(page)
    assert page.locator(f"[data-cell='{turned.split()[1]}']").count() == 1
    assert_accessible(page, "map")


def test_the_window_moves_zooms_and_shows_everything_again(opened: Opener) -> None:
    page = opened(DESK)
    page.goto("/")
    page.locator("[data-play=daemonen]").click()
    page.wait_for_selector(TABLE)
    state(page)
    world = page.locator(".world")
    at_first = world.get_attribute("style")
    expect(page.locator(".mini")).to_have_count(0)
    page.mouse.move(300, 500)
    page.mouse.wheel(0, -600)
    expect(page.locator(".mini")).to_be_visible()
    zoomed, before = world.get_attribute("style"), revision(page)
    page.mouse.down()
    page.mouse.move(420, 560, steps=4)
    page.mouse.up()
    assert world.get_attribute("style") not in {at_first, zoomed}
    assert revision(page) == before, "to drag the map is no move"
    page.locator("[data-zoom=fit]").click()
    expect(world).to_have_attribute("style", at_first or "")
