"""Whole games against a bot in a real browser: by mouse, by touch, by keyboard alone, through the list of moves."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from .conftest import DESK, PHONE, Opener
from .hands import TABLE, Turn, by_keyboard, by_list, by_mouse, by_touch, play, sit_down, state


@pytest.mark.parametrize(
    ("turn", "size"),
    [
        pytest.param(by_mouse, DESK, id="mouse"),
        pytest.param(by_touch, PHONE, id="touch", marks=pytest.mark.proof),  # Celtica's whole game is played so
        pytest.param(by_keyboard, DESK, id="keyboard"),
        pytest.param(by_list, PHONE, id="list", marks=pytest.mark.proof),  # other tests play by it, though no whole game
        pytest.param(by_mouse, PHONE, id="mouse at phone size", marks=pytest.mark.proof),
        pytest.param(by_touch, DESK, id="touch at desk size", marks=pytest.mark.proof),
        pytest.param(by_keyboard, PHONE, id="keyboard at phone size", marks=pytest.mark.proof),
    ],
)
def test_a_whole_game(opened: Opener, turn: Turn, size: dict[str, int]) -> None:
    page = opened(size, touch=turn is by_touch)
    sit_down(page)
    assert play(page, turn, random.Random(5)), "the game goes on and on"
    end = page.locator("dialog[data-end]")
    expect(end).to_be_visible()
    expect(end.locator("li")).to_have_count(2)
    expect(end.locator("[data-yours]")).to_contain_text("contests")
    expect(end.locator("[data-rematch]")).to_be_focused()
    # The shuffle is checked before the reader's eyes.
    page.keyboard.press("Escape")
    if size is PHONE:
        page.locator("[data-open=settings]").click()
    page.locator("[data-open=fairness]:visible").click()
    expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", "fits")


def test_events_are_shown_one_by_one_and_can_be_skipped(opened: Opener) -> None:
    page = opened(speed=1)
    sit_down(page)
    for _ in range(60):
        page.wait_for_selector(f"{TABLE}[data-state=mine], {TABLE}[data-state=showing]")
        if page.locator("[data-skip]").count():
            break
        by_list(page, random.Random(1))
    expect(page.locator("[data-skip]")).to_be_visible()
    page.keyboard.press(" ")
    assert state(page) == "mine"


def test_reload_in_the_middle_continues(opened: Opener) -> None:
    page = opened()
    sit_down(page)
    play(page, by_list, random.Random(2), turns=7)
    assert state(page) in {"mine", "over"}
    before = page.get_attribute(TABLE, "data-revision")
    hand = page.locator("[data-part=hand]").inner_html()
    story = page.locator("[role=log] li").count()
    page.reload()
    state(page)
    assert page.get_attribute(TABLE, "data-revision") == before
    assert page.locator("[data-part=hand]").inner_html() == hand
    expect(page.locator("[role=log] li")).to_have_count(story)
    # The lobby knows the table too.
    page.goto("/")
    page.locator("[data-continue]").first.click()
    state(page)
    assert page.get_attribute(TABLE, "data-revision") == before


def test_a_lost_connection_comes_back(opened: Opener) -> None:
    page = opened()
    sit_down(page)
    play(page, by_list, random.Random(3), turns=3)
    page.context.set_offline(True)
    page.evaluate("() => 0")
    page.context.set_offline(False)
    assert play(page, by_list, random.Random(3), turns=2) in {True, False}
    opened.troubles = [line for line in opened.troubles if "ERR_INTERNET_DISCONNECTED" not in line]


def test_drag_and_drop(opened: Opener) -> None:
    page = opened()
    sit_down(page)
    play(page, by_list, random.Random(4), turns=4)
    assert state(page) == "mine"
    card = page.locator("button[data-hand]").first.bounding_box()
    spots = page.locator("[data-ground=own]:has([data-part=crown]) [data-part=reach]")
    assert card is not None
    before = page.get_attribute(TABLE, "data-revision")
    box = spots.first.bounding_box()
    assert box is not None
    page.mouse.move(card["x"] + 40, card["y"] + 60)
    page.mouse.down()
    page.mouse.move(card["x"] + 60, card["y"] - 40, steps=4)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.24, steps=8)
    page.mouse.up()
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")


def test_a_refusal_speaks_at_the_piece_and_names_the_rule(opened: Opener) -> None:
    page = opened()
    sit_down(page)
    for _ in range(200):
        if state(page) == "over":
            page.goto("/")
            sit_down(page)
            state(page)
        # Once a tree is lost there is nowhere to jump.
        if page.locator("[data-ground=own] [data-part=stump]").count() and state(page) == "mine":
            break
        before = page.get_attribute(TABLE, "data-revision")
        by_list(page, random.Random(6))
        page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    seat = page.get_attribute(TABLE, "data-seat")
    page.locator(f"[data-druid^={'sun' if seat == '0' else 'moon'}]").first.focus()
    page.keyboard.press("Enter")
    bubble = page.locator("[data-part=bubble]")
    expect(bubble).to_be_visible()
    expect(bubble.locator("a")).to_have_attribute("href", "/rules/druidenwalzer#" + (bubble.locator("a").text_content() or ""))


def test_undo_resign_and_rematch(opened: Opener) -> None:
    page = opened()
    sit_down(page)
    state(page)
    play(page, by_list, random.Random(7), turns=2)
    state(page)
    if page.locator("[data-undo]:not([disabled])").count():
        before = page.get_attribute(TABLE, "data-revision")
        page.locator("[data-undo]").click()
        page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    page.locator("[data-resign]").click()
    page.locator("[data-resign-sure]").click()
    expect(page.locator("dialog[data-end]")).to_be_visible()
    old = page.url
    page.keyboard.press("Escape")  # whoever has looked at the table goes on from there
    page.locator("[data-rematch-here]").click()
    page.wait_for_url(lambda url: url != old)
    state(page)
    assert page.get_attribute(TABLE, "data-seat") == "1", "the seats are swapped"
    play(page, by_mouse, random.Random(8), turns=6)


def test_the_cards_of_a_cult_board_are_shown(opened: Opener) -> None:
    page = opened()
    sit_down(page)
    play(page, by_list, random.Random(4), turns=5)
    assert state(page) == "mine"
    own, far = page.locator("rect[data-drop=SC]"), page.locator("rect[data-drop=MC]")
    # By keyboard, by mouse, and in the name that is read out.
    page.locator("button[data-hand]").first.focus()
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        if page.locator("rect[data-drop=SC]:focus, rect[data-drop=MC]:focus").count():
            break
    expect(page.locator("[data-cult-cards]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-cult-cards]")).to_have_count(0)
    for board, name in ((own, "SC"), (far, "MC")):
        board.hover()
        expect(page.locator(f"[data-cult-cards={name}] svg").first).to_be_visible()
        assert " 1 " in (board.get_attribute("aria-label") or ""), "each began with a 1"
    page.mouse.move(3, 3)
    expect(page.locator("[data-cult-cards]")).to_have_count(0)


def test_a_finger_opens_a_cult_board_and_closes_it(opened: Opener) -> None:
    page = opened(PHONE)
    sit_down(page)
    play(page, by_list, random.Random(4), turns=5)
    assert state(page) == "mine"
    board = page.locator("rect[data-drop=SC]")
    board.tap()
    expect(page.locator("[data-cult-cards=SC]")).to_be_visible()
    board.tap()
    expect(page.locator("[data-cult-cards]")).to_have_count(0)


@pytest.mark.parametrize("drag", [False, True], ids=["click", "drag"])
def test_a_card_for_anothers_tree_is_refused_with_the_rule(opened: Opener, drag: bool) -> None:
    page = opened()
    sit_down(page)
    play(page, by_list, random.Random(4), turns=5)
    assert state(page) == "mine"
    before = page.get_attribute(TABLE, "data-revision")
    seat = page.get_attribute(TABLE, "data-seat")
    card, spot = page.locator("button[data-hand]").first, page.locator(f"rect[data-drop={'M2' if seat == '0' else 'S2'}]").bounding_box()
    held = card.bounding_box()
    assert spot is not None
    assert held is not None
    there = spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] * 0.8
    if drag:
        page.mouse.move(held["x"] + 40, held["y"] + 60)
        page.mouse.down()
        page.mouse.move(held["x"] + 60, held["y"] - 40, steps=4)
        page.mouse.move(*there, steps=8)
        page.mouse.up()
    else:
        card.click()
        page.mouse.click(*there)
    expect(page.locator("[data-part=bubble] a")).to_have_text("DW-4.1")
    assert page.get_attribute(TABLE, "data-revision") == before


def test_looking_ahead_is_offered_where_it_says_something(opened: Opener) -> None:
    page = opened()
    sit_down(page)
    assert state(page) == "mine"
    expect(page.locator("[data-list-move]").first).to_be_visible()
    expect(page.locator("[data-look-all]")).to_have_count(0)
    play(page, by_list, random.Random(4), turns=5)
    assert state(page) == "mine"
    page.locator("[data-look-all]").click()
    page.mouse.move(3, 3)
    expect(page.locator("[data-list-move^='W ']:not(:has(small))")).to_have_count(0)  # each brings tokens, to one side or the other
    expect(page.locator("[data-list-move]:not([data-list-move^='W ']) small")).to_have_count(0)  # and what brings none is not spoken of


def test_taking_back_is_offered_once_there_is_something(opened: Opener) -> None:
    page = opened()
    sit_down(page)
    assert state(page) == "mine"
    expect(page.locator("[data-undo]")).to_be_disabled()
    play(page, by_list, random.Random(4), turns=6)
    assert state(page) == "mine"
    before = page.get_attribute(TABLE, "data-revision")
    page.locator("[data-undo-ask]").click()
    expect(page.locator("dialog[open]")).to_contain_text("the bots have played since")
    page.locator("[data-undo-sure]").click()
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    play(page, by_list, random.Random(9), turns=1)
    page.locator("[data-resign]").click()
    page.locator("[data-resign-sure]").click()
    figures = page.locator("dialog[data-end] :is(li, [data-made])")
    expect(figures).to_have_count(4)
    counted = figures.all_text_contents()
    # Whoever comes anew is told only what stands.
    page.reload()
    expect(figures).to_have_count(4)
    assert figures.all_text_contents() == counted
