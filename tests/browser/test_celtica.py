"""Whole games of Celtica against bots in a real browser, at a desk and on a phone."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import DESK, PHONE, Opener
from .hands import TABLE, by_list, play, plays_at_once, state
from .test_pages import NIGHT, assert_accessible


def sit_down(page: Page, seats: int, seed: int | None = None, components: dict[str, Any] | None = None) -> None:
    """A table with ourselves and greedy bots."""
    page.goto("/")
    if seats == 2 and seed is None:
        page.locator("[data-play=celtica]").click()
        page.wait_for_selector(TABLE)
        return
    bots = [{"kind": "bot", "bot": "greedy"}] * (seats - 1)
    wanted = {"game": "celtica", "seats": [{"kind": "person"}, *bots], "seed": seed, "components": components}
    made = page.request.post("/api/tables", data={name: value for name, value in wanted.items() if value is not None}).json()
    page.goto(f"/t/{made['table']}#{made['keys'][0]}")
    page.wait_for_selector(TABLE)


def _choose(page: Page, rng: random.Random, touch: bool, cards: str = "button[data-hand]:not([data-idle])") -> None:
    """The first tap shows a move, the second plays it: cards of the hand, or what else there is to choose."""
    buttons = page.locator("button[data-move]")
    if buttons.count() == 0:
        buttons = page.locator(cards)
    button = buttons.nth(rng.randrange(buttons.count()))
    before = page.get_attribute(TABLE, "data-revision")
    at_once = plays_at_once(button)
    button.tap() if touch else button.click(force=True)
    if at_once:
        return
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.get_attribute(TABLE, "data-revision") == before, "the first tap only shows the move"
    button.tap() if touch else button.click(force=True)


def by_mouse(page: Page, rng: random.Random) -> None:
    """Cards and choices by mouse; now and then a druid and the place where he shall stop."""
    if rng.random() < 0.25 and page.locator("button[data-hand]:not([data-idle])").count():
        druids = page.locator("[data-part=druids] button")
        for n in rng.sample(range(5), 5):
            druids.nth(n).click()
            stops = page.locator("[data-target]")
            if stops.count():
                stops.last.hover(force=True)
                expect(page.locator("[data-armed]")).to_be_visible()
                stops.last.click(force=True)
                expect(page.locator("[data-chosen]")).to_be_visible()
                stops.last.click(force=True)
                page.mouse.move(3, 3)
                return
    _choose(page, rng, touch=False)


def by_touch(page: Page, rng: random.Random) -> None:
    """Cards and choices by finger."""
    _choose(page, rng, touch=True)


def sparing(page: Page, rng: random.Random) -> None:
    """By finger, and experience cards are kept for the end."""
    _choose(page, rng, touch=True, cards="button[data-hand]:not([data-idle]):not([data-deck=experience])")


def by_keyboard(page: Page, rng: random.Random) -> None:
    """Number keys take up cards, arrows go from choice to choice, Enter plays."""
    if page.locator("button[data-move]").count():
        for _ in range(rng.randint(1, 4)):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        return
    held = page.locator("button[data-hand]:not([data-idle])").count()
    key = str(rng.randint(1, min(held, 9)))
    page.keyboard.press(key)
    expect(page.locator("[data-armed]").first).to_be_visible()
    page.keyboard.press(key)


@pytest.mark.parametrize(
    ("seats", "turn", "size"),
    [
        pytest.param(2, by_mouse, DESK, marks=pytest.mark.proof),
        (5, sparing, PHONE),
        pytest.param(2, by_touch, PHONE, marks=pytest.mark.proof),
        pytest.param(2, by_keyboard, DESK, marks=pytest.mark.proof),
        pytest.param(3, by_keyboard, DESK, marks=pytest.mark.proof),
        pytest.param(5, by_mouse, DESK, marks=pytest.mark.proof),
        pytest.param(5, by_keyboard, DESK, marks=pytest.mark.proof),
    ],
    ids=["two by mouse", "five by touch", "two by touch", "two by keyboard", "three by keyboard", "five by mouse", "five by keyboard"],
)
def test_a_whole_game(opened: Opener, seats: int, turn: Any, size: dict[str, int]) -> None:
    page = opened(size)
    sit_down(page, seats, seed=None if seats == 2 else 4)
    expect(page.locator("[data-player]")).to_have_count(seats)
    looked: list[str] = []

    def watchful(page: Page, rng: random.Random) -> None:
        if not looked and page.locator("button[data-move=stop]").count():
            looked.append("experience")
            expect(page.locator("[data-rank]")).to_have_count(seats)
            assert_accessible(page, "experience")
        turn(page, rng)

    assert play(page, watchful, random.Random(5)), "the game goes on and on"
    end = page.locator("dialog[data-end]")
    expect(end).to_be_visible()
    expect(end.locator("[data-made]")).to_have_count(seats)
    expect(page.locator("[data-rank='1']").first).to_be_attached()
    if turn is sparing:  # who kept experience cards is asked what to do with them
        assert looked == ["experience"]
        page.keyboard.press("Escape")
        page.locator("[data-open=log]").click()
        expect(page.locator("[role=log]")).to_contain_text("Ulster may now use experience cards")


def test_a_card_shows_its_stop_before_it_is_played(opened: Opener) -> None:
    page = opened()
    sit_down(page, 2, seed=3)
    assert state(page) == "mine"
    before = page.get_attribute(TABLE, "data-revision")
    page.locator("button[data-hand]").first.click()
    expect(page.locator("[data-armed]")).to_contain_text("place 1")
    expect(page.locator("[data-target]").first).to_be_visible()
    assert page.get_attribute(TABLE, "data-revision") == before
    page.keyboard.press("Escape")
    expect(page.locator("[data-armed]")).to_have_count(0)


def test_events_are_shown_one_by_one_and_can_be_skipped(opened: Opener) -> None:
    page = opened(speed=1)
    sit_down(page, 3, seed=3)
    for _ in range(10):
        page.wait_for_selector(f"{TABLE}[data-state=mine], {TABLE}[data-state=showing]")
        if page.locator("[data-skip]").count():
            break
        by_list(page, random.Random(1))
    expect(page.locator("[data-skip]")).to_be_visible()
    page.keyboard.press(" ")
    assert state(page) == "mine"


def board_file(places: int) -> str:
    """A board of one's own as people write it: TOML, with a comment."""
    kinds = [("village", 1), ("cult", 0), ("ruin", -2), ("castle", 3)]
    rows = [("start", 0), *(kinds[n % 4] for n in range(places - 2)), ("goal", 4)]
    head = "# our island\ndruid_cards = 12\nexperience_cards = 4  # of each colour\nparts_per_kind = 10\n"
    return head + "".join(f'\n[[places]]\nkind = "{kind}"\nparts = {parts}\n' for kind, parts in rows)


