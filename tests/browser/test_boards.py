"""What the boards show without being asked: places instead of coordinates, what could be done, the last move, who is ahead."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from . import test_celtica
from .conftest import PHONE, Opener
from .hands import TABLE, by_list, play, sit_down, state
from .positions import Position
from .test_daemonen import act, at_rest, come, revision, sit


def to_actions(page: Page) -> None:
    """Lay what has to be laid until actions are chosen."""
    rng = random.Random(3)
    for _ in range(40):
        if page.locator("[data-part=action]").count():
            return
        before = revision(page)
        act(page, rng)
        page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
        state(page)
    raise AssertionError("no action is ever asked for")


# --- Druiden und Dämonen


def test_places_are_shown_and_coordinates_only_on_demand(opened: Opener) -> None:
    page = opened()
    sit(page)
    to_actions(page)
    told = page.locator("[role=log]")
    expect(told.locator("[data-spot] svg").first).to_be_visible()
    # What is seen has no coordinates; whoever listens hears them.
    hidden = told.locator("[data-spot] > span").first
    assert re.fullmatch(r"−?\d+,−?\d+", hidden.inner_text())
    box = hidden.bounding_box()
    assert box is not None
    assert box["width"] <= 1.5
    assert page.locator("[data-names]").count() == 0
    page.locator("[data-open=settings]").click()
    page.locator("[data-coordinates]").check()
    page.keyboard.press("Escape")
    assert page.locator("[data-names] text").count() >= page.locator("[data-cell]").count()
    expect(told.locator("[data-spot]")).to_have_count(0)


def test_a_field_is_drawn_as_it_would_lie(opened: Opener) -> None:
    page = opened()
    sit(page)
    row = page.locator("[data-list-move^='lay']").first
    expect(row.locator("svg").first).to_be_visible()
    row.click()
    move = row.get_attribute("data-list-move")
    expect(page.locator(f"[data-ghost='{move}']")).to_be_attached()


def test_actions_say_what_they_give_and_warn_when_that_is_nothing(opened: Opener) -> None:
    page = opened()
    sit(page)
    to_actions(page)
    free = page.locator("[data-part=action][data-move]")
    expect(page.locator("[data-gives]")).to_have_count(free.count())
    expect(page.locator("[data-gives=populate]")).to_contain_text("up to")
    # Without a population nothing can be moved.
    idle = page.locator("[data-move='choose move']")
    expect(idle.locator("[data-gives]")).to_have_text("nothing possible so far")
    before = revision(page)
    idle.click()
    expect(page.locator("[data-sure]")).to_be_visible()
    assert revision(page) == before
    idle.click()
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    expect(page.locator("[data-sure]")).to_have_count(0)


def test_the_actions_words_fit_into_a_fifth_of_a_phone(opened: Opener) -> None:
    page = opened()
    sit(page)
    to_actions(page)
    page.set_viewport_size({"width": 390, "height": 664})
    for language, third in (("de", "Erkunden"), ("nl", "Verkennen"), ("fr", "Explorer")):
        page.locator("header select").select_option(language)
        expect(page.locator("[data-part=action]").nth(2)).to_contain_text(third)
        cut = page.locator("[data-part=action]").evaluate_all(
            "all => all.flatMap(one => [one, ...one.querySelectorAll('b, small')]).filter(one => one.scrollWidth > one.clientWidth + 1"
            " || one.getBoundingClientRect().right > one.closest('[data-part=action]').getBoundingClientRect().right)"
            ".map(one => one.textContent)"
        )
        assert not cut, (language, cut)


def test_what_everybody_could_reach_is_shown_while_choosing_and_on_demand(opened: Opener) -> None:
    page = opened()
    sit(page)
    assert page.locator("[data-reach]").count() == 0
    to_actions(page)
    expect(page.locator("[data-reach]")).to_be_attached()
    assert int(page.get_attribute("[data-reach]", "data-reach") or 0) > 0
    expect(page.locator("[data-legend]")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})  # signs on a small map only with what they mean
    expect(page.locator("[data-reach]")).to_have_count(0)
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator("[data-reach]")).to_be_attached()
    for _ in range(2):
        page.locator("[data-move='choose populate']").click()
        page.wait_for_timeout(50)
        if page.locator("[data-move='choose populate'][aria-pressed=true]").count():
            page.locator("[data-move='choose populate']").click()
        state(page)
        if page.locator("[data-part=action]").count() == 0:
            break
    expect(page.locator("[data-reach]")).to_have_count(0)
    page.locator("[data-reaching]").click()
    expect(page.locator("[data-reach]")).to_be_attached()
    expect(page.locator("[data-legend]")).to_be_visible()


def test_the_last_action_stays_marked(opened: Opener) -> None:
    page = opened()
    sit(page)
    to_actions(page)
    expect(page.locator("[data-last]").first).to_be_attached()


def test_a_population_is_taken_up_by_one_tap(recalled: Opener, patient: str) -> None:
    position = Position(patient, "daemonen", 7)
    position.advance(329)
    page = recalled(PHONE)
    come(page, position)
    at_rest(page)
    box = page.locator("[data-place='-4,6']").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("[data-undo-half]")).to_be_visible()
    expect(page.locator("[data-place='-1,7']")).to_be_attached()


def scouting(moves: list[tuple[int, str]]) -> int:
    """Where in a record somebody scouts for three fields or more."""
    for at in range(len(moves) - 6):
        if [move.split()[0] for _, move in moves[at : at + 6]] == ["draw", "lay"] * 3:
            return at
    raise AssertionError("nobody scouts")


def test_two_taps_lay_a_field_and_draw_the_next(recalled: Opener, patient: str) -> None:
    position = Position(patient, "daemonen", 7)
    position.advance(scouting(position.moves) + 1)
    page = recalled(PHONE)
    come(page, position)
    taps = 0
    for _ in range(2):
        at_rest(page)
        before = int(revision(page) or 0)
        box = page.locator("[data-place]").first.bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.locator("[data-lay-and-draw]").tap()
        taps += 2
        page.wait_for_function(f"() => Number(document.querySelector('{TABLE}').dataset.revision) >= {before + 2}")
        page.wait_for_selector(f"{TABLE}[data-state=mine]")
        expect(page.locator("[data-part=tile]")).to_be_visible()
    assert taps == 4, "two fields laid, and the third is in the hand"


# --- Celtica


@pytest.mark.parametrize(
    "size", [PHONE, {"width": 390, "height": 664}, {"width": 1366, "height": 657}], ids=["phone", "small phone", "laptop"]
)
@pytest.mark.parametrize("seats", [2, 5])
def test_everybodys_standing_is_on_screen(opened: Opener, size: dict[str, int], seats: int) -> None:
    page = opened(size)
    test_celtica.sit_down(page, seats, seed=4)
    assert state(page) == "mine"
    expect(page.locator("[data-rank]")).to_have_count(seats)
    standings = page.locator("[data-standing]")
    expect(standings).to_have_count(seats)
    for n in range(seats):
        box = standings.nth(n).bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"] + 1, n
        seen = page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.closest('[data-player]')?.dataset.player ?? null", [x, y])
        assert seen == standings.nth(n).evaluate("(one) => one.closest('[data-player]').dataset.player"), f"standing {n} is covered"
    leaving = page.locator("[data-player]").evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).length")
    assert not leaving, "what a player holds is cut off"


def test_the_last_walk_stays_marked(opened: Opener) -> None:
    page = opened()
    test_celtica.sit_down(page, 2, seed=3)
    play(page, by_list, random.Random(2), turns=2)
    state(page)
    expect(page.locator("path[data-last]")).to_be_attached()


# --- Druidenwalzer


def test_clockwise_and_counter_clockwise_are_told_apart(opened: Opener) -> None:
    page = opened()
    sit_down(page)
    play(page, by_list, random.Random(1), turns=6)
    look = """(way) => {
      const one = document.querySelector(`[data-way=${way}]`)
      const card = one.closest('[data-part=spirit]')
      const place = (node) => node.getBoundingClientRect().x
      return [getComputedStyle(one.querySelector('[data-part=disc]')).fill, place(one) > place(card.querySelector('text'))]
    }"""
    for way in ("clockwise", "counter"):
        page.wait_for_selector(f"[data-part=spirit] [data-way={way}]", state="attached")
    dark, right = page.evaluate(look.replace("`[data-way", "`[data-part=spirit] [data-way"), "clockwise")
    light, left = page.evaluate(look.replace("`[data-way", "`[data-part=spirit] [data-way"), "counter")
    assert dark != light
    assert (right, left) == (True, False), "one is the other's mirror image"


def test_a_move_from_the_list_shows_its_card_and_its_tree_and_the_last_move_is_marked(opened: Opener) -> None:
    page = opened(theme="dark")
    sit_down(page)
    play(page, by_list, random.Random(1), turns=6)
    assert state(page) == "mine"
    expect(page.locator("[data-last]").first).to_be_attached()
    assert page.locator("[data-part=casing]").first.evaluate("(one) => getComputedStyle(one).display") == "inline"
    waltz = page.locator("[data-list-move^='W ']").first
    page.mouse.move(3, 3)
    waltz.hover()
    expect(page.locator("button[data-hand][data-meant]")).to_have_count(1)
    expect(page.locator("[data-light=armed]")).to_have_count(1)
    page.keyboard.press("Escape")
    page.locator("button[data-hand]").first.dblclick()
    assert page.evaluate("() => getSelection().toString()") == ""
