"""What decided a game, in the browser: graph and table, moments on the board by keyboard and on a phone, and why there is no review."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import DESK, PHONE, Opener
from .test_pages import assert_accessible

RELEASED = Path(__file__).parent.parent / "records" / "released"
RECORD = RELEASED / "druidenwalzer-2026-11-default.txt"
STEPS = 12
LAPTOP = {"width": 1366, "height": 657}


def told() -> dict[str, Any]:
    """A review as a server tells it, of the first steps of a released record: what the page makes of it is tested, not the appraisal."""
    moves = [line.split() for line in RECORD.read_text(encoding="utf-8").splitlines() if line[:1].isdigit() and len(line.split()) > 2]
    step, seat, move = next((int(n), name, " ".join(rest)) for n, name, *rest in moves if rest[0] == "W")
    who = ["sun", "moon"].index(seat)
    points = [
        {"step": n, "seat": None, "turn": 0, "values": [0.5, 0.5], "within": 0.05, "decided": None, "chance": n == 3} for n in range(STEPS)
    ]
    entries = [{"step": n, "value": 0.4, "own": 0.0, "others": 0.0, "luck": 0.0, "rest": 0.0} for n in range(1, STEPS)]
    lines = [
        {"seat": n, "start": 0.5, "own": -0.2, "others": 0.0, "luck": -0.3, "rest": 0.0, "end": 0.0, "accuracy": 80.0, "decisions": 1}
        | {"kinds": {"waltz": {"count": 1, "slips": 1, "given": 0.2}}, "entries": entries}
        for n in range(2)
    ]
    thoughts = [{"move": one, "value": value, "within": 0.02} for one, value in (("R @1", 0.6), ("R @2", 0.58), (move, 0.4))]
    decision = {"step": step, "seat": who, "kind": "waltz", "move": move, "best": "R @1", "given": 0.2, "within": 0.02, "stake": 0.3}
    why = {"code": "wins", "event": {"kind": "token", "tokens": 1, "tree": "M1"}, "share": 1.0, "instead": 0.0, "params": {}}
    moment = {"step": step, "seat": who, "points": -0.2, "before": 0.6, "after": 0.4, "events": []}
    return {
        "format": 2,
        "game": "druidenwalzer",
        "seats": 2,
        "seat_names": ["sun", "moon"],
        "end": "conquest",
        "places": [1, 2],
        "whole": True,
        "graph": points,
        "lines": lines,
        "decisions": [{**decision, "moves": thoughts, "better": [why], "had_known": {"move": "R @2", "value": 0.7, "within": 0.02}}],
        "moments": [{**moment, "what": "mistake", "decision": 0}, {**moment, "what": "luck", "decision": None, "points": -0.3}],
    }


def answered(page: Page, **fields: Any) -> None:
    """Let the server answer so whoever hands a record in."""
    body = {"id": "record", "state": "ready", "done": 1, "steps": 1, "problem": None, "review": None, **fields}
    page.route("**/api/review", lambda route: route.fulfill(body=json.dumps(body), content_type="application/json"))


@pytest.mark.parametrize(("size", "theme"), [(DESK, "light"), (PHONE, "dark")], ids=["desk", "phone"])
def test_the_moments_are_looked_at_by_keyboard(opened: Opener, size: dict[str, int], theme: str) -> None:
    page = opened(size, theme=theme)
    answered(page, review=told())
    page.goto("/review")
    page.locator("[data-record]").set_input_files(RECORD)
    expect(page.locator("[data-graph=whole]")).to_be_visible()
    expect(page.locator("figure [data-table] tbody tr")).to_have_count(STEPS)
    expect(page.locator("[data-line]")).to_have_count(2)
    expect(page.locator("[data-moment]")).to_have_attribute("data-what", "mistake")
    expect(page.locator("[data-side=better] svg").first).to_be_visible()
    reason = page.locator("[data-why]").inner_text()
    assert "token" in reason
    assert "?" not in reason, "something in the sentence was not filled in"
    expect(page.locator("[data-side]")).to_have_count(1 if size is PHONE else 2)
    assert_accessible(page, "review")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-had-known] summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-had-known]")).to_contain_text("70%")
    page.locator("[data-slider]").focus()
    page.keyboard.press("Home")
    expect(page.locator("[data-slider]")).to_have_value("0")
    page.locator("[data-try-door]").focus()
    page.keyboard.press("Enter")
    for move, verdict in [("R @1", "best"), ("R @2", "good"), (told()["decisions"][0]["move"], "mistake")]:
        page.locator(f"[data-list-move={json.dumps(move)}]").focus()
        page.keyboard.press("Enter")
        if page.locator(f"[data-tried={json.dumps(move)}]").count() == 0 and page.locator("[data-chosen]").count():
            page.keyboard.press("Enter")
        expect(page.locator("[data-verdict]")).to_have_attribute("data-tried", move)
        expect(page.locator("[data-verdict]")).to_have_attribute("data-verdict", verdict)
        said = page.locator("[data-verdict]").inner_text()
        assert ("below" in said) is (verdict != "best"), said
    assert_accessible(page, "trying")
    page.locator("[data-pick='1']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-moment]")).to_have_attribute("data-what", "luck")


def test_why_there_is_no_review_is_said(opened: Opener) -> None:
    page = opened()
    answered(page, state="failed", problem="left")
    page.goto("/review")
    page.locator("[data-record]").set_input_files(RECORD)
    expect(page.locator("[data-none=left]")).to_contain_text("too few decisions")


def test_whoever_has_played_sees_his_own_mistake_first(opened: Opener) -> None:
    """Not what befell the other before it; a deal is left to the boards, and what follows of one kind begins once."""
    told_of, page = told(), opened(DESK)
    mistake, luck = told_of["moments"]
    mine, other = told_of["seat_names"][mistake["seat"]], 1 - mistake["seat"]
    stacked = {"kind": "stacked", "tree": "S1", "card": "s3<", "cards": 5}
    drawn = {"kind": "drawn", "seat": told_of["seat_names"][other], "card": "s4<", "place": 1}
    dealt = {**luck, "seat": other, "step": 2, "points": -0.4, "events": [stacked] * 8 + [drawn]}
    why = told_of["decisions"][0]["better"][0]
    second = {**why, "event": {**why["event"], "tree": "M2"}}
    decision = {**told_of["decisions"][0], "better": [why, second], "had_known": {"move": "R @2", "value": 0.001, "within": 0.0}}
    answered(page, review={**told_of, "moments": [dealt, mistake], "decisions": [decision]})
    page.goto(f"/review#{mine}")
    page.locator("[data-record]").set_input_files(RECORD)
    expect(page.locator("[data-moment]")).to_have_attribute("data-what", "mistake")
    expect(page.locator("[data-pick='1']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-why]")).to_have_count(1)
    said = page.locator("[data-why]").inner_text()
    assert said.count("better move") == 1, said
    assert said.count("token") == 2, said
    page.locator("[data-had-known] summary").click()
    expect(page.locator("[data-lost]")).to_be_visible()
    page.locator("[data-pick='0']").click()
    expect(page.locator("[data-chance]")).to_contain_text("draws")
    expect(page.locator("[data-chance]")).not_to_contain_text("laid at")
    expect(page.locator("[data-chance]")).to_contain_text("…")


@pytest.mark.parametrize("end", ["resigned", "time"])
def test_a_game_that_was_left_is_said_to_be(opened: Opener, end: str) -> None:
    """Whoever gave up has not "ended with" the chance that he gave up."""
    page = opened(PHONE)
    answered(page, review={**told(), "end": end})
    page.goto("/review#sun")
    page.locator("[data-record]").set_input_files(RECORD)
    expect(page.locator(f"[data-left={end}]")).to_contain_text("where it was left" if end == "resigned" else "time was up")
    expect(page.locator("[data-account]")).to_contain_text("when the game was left")
    expect(page.locator("[data-account]")).not_to_contain_text("ended with")


def test_a_moment_without_a_reason_says_so(opened: Opener) -> None:
    told_of, page = told(), opened(PHONE, language="de")
    answered(page, review={**told_of, "decisions": [{**told_of["decisions"][0], "better": []}]})
    page.goto("/review")
    page.locator("[data-record]").set_input_files(RECORD)
    expect(page.locator("[data-moment]")).to_contain_text("20 Punkte mehr wert")
    expect(page.locator("[data-why]")).to_have_count(0)


def test_a_review_that_was_saved_can_be_opened_again(opened: Opener, tmp_path: Path) -> None:
    """It has the record with it: what is asked for again is that one, and nothing that somebody has written into the file."""
    page, sent = opened(DESK), list[str | None]()
    answered(page, review=told())
    page.on("request", lambda request: sent.append(request.post_data) if request.url.endswith("/api/review") else None)
    page.goto("/review")
    page.locator("[data-record]").set_input_files(RECORD)
    expect(page.locator("[data-moment]")).to_be_visible()
    with page.expect_download() as saved:
        page.locator("[data-save]").click()
    saved.value.save_as(tmp_path / "review.json")
    assert json.loads((tmp_path / "review.json").read_text(encoding="utf-8"))["moments"]
    page.goto("/review")
    page.locator("[data-record]").set_input_files(tmp_path / "review.json")
    expect(page.locator("[data-moment]")).to_be_visible()
    assert sent == [RECORD.read_text(encoding="utf-8")] * 2


@pytest.mark.parametrize(
    ("record", "size"), [("two", DESK), ("three", DESK), ("five", DESK), ("two", LAPTOP), ("five", LAPTOP), ("three", PHONE)]
)
def test_a_board_that_is_only_looked_at_shows_everybody_whole(opened: Opener, record: str, size: dict[str, int]) -> None:
    """It cannot be scrolled: late in Celtica, with many amulets, the last player stood below its edge. And nobody is a "guest" there."""
    text = (RELEASED / f"celtica-1-{record}.txt").read_text(encoding="utf-8")
    steps = max(int(line.split()[0]) for line in text.splitlines() if line[:1].isdigit())
    seats = ["ulster", "connacht", "leinster", "munster", "meath"][: {"two": 2, "three": 3, "five": 5}[record]]
    shape, page = told(), opened(size)
    points = [{**shape["graph"][0], "step": n, "values": [0.5] * len(seats)} for n in range(steps + 1)]
    entries = [{"step": n, "value": 0.5, "own": 0.0, "others": 0.0, "luck": 0.0, "rest": 0.0} for n in range(1, steps + 1)]
    lines = [{**shape["lines"][0], "seat": n, "kinds": {}, "entries": entries} for n in range(len(seats))]
    luck = {**shape["moments"][1], "step": steps, "seat": 0}
    more = {"graph": points, "lines": lines, "decisions": [], "moments": [luck], "places": [1] + [2] * (len(seats) - 1)}
    answered(page, review={**shape, **more, "game": "celtica", "seats": len(seats), "seat_names": seats, "end": "goal"})
    page.goto("/review")
    page.locator("[data-record]").set_input_files(RELEASED / f"celtica-1-{record}.txt")
    people = page.locator("[data-side] [data-part=players]")
    expect(people.first.locator("[data-player]")).to_have_count(len(seats))
    for one in people.all():
        assert one.evaluate("one => one.scrollHeight <= one.clientHeight + 1 && one.scrollWidth <= one.clientWidth + 1")
        expect(one).not_to_contain_text("guest")
        for name in one.locator("[data-part=seat]").all():
            assert name.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), name.inner_text()


@pytest.mark.parametrize(("size", "trying"), [(DESK, False), (LAPTOP, False), (DESK, True), (PHONE, False)])
def test_four_scores_of_daemonen_are_whole_beside_a_moment(opened: Opener, size: dict[str, int], trying: bool) -> None:
    """Temples and trophies, the last figures, were cut off."""
    record = RELEASED / "daemonen-1-four.txt"
    moves = [line.split(maxsplit=2) for line in record.read_text(encoding="utf-8").splitlines() if line[:1].isdigit() and " " in line]
    seats = ["red", "blue", "yellow", "green"]
    step, who, move = moves[-1][0], seats.index(moves[-1][1]), moves[-1][2]
    shape, page = told(), opened(size)
    points = [{**shape["graph"][0], "step": n, "values": [0.25] * 4} for n in range(int(step) + 1)]
    entries = [{"step": n, "value": 0.25, "own": 0.0, "others": 0.0, "luck": 0.0, "rest": 0.0} for n in range(1, int(step) + 1)]
    lines = [{**shape["lines"][0], "seat": n, "kinds": {}, "entries": entries} for n in range(4)]
    thoughts = [{"move": move, "value": 0.4, "within": 0.02}]
    decision = {**shape["decisions"][0], "step": int(step), "seat": who, "move": move, "best": move, "moves": thoughts, "better": []}
    decision["had_known"] = None
    slip = {**shape["moments"][0], "step": int(step), "seat": who, "decision": 0}
    more = {"graph": points, "lines": lines, "decisions": [decision], "moments": [slip], "places": [1, 2, 2, 2]}
    answered(page, review={**shape, **more, "game": "daemonen", "seats": 4, "seat_names": seats, "end": "points"})
    page.goto("/review")
    page.locator("[data-record]").set_input_files(record)
    expect(page.locator("[data-side] [data-part=scores]").first).to_be_visible()
    expect(page.locator("[data-side] [data-part=lenses]").first).to_be_hidden()
    if trying:
        page.locator("[data-try-door]").click()
        expect(page.locator("[data-try] [data-part=scores]")).to_be_visible()
    for one in page.locator("[data-part=scores] [data-part=sources]").all():
        assert one.evaluate("one => one.scrollWidth <= one.clientWidth + 1"), one.inner_text()