@pytest.mark.parametrize(("places", "size"), [pytest.param(10, DESK, marks=pytest.mark.proof), (40, PHONE)], ids=["ten", "forty"])
def test_a_board_of_ones_own_is_loaded_and_drawn(opened: Opener, places: int, size: dict[str, int]) -> None:
    page = opened(size)
    page.goto("/new/celtica")
    content = board_file(places).encode()
    page.locator("input[type=file]").set_input_files({"name": "island.toml", "mimeType": "text/plain", "buffer": content})
    expect(page.locator("[data-part=loaded]")).to_contain_text("island.toml")
    page.locator("[data-begin]").click()
    page.wait_for_selector(TABLE)
    expect(page.locator("[data-island] svg > g[role=img]")).to_have_count(places)
    expect(page.locator("[data-part=rebuilt]")).to_have_count(0)
    assert play(page, by_list, random.Random(3), turns=3) is False


def test_a_bad_board_is_refused_with_its_reason(opened: Opener) -> None:
    page = opened(DESK)
    page.goto("/new/celtica")
    content = board_file(10).replace('kind = "goal"', 'kind = "village"').encode()
    page.locator("input[type=file]").set_input_files({"name": "island.toml", "mimeType": "text/plain", "buffer": content})
    page.locator("[data-begin]").click()
    expect(page.locator("form [role=alert]")).to_contain_text("goal")
    assert page.url.endswith("/new/celtica")
    opened.troubles = [line for line in opened.troubles if "422" not in line]


def test_an_unreadable_board_begins_nothing(opened: Opener) -> None:
    page = opened(DESK)
    page.goto("/new/celtica")
    page.locator("input[type=file]").set_input_files({"name": "bad.toml", "mimeType": "text/plain", "buffer": b"places = [[["})
    expect(page.locator("form [role=alert]")).to_be_visible()
    page.locator("[data-begin]").click()
    expect(page.locator("form [role=alert]")).to_be_visible()
    assert page.url.endswith("/new/celtica")
    page.locator("[data-put-away]").click()
    expect(page.locator("form [role=alert]")).to_have_count(0)
    page.locator("[data-begin]").click()
    page.wait_for_selector(TABLE)


