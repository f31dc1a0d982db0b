"""Puzzles in the browser: solved by mouse, finger and keyboard, answered without the server, kept on the device."""

from __future__ import annotations

import json
import random

import pytest
from playwright.sync_api import Page, expect

from drunemeton.puzzles import Puzzle, puzzles
from drunemeton.rules.game import playable

from .conftest import DESK, PHONE, Opener
from .test_pages import assert_accessible

LOW = {"width": 1366, "height": 657}


def one_of(game: str) -> Puzzle:
    """One of a game's puzzles."""
    return random.Random(f"browser {game}").choice(puzzles(game))


def pose(page: Page, puzzle: Puzzle) -> None:
    """Open it, and wait until it can be played."""
    page.goto(f"/puzzles/{puzzle.game}#{puzzle.ident}")
    expect(page.locator(f"[data-puzzle={puzzle.ident}]")).to_have_attribute("data-state", "open")


def by_list(page: Page, move: str) -> None:
    """Try a move from the list of moves, with the second click that plays it."""
    drawer = page.locator("[data-open=moves]")
    if drawer.count():
        drawer.click()
    elif not page.locator("aside details[open]").count():
        page.locator("aside summary").click()
    page.locator(f"[data-list-move={json.dumps(move)}]").click()
    again = page.locator("[data-chosen] [data-play-armed]:visible")
    if again.count():
        again.first.click()


@pytest.mark.parametrize("game", playable())
def test_a_puzzle_is_tried_and_solved_without_the_server(opened: Opener, game: str) -> None:
    puzzle, page = one_of(game), opened(DESK)
    pose(page, puzzle)
    page.wait_for_load_state("networkidle")  # the next one has come as well
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(True)
    by_list(page, puzzle.moves[-1].move)
    expect(page.locator("[data-answer=wrong]")).to_have_attribute("data-tried", puzzle.moves[-1].move)
    expect(page.locator("[data-why] li").first).to_be_visible()
    by_list(page, puzzle.moves[0].move)
    expect(page.locator("[data-answer=right]")).to_be_visible()
    expect(page.locator("main")).to_have_attribute("data-state", "right")
    assert asked == []
    page.locator("[data-next]").click()
    expect(page.locator("main")).to_have_attribute("data-state", "open")
    expect(page.locator(f"[data-puzzle={puzzle.ident}]")).to_have_count(0)
    # Only the one after the next was asked for, in vain, and the sign in the tab, which is the browser's own wish.
    assert [address for address in asked if "/api/puzzles/" not in address and not address.endswith("/icon.svg")] == []
    page.context.set_offline(False)
    opened.troubles.clear()  # the browser itself reports what could not be reached
    page.locator("[data-list]").click()
    expect(page.locator(f"[data-puzzle-door={puzzle.ident}][data-solved=true]")).to_be_visible()
    page.reload()
    expect(page.locator("[data-solved=true]")).to_have_count(1)


def test_the_solution_is_shown_and_does_not_count(opened: Opener) -> None:
    puzzle, page = one_of("celtica"), opened(LOW, theme="dark")
    pose(page, puzzle)
    by_list(page, puzzle.moves[-1].move)
    expect(page.locator("[data-answer=wrong]")).to_be_visible()
    assert_accessible(page, "wrong try")
    page.locator("[data-show]").click()
    expect(page.locator("[data-answer=shown]")).to_have_attribute("data-tried", puzzle.moves[0].move)
    assert_accessible(page, "solution")
    page.locator("[data-list]").click()
    expect(page.locator("[data-puzzle-door]").first).to_be_visible()
    expect(page.locator("[data-solved=true]")).to_have_count(0)


def test_a_puzzle_is_solved_with_keys_alone(opened: Opener) -> None:
    puzzle, page = one_of("druidenwalzer"), opened(DESK)
    pose(page, puzzle)
    move = page.locator(f"[data-list-move={json.dumps(puzzle.moves[0].move)}]")
    for _ in range(200):
        page.keyboard.press("Tab")
        if move.evaluate("one => one === document.activeElement"):
            break
    page.keyboard.press("Enter")
    if not page.locator("[data-answer]").count():
        page.keyboard.press("Enter")
    expect(page.locator("[data-answer=right]")).to_be_visible()
    expect(page.locator("[data-next]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_have_attribute("data-state", "open")


@pytest.mark.parametrize("game", playable())
def test_a_puzzle_is_solved_on_a_phone(opened: Opener, game: str) -> None:
    puzzle, page = one_of(game), opened(PHONE, theme="dark")
    pose(page, puzzle)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if game == playable()[0]:
        assert_accessible(page, "puzzle on a phone")
    by_list(page, puzzle.moves[-1].move)
    expect(page.locator("dialog [data-answer=wrong]")).to_be_visible()
    page.locator("dialog [data-again]").tap()
    by_list(page, puzzle.moves[0].move)
    expect(page.locator("dialog [data-answer=right]")).to_be_visible()
    page.locator("dialog [data-next]").tap()
    expect(page.locator("main")).to_have_attribute("data-state", "open")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_card_is_played_on_the_board(opened: Opener) -> None:
    puzzle = next(one for one in puzzles("druidenwalzer") if one.moves[0].move.startswith("W"))
    page = opened(DESK)
    pose(page, puzzle)
    page.locator("button[data-hand]").first.click()
    page.locator("[data-target]").first.click()
    play = page.locator("[data-play-armed]:visible")
    if play.count():
        play.first.click()
    expect(page.locator("[data-answer]")).to_be_visible()
    assert page.locator("[data-answer]").get_attribute("data-tried") in {one.move for one in puzzle.moves}


@pytest.mark.parametrize(("size", "theme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk", "phone"])
def test_the_lobby_leads_to_the_puzzle_of_the_day_and_to_all(opened: Opener, size: dict[str, int], theme: str) -> None:
    page = opened(size, theme=theme, language="de")
    page.goto("/")
    page.locator("[data-puzzle-today]").click()
    expect(page.locator("[data-puzzle]")).to_have_attribute("data-state", "open")
    page.locator("[data-list]").click()
    expect(page.locator("[data-puzzle-door]").first).to_be_visible()
    assert_accessible(page, "list")
    count = page.locator("[data-puzzle-door]").count()
    game = page.locator("[data-puzzles]").get_attribute("data-puzzles")
    assert game
    theme_there = puzzles(game)[0].theme
    page.locator("[data-theme-wish]").select_option(theme_there)
    expect(page.locator("[data-puzzle-door]")).to_have_count(sum(one.theme == theme_there for one in puzzles(game)))
    page.locator("[data-theme-wish]").select_option("")
    page.locator("[data-grade-wish]").select_option("2")
    expect(page.locator("[data-puzzle-door]")).to_have_count(sum(one.grade == 2 for one in puzzles(game)))
    assert count == len(puzzles(game))
    page.goto("/puzzles")
    expect(page.locator("[data-game]")).to_have_count(len(playable()))
    assert_accessible(page, "puzzles")
