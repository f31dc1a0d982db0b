"""Windows of every shape: board and hand are in sight, the board takes its share, and nothing sticks out at the side."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from .conftest import Opener
from .hands import TABLE, state

SIZES = [(820, 1180), (844, 390), (1024, 768), (1280, 720), (1366, 768), (1440, 900), (390, 844)]
BOARDS = {"druidenwalzer": "[data-part=board]", "celtica": "[data-island]", "daemonen": "[data-part=frame]"}
SHARE = 0.23  # of the window, whatever else has to be there


def _box(piece: Locator) -> FloatRect:
    box = piece.bounding_box()
    assert box is not None
    return box


def _inside(page: Page, piece: Locator, name: str) -> FloatRect:
    box, window = _box(piece), page.viewport_size
    assert window is not None
    assert min(box["x"], box["y"]) >= 0, f"{name} begins outside: {box}"
    assert box["x"] + box["width"] <= window["width"], f"{name} sticks out at the side: {box}"
    assert box["y"] + box["height"] <= window["height"], f"{name} sticks out below: {box}"
    return box


# In `make test` every size of window with one game, and every game in two sizes at least; all of them in `make proof`.
@pytest.mark.parametrize(
    ("game", "width", "height"),
    [
        pytest.param(game, *size, marks=[] if n % 3 == at else pytest.mark.proof, id=f"{game}-{size[0]}x{size[1]}")
        for at, game in enumerate(BOARDS)
        for n, size in enumerate(SIZES)
    ],
)
def test_board_and_hand_fill_the_window(opened: Opener, game: str, width: int, height: int) -> None:
    page = opened({"width": width, "height": height}, language="de")
    seats = [{"kind": "person"}, {"kind": "bot", "bot": "greedy"}]
    page.goto("/")
    made = page.request.post("/api/tables", data={"game": game, "seats": seats, "seed": 11}).json()
    page.goto(f"/t/{made['table']}#{made['keys'][0]}")
    page.wait_for_selector(TABLE)
    assert state(page) == "mine"
    board, hand = page.locator(BOARDS[game]).first, page.locator("[data-part=held]")
    expect(board).to_be_visible()
    drawn = _inside(page, board, "the board")
    held = _inside(page, hand, "the hand")
    assert drawn["width"] * drawn["height"] >= SHARE * width * height, f"a small board: {drawn}"
    beside = drawn["x"] + drawn["width"] <= held["x"]
    assert beside or drawn["y"] + drawn["height"] <= held["y"], "the hand covers the board"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Names that do not fit lie on what stands beside them.
    cut = "names => names.filter(name => name.scrollWidth > name.clientWidth).map(name => name.textContent)"
    assert page.locator("[data-part=druids] b").evaluate_all(cut) == []