@pytest.mark.parametrize(("game", "seats"), [("celtica", ["Ulster", "Connacht"]), ("daemonen", ["Red", "Blue"])])
def test_who_begins_is_chosen_by_name(opened: Opener, game: str, seats: list[str]) -> None:
    page = opened(DESK)
    page.goto(f"/new/{game}")
    page.locator("[data-variants] summary").click()
    begins = page.locator("#option-first_player")
    expect(begins.locator("option")).to_have_text(["drawn by lot", *seats])
    begins.select_option(label=seats[1])
    page.locator("[data-begin]").click()
    page.wait_for_selector(TABLE)
    made = page.evaluate("id => fetch(`/api/tables/${id}`).then((answer) => answer.json())", page.url.split("/")[-1].split("#")[0])
    assert made["options"]["first_player"] == 1


def test_looking_ahead_says_something_of_every_play(opened: Opener) -> None:
    page = opened()
    sit_down(page, 2, seed=3)
    assert state(page) == "mine"
    page.locator("[data-look-all]").click()
    page.mouse.move(3, 3)
    expect(page.locator("[data-list-move] small").first).to_be_visible()
    expect(page.locator("[data-list-move]:not(:has(small))")).to_have_count(0)


def test_a_druid_without_cards_says_why(opened: Opener) -> None:
    page = opened()
    sit_down(page, 2, seed=3)
    assert state(page) == "mine"
    held = page.locator("[data-part=hand] [data-part=group] p").all_text_contents()
    for druid in page.locator("[data-part=druids] li > button").all():
        name = druid.locator("b").text_content() or ""
        if name not in held:
            druid.click()
            expect(page.locator("[data-part=druids] [data-part=bubble]")).to_contain_text(f"no card for {name}")
            expect(page.locator("[data-part=druids] [data-part=bubble] a")).to_have_text("CE-3.1")
            return
    raise AssertionError("every druid can be led")


def test_without_preview_nothing_is_foretold_on_the_island(opened: Opener) -> None:
    page = opened(preview=False)
    sit_down(page, 2, seed=3)
    assert state(page) == "mine"
    card = page.locator("button[data-hand]").first
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-part=ghost], [data-part=lane], [data-target]")).to_have_count(0)
    page.keyboard.press("Escape")
    # The druid himself shows where he may be sent.
    colour = page.locator("[data-part=hand] [data-group]").first.get_attribute("data-group")
    page.locator(f"[data-part=druids] [data-about='druid:{colour}']").click()
    expect(page.locator("[data-target]").first).to_be_attached()


def test_the_keyboard_keeps_its_place(opened: Opener) -> None:
    page = opened()
    sit_down(page, 2, seed=3)
    assert state(page) == "mine"
    here = "document.activeElement?.closest('main') !== null"
    page.keyboard.press("1")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-target]:focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("[data-target]")).to_have_count(0)
    expect(page.locator("button[data-hand='0']")).to_be_focused()
    for _ in range(4):
        before = page.get_attribute(TABLE, "data-revision")
        if page.locator("button[data-move]").count():
            page.locator("button[data-move]").first.focus()
        else:
            page.keyboard.press("1")
            page.keyboard.press("ArrowRight")
            expect(page.locator("[data-target]:focus")).to_have_count(1)
        while page.get_attribute(TABLE, "data-revision") == before and state(page) == "mine":
            page.keyboard.press("Enter")
        assert state(page) == "mine"
        page.wait_for_function(here)


def test_a_phone_shows_supply_and_piles(opened: Opener) -> None:
    page = opened(PHONE)
    sit_down(page, 2, seed=3)
    for what in ("[data-supply]", "[data-pile=druid]", "[data-pile=experience]", "[data-unseen-experience=white]"):
        expect(page.locator(what)).to_be_visible()


def sit_down_among_ruins(page: Page) -> None:
    """Wherever a druid goes, he comes to a ruin."""
    ruins = [{"kind": "start", "parts": 0}, *[{"kind": "ruin", "parts": -2}] * 8, {"kind": "goal", "parts": 4}]
    sit_down(page, 2, seed=3, components={"druid_cards": 12, "experience_cards": 4, "parts_per_kind": 10, "places": ruins})
    assert state(page) == "mine"


