"""Lessons in a real browser: every stage is learnt by mouse, touch or keyboard in one of the languages, after a wrong try."""

from __future__ import annotations

import itertools
import re

import pytest
from playwright.sync_api import Page, expect

from drunemeton.lessons import Stage, arrange, begin, judge, stages
from drunemeton.locales import LANGUAGES, say
from drunemeton.rules.game import playable

from .conftest import DESK, PHONE, Opener
from .hands import plays_at_once
from .test_pages import assert_accessible

WAYS = ("mouse", "touch", "keyboard")
STAGES = [stage for game in playable() for stage in stages(game)]
TAUGHT = [stage for stage in STAGES if not stage.closing]
ALL = list(itertools.product(TAUGHT, WAYS, LANGUAGES))
TURNS = [  # every fourth one in `make test`: each game, way and language; `lessons --check` plays all of them there
    pytest.param(stage, WAYS[n % 3], LANGUAGES[n // 4 % 4], marks=[pytest.mark.proof] if n % 4 else []) for n, stage in enumerate(TAUGHT)
]


def named(value: object) -> str:
    return f"{value.game}-{value.name}" if isinstance(value, Stage) else str(value)


def listed(page: Page, move: str, way: str) -> None:
    """Play a move through the list of moves: by mouse, by finger, or by keyboard alone."""
    drawer = page.locator("[data-open=moves]")
    if drawer.count():
        drawer.tap()
    button = page.locator(f'[data-list-move="{move}"]:visible').first
    if way == "mouse":
        page.mouse.move(3, 3)
        at_once = plays_at_once(button)
        button.click()  # chooses
        if at_once:
            return
        expect(button).to_have_attribute("aria-pressed", "true")
        page.locator("[data-play-armed]:visible").first.click()
    elif way == "keyboard":
        button.focus()  # points at it
        page.keyboard.press("Enter")
        if page.locator("[data-sure]").count():  # what costs something is asked about first, however it was chosen
            page.keyboard.press("Enter")
    else:
        at_once = plays_at_once(button)
        button.tap()
        if at_once:
            return
        expect(button).to_have_attribute("aria-pressed", "true")
        sure = page.locator("dialog[open] [data-play-armed]:visible")
        (sure if sure.count() else button).tap()


def learn(page: Page, stage: Stage, way: str, language: str) -> None:
    page.goto(f"/learn/{stage.game}?lesson={stage.name}")
    panel = page.locator(f"[data-lesson={stage.name}]")
    expect(panel).to_contain_text(say(language, stage.key("goal")))
    expect(panel).to_contain_text(say(language, stage.key("text")))
    page.wait_for_selector("main[data-revision][data-state=mine]")
    fold = page.locator("[data-lesson-fold]")
    if fold.count():
        words, board = panel.bounding_box(), page.locator("[data-part=stage]").bounding_box()
        assert words is not None
        assert board is not None
        assert words["y"] + words["height"] <= board["y"] + 1, "the words hide nothing of the board"
        fold.tap()
    plan, game = arrange(stage), begin(stage)
    wrong = next((move for move in game.offered() if judge(stage, [], move, plan).kind == "wrong"), None)
    if wrong is not None:
        verdict = judge(stage, [], wrong, plan)
        listed(page, wrong, way)
        expect(page.locator("[role=alert]").first).to_contain_text(
            say(language, stage.key(f"wrong.{verdict.say}"), **verdict.params).split(",")[0]
        )
        page.keyboard.press("Escape")
    for move in stage.solution:
        page.wait_for_selector("main[data-revision][data-state=mine]")
        before = page.get_attribute("main[data-revision]", "data-revision")
        listed(page, move, way)
        page.wait_for_selector(f"main[data-revision]:not([data-revision='{before}'])")
    expect(panel).to_have_attribute("data-done", "true")
    expect(panel).to_contain_text(say(language, stage.key("done")))


def learnt(opened: Opener, stage: Stage, way: str, language: str) -> Page:
    page = opened(PHONE if way == "touch" else DESK, language=language)
    learn(page, stage, way, language)
    return page


@pytest.mark.parametrize(("stage", "way", "language"), TURNS, ids=named)
def test_a_stage_is_learnt_after_a_wrong_try(opened: Opener, stage: Stage, way: str, language: str) -> None:
    page = learnt(opened, stage, way, language)
    page.locator("[data-lesson-next]").click()
    following = stages(stage.game)[stage.number]
    page.wait_for_selector(f"[data-lesson={following.name}]")


@pytest.mark.proof
@pytest.mark.parametrize(("stage", "way", "language"), ALL, ids=named)
def test_every_stage_in_every_way_and_language(opened: Opener, stage: Stage, way: str, language: str) -> None:
    learnt(opened, stage, way, language)


@pytest.mark.parametrize(
    ("game", "size"),
    [
        pytest.param(game, size, id=f"{game}-{name}", marks=[] if (at + number) % 2 == 0 else pytest.mark.proof)
        for at, game in enumerate(game for game in playable() if stages(game))
        for number, (name, size) in enumerate((("desk", DESK), ("phone", PHONE)))
    ],
)
def test_the_pages_of_a_lesson_have_no_barriers(opened: Opener, game: str, size: dict[str, int]) -> None:
    page = opened(size)
    page.goto(f"/learn/{game}")
    page.wait_for_selector("[data-learn-stage]")
    assert_accessible(page, game)
    page.locator("[data-learn-start]").click()
    page.wait_for_selector("main[data-revision][data-state=mine]")
    page.wait_for_selector("[data-lesson]")
    assert_accessible(page, game)


def test_who_has_never_played_is_offered_the_lesson_and_is_asked_once(opened: Opener) -> None:
    page = opened(known=False)
    page.goto("/")
    page.locator("[data-play=celtica]").click()
    page.wait_for_selector("[data-how=celtica]")
    page.locator("[data-first-play]").click()
    page.wait_for_selector("main[data-revision]")
    page.goto("/")
    page.locator("[data-play=celtica]").click()
    page.wait_for_selector("main[data-revision]")
    page.goto("/")
    page.locator("[data-play=druidenwalzer]").click()
    page.locator("[data-first-show]").click()
    page.wait_for_selector("[data-lesson=dance]")


def test_progress_is_kept_and_taken_to_another_device(opened: Opener) -> None:
    stage = TAUGHT[0]
    page = learnt(opened, stage, "mouse", "en")
    page.locator("[data-lesson-list]").click()
    expect(page.locator(f"[data-learn-stage={stage.name}]")).to_contain_text("done")
    page.locator("[data-learn-take] summary").click()
    expect(page.locator("[data-learn-take] svg")).to_be_visible()
    with page.expect_download() as saved:
        page.locator("[data-learn-save]").click()
    other = opened()
    other.goto(f"/learn/{stage.game}")
    other.wait_for_selector("[data-learn-stage]")
    expect(other.locator(f"[data-learn-stage={stage.name}]")).not_to_contain_text("done")
    other.locator("[data-learn-take] summary").click()
    other.locator("[data-learn-open]").set_input_files(saved.value.path())
    expect(other.locator(f"[data-learn-stage={stage.name}]")).to_contain_text("done")
    third = opened()
    third.goto(f"/learn/{stage.game}#done={stage.game}:{stage.name}")
    expect(third.locator(f"[data-learn-stage={stage.name}]")).to_contain_text("done")
    assert not re.search("done=", third.url)


def test_after_two_wrong_tries_the_way_is_shown(opened: Opener) -> None:
    page = opened()
    page.goto("/learn/druidenwalzer?lesson=way")
    page.wait_for_selector("main[data-revision][data-state=mine]")
    # Jump and retreat are taught later.
    expect(page.locator("[data-part=status]")).to_contain_text(say("en", "web.dw.ask.turn_waltz"))
    for move in ("W 4<@1", "W 4<@2"):
        listed(page, move, "mouse")
        page.locator("[role=alert]:visible").first.wait_for()
        page.keyboard.press("Escape")
    page.locator("[data-lesson-show]").click()
    expect(page.locator("[data-list-move='W 4>@3']")).to_have_attribute("aria-pressed", "true")


def test_a_capture_crosses_out_whom_it_takes_and_a_reached_goal_leaves_no_action_lit(opened: Opener) -> None:
    page = opened()
    page.goto("/learn/daemonen?lesson=capture")
    page.wait_for_selector("main[data-revision][data-state=mine]")
    listed(page, "from 2,0", "mouse")
    page.locator("[data-list-move='to 3,0']:visible").click()
    expect(page.locator("[data-lost]")).to_have_attribute("data-lost", "blue")
    expect(page.locator("[data-step=now]")).to_have_count(1)
    page.locator("[data-play-armed]:visible").first.click()
    expect(page.locator("[data-step=done]")).to_have_count(2)


def test_what_a_wrong_try_would_bring_hides_nothing_that_can_be_tapped(opened: Opener) -> None:
    page = opened(PHONE, language="de")
    page.goto("/learn/daemonen?lesson=dark")
    page.wait_for_selector("main[data-revision][data-state=mine]")
    target = page.locator("[data-target][data-place='2,0']")
    target.tap()
    expect(page.locator("[data-play-armed]:visible")).to_be_visible()
    target.tap()
    said = page.locator("[data-part=stage] [role=alert]")
    expect(said).to_contain_text(say("de", "lesson.dd.dark.wrong.own"))
    words = said.bounding_box()
    assert words
    assert page.locator("[data-target]").count() > 1
    for box in (one.bounding_box() for one in page.locator("[data-target]").all()):
        assert box
        assert not (words["x"] < box["x"] + box["width"] and box["x"] < words["x"] + words["width"]) or not (
            words["y"] < box["y"] + box["height"] and box["y"] < words["y"] + words["height"]
        )


ON_ITS_THREAD = """(knots) => knots.map((knot) => {
  const thread = document.querySelector(`[data-thread=${knot.dataset.contest}]`)
  const { e, f } = knot.transform.baseVal.consolidate().matrix
  return thread.isPointInStroke(new DOMPoint(e, f))
})"""


@pytest.mark.parametrize(("size", "language"), [(PHONE, "de"), (DESK, "en")], ids=["phone", "desk"])
def test_contests_are_written_upon_their_threads_and_the_button_stands_still(opened: Opener, size: dict[str, int], language: str) -> None:
    """Three contests, then one without any: what a move brings is long or short, and the button that plays it is where it was."""
    page = opened(size, language=language)
    page.goto("/learn/druidenwalzer?lesson=contest")
    page.wait_for_selector("main[data-revision][data-state=mine]")
    heights = set()
    for move, contests in (("W 5<@4", 3), ("W 5<@2", 2), ("J orange", 0)):
        if size is PHONE:
            page.locator("[data-open=moves]").tap()
        page.locator(f'[data-list-move="{move}"]:visible').first.click()
        if size is PHONE:
            page.keyboard.press("Escape")
        expect(page.locator("[data-contest]")).to_have_count(contests)
        if contests:
            assert page.locator("[data-contest]").evaluate_all(ON_ITS_THREAD) == [True] * contests
        box = page.locator("[data-play-armed]:visible").first.bounding_box()
        assert box
        heights.add(round(box["y"]))
        page.locator("[data-play-armed]:visible + button").first.click()
    assert len(heights) == 1


def test_a_rule_leads_to_the_stage_that_teaches_it(opened: Opener) -> None:
    page = opened()
    page.goto("/rules/celtica#CE-4.3")
    page.locator("[id='CE-4.3'] a[href*=lesson]").click()
    page.wait_for_selector("[data-lesson=cult]")


def test_on_a_phone_every_part_to_choose_is_in_sight_and_words_that_fold_leave_the_island_its_shape(opened: Opener) -> None:
    page = opened(PHONE)
    page.goto("/learn/celtica?lesson=walk")
    page.wait_for_selector("main[data-revision][data-state=mine]")
    expect(page.locator("[data-lesson=walk]")).to_contain_text("Five druids")
    island = page.locator("[data-island]")
    expect(page.locator("[data-island] svg").first).to_be_visible()
    before = island.bounding_box()
    page.locator("[data-lesson-fold]").tap()
    expect(page.locator("[data-lesson=walk]")).not_to_contain_text("Five druids")
    after = island.bounding_box()
    assert before
    assert after
    assert (after["width"], after["height"]) == (before["width"], before["height"])
    listed(page, "red 2", "touch")
    parts = page.locator("[data-own-hand] [data-move^=take]")
    parts.first.wait_for()
    assert parts.count() > 6
    for box in (part.bounding_box() for part in parts.all()):
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]


# Chromium complains of the others, but only after seconds.
PRELOADED_IS_USED = """() => {
  const hinted = [...document.querySelectorAll('link[rel=preload][as=style]')]
  return hinted.length > 0 && hinted.every(({ href }) => [...document.styleSheets].some((sheet) => sheet.href === href))
}"""


def test_a_table_for_friends_begins_at_a_stage_and_says_that_it_is_arranged(opened: Opener) -> None:
    page = opened()
    page.goto("/learn/druidenwalzer")
    page.locator("[data-learn-friends=contest]").click()
    guest = opened()
    guest.goto(page.locator("input[readonly]").first.input_value())
    expect(page.locator("[data-state=gathering] [data-arranged]")).to_be_visible()
    expect(guest.locator("[data-sit]")).to_be_visible()
    expect(guest.locator("[data-greeting] [data-arranged]")).to_be_visible()
    guest.wait_for_function(PRELOADED_IS_USED)
    guest.locator("[data-sit]").click()
    for seat in (page, guest):
        expect(seat.locator("[data-seat]:not([data-state=gathering]) [data-arranged]")).to_be_visible()
    assert page.locator("[data-lesson]").count() == 0
