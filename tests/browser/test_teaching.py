"""Everything on the three boards explains itself, and the coach speaks and falls silent, in a real browser."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from drunemeton.client import Client, make_table
from drunemeton.lessons import figures
from drunemeton.locales import say
from drunemeton.rules.game import find_game, playable

from .conftest import PHONE, Opener
from .test_pages import assert_accessible

TAUGHT = [game for game in playable() if find_game(game).explaining is not None]
TWO = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Bo"}]
LAPTOP = {"width": 1366, "height": 657}
CARD = "[data-card][aria-busy=false]"
# What can be pressed or is named; groups, lists that scroll, and chips within sentences are not things of their own.
BARE = """() => [...document.querySelectorAll('main :is(button, [role=button], [role=img], [data-target], [title])')]
  .filter((one) => one.getBoundingClientRect().width > 0 && !one.closest('[data-about], dialog, [data-spoken], [data-coach]'))
  .map((one) => one.outerHTML.slice(0, 160))"""


def played(server: str, game: str, moves: int) -> str:
    """The way to the seat on turn, somewhere in a game."""
    made = make_table(server, game, TWO, seed=3)
    seats = [Client.join(link) for link in made["links"]]
    rng = random.Random(3)

    def catch_up() -> Client:
        for seat in seats:
            while seat.state["revision"] < max(other.state["revision"] for other in seats):
                seat.receive()
        return next(seat for seat in seats if seat.my_turn)

    for _ in range(moves):
        mover = catch_up()
        mover.play(rng.choice(mover.state["legal"]))
    turn = seats.index(catch_up())
    for seat in seats:
        seat.close()
    return str(made["links"][turn])


def sit(page: Page, link: str) -> None:
    page.goto(link)
    page.wait_for_selector("main[data-revision][data-state=mine]")


@pytest.mark.parametrize("game", TAUGHT)
def test_everything_on_the_board_explains_itself(opened: Opener, server: str, game: str) -> None:
    """Keyboard alone goes over all of it; every card says what the thing is, and by which rule."""
    page = opened(confirm=True)
    sit(page, played(server, game, 40 if game == "daemonen" else 11))
    assert page.evaluate(BARE) == []
    wanted = set(page.locator("main[data-revision] [data-about]").evaluate_all("all => all.map((one) => one.dataset.about)"))
    assert len(wanted) > 15
    page.keyboard.press("i")
    seen: list[str] = []
    steps = page.locator("main[data-revision] [data-about]").count()
    for _ in range(3 * steps):
        page.wait_for_selector(CARD)
        what, words, rule = page.locator(CARD).evaluate(
            "(card) => [card.dataset.card, card.innerText, card.querySelector('[data-rule]')?.dataset.rule ?? null]"
        )
        assert len(words.split()) > 4, what
        assert "about." not in words
        assert (rule is None) == what.startswith("web:"), f"{what}: {words}"
        seen.append(what)
        if len(seen) == 1:
            assert_accessible(page, game)
        if wanted <= set(seen):
            break
        page.keyboard.press("ArrowRight")
    assert wanted <= set(seen)
    page.keyboard.press("Escape")
    expect(page.locator("[data-card]")).to_have_count(0)
    spot = page.locator("main[data-revision] svg [data-about]").first.bounding_box()
    assert spot is not None
    page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2, button="right")
    page.wait_for_selector(CARD)


@pytest.mark.parametrize("game", TAUGHT)
def test_a_long_press_explains_and_plays_nothing(opened: Opener, server: str, game: str) -> None:
    page = opened(PHONE, language="de")
    sit(page, played(server, game, 40 if game == "daemonen" else 11))
    before = page.get_attribute("main[data-revision]", "data-revision")
    box = page.locator("[data-part=held] [data-about]").first.bounding_box()
    assert box is not None
    finger = page.context.new_cdp_session(page)
    at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
    page.wait_for_selector(CARD)
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    card = page.locator("[data-card]").bounding_box()
    assert card is not None
    assert card["y"] >= 0
    assert card["y"] + card["height"] <= PHONE["height"]
    assert page.locator("[data-armed]").count() == 0
    assert page.get_attribute("main[data-revision]", "data-revision") == before
    page.locator("[data-card-close]").tap()
    expect(page.locator("[data-card]")).to_have_count(0)


def test_the_coach_speaks_and_goes_with_one_tap(opened: Opener, server: str) -> None:
    made = make_table(server, "celtica", [TWO[0], {"kind": "bot", "bot": "random"}], seed=5)
    page = opened()
    sit(page, made["links"][0])
    line = page.locator("[data-coach]")
    expect(line).to_have_attribute("data-coach", "ce.stop")
    before = page.get_attribute("main[data-revision]", "data-revision")
    page.locator("[data-list-move]").first.click()
    page.locator("[data-play-armed]:visible").first.click()
    page.wait_for_selector(f"main[data-revision]:not([data-revision='{before}'])")
    page.wait_for_selector("main[data-revision][data-state=mine]")
    assert page.evaluate("JSON.parse(localStorage['drunemeton.coach'])['ce.one_colour']") == 1
    expect(line).to_be_visible()
    page.locator("[data-coach-off]").click()
    expect(line).to_have_count(0)
    page.reload()
    page.wait_for_selector("main[data-revision][data-state=mine]")
    expect(line).to_have_count(0)


def test_the_coach_says_what_came_of_a_turn_before_what_matters_next(opened: Opener, server: str) -> None:
    """DW-3.3: a retreat brings neither dance nor contest. That can be read though the bot's answer takes no time at all."""
    made = make_table(server, "druidenwalzer", [TWO[0], {"kind": "bot", "bot": "random"}], seed=5)
    page = opened()
    sit(page, made["links"][0])
    retreat = page.locator("[data-list-move^='R ']")
    while True:
        before = page.get_attribute("main[data-revision]", "data-revision")
        retreats = retreat.count() > 0
        (retreat if retreats else page.locator("[data-list-move]")).first.click()
        page.locator("[data-play-armed]:visible").first.click()
        page.wait_for_selector(f"main[data-revision]:not([data-revision='{before}'])")
        page.wait_for_selector("main[data-revision][data-state=mine]")
        if retreats:
            break
    line = page.locator("[data-coach]")
    expect(line).to_have_attribute("data-coach", "dw.quiet_turn")
    expect(line).not_to_have_attribute("data-coach", "dw.quiet_turn")


