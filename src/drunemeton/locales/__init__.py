"""The words of the house, one catalogue per language: a folder with one JSON file per game and room.

The same files serve the terminal, the server and the browser. An entry is a sentence with `{parameters}`, or an object of sentences by
plural category (`one`, `other`, ...) with the name of the counted parameter under `plural`.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "de", "nl", "fr")
FOLDER = Path(__file__).parent

Wording = str | dict[str, str]
Because = tuple[int, str, dict[str, Any], bool]
"""The place of an event, a code with its parameters, and whether it was forced."""


def available() -> list[str]:
    """The languages that are there."""
    return [language for language in LANGUAGES if any((FOLDER / language).glob("*.json"))]


@functools.cache
def catalogue(language: str) -> dict[str, Wording]:
    """All entries of a language."""
    entries: dict[str, Wording] = {}
    for path in sorted((FOLDER / language).glob("*.json")):
        entries |= json.loads(path.read_text(encoding="utf-8"))
    return entries


def plural_form(language: str, count: Any) -> str:
    """The plural category of a count: French counts 0 as one; what is not known (`?` in a preview) is other."""
    return "one" if count == 1 or (language == "fr" and count == 0) else "other"


def say(language: str, key: str, **params: Any) -> str:
    """The sentence for a key. Parameters that are words of a game (`word.dw.moon`) are put into words too."""
    entry = catalogue(language).get(key)
    if entry is None:
        return key
    if isinstance(entry, dict):
        entry = entry[plural_form(language, params.get(entry["plural"]))]
    prefix = key.split(".")[1] if key.count(".") > 1 else ""
    return re.sub(r"\{(\w+)\}", lambda found: word(language, prefix, params.get(found[1])), entry)


def word(language: str, prefix: str, value: Any) -> str:
    """A value in a game's words: `moon` becomes Moon, a list becomes an enumeration."""
    if value is None:
        return "?"
    if isinstance(value, list):
        return ", ".join(word(language, prefix, item) for item in value)
    entry = catalogue(language).get(f"word.{prefix}.{value}")
    return entry if isinstance(entry, str) else str(value)


def figure(language: str, value: float, form: str = ".1f") -> str:
    """A number with decimals as a language writes it."""
    text = format(round(value, 1) + 0.0, form)  # never minus nothing
    return text if language == "en" else text.replace(".", ",")


def glossary(language: str, prefix: str) -> list[str]:
    """The words of a game, each with what it is."""
    keys = [key for key in catalogue(language) if key.startswith(f"gloss.{prefix}.") and not key.endswith(".is")]
    return [f"{say(language, key)}: {say(language, f'{key}.is')}" for key in keys]


def tell_event(language: str, prefix: str, event: dict[str, Any]) -> str | None:
    """An event as a line of the log; None for what the log leaves to the eye.

    A kind may have a sentence for each word of it (`laid.druid`), and others for what was not told or is not there: `drawn.hidden`,
    `retreated.no_tree`, `played.without_experience` (a count of 0).
    """
    key = f"event.{prefix}.{event['kind']}"
    entries = catalogue(language)
    key = next((own for value in event.values() if isinstance(value, str) and (own := f"{key}.{value}") in entries), key)
    if event.get("card", "") is None and f"{key}.hidden" in entries:
        key = f"{key}.hidden"
    for name, value in event.items():
        if value is None and f"{key}.no_{name}" in entries:
            key = f"{key}.no_{name}"
            break
    for name, value in event.items():
        if value == 0 and f"{key}.without_{name}" in entries:
            key = f"{key}.without_{name}"
            break
    return say(language, key, **event) if key in entries else None


def tell_because(language: str, code: str, params: dict[str, Any]) -> str:
    """Why something happened, in words without a full stop: they stand behind the event's own sentence."""
    return say(language, f"because.{code}", **params)


def tell_story(language: str, prefix: str, events: Sequence[dict[str, Any]], because: Sequence[Because]) -> list[str]:
    """The lines of the log, with the reasons in brackets."""
    why: dict[int, list[str]] = {}
    for at, code, params, _ in because:
        why.setdefault(at, []).append(tell_because(language, code, params))
    lines = []
    for at, event in enumerate(events):
        line = tell_event(language, prefix, event)
        if line:
            lines.append(f"{line} ({'; '.join(why[at])})" if at in why else line)
    return lines


def tell_reason(language: str, code: str, params: dict[str, Any]) -> str:
    """A refusal in words."""
    return say(language, f"reason.{code}", **params)