@pytest.mark.parametrize("confirm", [True, False], ids=["with a second look", "at once"])
def test_a_ruin_asks_first_and_names_the_least_harmful_parts(opened: Opener, confirm: bool) -> None:
    page = opened(DESK, confirm=confirm)
    sit_down_among_ruins(page)
    before = page.get_attribute(TABLE, "data-revision")
    card = page.locator("button[data-hand]").first
    card.click()
    asked = page.locator("[data-sure]")
    expect(asked).to_contain_text("You give up 2 parts")
    expect(asked).to_contain_text("Least harmful: ")
    assert_accessible(page, "ruin")
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    # On the island too, where the mouse has pointed already.
    page.locator("[data-part=druids] button").nth(0).click()
    stop = page.locator("[data-target]").first
    if stop.count() == 0:
        page.locator("[data-part=druids] button").nth(1).click()
    stop.hover(force=True)
    expect(page.locator("[data-armed]")).to_be_visible()
    stop.click(force=True)
    expect(asked).to_be_visible()
    assert page.get_attribute(TABLE, "data-revision") == before, "nothing is played yet"
    stop.click(force=True)
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")


@pytest.mark.parametrize(
    ("hand", "size", "confirm"),
    [
        pytest.param("mouse", DESK, False, marks=pytest.mark.proof),
        ("keyboard", DESK, True),
        ("touch", PHONE, True),
        pytest.param("button", DESK, True, marks=pytest.mark.proof),
    ],
    ids=["mouse", "keyboard", "touch", "button"],
)
def test_the_list_of_moves_asks_about_a_ruin_too(opened: Opener, hand: str, size: dict[str, int], confirm: bool) -> None:
    page = opened(size, confirm=confirm)
    sit_down_among_ruins(page)
    before = page.get_attribute(TABLE, "data-revision")
    if size is PHONE:
        page.locator("[data-open=moves]").tap()
    # It is said once: in the drawer by the list, at the table by the hand.
    move, warning = page.locator("[data-list-move]").first, page.locator("[data-warning]" if size is PHONE else "[data-sure][role=alert]")

    def once() -> None:
        if hand == "keyboard":
            page.keyboard.press("Enter")
        elif hand == "touch":
            move.tap()
        elif hand == "mouse" or page.locator("[data-chosen]").count() == 0:
            move.click()
        else:
            page.locator("[data-play-armed]:visible").click()

    if hand == "keyboard":
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.locator("[data-list-move]:focus").count():
                break
        expect(page.locator("[data-armed]")).to_be_visible()
    if hand == "button":
        page.mouse.move(3, 3)
        move.hover()
        expect(page.locator("[data-armed]")).to_be_visible()
    expect(warning).to_have_count(0)
    once()
    expect(warning).to_contain_text("You give up 2 parts")
    expect(warning).to_contain_text("Least harmful: ")
    assert page.get_attribute(TABLE, "data-revision") == before, "nothing is played yet"
    if hand == "touch":
        assert_accessible(page, "a ruin in the list")
    else:
        expect(page.locator("[data-warning], [data-sure][role=alert]")).to_have_count(1)
    once()
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")


@pytest.mark.parametrize(("size", "theme"), NIGHT)
def test_the_table_is_accessible_and_fits(opened: Opener, theme: str, size: dict[str, int]) -> None:
    page = opened(size, theme=theme, language="de")
    sit_down(page, 5, seed=7)
    turn = by_touch if size is PHONE else by_mouse
    rng = random.Random(2)
    seen: set[str] = set()
    for _ in range(40):
        if state(page) == "over":
            break
        moves = page.locator("button[data-move]")
        kind = (moves.first.get_attribute("data-move") or "").split()[0] if moves.count() else "play"
        if kind not in seen:
            seen.add(kind)
            wide = page.evaluate("document.documentElement.scrollWidth") - size["width"]
            assert wide <= 0, f"{wide} pixels too wide at {kind}"
            assert_accessible(page, kind)
        if {"play", "take", "give"} <= seen:
            break
        before = page.get_attribute(TABLE, "data-revision")
        turn(page, rng)
        page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    assert {"play", "take"} <= seen
