"""Finished games looked at again in the browser: every step, every seat, records in and out, the shuffle checked; and the app itself."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from drunemeton.client import Client, ask, make_table
from drunemeton.rules.chance import Chance

from ..deals import DEALS
from .conftest import DESK, PHONE, Opener
from .serving import serving
from .test_pages import NIGHT, assert_accessible

REPLAY = "main[data-replay]"
SEATS = {"druidenwalzer": ["sun", "moon"], "celtica": ["ulster", "connacht", "leinster"], "daemonen": ["red", "blue"]}
PERSON = {"kind": "person", "name": "Ada"}


@pytest.fixture(scope="module")
def played(server: str) -> Callable[[str], str]:
    """The id of a finished table: bots play it to its end, and the long game is given up after a while."""
    made: dict[str, str] = {}

    def finished(game: str) -> str:
        if game not in made:
            seats: list[dict[str, Any]] = [PERSON, *[{"kind": "bot", "bot": "random"}] * (len(SEATS[game]) - 1)]
            with DEALS.of(game):
                table = make_table(server, game, seats)
            rng = random.Random(3)
            with Client.join(table["links"][0]) as client:
                for number, state in enumerate(client.turns()):
                    if game == "daemonen" and number == 12:
                        client.resign()
                        break
                    client.play(rng.choice(state["legal"]))
            made[game] = table["table"]
        return made[game]

    return finished


def at(page: Page, step: int | str) -> None:
    """The page shows this step, and nothing moves."""
    expect(page.locator(REPLAY)).to_have_attribute("data-at", str(step))
    expect(page.locator(REPLAY)).to_have_attribute("data-state", "still")


def look(page: Page, address: str) -> int:
    """Open a replay; answers its last step."""
    page.goto(address)
    page.wait_for_selector(REPLAY)
    return int(page.get_attribute(REPLAY, "data-last") or 0)


@pytest.mark.parametrize("game", list(SEATS))
def test_a_game_is_stepped_jumped_and_played(opened: Opener, played: Callable[[str], str], game: str) -> None:
    page = opened()
    last = look(page, f"/replay/{played(game)}")
    assert last > 12
    at(page, 0)
    page.locator("[data-control=forward]").click()
    at(page, 1)
    page.locator("[data-control=forward]").click()
    page.locator("[data-control=forward]").click()
    at(page, 3)
    page.locator("[data-control=back]").click()
    at(page, 2)
    page.locator("[data-control=end]").click()
    at(page, last)
    expect(page.locator("[data-control=forward]")).to_be_disabled()
    line = page.locator("[data-part=story] button[data-at]").nth(4)
    line.click()
    at(page, line.get_attribute("data-at") or "")
    expect(line).to_have_attribute("aria-current", "step")
    page.locator("[data-slider]").fill("7")
    at(page, 7)
    page.locator("[data-control=start]").click()
    at(page, 0)
    # Played at double speed, event by event as at the table, until it is stopped.
    page.locator("[data-speed]").select_option("2")
    page.locator("[data-control=play]").click()
    page.wait_for_selector(f"{REPLAY}[data-state=showing]")
    page.wait_for_selector(f"{REPLAY}:not([data-at='0']):not([data-at='1'])")
    page.locator("[data-control=play]").click()
    expect(page.locator(REPLAY)).to_have_attribute("data-state", "still")
    stopped = page.get_attribute(REPLAY, "data-at")
    page.wait_for_timeout(600)
    at(page, stopped or "")
    # Stepping on while something moves shows its outcome and goes on.
    page.locator("[data-control=forward]").click()
    page.locator("[data-control=back]").click()
    page.locator("[data-speed]").select_option("0")
    page.locator("[data-slider]").fill(str(last - 1))
    page.locator("[data-control=play]").click()
    at(page, last)


def hand(page: Page) -> list[str]:
    """What the own hand shows."""
    return [card.get_attribute("aria-label") or "" for card in page.locator("button[data-hand]").all()]


def test_every_pair_of_eyes_sees_what_it_saw(opened: Opener, played: Callable[[str], str], server: str) -> None:
    table = played("druidenwalzer")
    page = opened()
    for step in (9, 14, 20):
        for eyes in ("sun", "moon", "public", "open"):
            look(page, f"/replay/{table}#{step}-{eyes}")
            at(page, step)
            expect(page.locator("[data-eyes]")).to_have_value(eyes)
            hidden = [label for label in hand(page) if "hidden" in label]
            assert bool(hidden) == (eyes == "public" and bool(hand(page)))
            assert (page.locator("[data-part=far-hand] text").count() > 0) == (
                eyes == "open" and page.locator("[data-part=far-hand] svg, [data-part=far-hand] g").count() > 0
            )
    # The keyboard goes from one to the next, and the step stays.
    page.keyboard.press("v")
    expect(page.locator(REPLAY)).to_have_attribute("data-as", "sun")
    at(page, 20)

    table = played("celtica")
    look(page, f"/replay/{table}#10-ulster")
    at(page, 10)
    own = hand(page)
    assert own
    expect(page.locator("[data-part=players] [data-part=open]")).to_have_count(0)
    page.locator("[data-eyes]").select_option("connacht")
    expect(page.locator(REPLAY)).to_have_attribute("data-as", "connacht")
    assert hand(page) != own
    page.locator("[data-eyes]").select_option("public")
    expect(page.locator(REPLAY)).to_have_attribute("data-as", "public")
    assert hand(page) == []
    page.locator("[data-eyes]").select_option("open")
    expect(page.locator(REPLAY)).to_have_attribute("data-as", "open")
    # With everybody's eyes no hand is one's own, so nobody is told where its cards lead.
    assert [label.split(":")[0] for label in hand(page)] == [label.split(":")[0] for label in own]
    expect(page.locator("[data-part=players] [data-part=open]")).to_have_count(2)


def test_a_moment_has_a_link(opened: Opener, played: Callable[[str], str]) -> None:
    page = opened()
    look(page, f"/replay/{played('druidenwalzer')}#0-moon")
    page.locator("[data-slider]").fill("11")
    at(page, 11)
    page.locator("[data-share]").click()
    link = page.locator("[data-link]").input_value()
    assert link.endswith("#11-moon")
    page.wait_for_url("**/replay/*#11-moon")
    other = opened(PHONE)
    look(other, link)
    at(other, 11)
    expect(other.locator(REPLAY)).to_have_attribute("data-as", "moon")
    # A link to another moment of the game that is open already, and one to a seat that the game does not have.
    other.evaluate("location.hash = '#4-open'")
    at(other, 4)
    expect(other.locator(REPLAY)).to_have_attribute("data-as", "open")
    other.evaluate("location.hash = '#11-moon'")
    at(other, 11)
    opened.troubles.clear()
    look(other, link.replace("11-moon", "9999-wizard"))
    expect(other.locator(REPLAY)).to_have_attribute("data-as", "public")
    at(other, other.get_attribute(REPLAY, "data-last") or "")
    opened.troubles.clear()  # the browser reports the 422 for the seat


def test_a_running_game_is_not_shown(opened: Opener, server: str) -> None:
    table = make_table(server, "druidenwalzer", [PERSON, PERSON])
    page = opened()
    page.goto(f"/replay/{table['table']}#3-open")
    expect(page.locator("h1")).to_have_text("This game is still being played")
    page.goto("/replay/nowhere")
    expect(page.locator("h1")).to_have_text("This table is no longer there")
    opened.troubles.clear()  # the browser reports 409 and 404


def hand_in(page: Page, text: str) -> None:
    page.locator("[data-record]").set_input_files({"name": "game.txt", "mimeType": "text/plain", "buffer": text.encode()})


def test_records_go_out_and_come_in(opened: Opener, played: Callable[[str], str], server: str, tmp_path: Path) -> None:
    table = played("druidenwalzer")
    text = str(ask(f"{server}/api/tables/{table}/record"))
    page = opened()
    last = look(page, f"/replay/{table}#0-sun")
    with page.expect_download() as out:
        page.locator("[data-download]").click()
    out.value.save_as(tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == text

    page.goto("/replay")
    hand_in(page, text)
    page.wait_for_selector(f"{REPLAY}[data-replay=druidenwalzer][data-last='{last}']")
    with page.expect_download() as again:
        page.locator("[data-download]").click()
    again.value.save_as(tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text(encoding="utf-8") == text
    assert again.value.suggested_filename == "game.txt"
    page.locator("[data-eyes]").select_option("moon")
    expect(page.locator(REPLAY)).to_have_attribute("data-as", "moon")
    page.keyboard.press("End")
    at(page, last)

    # What cannot be shown is said with its line, and the game that is open stays.
    lines = text.splitlines()
    line = next(n for n, one in enumerate(lines, 1) if one.startswith("5 "))
    hand_in(page, text.replace("\n5 ", "\n6 ", 1))
    expect(page.locator("[data-bad=step]")).to_contain_text(f"Line {line}:")
    hand_in(page, text.replace('"kind": "drawn"', '"kind": "eaten"', 1))
    expect(page.locator("[data-bad=story]")).to_contain_text("Line ")
    hand_in(page, "\n".join(lines[:20]))
    expect(page.locator("[data-bad=running]")).to_be_visible()
    page.goto("/replay")
    hand_in(page, "a shopping list")
    expect(page.locator("[data-bad=beginning]")).to_contain_text("Line 1:")
    hand_in(page, "x" * 1_100_000)
    expect(page.locator("[data-bad=too_big]")).to_be_visible()
    opened.troubles.clear()  # the browser reports every 422


def test_the_shuffle_is_checked_before_the_readers_eyes(opened: Opener, played: Callable[[str], str], server: str) -> None:
    table = played("celtica")
    text = str(ask(f"{server}/api/tables/{table}/record"))
    told = ask(f"{server}/api/tables/{table}/replay?as=public")
    other = Chance(b"o" * 32)
    page = opened()
    look(page, f"/replay/{table}")
    audit = page.locator("[data-audit]")
    expect(audit).to_have_attribute("data-audit", "good")
    audit.locator("summary").click()
    expect(page.locator("[data-commitment]")).to_have_text(told["commitment"])
    expect(page.locator("[data-hash]")).to_have_text(Chance(bytes.fromhex(told["secret"])).commitment)
    expect(page.locator("[data-verdict=fits]")).to_be_visible()
    expect(page.locator("[data-server=audited]")).to_be_visible()

    page.goto("/replay")
    hand_in(page, text.replace(told["secret"], other.secret.hex()))
    expect(audit).to_have_attribute("data-audit", "bad")
    expect(page.locator("[data-verdict=differs]")).to_be_visible()
    expect(page.locator("[data-hash]")).to_have_text(other.commitment)
    hand_in(page, text.replace(told["secret"], other.secret.hex()).replace(told["commitment"], other.commitment))
    expect(page.locator("[data-server=shuffle]")).to_be_visible()
    expect(page.locator("[data-verdict=fits]")).to_be_visible()
    expect(audit).to_have_attribute("data-audit", "bad")
    hand_in(page, text[: text.rindex("secret")])
    expect(audit).to_have_attribute("data-audit", "open")


def test_by_keyboard_alone(opened: Opener, played: Callable[[str], str]) -> None:
    page = opened()
    last = look(page, f"/replay/{played('daemonen')}")
    keys = page.keyboard
    for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
        keys.press(key)
        at(page, step)
    keys.press("PageDown")
    expect(page.locator(REPLAY)).not_to_have_attribute("data-at", "0")
    keys.press("PageUp")
    at(page, 0)
    keys.press(" ")
    page.wait_for_selector(f"{REPLAY}:not([data-at='0']):not([data-at='1'])")
    keys.press(" ")
    expect(page.locator("[data-control=play]")).to_have_attribute("aria-label", "Play")
    keys.press("?")
    expect(page.locator("[data-help]")).to_contain_text("plays or pauses")
    expect(page.locator("[data-help]")).to_contain_text("turns the tile")
    keys.press("ArrowRight")
    keys.press("Escape")
    expect(page.locator("[data-help]")).to_have_count(0)
    keys.press("Home")
    for wanted in ("[data-eyes]:focus", "[data-part=story] button:focus", "[data-share]:focus"):
        for _ in range(60):
            keys.press("Tab")
            if page.locator(wanted).count():
                break
        assert page.locator(wanted).count(), f"{wanted} is not reached by Tab"


@pytest.mark.parametrize(("size", "theme"), NIGHT)
def test_it_is_accessible(opened: Opener, played: Callable[[str], str], theme: str, size: dict[str, int]) -> None:
    page = opened(size, theme=theme, language="de")
    page.goto("/replay")
    page.wait_for_selector("[data-record]", state="attached")
    assert_accessible(page, "door")
    hand_in(page, "nichts")
    page.wait_for_selector("[data-bad]")
    assert_accessible(page, "bad record")
    opened.troubles.clear()
    for game, eyes in (("druidenwalzer", "open"), ("celtica", "open"), ("daemonen", "red")):
        look(page, f"/replay/{played(game)}#9-{eyes}")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], f"{game} is too wide"
        assert_accessible(page, game)
    if size is PHONE:
        page.locator("[data-open=more]").click()
    page.locator("[data-audit] summary").click()
    assert_accessible(page, "checked")
    if size is DESK:
        page.locator("[data-open-help]").click()
        expect(page.locator("[data-help]")).to_be_visible()
        assert_accessible(page, "keys")


def test_it_can_be_installed_and_says_when_the_server_is_gone(opened: Opener, tmp_path: Path) -> None:
    page = opened()
    with serving(tmp_path) as address:
        page.goto(address)
        page.wait_for_selector("[data-play]")
        page.evaluate(
            "new Promise((done) => navigator.serviceWorker.controller ? done()"
            " : navigator.serviceWorker.addEventListener('controllerchange', () => done()))"
        )
        manifest = page.request.get(f"{address}/manifest.webmanifest")
        assert manifest.headers["content-type"].startswith("application/manifest+json")
        for icon in manifest.json()["icons"]:
            picture = page.request.get(address + icon["src"])
            assert picture.headers["content-type"] == icon["type"]
            if icon["type"] == "image/png":
                size = struct.unpack(">II", picture.body()[16:24])
                assert icon["sizes"] == "{}x{}".format(*size)
        devtools = page.context.new_cdp_session(page)
        assert devtools.send("Page.getAppManifest")["errors"] == []
        errors = {one["errorId"] for one in devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]}
        assert errors <= {"in-incognito"}, errors  # every context of these tests is one
        page.goto(f"{address}/rules/celtica")
        page.wait_for_selector("h1")
        kept = page.evaluate(
            "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((store) => store.keys()))))"
            ".then((stores) => stores.flat().map((one) => new URL(one.url).pathname).sort())"
        )
        assert kept == ["/icon.svg", "/offline.css", "/offline.html", "/offline.js"], "no page, no view, nothing of the API"
    page.goto(f"{address}/rules/celtica")
    expect(page.locator("h1")).to_have_text("No connection")
    expect(page.locator("button")).to_have_text("Try again")
    assert_accessible(page, "without a connection")
    opened.troubles.clear()  # the browser reports that nobody answers