def test_a_stage_is_no_game_and_its_last_one_leads_on_to_level_one(opened: Opener, server: str) -> None:
    """A conquered tree ends a stage's game: there is nothing to resign, to play again or to wait for."""
    page = opened()
    page.goto("/learn/druidenwalzer?lesson=conquer")
    page.wait_for_selector("main[data-revision][data-state=mine]")
    assert page.locator("[data-resign]").count() == 0
    page.locator("[data-list-move='W 2>@4']").click()
    page.locator("[data-play-armed]:visible").first.click()
    page.wait_for_selector("[data-lesson][data-done=true]")
    for what in ("[data-rematch-here]", "[data-end]", "[data-word=thinking]"):
        assert page.locator(what).count() == 0
    page.locator("[data-lesson-next]").click()
    page.wait_for_selector("[data-lesson=game]")
    page.locator("[data-resign]").click()
    page.locator("[data-resign-sure]").click()
    page.locator("[data-onward=level-1] [data-onward-play]").click()
    page.wait_for_selector("main[data-revision]:not(:has([data-lesson]))")


def test_the_example_turn_is_stepped_through_and_the_help_says_how_it_works(opened: Opener) -> None:
    """DD-5.1: six steps, among them two choices of which the first could be made again."""
    page = opened(LAPTOP, language="de")
    page.goto("/learn/daemonen")
    page.locator("[data-example-start]").click()
    for step in range(1, 7):
        expect(page.locator(f"[data-example='{step}']")).to_contain_text(say("de", f"lesson.dd.example.step.{step}"))
        page.wait_for_selector("main[data-revision][data-state=mine]")
        page.locator("[data-example-play]").click()
    expect(page.locator("[data-lesson=example]")).to_have_attribute("data-done", "true")
    box = page.locator("[data-open=settings]").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= LAPTOP["height"]
    page.keyboard.press("?")
    expect(page.locator("[data-help] [data-how=daemonen]")).to_contain_text(say("de", "how.dd.win"))
    assert_accessible(page, "help")
    page.locator("[data-how-of=celtica]").click()
    expect(page.locator("[data-help] [data-how=celtica]")).to_contain_text(say("de", "how.ce.win"))


def test_a_sheet_is_one_page_of_either_paper(opened: Opener) -> None:
    """French has the longest texts; the header, the stages and what is to press are not printed. Every figure is drawn."""
    page = opened(language="fr")
    for game, paper in zip(TAUGHT * 2, ("A4", "Letter") * len(TAUGHT), strict=True):
        page.goto(f"/learn/{game}")
        for figure in figures(game):
            page.wait_for_selector(f"[data-howto={game}] [data-figure={figure['name']}][data-marks='{len(figure['marks'])}']")
        pages = re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format=paper))
        assert len(pages) == 1, f"{game}, {paper}"
