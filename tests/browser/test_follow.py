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
        if page.locator("[data-warning]:visible").count() and page.locator(played).count() == 0:
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
