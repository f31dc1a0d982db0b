"""How a person plays: by mouse, by touch, by keyboard alone, or through the list of moves."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

TABLE = "main[data-revision]"
SHEET = "dialog[open]:not([data-end])"
READY = f"{TABLE}[data-state=mine], {TABLE}[data-state=over]"
Turn = Callable[[Page, random.Random], None]


def sit_down(page: Page) -> None:
    """From the lobby to a table against the default bot."""
    page.goto("/")
    page.locator("[data-play=druidenwalzer]").click()
    page.wait_for_selector(TABLE)


def come_in(page: Page, link: str) -> None:
    """Follow a link to a seat; whoever is invited is greeted first."""
    page.goto(link)
    page.locator(f"{TABLE}, [data-sit]").first.wait_for(state="attached")
    if page.locator("[data-sit]").count():
        page.locator("[data-sit]").click()
    page.locator(TABLE).first.wait_for(state="attached")


def state(page: Page) -> str:
    """Wait until we may act or the game is over, and say which."""
    page.wait_for_selector(READY)
    return page.get_attribute(TABLE, "data-state") or ""


def play(page: Page, turn: Turn, rng: random.Random, turns: int = 400) -> bool:
    """Play up to so many of our turns; whether the game is over then."""
    for _ in range(turns):
        if state(page) == "over":
            return True
        before = page.get_attribute(TABLE, "data-revision")
        turn(page, rng)
        page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    return state(page) == "over"


def card_point(spot: Locator) -> tuple[float, float]:
    """The middle of the card at one of the own places: the crown is outside, and a druid may stand on it."""
    box = spot.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.24


def _pick(page: Page, rng: random.Random) -> None:
    """Take up a card, if it is time for that."""
    cards = page.locator("button[data-hand]:not([data-idle])")
    if cards.count():
        card = cards.nth(rng.randrange(cards.count()))
        card.tap() if page.viewport_size and page.viewport_size["width"] < 500 else card.click()


def _choices(page: Page) -> Locator:
    return page.locator("[data-target]")


def plays_at_once(button: Locator) -> bool:
    """Whether the first press plays: what can be taken back and means only one thing."""
    return button.get_attribute("data-at-once") is not None


def _plays_by_button(page: Page, rng: random.Random, press: Callable[[Locator], None]) -> bool:
    """Press a button that is a move, if there is one, until it is played."""
    buttons = page.locator("button[data-move]")
    if not buttons.count():
        return False
    button = buttons.nth(rng.randrange(buttons.count()))
    at_once = plays_at_once(button)
    press(button)
    if not at_once:
        expect(button).to_have_attribute("aria-pressed", "true")
        press(button)
    return True


def by_mouse(page: Page, rng: random.Random) -> None:
    """Click a card, then a place twice: hovering previews, the first click chooses, the second plays."""
    if _plays_by_button(page, rng, Locator.click):
        return
    _pick(page, rng)
    targets = _choices(page)
    if targets.count() == 0:
        by_list(page, rng)
        return
    x, y = card_point(targets.nth(rng.randrange(targets.count())))
    page.mouse.move(x, y)
    expect(page.locator("[data-armed]")).to_be_visible()
    page.mouse.click(x, y)
    expect(page.locator("[data-chosen]")).to_be_visible()
    page.mouse.click(x, y)
    page.mouse.move(3, 3)


def by_touch(page: Page, rng: random.Random) -> None:
    """Tap a card, then a place twice: the first tap previews, the second plays."""
    if _plays_by_button(page, rng, Locator.tap):
        return
    _pick(page, rng)
    targets = _choices(page)
    if targets.count() == 0:
        by_list(page, rng)
        return
    x, y = card_point(targets.nth(rng.randrange(targets.count())))
    before = page.get_attribute(TABLE, "data-revision")
    page.touchscreen.tap(x, y)
    expect(page.locator("[data-armed]").first).to_be_visible()
    assert page.get_attribute(TABLE, "data-revision") == before, "the first tap only previews"
    page.touchscreen.tap(x, y)


def by_keyboard(page: Page, rng: random.Random) -> None:
    """Number keys take up a card, arrows go from place to place, Enter plays."""
    keys = page.keyboard
    if (cards := page.locator("button[data-hand]:not([data-idle])")).count():
        place = cards.nth(rng.randrange(cards.count())).get_attribute("data-hand")
        keys.press(str(int(place or 0) + 1))
    if _choices(page).count() == 0 and page.locator("button[data-move]").count() == 0:
        _tab_to_a_move(page)
        return
    for _ in range(rng.randint(1, 6)):
        keys.press("ArrowRight")
    if page.locator("button[data-move]").count():
        keys.press("Enter")
    keys.press("Enter")


def _tab_to_a_move(page: Page) -> None:
    """With nothing to point at, the list of moves is a few Tabs away; on a phone behind its button."""
    if (drawer := page.locator("[data-open=moves]")).count():
        drawer.focus()
        page.keyboard.press("Enter")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.locator("[data-list-move]:focus").count():
            page.keyboard.press("Enter")
            return
    raise AssertionError("no move can be reached by Tab")


def by_list(page: Page, rng: random.Random) -> None:
    """Through the list of legal moves."""
    drawer = page.locator("[data-open=moves]")
    if drawer.count():
        drawer.click()
    moves = page.locator("[data-list-move]")
    move = moves.nth(rng.randrange(moves.count()))
    phone = page.viewport_size is not None and page.viewport_size["width"] < 500
    # On a phone nothing hovers: a mouse would point first, and the sheet would grow below it.
    at_once = plays_at_once(move)
    move.tap() if phone else move.click()
    if not at_once:
        expect(move).to_have_attribute("aria-pressed", "true")
        move.tap() if phone else move.click()
    # What a move brings is told within the list. If that comes between aiming and touching, its neighbour is marked, and one touches again.
    for _ in range(3):
        if _closed(page, within=5):
            return
        move.tap() if phone else move.click()
    expect(page.locator(SHEET)).to_have_count(0)


def _closed(page: Page, within: float) -> bool:
    """Whether the sheet is put away. Counted, not waited for: a wait that runs out keeps a handle to the sheet, and to the hand with it."""
    latest = time.monotonic() + within
    while page.locator(SHEET).count():
        if time.monotonic() > latest:
            return False
        page.wait_for_timeout(50)
    return True
