"""A result for reading: Markdown with pictures beside it, or one HTML file that holds everything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from ..rules.game import find_game
from .measures import shown
from .pictures import Dot, dots
from .result import Result
from .words import answer, interval, name_of, sentence, sureness

FAMILIES = ("length", "end", "seat", "starter", "player", "points", "open", "choice")
USED = 12  # things that are shown of each family
ACROSS = 3  # settings beside the first in one table
STYLE = """
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;font-size:.9em}td,th{padding:.2em .7em;border-bottom:1px solid #8886;text-align:left}
td+td,th+th{text-align:right}svg{max-width:100%;height:auto;display:block;margin:1em 0}code{background:#8882;padding:0 .2em}
@media print{:root{color-scheme:light}body{margin:0;max-width:none;font-size:11pt}svg,tr,li{break-inside:avoid}h2{break-after:avoid}}
"""


def report(result: Result, times: Mapping[str, Any] | None = None) -> str:
    """The report as Markdown, without pictures; `times` are what its file of times says."""
    return "\n".join(_lines(result, None, times)) + "\n"


def write_markdown(result: Result, path: Path, times: Mapping[str, Any] | None = None) -> list[Path]:
    """The report as Markdown, with its pictures as files beside it; answers what was written."""
    pictures: list[Path] = []

    def keep(name: str, svg: str) -> str:
        there = path.with_name(f"{path.stem}-{name}.svg")
        there.write_text(svg.replace("currentColor", "#444") + "\n", encoding="utf-8")
        pictures.append(there)
        return f"![{name.replace('-', ' ')}]({there.name})"

    path.write_text("\n".join(_lines(result, keep, times)) + "\n", encoding="utf-8")
    return [path, *pictures]


def write_html(result: Result, path: Path, times: Mapping[str, Any] | None = None) -> None:
    """The report as one file that needs nothing else."""
    inside: dict[str, str] = {}

    def keep(name: str, svg: str) -> str:
        inside[name] = svg
        return f"@@{name}@@"

    body = _html(list(_lines(result, keep, times)))
    for name, svg in inside.items():
        body = body.replace(f"<p>@@{name}@@</p>", svg)
    title = escape(_title(result))
    path.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
        f"<style>{STYLE}</style><body>{body}</body></html>\n",
        encoding="utf-8",
    )


def _title(result: Result) -> str:
    told = result.data["experiment"]
    named = [one["name"] for one in result.settings]
    more = [f"and {len(named) - ACROSS - 1} more"] if len(named) > ACROSS + 1 else []
    return told["title"] or f"{find_game(told['game']).title}: {', '.join(named[: ACROSS + 1] + more)}"


def _measures(result: Result) -> list[str]:
    """What is shown: everything but things that nobody uses, and of the others those that differ most surely, or are used most."""
    found = [name for name in result.data["measures"] if name.partition(".")[0] in FAMILIES]
    for family in ("use", "pays"):
        named = [name for name in result.data["measures"] if name.startswith(f"{family}.")]
        used = [name for name in named if any(one[f"use.{name.partition('.')[2]}"]["mean"] for one in result.data["figures"])]
        gaps = result.data["differences"]
        used.sort(
            key=lambda name: (
                min((one[name]["chance"] for one in gaps), default=0),
                -result.figure(0, f"use.{name.partition('.')[2]}")["mean"],
            )
        )
        found += [name for name in named if name in used[:USED]]
    return [
        name for name in found if any(one[name]["mean"] or one[name]["high"] for one in result.data["figures"]) or name.startswith("length")
    ]


def _lines(result: Result, keep: object, times: Mapping[str, Any] | None) -> Iterator[str]:
    """The report, line by line; `keep` puts a picture somewhere and answers what stands for it."""
    put = keep if callable(keep) else None
    data, experiment = result.data, result.data["experiment"]
    yield f"# {_title(result)}"
    yield ""
    seats = ", ".join(result.settings[0]["players"])
    first = experiment["seed"]
    yield f"{sureness(result)} Players of the first setting: {seats}. Deals {first} to {first + data['deals'] - 1}."
    if answer(result):
        yield ""
        yield answer(result)
    yield ""
    if data["differences"]:
        yield "## What is certain"
        yield ""
        if not data["findings"]:
            yield "Nothing: no difference is larger than chance makes them, with so many looked at."
        yield from _certain(result)
        yield ""
    yield from _luck(result)
    if put:
        yield from _pictures(result, put)
    yield from _figures(result)
    if times:
        yield from _thought(times)
    yield from _games(result)


def _certain(result: Result) -> Iterator[str]:
    """What is certain, sentence by sentence: all that a reader asks for, and the surest of what is used more or less."""
    findings = sorted(result.data["findings"], key=_rank)
    asked = [one for one in findings if _rank(one) < len(FAMILIES)]
    told = asked + findings[len(asked) :][:USED]
    for finding in told:
        yield f"- {sentence(result, finding)}"
    if len(findings) > len(told):
        yield f"- {len(findings) - len(told)} more differences of what is used are certain, too."


def _figures(result: Result) -> Iterator[str]:
    """All figures; many settings in several tables, each narrow enough for a page, with the first setting in all of them."""
    yield "## All figures"
    yield ""
    certain = {(one["setting"], one["measure"]) for one in result.data["findings"]}
    measures, others = _measures(result), list(enumerate(result.settings))[1:]
    for at in range(0, max(1, len(others)), ACROSS):
        shown_here = others[at : at + ACROSS]
        yield "| measure | " + " | ".join([result.settings[0]["name"], *(one["name"] for _, one in shown_here)]) + " |"
        yield "|---|" + "---|" * (1 + len(shown_here))
        for measure in measures:
            cells = [interval(measure, result.figure(0, measure))]
            for n, one in shown_here:
                mark = " *" if (one["name"], measure) in certain else ""
                gap = interval(measure, result.difference(n, measure), sign=True)
                cells.append(f"{shown(measure, result.figure(n, measure)['mean'])}; {gap}{mark}")
            yield f"| {name_of(measure)} | " + " | ".join(cells) + " |"
        yield ""
    if others:
        yield "Other settings: the figure, then the difference deal by deal with its interval; * is certain."
        yield ""


def _pictures(result: Result, put: object) -> Iterator[str]:
    assert callable(put)
    certain = {(one["setting"], one["measure"]) for one in result.data["findings"]}
    wanted = ["length.turns", "length.minutes", "starter.wins", "open.until"]
    wanted += [name for name in result.data["measures"] if name.startswith("end.") and 0 < result.figure(0, name)["mean"] < 1][:1]
    yield "## Pictures"
    yield ""
    for measure in wanted:
        rows = []
        for n, one in enumerate(result.settings):
            figure = result.figure(n, measure)
            told = shown(measure, figure["mean"])
            rows.append(Dot(one["name"], figure["mean"], figure["low"], figure["high"], told, (one["name"], measure) in certain))
        line = 1 / len(result.settings[0]["players"]) if measure == "starter.wins" else None
        yield str(put(re.sub(r"[^a-z]+", "-", measure), dots(name_of(measure), rows, line=line)))
        yield ""


def _luck(result: Result) -> Iterator[str]:
    for one, found in zip(result.settings, result.data["luck"], strict=True):
        if found:
            yield (
                f"Of what decides a game of {one['name']} ({' against '.join(one['players'])}) skill is {found['skill']:.0%}, the seat "
                f"{found['seat']:.0%}, the luck of the deal {found['deal']:.0%}, all other chance {found['rest']:.0%}."
            )
            yield ""


def _rank(finding: Mapping[str, Any]) -> int:
    """What a reader asks first comes first, what is merely used last; the surest first among equals."""
    family = str(finding["measure"]).partition(".")[0]
    return FAMILIES.index(family) if family in FAMILIES else len(FAMILIES)


def _thought(times: Mapping[str, Any]) -> Iterator[str]:
    """How long a decision takes those who play; it depends on the machine, so it is no part of the result."""
    yield "## How long players think"
    yield ""
    yield "| setting | milliseconds a decision, on this machine |"
    yield "|---|---|"
    for name, one in times["settings"].items():
        if one["seconds_a_decision"] is not None:
            yield f"| {name} | {1000 * one['seconds_a_decision']:.3g} |"
    yield ""


def _games(result: Result) -> Iterator[str]:
    yield "## Games to look at"
    yield ""
    for one, found in zip(result.settings, result.data["extremes"], strict=True):
        yield f"- {one['name']}: " + ", ".join(f"{label}: deal {deal}" for label, deal in found.items())
    yield ""
    yield "`drunemeton lab game RESULT --setting NAME --deal N` writes the record of any of them."


def _html(lines: list[str]) -> str:
    """The little Markdown that reports are made of."""
    parts: list[str] = []
    table = False
    for line in lines:
        if line.startswith("|"):
            if line.startswith("|---"):
                continue
            tag = "td" if table else "th"
            cells = "".join(f"<{tag}>{_inline(cell.strip())}</{tag}>" for cell in line.strip("|").split(" | "))
            parts.append(f"<tr>{cells}</tr>" if table else f"<table><thead><tr>{cells}</tr></thead><tbody>")
            table = True
            continue
        if table:
            parts.append("</tbody></table>")
            table = False
        if line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            parts.append(f"<h{level}>{_inline(line[level:].strip())}</h{level}>")
        elif line.startswith("- "):
            parts.append(f"<ul><li>{_inline(line[2:])}</li></ul>")
        elif line:
            parts.append(f"<p>{_inline(line)}</p>")
    return "".join(parts).replace("</ul><ul>", "")


def _inline(text: str) -> str:
    told = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", told)
