"""The pictures for README and docs: `make screenshots`. `--all FOLDER` takes every page in every size, theme and language, to look at."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

HOUSE = Path(__file__).parent.parent.parent
sys.path.insert(0, str(HOUSE))

from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

from tests.browser.find_browser import ARGS, find_browser  # noqa: E402
from tests.browser.hands import TABLE, state  # noqa: E402
from tests.browser.serving import serving  # noqa: E402

SIZES = {"desk": (1440, 900), "phone": (390, 844)}
THEMES = {"day": "light", "night": "dark"}
SEED = 11
TURNS = 9
PICTURES = [("desk", "day", "en"), ("desk", "night", "de"), ("phone", "day", "de"), ("phone", "night", "en")]


def take(browser: Browser, address: str, folder: Path, size: str, theme: str, language: str, every: bool) -> None:
    """All pictures of one size, theme and language."""
    width, height = SIZES[size]
    phone = size == "phone"
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=THEMES[theme],  # type: ignore[arg-type]
        locale=language,
        base_url=address,
        has_touch=phone,
        reduced_motion="reduce",
    )
    context.add_init_script('localStorage["drunemeton.settings"] ??= JSON.stringify({speed: 0})')
    page = context.new_page()

    def shoot(name: str) -> None:
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(250)
        page.screenshot(path=folder / f"{name}-{size}-{theme}-{language}.png")

    page.goto("/")
    page.wait_for_selector("[data-play]")
    shoot("lobby")
    if every:
        for name, path in (("setup", "/new/druidenwalzer"), ("rules", "/rules/druidenwalzer#DW-4.5"), ("lost", "/nowhere/at/all")):
            page.goto(path)
            page.wait_for_selector("h1")
            shoot(name)
    made = page.request.post(
        "/api/tables",
        data={"game": "druidenwalzer", "seats": [{"kind": "person"}, {"kind": "bot", "bot": "greedy"}], "seed": SEED},
    ).json()
    page.goto(f"/t/{made['table']}#{made['keys'][0]}")
    page.wait_for_selector(TABLE)
    for turn in range(TURNS):
        if state(page) == "over":
            break
        if every and turn in {0, 2}:
            shoot(f"start-{turn}")
        _play_something(page, phone, turn)
    if state(page) == "mine":
        page.mouse.move(3, 3)
        page.locator("button[data-hand]").last.click()
        page.locator("[data-target]").nth(1).focus()
        page.keyboard.press("ArrowRight")
        page.wait_for_selector("g.ahead", state="attached")
        shoot("table")
        page.keyboard.press("Escape")
    if every:
        page.locator("[data-open=settings]").first.click()
        shoot("settings")
        page.keyboard.press("Escape")
        if phone:
            page.locator("[data-open=moves]").click()
            shoot("moves")
            page.keyboard.press("Escape")
            page.locator("[data-open=settings]").click()
        page.locator("[data-open=fairness]:visible").click()
        shoot("fairness")
        page.keyboard.press("Escape")
        if phone:
            page.locator("[data-open=settings]").click()
        page.locator("[data-resign]:visible").click()
        page.locator("[data-resign-sure]").click()
        page.wait_for_selector("dialog[data-end]")
        shoot("end")
    context.close()


def _play_something(page: Page, phone: bool, turn: int) -> None:
    """The same move every time, through the list."""
    before = page.get_attribute(TABLE, "data-revision")
    if phone:
        page.locator("[data-open=moves]").click()
    page.mouse.move(3, 3)
    moves = page.locator("[data-list-move]")
    moves.nth((turn * 5) % moves.count()).click()
    page.wait_for_selector(f"{TABLE}:not([data-revision='{before}'])")


def main(words: list[str]) -> int:
    """Take the pictures."""
    every = "--all" in words
    folder = Path(words[words.index("--all") + 1]) if every else HOUSE / "docs" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [(s, t, n) for s in SIZES for t in THEMES for n in ("en", "de")] if every else PICTURES
    with tempfile.TemporaryDirectory() as store, serving(Path(store)) as address, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=find_browser(), args=ARGS)
        for size, theme, language in wanted:
            take(browser, address, folder, size, theme, language, every)
            sys.stdout.write(json.dumps([size, theme, language]) + "\n")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
