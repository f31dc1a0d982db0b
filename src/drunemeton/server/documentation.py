"""The documentation as pages: /docs and what is under it, from the Markdown that ships with the package. `drunemeton docs` opens it.

Our own texts, so the renderer knows what they use and nothing more: headings, paragraphs, lists, tables, blocks of code, links, pictures.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

PICTURES = {".svg": "image/svg+xml", ".png": "image/png"}
CELL = 'style="padding:.1rem .6rem;vertical-align:top"'
INLINE = re.compile(r"`([^`]+)`|!\[([^]]*)\]\(([^) ]+)\)|\[([^]]+)\]\(([^) ]+)\)|\*\*(.+?)\*\*|\*([^*\s][^*]*?)\*")


def folder() -> Path | None:
    """Where the pages are: in the package, or in the checkout that it is installed from."""
    package = Path(__file__).parents[1]
    return next((place for place in (package / "docs", package.parents[1] / "docs") if (place / "architecture.md").is_file()), None)


def pages(root: Path) -> dict[str, Path]:
    """All pages by name."""
    return {path.relative_to(root).with_suffix("").as_posix(): path for path in sorted(root.rglob("*.md"))}


def title_of(path: Path) -> str:
    """A page's first line."""
    with path.open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").strip()


def page(root: Path, name: str) -> str | None:
    """A page as HTML; the list of all of them under the empty name; None if there is no such page."""
    found = pages(root)
    if name in ("", "/"):
        entries = "".join(f'<li><a href="/docs/{one}">{html.escape(title_of(path))}</a> {one}</li>' for one, path in found.items())
        return whole("Documentation", f"<h1>Documentation</h1><ul>{entries}</ul>")
    path = found.get(name.removesuffix(".md").strip("/"))
    if path is None:
        return None
    here = path.relative_to(root).parent.as_posix()
    return whole(title_of(path), "\n".join(blocks(path.read_text(encoding="utf-8"), here)))


def picture(root: Path, name: str) -> Path | None:
    """A picture that a page shows."""
    path = (root / name).resolve()
    return path if path.suffix in PICTURES and path.is_relative_to(root.resolve()) and path.is_file() else None


def whole(title: str, body: str) -> str:
    """A page around its text."""
    style = "max-width:52rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<meta name="color-scheme" content="light dark"><title>{html.escape(title)} - Drunemeton</title></head>'
        f'<body style="{style}"><p><a href="/docs">Documentation</a> <a href="/">Lobby</a></p>{body}</body></html>'
    )


def anchor(text: str) -> str:
    """The name under which a heading can be linked to, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def target(link: str, here: str) -> str:
    """Where a link of a page leads: other pages and their pictures here, the rest as it is."""
    if re.match(r"[a-z]+:|#|/", link):
        return link
    path, _, part = link.partition("#")
    parts: list[str] = []
    for one in PurePosixPath("docs", here, path).parts:
        if one == ".." and parts:
            parts.pop()
        elif one not in (".", ".."):
            parts.append(one)
    return "/" + "/".join(parts).removesuffix(".md") + (f"#{part}" if part else "")


def inline(text: str, here: str) -> str:
    """Words with their marks."""

    def marked(found: re.Match[str]) -> str:
        code, seen, source, words, link, strong, stressed = (one and html.escape(one, quote=False) for one in found.groups())
        if code is not None:
            return f"<code>{code}</code>"
        if source is not None and source.startswith("figure:"):
            return f"<em>{seen.replace('**', '')}</em>"  # the page draws it on a board; here are its words
        if source is not None:
            return f'<img src="{target(source, here)}" alt="{seen}" style="max-width:100%">'
        if link is not None:
            leads_to = target(link, here)
            away = leads_to != link and not leads_to.startswith("/docs")  # to the source beside the pages, which is not served
            return words if away else f'<a href="{leads_to}">{words}</a>'
        return f"<strong>{strong}</strong>" if strong is not None else f"<em>{stressed}</em>"

    found, at = [], 0
    for match in INLINE.finditer(text):
        found += [html.escape(text[at : match.start()], quote=False), marked(match)]
        at = match.end()
    return "".join([*found, html.escape(text[at:], quote=False)])


def blocks(text: str, here: str) -> Iterator[str]:
    """The blocks of a text, one after the other."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        line, begin = lines[at], at
        at += 1
        if line.startswith("```"):
            while at < len(lines) and not lines[at].startswith("```"):
                at += 1
            code = html.escape("\n".join(lines[begin + 1 : at]), quote=False)
            at += 1
            yield f'<pre style="overflow:auto"><code>{code}</code></pre>'
        elif heading := re.match(r"(#+) (.*)", line):
            size = min(len(heading[1]), 6)
            yield f'<h{size} id="{anchor(heading[2])}">{inline(heading[2], here)}</h{size}>'
        elif line.startswith("|"):
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
            yield table(lines[begin:at], here)
        elif re.match(r"- |\d+\. ", line):
            while at < len(lines) and (lines[at].startswith("  ") or re.match(r"- |\d+\. ", lines[at])):
                at += 1
            kind = "ul" if line.startswith("- ") else "ol"
            items = re.split(r"^(?:- |\d+\. )", "\n".join(lines[begin:at]), flags=re.M)[1:]
            yield f"<{kind}>{''.join(f'<li>{inline(item, here)}</li>' for item in items)}</{kind}>"
        elif line.strip():
            while at < len(lines) and lines[at].strip() and not re.match(r"```|#+ |\||- |\d+\. ", lines[at]):
                at += 1
            yield f"<p>{inline(chr(10).join(lines[begin:at]), here)}</p>"


def table(lines: list[str], here: str) -> str:
    """A table; its second line only says that it is one."""
    rows = [[inline(cell.strip(), here) for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    head = "".join(f"<th>{cell}</th>" for cell in rows[0])
    body = "".join("<tr>" + "".join(f"<td {CELL}>{cell}</td>" for cell in row) + "</tr>" for row in rows[2:])
    return f'<div style="overflow:auto"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
