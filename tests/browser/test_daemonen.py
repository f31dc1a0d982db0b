"""Druiden und Dämonen in a real browser: whole games by mouse, touch and keyboard, what is shown step by step, and the map's window.

It is long because every way to play its table (mouse, touch, keyboard, the map's window) shares the few helpers at its top.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from drunemeton.rules.game import find_game

from ..deals import DEALS
from .conftest import DESK, PHONE, Opener
from .hands import TABLE, Turn, play, plays_at_once, state
from .positions import Position
from .test_pages import assert_accessible

SEED = 5


def sit(page: Page, seats: int = 2, **components: int) -> None:
    """A table with the first seat for us and short rules; bots take the others."""
    page.goto("/")
    whole: dict[str, Any] = {**find_game("daemonen").default_components(), **components}
    bots = [{"kind": "bot", "bot": "random"} for _ in range(seats - 1)]
    with DEALS.typed(SEED):
        made = page.request.post("/api/tables", data={"game": "daemonen", "seats": [{"kind": "person"}, *bots], "components": whole})
    assert made.ok, made.text()
    page.goto(f"/t/{made.json()['table']}#{made.json()['keys'][0]}")
    page.wait_for_selector(TABLE)
    state(page)


def revision(page: Page) -> str | None:
    return page.get_attribute(TABLE, "data-revision")


def place_moves(page: Page, place: str) -> str:
    """`from` where a population would be taken up at this place, else nothing."""
    label = page.locator(f"[data-place='{place}']").get_attribute("aria-label") or ""
    return "from" if label.startswith("From ") and "/" not in place and page.locator("[data-undo-half]").count() == 0 else ""


def act(page: Page, rng: random.Random) -> None:
    """A button or a lit place, as a person would: point, look, play. Settling is preferred, so that the game ends."""
    touch = page.viewport_size == PHONE
    buttons, places = page.locator("button[data-move]"), page.locator("[data-place]")
    if page.locator("[data-part=action]").count():
        wanted = page.locator("[data-move='choose populate']")
        button = wanted if wanted.count() else buttons.nth(rng.randrange(buttons.count()))
        button.tap() if touch else button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        button.tap() if touch else button.click()
        return
    over = page.locator("[data-move=end], [data-move=stop]")
    settling = page.locator("[data-step=now]").count() == 0 or places.count() == 0 or "Settle" in page.inner_text("[data-step=now]")
    if not places.count() or (over.count() and not settling and rng.random() < 0.6):
        button = over if over.count() and rng.random() < 0.6 else buttons.first
        at_once = plays_at_once(button)
        button.tap() if touch else button.click()
        if at_once:
            return
        expect(button).to_have_attribute("aria-pressed", "true")
        button.tap() if touch else button.click()
        return
    place = places.nth(rng.randrange(places.count()))
    name = place.get_attribute("data-place")
    box = place.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = revision(page)
    if touch:
        which = place_moves(page, name or "")
        page.touchscreen.tap(x, y)
        if which == "from":
            # Which population goes can be taken back: it is taken up at once.
            return
        expect(page.locator("[data-armed]").first).to_be_visible()
        assert revision(page) == before, "the first tap only previews"
        page.touchscreen.tap(x, y)
        return
    ghost = page.locator(f"[data-ghost*=' {name}']")
    for _ in range(5):
        page.mouse.move(x, y)
        # A late answer about the move before may take the light away once: then one points again.
        page.wait_for_timeout(60)
        if ghost.count():
            break
        page.mouse.move(3, 3)
    expect(ghost).to_be_attached()
    before = revision(page)
    page.mouse.click(x, y)
    expect(page.locator(f"[data-chosen], {TABLE}:not([data-revision='{before}'])").first).to_be_visible()
    if revision(page) == before:
        # Several rotations may fit, or the place means several things: the next click plays what is shown.
        if page.locator("[data-turn]").count():
            page.locator("[data-turn=right], [data-turn=other]").click()
        page.mouse.click(x, y)
    page.mouse.move(3, 3)


def by_keys(page: Page, rng: random.Random) -> None:
    """Arrows to a button or a lit place, Enter; a button wants it twice."""
    before = revision(page)
    wish = "[data-move='choose populate']"
    for step in range(12):
        page.keyboard.press(rng.choice(["ArrowRight", "ArrowDown"]))
        if step > 0 and page.locator(wish).count() == page.locator(f"{wish}:focus").count():
            break
    page.keyboard.press("Enter")
    expect(page.locator(f"[data-armed], {TABLE}:not([data-revision='{before}'])").first).to_be_visible()
    if page.locator("button[data-move]:focus").count():
        page.keyboard.press("Enter")


proof = pytest.mark.proof


@pytest.mark.parametrize(
    ("seats", "turn", "size", "seed", "rules"),
    [
        pytest.param(2, act, DESK, 3, {"win": 5, "setup_fields": 3}, id="two by mouse", marks=proof),  # Druidenwalzer's is
        pytest.param(2, by_keys, DESK, 4, {"win": 3, "setup_fields": 4}, id="two by keyboard"),
        pytest.param(4, act, PHONE, 6, {"win": 4, "setup_fields": 2}, id="four by touch"),
        pytest.param(2, act, PHONE, 3, {"win": 5, "setup_fields": 3}, id="two by touch", marks=proof),
        pytest.param(4, act, DESK, 6, {"win": 4, "setup_fields": 2}, id="four by mouse", marks=proof),
        pytest.param(4, by_keys, DESK, 4, {"win": 3, "setup_fields": 2}, id="four by keyboard", marks=proof),
    ],
)
def test_a_whole_game(opened: Opener, seats: int, turn: Turn, size: dict[str, int], seed: int, rules: dict[str, int]) -> None:
    page = opened(size)
    sit(page, seats, **rules)
    assert play(page, turn, random.Random(seed), turns=150), "the game goes on and on"
    end = page.locator("dialog[data-end]")
    expect(end).to_be_visible()
    expect(end).to_have_attribute("data-end", "points")
    expect(end.locator("[data-made]")).to_have_count(seats)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], "nothing hangs over the edge"


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.proof)])
def test_four_seats_on_a_phone_by_touch(opened: Opener, theme: str) -> None:
    page = opened(PHONE, theme=theme, language="de")
    sit(page, seats=4, setup_fields=2)
    assert_accessible(page, "set-up")
    play(page, act, random.Random(2), turns=2)
    state(page)
    expect(page.locator("[data-part=action]")).to_have_count(5)
    assert_accessible(page, "choice of actions")
    play(page, act, random.Random(2), turns=4)
    assert state(page) == "mine"
    assert_accessible(page, "in an action")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], "nothing hangs over the edge"
    expect(page.locator("[data-part=scores] li")).to_have_count(4)
    assert "web.dd" not in page.inner_text("body")


def test_by_keyboard_alone(opened: Opener) -> None:
    page = opened(DESK)
    sit(page)
    keys = page.keyboard
    keys.press("ArrowRight")
    ghost = page.locator("[data-ghost]")
    expect(ghost).to_be_attached()
    first = ghost.get_attribute("data-ghost") or ""
    keys.press("r")
    expect(ghost).not_to_have_attribute("data-ghost", first)
    turned = ghost.get_attribute("data-ghost") or ""
    assert turned.rsplit(" ", 1)[0] == first.rsplit(" ", 1)[0], "turned on the spot"
    before = revision(page)
    keys.press("Enter")
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
    state(page)
    expect(page.locator(f"[data-cell='{turned.split()[1]}']")).to_have_count(1)
    assert_accessible(page, "map")


def test_the_window_moves_zooms_and_shows_everything_again(opened: Opener) -> None:
    page = opened(DESK)
    page.goto("/")
    page.locator("[data-play=daemonen]").click()
    page.wait_for_selector(TABLE)
    state(page)
    world = page.locator("[data-part=world]")
    at_first = world.get_attribute("style")
    expect(page.locator("[data-part=mini]")).to_have_count(0)
    page.mouse.move(300, 500)
    page.mouse.wheel(0, -600)
    expect(page.locator("[data-part=mini]")).to_be_visible()
    zoomed, before = world.get_attribute("style"), revision(page)
    page.mouse.down()
    page.mouse.move(420, 560, steps=4)
    page.mouse.up()
    assert world.get_attribute("style") not in {at_first, zoomed}
    assert revision(page) == before, "to drag the map is no move"
    dragged = world.get_attribute("style")
    page.locator("[data-part=mini]").click(position={"x": 40, "y": 70})
    expect(world).not_to_have_attribute("style", dragged or "")
    assert revision(page) == before, "nor is a look elsewhere"
    page.locator("[data-zoom=fit]").click()
    expect(world).to_have_attribute("style", at_first or "")


# --- Positions of a recorded game: 506 moves with captures, cascades and an end by points


def come(page: Page, position: Position) -> None:
    """Sit down at the seat whose move comes next."""
    page.goto(position.link)
    page.wait_for_selector(f"{TABLE}[data-state=mine]")


def at_rest(page: Page) -> None:
    """Wait until the map no longer glides."""
    page.evaluate(
        "() => Promise.all(document.querySelector('[data-part=world]').getAnimations().map((one) => one.finished.catch(() => null)))"
    )


def press(page: Page, move: str, hand: str) -> None:
    """A button of the hand: the first time it shows its move, the second time it plays it; what can be taken back it plays at once."""
    button = page.locator(f"button[data-move='{move}']")
    if hand == "keyboard":
        button.focus()
    for _ in range(2 if button.get_attribute("data-at-once") is None else 1):
        if hand == "keyboard":
            page.keyboard.press("Enter")
        elif hand == "touch":
            button.tap()
        else:
            button.click()


def point(page: Page, place: str, hand: str) -> None:
    """Point at a place of the map, as far as this hand can, and with the mouse click what is shown there."""
    if hand == "keyboard":
        page.locator(f"[data-place='{place}']").focus()
        return
    at_rest(page)
    box = page.locator(f"[data-place='{place}']").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if hand == "touch":
        page.touchscreen.tap(x, y)
    else:
        page.mouse.move(x, y)
        # A slow page must have seen the mouse come before it is clicked: otherwise the click only shows the move.
        expect(ghost_at(page, place)).to_be_attached()
        page.mouse.click(x, y)


def ghost_at(page: Page, place: str) -> Locator:
    """The move at this place that is shown before it is made."""
    return page.locator(f"[data-ghost*=' {place}']")


def make_move(page: Page, move: str, hand: str = "mouse") -> None:
    """Play this very move, on the map or with a button, and wait until it has been answered."""
    before = revision(page)
    done = page.locator(f"{TABLE}:not([data-revision='{before}'])")
    if page.locator(f"button[data-move='{move}']").count():
        press(page, move, hand)
    else:
        place = move.split()[1]
        if hand == "mouse":
            page.mouse.move(3, 3)
        point(page, place, hand)
        ghost = ghost_at(page, place)
        # A click chooses what the mouse has pointed at, and the next one plays it; a piece is taken up at once.
        expect((page.locator("[data-chosen]") if hand == "mouse" else ghost).or_(done).first).to_be_attached()
        if done.count() == 0:
            for _ in range(6):
                if ghost.get_attribute("data-ghost") == move:
                    break
                page.keyboard.press("r") if hand != "touch" else page.locator("[data-turn]").last.tap()
            assert ghost.get_attribute("data-ghost") == move
            page.keyboard.press("Enter") if hand == "keyboard" else point(page, place, hand)
    expect(done).to_be_attached()
    if hand == "mouse":
        page.mouse.move(3, 3)


# What leaves the map while the page shows it: each once, in its order, never two at a time.
WATCH = """() => {
  window.gone = []
  window.watching?.disconnect()
  let before = ''
  window.watching = new MutationObserver(() => {
    const going = [...document.querySelectorAll('[data-part=world] [data-going]')]
    const now = going.map((one) => one.closest('[transform]').getAttribute('transform')).join(' and ')
    if (now && now !== before) window.gone.push(now)
    before = now
  })
  const changes = { subtree: true, childList: true, attributes: true, attributeFilter: ['data-going'] }
  window.watching.observe(document.querySelector('[data-part=world]'), changes)
}"""


def watched(page: Page, move: str) -> list[str]:
    """Play a move and answer what was seen to go while its events were shown."""
    page.evaluate(WATCH)
    make_move(page, move)
    page.wait_for_selector(f"{TABLE}:not([data-state=showing])")
    gone: list[str] = page.evaluate("() => window.gone")
    return gone


def test_captures_and_cascades_are_shown_step_by_step_and_a_game_is_won(recalled: Opener, patient: str) -> None:
    page = recalled(speed=4)
    position = Position(patient, "daemonen", 7)
    position.advance(105)
    come(page, position)
    assert position.next() == "to -5,4"
    assert page.locator("[data-points^='red']").get_attribute("data-points") == "red 7"
    assert len(watched(page, "to -5,4")) == 1, "the captured population goes, then the other comes"
    expect(page.locator("[data-points='red 6']")).to_be_attached()

    position.advance(327)
    page = recalled(speed=4)
    come(page, position)
    seen = watched(page, position.next())
    assert len(seen) == 2, "a demon field comes, and takes first a population, then the stone that stood on it"
    seen = watched(page, position.next())
    assert len(seen) == len(set(seen)) == 11, "the whole chain falls, field by field"
    assert not any(" and " in one for one in seen)

    position.advance(len(position.moves) - 4)
    page = recalled()
    come(page, position)
    while position.at < len(position.moves):
        state(page)
        make_move(page, position.next())
    end = page.locator("dialog[data-end=points]")
    expect(end).to_be_visible()
    expect(page.locator("[data-points='red 38']")).to_be_attached()
    expect(end).to_contain_text("38")


@pytest.mark.proof
@pytest.mark.parametrize(("hand", "size"), [("mouse", DESK), ("touch", PHONE), ("keyboard", DESK)], ids=["mouse", "touch", "keyboard"])
def test_a_whole_game_to_36_points(recalled: Opener, patient: str, hand: str, size: dict[str, int]) -> None:
    """Every one of 506 moves made on the map or with the buttons, for both seats at one device."""
    page = recalled(size)
    position = Position(patient, "daemonen", 7)
    for link in position.links:
        page.goto("/")
        page.goto(link)
        page.wait_for_selector(TABLE)
    while position.at < len(position.moves):
        seat = position.moves[position.at][0]
        page.wait_for_selector(f"{TABLE}[data-state=mine][data-seat='{seat}']")
        make_move(page, position.next(), hand)
    expect(page.locator("dialog[data-end=points]")).to_be_visible()


def test_steps_are_taken_back_until_something_comes_to_light(recalled: Opener, patient: str) -> None:
    page = recalled(PHONE, theme="dark")
    position = Position(patient, "daemonen", 7)
    position.advance(63)
    come(page, position)

    def take_back() -> None:
        before = revision(page)
        page.locator("[data-open=settings]").click()
        page.locator("[data-undo]:visible").click()
        page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)

    demons = page.locator("[data-part=supply] span").nth(1)
    pool = demons.inner_text()
    for _ in range(3):
        make_move(page, position.next(), "touch")
    expect(demons).not_to_have_text(pool)
    take_back()
    expect(demons).to_have_text(pool)
    take_back()
    take_back()
    expect(page.locator("[data-part=action]")).to_have_count(5)
    assert page.locator("[data-undo]").count() == 0, "the other's turn is not ours to take back"
    position.at = 63
    for _ in range(5):
        make_move(page, position.next(), "touch")
    expect(page.locator("[data-part=tile]")).to_be_visible()
    page.locator("[data-open=settings]").click()
    expect(page.locator("[data-undo-ask]:visible")).to_be_enabled()
    assert page.locator("[data-undo]:visible").count() == 0, "a field has come to light: the other must agree"


def test_a_refusal_speaks_at_the_place_and_names_the_rule(recalled: Opener, patient: str) -> None:
    page = recalled(DESK)
    position = Position(patient, "daemonen", 7)
    position.advance(91)
    come(page, position)
    banned = page.locator("[data-banned]").first
    assert banned.get_attribute("aria-disabled") == "true"
    expect(banned.locator("small")).not_to_be_empty()
    banned.click(force=True)  # it is there to be asked, though it cannot be chosen
    bubble = page.locator("[data-part=bubble]")
    expect(bubble.locator("a")).to_have_attribute("href", "/rules/daemonen#" + (bubble.locator("a").text_content() or ""))
    said = bubble.bounding_box()
    assert said is not None
    assert said["y"] + said["height"] < DESK["height"], "nothing of it is cut off"
    bubble.locator("button").click()
    expect(bubble).to_have_count(0)
    position.at = 91
    for _ in range(2):
        make_move(page, position.next())
    # A field of another's: it is not lit, and a click on it says why.
    taken = page.locator("[data-population=red]").first.bounding_box()
    assert taken is not None
    x, y = taken["x"] + taken["width"] / 2, taken["y"] + taken["height"] / 2
    page.mouse.click(x, y)
    expect(bubble.locator("a")).to_have_attribute("href", "/rules/daemonen#" + (bubble.locator("a").text_content() or ""))
    said = bubble.bounding_box()
    assert said is not None
    assert said["x"] < x < said["x"] + said["width"], "it speaks at the place"
    assert_accessible(page, "refusal")


def test_two_fingers_zoom(recalled: Opener, patient: str) -> None:
    page = recalled(PHONE)
    position = Position(patient, "daemonen", 7)
    position.advance(105)
    come(page, position)
    world, before = page.locator("[data-part=world]"), revision(page)
    at_first = world.get_attribute("style")
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, apart: int) -> None:
        points = [{"x": 195 - apart, "y": 380, "id": 0}, {"x": 195 + apart, "y": 380, "id": 1}] if apart else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 40)
    for apart in range(50, 131, 20):
        fingers("touchMove", apart)
    fingers("touchEnd", 0)
    expect(page.locator("[data-part=mini]")).to_be_visible()
    expect(page.locator("[data-part=mini] circle")).to_have_count(page.locator("[data-cell]").count() + 7)
    assert world.get_attribute("style") != at_first
    assert revision(page) == before, "to pinch is no move"
    page.locator("[data-zoom=fit]").tap()
    expect(world).to_have_attribute("style", at_first or "")
    expect(page.locator("[data-part=mini]")).to_have_count(0)


def test_a_conversion_is_foretold_in_points_and_shown(recalled: Opener, patient: str) -> None:
    """On a phone beside the move, on a desk in the list of moves once everything was asked for."""
    position = Position(patient, "daemonen", 2)
    position.advance(192)
    assert position.moves[192] == (0, "convert 2,-3/1")
    desk = recalled()
    come(desk, position)
    listed = desk.locator("[data-list-move='convert 2,-3/1'] small")
    assert listed.count() == 0
    desk.locator("[data-look-all]").click()
    expect(listed).to_have_text("+3 · Blue −3")

    page = recalled(PHONE, speed=4)
    come(page, position)
    point(page, "2,-3/1", "touch")
    expect(page.locator("[data-part=bottom] [data-part=status]")).to_contain_text("+3 · Blue −3")
    point(page, "2,-3/1", "touch")
    for seen in (page, desk):
        expect(seen.locator("[data-points='red 8']")).to_be_attached()
        expect(seen.locator("[data-points='blue 11']")).to_be_attached()


BREATHES = "() => document.getAnimations().some((one) => one.effect.target.matches('[data-part=breath]'))"


def test_the_great_demon_breathes_unless_movement_is_unwanted(recalled: Opener, patient: str) -> None:
    position = Position(patient, "daemonen", 7)
    position.advance(20)
    page = recalled(PHONE, speed=1)
    come(page, position)
    page.wait_for_function(BREATHES)
    still = recalled(PHONE, speed=1)
    still.emulate_media(reduced_motion="reduce")
    come(still, position)
    still.wait_for_timeout(2500)
    assert not still.evaluate(BREATHES)


# --- For those who listen, and for those who have no mouse


def test_a_phone_says_the_question_the_move_and_what_happens(opened: Opener) -> None:
    page = opened(PHONE)
    sit(page)
    asked = page.locator("[data-part=bottom] [data-part=status] [role=status]")
    # Two speak at a time: with the question the coach, with a move what it brings.
    coach = page.locator("[data-part=bottom] [data-coach] [role=status]")
    expect(coach).not_to_be_empty()
    expect(asked).to_have_count(3)
    expect(asked.nth(1)).to_be_empty()
    expect(asked.first).to_contain_text("Lay the field")
    place = page.locator("[data-place]").first
    name = place.get_attribute("data-place") or ""
    point(page, name, "touch")
    expect(asked.first).to_contain_text(f"here: {name.replace('-', '−')}")
    expect(coach).to_have_count(0)
    expect(asked).to_have_count(2)
    point(page, name, "touch")
    spoken = page.locator("[data-spoken][aria-live=polite]")
    expect(spoken).to_contain_text(re.compile(r"Red lays .* here: " + re.escape(name.replace("-", "−"))))
    expect(spoken).to_contain_text("Blue lays")
    assert page.locator("[aria-hidden=true] [data-spoken], [aria-hidden=true] [role=status]").count() == 0


def test_fields_tell_the_stones_at_their_corners(recalled: Opener, patient: str) -> None:
    page = recalled(PHONE)
    position = Position(patient, "daemonen", 7)
    position.advance(360)
    assert [move for _, move in position.moves[358:360]] == ["stone -2,7/1", "from reserve"]
    come(page, position)
    told = page.locator("[data-cell][aria-label*='stone of Red on corner −2,7/1']")
    expect(told).to_have_count(3)
    expect(page.locator("[data-cell='-2,7']")).to_have_attribute("aria-label", re.compile("stone of Red on corner −2,7/1"))


# Whether the cursor was ever on nothing at all.
LOST = """() => {
  window.lost = 0
  const look = () => { if (document.activeElement === document.body) window.lost++; requestAnimationFrame(look) }
  look()
}"""


@pytest.mark.parametrize("speed", [pytest.param(0, marks=pytest.mark.proof), 4])
def test_the_cursor_stays_on_the_map_after_every_move(recalled: Opener, patient: str, speed: int) -> None:
    page = recalled(speed=speed)
    position = Position(patient, "daemonen", 7)
    position.advance(327)
    come(page, position)
    page.locator("[data-target]").first.focus()
    page.evaluate(LOST)
    for _ in range(6):
        move = position.next()
        make_move(page, move, "keyboard")
        page.wait_for_selector(f"{TABLE}[data-state=mine]")
        cursor = page.locator("[data-target]:focus, button[data-move]:focus")
        expect(cursor).to_have_count(1)
        assert cursor.get_attribute("data-place") != move.split()[1], "a key too many would undo what was done there"
    assert page.evaluate("window.lost") == 0


def test_a_place_is_called_by_the_rotation_that_is_shown(opened: Opener) -> None:
    page = opened(DESK)
    sit(page)
    page.keyboard.press("ArrowRight")
    ghost, cursor = page.locator("[data-ghost]"), page.locator("[data-target]:focus")
    for _ in range(3):
        before = ghost.get_attribute("data-ghost") or ""
        expect(cursor).to_have_attribute("aria-label", re.compile(f"rotation {before[-1]} "))
        page.keyboard.press("r")
        expect(ghost).not_to_have_attribute("data-ghost", before)
    left = cursor.get_attribute("data-place")
    page.keyboard.press("ArrowRight")
    expect(cursor).not_to_have_attribute("data-place", left or "")
    reached = cursor.get_attribute("data-place") or ""
    expect(ghost_at(page, reached)).to_be_attached()
    shown = (ghost.get_attribute("data-ghost") or "")[-1]
    assert f"rotation {shown}" in (cursor.get_attribute("aria-label") or "")


# --- Questions, second thoughts and answers


@pytest.mark.parametrize(("size", "hand"), [(DESK, "mouse"), (PHONE, "touch")], ids=["desk", "phone"])
def test_what_costs_trophies_is_said_before_it_is_paid(recalled: Opener, patient: str, size: dict[str, int], hand: str) -> None:
    page = recalled(size)
    position = Position(patient, "daemonen", 7)
    position.advance(209)
    come(page, position)
    said = page.locator("[data-part=status]")
    expect(said).to_contain_text("costs 2 trophies")
    place = position.next().split()[1]
    if hand == "touch":
        point(page, place, hand)
        expect(said).to_contain_text("2 trophies")
    else:
        page.locator(f"[data-place='{place}']").hover()
        expect(page.locator("[data-armed]")).to_contain_text("This population costs 2 trophies.")


def at_place(page: Page, place: str) -> tuple[float, float]:
    """Where a place lies on the screen, whether it is lit or not."""
    at_rest(page)
    where = page.evaluate(
        """(place) => {
          const [cell, k] = place.split('/')
          const [q, r] = cell.split(',').map(Number)
          const angle = k === undefined ? null : -((60 * Number(k) + 30) * Math.PI) / 180
          const x = Math.sqrt(3) * 50 * (q + r / 2) + (angle === null ? 0 : Math.cos(angle) * 50)
          const y = 75 * r + (angle === null ? 0 : Math.sin(angle) * 50)
          const at = new DOMPoint(x, y).matrixTransform(document.querySelector('[data-part=world]').getScreenCTM())
          return [at.x, at.y]
        }""",
        place,
    )
    return where[0], where[1]


def test_another_population_may_be_picked_instead(recalled: Opener, patient: str) -> None:
    position = Position(patient, "daemonen", 7)
    position.advance(329)
    assert [move for _, move in position.moves[329:332]] == ["from -4,6", "to -1,7", "from -1,2"]
    page = recalled()
    come(page, position)
    asked = page.locator("[data-part=status] [role=status]")
    make_move(page, "from -4,6")
    expect(asked).to_contain_text("from −4,6")
    page.mouse.click(*at_place(page, "-1,2"))
    expect(asked).to_contain_text("from −1,2")
    page.mouse.click(*at_place(page, "-1,2"))
    expect(asked).to_contain_text("may move")
    expect(page.locator("[data-place='-4,6']")).to_be_attached()
    expect(page.locator("[data-part=bubble]")).to_have_count(0)

    phone = recalled(PHONE)
    come(phone, position)
    make_move(phone, "from -4,6", "touch")
    phone.locator("[data-undo-half]").tap()
    expect(phone.locator("[data-part=status]")).to_contain_text("may move")
    expect(phone.locator("[data-undo-half]")).to_have_count(0)


# Corners where a stone may stand one day and none may be put now.
UNLIT = """() => {
  const lit = new Set([...document.querySelectorAll('[data-target]')].map((one) => one.getAttribute('transform')))
  const place = (one) => `translate(${one.getAttribute('cx')} ${one.getAttribute('cy')})`
  const dark = [...document.querySelectorAll('[data-part=world] circle[data-about^="corner:"]')].filter((one) => !lit.has(place(one)))
  return dark.map((one) => { const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2] })
}"""


def test_an_unlit_corner_says_why_no_stone_may_stand_there(recalled: Opener, patient: str) -> None:
    page = recalled()
    position = Position(patient, "daemonen", 7)
    position.advance(358)
    come(page, position)
    at_rest(page)
    bubble = page.locator("[data-part=bubble]")
    page.mouse.click(*page.evaluate(UNLIT)[0])
    expect(bubble).to_contain_text("A stone on")
    make_move(page, position.next())
    expect(page.locator("[data-part=status] [role=status]")).to_contain_text("a new stone from your reserve")
    page.mouse.click(*page.evaluate(UNLIT)[0])
    expect(bubble).to_contain_text("No stone of yours stands on corner")


def test_a_banned_action_answers_while_another_is_shown(recalled: Opener, patient: str) -> None:
    page = recalled()
    position = Position(patient, "daemonen", 7)
    position.advance(91)
    come(page, position)
    other = page.locator("[data-part=action][data-move]").first
    other.click()
    expect(other).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-armed]")).to_be_visible()
    page.locator("[data-banned]").first.click(force=True)
    expect(page.locator("[data-part=bubble]")).to_contain_text("Barred: ")
    expect(other).to_have_attribute("aria-pressed", "false")


def test_a_place_of_several_meanings_names_them_and_rests_after_a_click(recalled: Opener, patient: str) -> None:
    page = recalled()
    position = Position(patient, "daemonen", 7)
    position.advance(377)
    come(page, position)
    listed = [one.get_attribute("data-list-move") or "" for one in page.locator("[data-list-move]").all()]
    place = next(move.split()[1] for move in listed if move.startswith("anchor ") and f"demon {move.split()[1]}" in listed)
    point(page, place, "mouse")
    expect(page.locator(f"[data-ghost='anchor {place}']")).to_be_attached()
    expect(page.locator("[data-turn=other]")).to_contain_text("Instead: demon field")
    assert page.locator("[data-turn=right]").count() == 0, "nothing is turned here"
    before = revision(page)
    x, y = at_place(page, place)
    page.mouse.click(x, y)
    page.wait_for_selector(f"{TABLE}[data-state=mine]:not([data-revision='{before}'])")
    anchored = revision(page)
    expect(page.locator(f"[data-place='{place}']")).to_be_attached()
    page.mouse.move(x, y)
    expect(page.locator("[data-ghost]")).to_have_count(0)
    page.mouse.click(x, y)
    expect(page.locator(f"[data-ghost='remove {place}']")).to_be_attached()
    assert revision(page) == anchored, "one click too many takes nothing back"


def test_a_whole_chain_that_falls_is_foretold_on_a_phone(recalled: Opener, patient: str) -> None:
    page = recalled(PHONE)
    position = Position(patient, "daemonen", 7)
    position.advance(328)
    come(page, position)
    assert position.next() == "remove -2,2"
    point(page, "-2,2", "touch")
    expect(page.locator("[data-part=bottom] [data-part=status]")).to_contain_text("11 demon fields fall")


def test_the_story_shows_its_end_and_the_settings_the_keys_of_this_game(recalled: Opener, patient: str) -> None:
    page = recalled()
    position = Position(patient, "daemonen", 7)
    position.advance(105)
    come(page, position)
    make_move(page, position.next())
    # Pointing makes the panel above the story grow: its end stays in sight all the same.
    page.locator("[data-list-move]").first.focus()
    page.keyboard.press("Shift")
    last = page.locator("[role=log] li").last
    expect(last).to_be_in_viewport(ratio=1)
    page.locator("[data-open=settings]").click()
    keys = page.locator("dialog[open] dl")
    expect(keys).to_contain_text("r R")
    assert "card" not in keys.inner_text(), "there are no cards to take up"


def test_who_resigns_among_four_is_told_of_the_bot_once(opened: Opener) -> None:
    page = opened(PHONE)
    sit(page, seats=4, setup_fields=2)
    page.locator("[data-open=settings]").click()
    page.locator("[data-resign]:visible").click()
    expect(page.locator("dialog[open]")).to_contain_text("A bot plays your seat to the end.")
    page.locator("[data-resign-sure]").click()
    page.locator("[data-noted]").click()
    expect(page.locator("[data-bot-plays]")).to_have_count(0)
    expect(page.locator("[data-part=scores]")).to_be_visible()
