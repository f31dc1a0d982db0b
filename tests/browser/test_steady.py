"""The table stays where it is: nothing that comes and goes moves the board, and a hasty finger marks no text."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page

from .conftest import Opener
from .hands import TABLE, by_list, play, state

LAPTOP, SMALL_PHONE = {"width": 1366, "height": 657}, {"width": 390, "height": 664}


def board(page: Page) -> Any:
    """Where the board lies."""
    return page.locator("[data-part=stage]").evaluate(
        "stage => { const {x, y, width, height} = stage.getBoundingClientRect(); return [x, y, width, height].map(Math.round) }"
    )


def played_so_far(page: Page, game: str, rng: random.Random) -> None:
    """Past the beginning: in Dämonen until actions have been chosen once."""
    page.goto("/")
    seats = [{"kind": "person"}, {"kind": "bot", "bot": "greedy"}]
    made = page.request.post("/api/tables", data={"game": game, "seats": seats, "seed": 7}).json()
    page.goto(f"/t/{made['table']}#{made['keys'][0]}")
    for _ in range(16):
        assert not play(page, by_list, rng, turns=1)
        if game != "daemonen" or page.locator("button[data-move^='choose ']").count():
            break
    assert state(page) == "mine"


@pytest.mark.parametrize("game", ["druidenwalzer", "celtica", "daemonen"])
@pytest.mark.parametrize("size", [LAPTOP, SMALL_PHONE], ids=["laptop", "phone"])
def test_nothing_moves_the_board(opened: Opener, game: str, size: dict[str, int]) -> None:
    page = opened(size, language="de", speed=0)
    rng = random.Random(5)
    played_so_far(page, game, rng)
    # From now on an event stands until somebody skips it.
    page.evaluate("localStorage['drunemeton.settings'] = JSON.stringify({...JSON.parse(localStorage['drunemeton.settings']), speed: 0.01})")
    page.reload()
    assert state(page) == "mine"
    where = board(page)
    before = page.get_attribute(TABLE, "data-revision")
    by_list(page, rng)
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    skipped = 0
    while page.wait_for_selector(f"{TABLE}[data-state=showing], {TABLE}[data-state=mine]").get_attribute("data-state") == "showing":  # type: ignore[union-attr]
        assert board(page) == where, "while something is shown"
        page.locator("[data-skip]").click()
        assert board(page) == where, "after Skip"
        skipped += 1
    assert skipped
    assert board(page) == where, "at our turn"
    if size is LAPTOP:
        points = page.evaluate(
            "[...document.querySelectorAll('[data-part=held] :is(button, svg), [data-part=stage] svg text')]"
            ".map(one => one.getBoundingClientRect())"
            ".filter(box => box.width).slice(0, 12).map(box => [box.x + box.width / 2, box.y + box.height / 2])"
        )
        assert len(points) > 3
        for x, y in points:
            page.mouse.dblclick(x, y)
            assert page.evaluate("getSelection().toString()") == "", (x, y)
