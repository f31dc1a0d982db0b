"""Being able to follow: nobody is played for silently, and what happened is told with its reason."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from .conftest import DESK, PHONE, Opener
from .hands import TABLE, by_list, play, state

LIGHT = "button[data-move='choose light']"


def waste_a_turn(page: Page) -> None:
    """Light magic twice, before there is a population: nothing of it is possible."""
    page.goto("/")
    seats = [{"kind": "bot", "bot": "greedy"}, {"kind": "person"}]
    made = page.request.post("/api/tables", data={"game": "daemonen", "seats": seats, "seed": 11}).json()
    page.goto(f"/t/{made['table']}#{made['keys'][1]}")
    page.wait_for_selector(TABLE)
    rng = random.Random(4)
    for _ in range(12):  # first the land is laid
        if state(page) == "mine" and page.locator(LIGHT).count():
            break
        play(page, by_list, rng, turns=1)
    for _ in range(2):
        assert state(page) == "mine"
        before = page.get_attribute(TABLE, "data-revision")
        page.locator(LIGHT).click()
        page.locator("[data-play-armed]:visible").click()
        played = f"{TABLE}:not([data-revision='{before}'])"
        if page.locator("[data-sure]").count() and page.locator(played).count() == 0:
            page.locator("[data-play-armed]:visible").click()
        page.wait_for_selector(played)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_forced_decision_is_held_and_explained(opened: Opener, size: dict[str, int]) -> None:
    page = opened(size, explain=True)
    waste_a_turn(page)
    held = page.locator("[data-held]")
    expect(held).to_be_visible()
    expect(page.locator(TABLE)).to_have_attribute("data-state", "holding")
    expect(held.locator("[data-why]").first).to_contain_text("nothing of it was possible")
    expect(page.locator("[data-go-on]")).to_be_focused()
    slip, board = page.locator("section:has([data-held])").bounding_box(), page.locator("[data-part=stage]").bounding_box()
    assert slip is not None
    assert board is not None
    assert slip["y"] >= board["y"] + 0.8 * board["height"], "what it speaks of can be seen on the board"
    expect(page.locator("[data-part=status]")).to_contain_text("Nothing else was possible")
    page.locator("[data-go-on]").click()
    expect(held).to_have_count(0)
    page.wait_for_selector(f"{TABLE}:not([data-state=holding])")


def test_whoever_does_not_want_to_be_stopped_is_not(opened: Opener) -> None:
    page = opened(explain=False)
    waste_a_turn(page)
    assert state(page) == "mine"
    expect(page.locator("[data-held]")).to_have_count(0)
    # The story says it all the same.
    expect(page.locator("[role=log] [data-why='dd.nothing_possible']").first).to_be_attached()


@pytest.mark.parametrize("game", ["druidenwalzer", "celtica", "daemonen"])
def test_what_the_others_did_is_told_lit_up_and_watched_again(opened: Opener, game: str) -> None:
    page = opened()
    page.goto("/")
    seats = [{"kind": "person"}, {"kind": "bot", "bot": "greedy"}]
    made = page.request.post("/api/tables", data={"game": game, "seats": seats, "seed": 7}).json()
    page.goto(f"/t/{made['table']}#{made['keys'][0]}")
    recap = page.locator("[data-recap] [data-recap-of]")
    rng = random.Random(5)
    for _ in range(30):
        assert not play(page, by_list, rng, turns=1)
        if recap.count() and state(page) == "mine":
            break
    expect(recap).to_have_count(1)
    board = page.locator("[data-part=stage]").text_content()
    line = recap.locator("[data-line]")
    # It came to lie under a mouse that rests.
    line.locator("..").dispatch_event("pointerenter", {"pointerType": "mouse"})
    expect(page.locator("[data-lit]")).to_have_count(0)
    line.hover()
    expect(page.locator("[data-lit]").first).to_be_attached()
    page.mouse.move(3, 3)
    expect(page.locator("[data-lit]")).to_have_count(0)
    line.focus()
    expect(page.locator("[data-lit]").first).to_be_attached()
    recap.locator("[data-again]").click()
    expect(page.locator(TABLE)).to_have_attribute("data-state", "showing")
    page.locator("[data-skip]").click()
    expect(page.locator(TABLE)).to_have_attribute("data-state", "mine")
    page.mouse.move(3, 3)
    assert page.locator("[data-part=stage]").text_content() == board, "the table is as it was"
    # Who comes again finds every line of the story to be watched, also those from before.
    page.reload()
    assert state(page) == "mine"
    lines = page.locator("[role=log] [data-again]")
    expect(lines.first).to_be_attached()
    lines.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(TABLE)).to_have_attribute("data-state", "showing")
    page.locator("[data-skip]").click()
    expect(page.locator(TABLE)).to_have_attribute("data-state", "mine")
    page.mouse.move(3, 3)
    page.evaluate("document.activeElement?.blur()")
    assert page.locator("[data-part=stage]").text_content() == board, "the table is as it was"


def test_a_tap_on_a_line_shows_its_places_on_a_phone(opened: Opener) -> None:
    page = opened(PHONE)
    page.goto("/")
    seats = [{"kind": "bot", "bot": "greedy"}, {"kind": "person"}]
    made = page.request.post("/api/tables", data={"game": "celtica", "seats": seats, "seed": 7}).json()
    page.goto(f"/t/{made['table']}#{made['keys'][1]}")
    assert state(page) == "mine"
    # The board lies open: what happened is told to who asks.
    expect(page.locator("[data-open=log] [data-since]")).to_be_visible()
    expect(page.locator("[data-recap]:visible")).to_have_count(0)
    page.locator("[data-open=log]").tap()
    expect(page.locator("dialog[open] [data-recap]")).to_be_visible()
    page.locator("[role=log] [data-line~=walked]").last.tap()
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator("[data-lit]").first).to_be_attached()
    page.touchscreen.tap(195, 20)
    expect(page.locator("[data-lit]")).to_have_count(0)


def test_rules_lie_over_the_table_at_the_rule_that_matters_and_back_closes_them(opened: Opener) -> None:
    page = opened(PHONE)
    page.goto("/")
    page.locator("[data-play=celtica]").click()
    assert state(page) == "mine"
    here = page.url
    page.locator("header a[href='/rules']").tap()
    expect(page.locator("[data-rules-sheet='CE-3.1'] p[id][aria-current]")).to_be_in_viewport()
    page.locator("[data-rules-sheet] a[href='#CE-3.3']").first.tap()
    expect(page.locator("[id='CE-3.3'][aria-current]")).to_be_in_viewport()
    page.go_back()
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert page.url == here
    page.locator("[data-open=log]").tap()
    page.go_back()
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.locator("[data-open=log]").tap()
    page.keyboard.press("Escape")
    expect(page.locator("dialog header")).to_have_count(0)
    page.go_back()
    page.wait_for_url(lambda url: url.endswith("/"))


def test_what_can_be_taken_back_plays_at_once_and_the_second_tap_is_explained(opened: Opener) -> None:
    page = opened(PHONE, taps=-40)  # the first times are not over after the land is laid
    page.goto("/")
    seats = [{"kind": "person"}, {"kind": "bot", "bot": "greedy"}]
    made = page.request.post("/api/tables", data={"game": "daemonen", "seats": seats, "seed": 11}).json()
    page.goto(f"/t/{made['table']}#{made['keys'][0]}")
    rng = random.Random(4)
    for _ in range(12):
        if state(page) == "mine" and page.locator("button[data-move='choose scout']").count():
            break
        play(page, by_list, rng, turns=1)
    scout = page.locator("button[data-move='choose scout']")
    for _ in range(2):
        before = page.get_attribute(TABLE, "data-revision")
        scout.tap()
        expect(page.locator("[data-tap-again]")).to_be_visible()
        scout.tap()
        page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    assert state(page) == "mine"
    draw = page.locator("button[data-move=draw]")
    assert draw.get_attribute("data-at-once") is None, "what is drawn is seen, and one may stop instead"
    before = page.get_attribute(TABLE, "data-revision")
    page.locator("button[data-move=stop], button[data-move=end]").first.tap()
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
