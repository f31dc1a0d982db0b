"""Laptops and phones as they are: in low windows all that matters is whole, and what was chosen stays chosen."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Opener
from .hands import TABLE, by_list, play, state
from .test_sizes import BOARDS

LAPTOPS = [(1366, 657), (1440, 765), (1536, 730)]
PHONE = (390, 664)
IDS = [f"{width}x{height}" for width, height in [*LAPTOPS, PHONE]]
# The lowest laptop and the phone in `make test`, all of them in `make proof`.
LOW = [pytest.param(*size, marks=[] if size in (LAPTOPS[0], PHONE) else pytest.mark.proof) for size in [*LAPTOPS, PHONE]]
SEATS = {"druidenwalzer": 2, "celtica": 4, "daemonen": 3}
WHOLE = """(one, [width, height]) => {
    const box = one.getBoundingClientRect()
    const scrolls = one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== 'visible'
    const inside = box.width > 0 && box.left >= 0 && box.top >= 0 && box.right <= width + 0.5 && box.bottom <= height + 0.5
    const at = [[0.5, 0.5], [0.5, 0.08], [0.5, 0.92]].map(([x, y]) => [box.left + box.width * x, box.top + box.height * y])
    const covers = (top) => !top || !(one.contains(top) || top.contains(one))
    const covered = at.filter(([x, y]) => covers(document.elementFromPoint(x, y)))
    return { inside, scrolls, covered: covered.length, box: [box.left, box.top, box.right, box.bottom].map(Math.round) }
}"""


def whole(page: Page, piece: Locator, name: str) -> None:
    """All of it is in the window, nothing lies on it, and it does not scroll."""
    window = page.viewport_size
    assert window is not None
    expect(piece).to_be_visible()
    seen = piece.evaluate(WHOLE, [window["width"], window["height"]])
    assert seen["inside"], f"{name} is cut off: {seen['box']}"
    assert not seen["scrolls"], f"{name} shows only a part of itself"
    assert not seen["covered"], f"something lies on {name}: {seen['box']}"


def sit(page: Page, game: str, seed: int = 11) -> dict[str, Any]:
    """A table with bots at the other seats."""
    seats = [{"kind": "person"}, *[{"kind": "bot", "bot": "greedy"}] * (SEATS[game] - 1)]
    page.goto("/")
    made: dict[str, Any] = page.request.post("/api/tables", data={"game": game, "seats": seats, "seed": seed}).json()
    page.goto(f"/t/{made['table']}#{made['keys'][0]}")
    page.wait_for_selector(TABLE)
    assert state(page) == "mine"
    return made


def take_part(page: Page, turns: int) -> None:
    """Play some moves through the list."""
    play(page, by_list, random.Random(3), turns)
    page.mouse.move(3, 3)
    page.keyboard.press("Escape")


@pytest.mark.parametrize("language", ["de", "fr"])
@pytest.mark.parametrize(("width", "height"), LOW, ids=IDS)
def test_every_door_of_the_lobby_is_in_sight(opened: Opener, width: int, height: int, language: str) -> None:
    page = opened({"width": width, "height": height}, language=language)
    page.goto("/")
    for game in SEATS:
        whole(page, page.locator(f"[data-play={game}]"), f"{game}'s door")
    sit(page, "druidenwalzer")
    page.goto("/")
    running = page.locator("[data-continue]")
    whole(page, running, "the running table")
    for game in SEATS:
        whole(page, page.locator(f"[data-play={game}]"), f"{game}'s door below a running table")
    first, then = (
        page.locator(one).evaluate("one => one.getBoundingClientRect().top") for one in ("[data-continue]", "[data-play=celtica]")
    )
    assert first < then, "running tables come first"
    assert page.evaluate("document.documentElement.scrollWidth") <= width


# In `make test` every game at one size, in `make proof` at all.
WINDOWS = [
    pytest.param(game, *size, id=f"{width}x{height}-{game}", marks=[] if once == size else pytest.mark.proof)
    for game, once in zip(SEATS, (PHONE, LAPTOPS[0], PHONE), strict=True)
    for size in [*LAPTOPS, PHONE]
    for width, height in [size]
]


@pytest.mark.parametrize(("game", "width", "height"), WINDOWS)
def test_board_hand_prompt_preview_and_buttons_are_whole(opened: Opener, game: str, width: int, height: int) -> None:
    page = opened({"width": width, "height": height}, language="de")
    phone = (width, height) == PHONE
    sit(page, game)
    take_part(page, 5)
    assert state(page) == "mine"

    def look() -> None:
        whole(page, page.locator(BOARDS[game]).first, "the board")
        whole(page, page.locator("[data-part=status]").first, "the prompt")
        for at, card in enumerate(page.locator("[data-part=held] button[data-hand], [data-part=held] button[data-move]").all()):
            whole(page, card, f"card {at}")
        assert page.evaluate("document.documentElement.scrollHeight") <= height, "the page scrolls"

    look()
    if phone:
        page.locator("[data-open=moves]").click()
    for move in page.locator("[data-list-move]").all()[:3]:
        move.tap() if phone else move.click()
        expect(move).to_have_attribute("aria-pressed", "true")
    if phone:
        page.keyboard.press("Escape")
    expect(page.locator("[data-chosen]:visible")).to_be_visible()
    if not phone:
        expect(page.locator("[data-ahead]")).to_be_visible()
        for name in ("data-armed", "data-ahead", "data-hint", "data-resign"):
            whole(page, page.locator(f"[{name}]").first, name)
        whole(page, page.locator("[data-undo], [data-undo-ask]").first, "take back")
    if not page.locator("[data-warning], [data-sure]").count():
        look()
    whole(page, page.locator("[data-play-armed]").first, "the button that plays")


@pytest.mark.parametrize(("width", "height"), [LAPTOPS[0], PHONE], ids=[IDS[0], IDS[3]])
def test_what_to_press_is_in_sight_before_and_after_the_game(opened: Opener, width: int, height: int) -> None:
    size = {"width": width, "height": height}
    page = opened(size, language="de", known=False)
    page.goto("/")
    page.locator("[data-play=druidenwalzer]").click()
    for way in ("show", "play"):
        whole(page, page.locator(f"[data-first-{way}]"), f"the newcomer's door: {way}")
    page.locator("[data-first-play]").click()
    assert state(page) == "mine"
    if (width, height) == PHONE:
        page.locator("[data-open=settings]").click()
    page.locator("[data-resign]:visible").click()
    page.locator("[data-resign-sure]").click()
    for door in page.locator("dialog[data-end] [data-part=doors] > *").all():
        whole(page, door, f"the end's door: {door.text_content()}")
    page.goto("/")
    past = page.locator("[data-finished]")
    past.scroll_into_view_if_needed()
    across = past.evaluate("one => one.getBoundingClientRect().width / one.closest('li').getBoundingClientRect().width")
    assert across > 0.9, "a finished game is read in a line of its own"
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "person"}]
    made = page.request.post("/api/tables", data={"game": "celtica", "seats": seats}).json()
    page.goto(f"/t/{made['table']}#{made['keys'][0]}")
    page.wait_for_selector(TABLE)
    guest = opened(size, language="de")
    guest.goto(f"/t/{made['table']}#{made['keys'][1]}")
    whole(guest, guest.locator("[data-sit]"), "the guest's door")


@pytest.mark.parametrize(("width", "height"), [LAPTOPS[0], pytest.param(*PHONE, marks=pytest.mark.proof)], ids=[IDS[0], IDS[3]])
def test_a_hint_stands_at_the_prompt_and_its_answer_is_seen(opened: Opener, width: int, height: int) -> None:
    page = opened({"width": width, "height": height}, language="de")
    sit(page, "druidenwalzer")
    take_part(page, 5)
    assert state(page) == "mine"
    button = page.locator("[data-hint]:visible")
    whole(page, button, "the hint's button")
    button.click()
    advice = page.locator("[data-advice]:visible")
    advice.wait_for(timeout=90_000)
    whole(page, advice, "the hint's answer")
    move = page.locator("[data-hint-move]:visible").get_attribute("data-hint-move")
    expect(page.locator("[data-chosen]").first).to_have_attribute("data-chosen", move or "?")
    expect(page.locator("[data-part=ahead]")).to_be_attached()
    page.locator("[data-hint-next]:visible").click()
    expect(page.locator("[data-hint-move]:visible")).not_to_have_attribute("data-hint-move", move or "?")


@pytest.mark.parametrize("game", SEATS)
def test_what_was_chosen_stays_chosen(opened: Opener, game: str) -> None:
    page = opened({"width": 1366, "height": 657})
    sent: list[dict[str, Any]] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(json.loads(frame))))
    sit(page, game)
    take_part(page, 3)
    page.reload()
    assert state(page) == "mine"
    moves = page.locator("[data-list-move]")
    page.mouse.move(3, 3)
    before = page.get_attribute(TABLE, "data-revision")
    moves.first.hover()
    expect(page.locator("[data-armed]")).to_be_visible()
    expect(page.locator("[data-play-armed]")).to_have_count(0)
    moves.first.click()
    wanted = moves.first.get_attribute("data-list-move")
    expect(page.locator("[data-chosen]")).to_have_attribute("data-chosen", wanted or "?")
    assert page.get_attribute(TABLE, "data-revision") == before, "a mouse that pointed has not chosen"
    for other in [*moves.all()[1:3], *page.locator("[data-target]").all()[:3]]:
        other.hover(force=True)
    page.wait_for_timeout(200)
    expect(page.locator("[data-chosen]")).to_have_attribute("data-chosen", wanted or "?")
    expect(page.locator("[data-armed]")).to_have_attribute("data-armed", wanted or "?")
    page.locator("[data-play-armed]").click()
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    assert [one["move"] for one in sent if one["type"] == "move"][-1:] == [wanted]
