"""The documentation from the server: every page, every link between them, and nothing beside them."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from html.parser import HTMLParser

import pytest

from drunemeton.server import Settings, documentation

from .house import House

ROOT = documentation.folder()
assert ROOT is not None
PAGES = documentation.pages(ROOT)


class Reader(HTMLParser):
    """Sees that what is opened is closed, and notes links and their targets."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"meta", "img"}:
            self.open.append(tag)
        for name, value in attrs:
            if name in {"href", "src"}:
                self.links.append(value or "")
            if name == "id":
                self.ids.add(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(name: str) -> Reader:
    text = documentation.page(ROOT, name)  # type: ignore[arg-type]
    assert text is not None
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    return reader


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_whole_and_its_links_lead_somewhere(name: str) -> None:
    ids = {other: read(other).ids for other in [name]}
    for link in read(name).links:
        path, _, part = link.partition("#")
        if re.match(r"https?:", link) or link == "/":
            continue  # other sites, the lobby
        assert link.startswith(("/docs", "#")), f"{name} links to {link}, which no server has"
        other = path.removeprefix("/docs").strip("/") if path else name
        if other.endswith((".svg", ".png")):
            assert documentation.picture(ROOT, other), link  # type: ignore[arg-type]
        elif other:
            assert other in PAGES, f"{name} links to {link}"
            if part:
                assert part in ids.setdefault(other, read(other).ids), f"{name} links to {link}"


def test_marks_are_read_as_they_are_meant() -> None:
    text = "\n".join(
        documentation.blocks(
            "# A *b*\n\nOne `<i>` **two**\nthree [x](y.md#z)\n- a\n  b\n- c\n\n| h |\n|---|\n| `1` |\n```\n<x>\n```\n", "envs"
        )
    )
    assert '<h1 id="a-b">A <em>b</em></h1>' in text
    assert '<p>One <code>&lt;i&gt;</code> <strong>two</strong>\nthree <a href="/docs/envs/y#z">x</a></p>' in text
    assert "<ul><li>a\n  b\n</li><li>c</li></ul>" in text
    assert documentation.inline("![**1** A stag](figure:take)", "how-to-play/en") == "<em>1 A stag</em>"
    assert documentation.inline("[figures](../../benchmarks/envs.md)", "envs") == "figures"
    assert "<th>h</th>" in text
    assert "<code>&lt;x&gt;</code></pre>" in text


def test_a_server_has_the_pages_and_nothing_beside_them(settings: Settings) -> None:
    def status(path: str) -> int:
        try:
            with urllib.request.urlopen(house.url + path) as answer:
                assert "text/html" in answer.headers["content-type"]
                return int(answer.status)
        except urllib.error.HTTPError as problem:
            problem.close()
            return problem.code

    with House(settings) as house:
        assert [status(path) for path in ("/docs", "/docs/", "/docs/own-bots", "/docs/rules/en/celtica", "/docs/envs/README.md")] == [
            200
        ] * 5
        for path in (
            "/docs/nowhere",
            "/docs/../pyproject.toml",
            "/docs/%2e%2e/LICENSE",
            "/docs/%00",
            "/docs/make_reference.py",
            "/docs//etc/passwd",
        ):
            assert status(path) == 404
