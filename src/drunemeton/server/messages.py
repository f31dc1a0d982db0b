"""Messages between server and client: encoded, decoded, and those of a client checked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

ID_LENGTH = 64
MOVE_LENGTH = 200
MOST_BESIDE = 8

try:
    import orjson

    encode: Callable[[Any], bytes] = orjson.dumps  # a message as it is sent and stored
    decode: Callable[[str], Any] = orjson.loads
except ImportError:  # slower, and the same bytes

    def encode(message: Any) -> bytes:
        """A message as it is sent and stored."""
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()

    decode = json.loads


class BadMessage(Exception):
    """A message that no client of ours would send; the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Said(NamedTuple):
    """A checked message from a client."""

    type: str
    id: str = ""
    revision: int | None = None
    move: str = ""
    agree: bool = False
    seat: int | None = None
    session: str = ""
    build: str | None = None
    beside: tuple[str, ...] = ()


def parse(text: str, limit: int) -> Said:
    """A client's message, checked; what is not named is not read."""
    if len(text) > limit:
        raise BadMessage("too_big")
    try:
        data = decode(text)
    except (ValueError, RecursionError):
        raise BadMessage("garbage") from None
    kind = data.get("type") if type(data) is dict else None
    fields = FIELDS.get(kind) if type(kind) is str else None
    if fields is None:
        raise BadMessage("garbage")
    said: dict[str, Any] = {"type": kind}
    for name, is_needed, fits in fields:
        value = data.get(name)
        if value is None and not is_needed:
            continue
        if not fits(value):
            raise BadMessage("garbage")
        said[name] = tuple(value) if name == "beside" else value
    return Said(**said)


def _is_number(value: Any) -> bool:
    return type(value) is int and -1 <= value < 2**31


def _is_text(value: Any, longest: int = MOVE_LENGTH) -> bool:
    return type(value) is str and len(value) <= longest and _is_unicode(value)


def _is_id(value: Any) -> bool:
    return _is_text(value, ID_LENGTH) and value != ""


def _is_yes_or_no(value: Any) -> bool:
    return type(value) is bool


def _are_texts(value: Any) -> bool:
    return type(value) is list and len(value) <= MOST_BESIDE and all(_is_text(one) for one in value)


def _is_unicode(text: str) -> bool:
    """Half a surrogate pair can be written in JSON, but not to a socket or a file."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


# For each type its fields: the name, whether it must be there, and what fits.
_ID = ("id", True, _is_id)
_AT = ("revision", True, _is_number)
_MOVE = ("move", True, _is_text)
FIELDS: dict[str, tuple[tuple[str, bool, Callable[[Any], bool]], ...]] = {
    "hello": (("session", True, _is_text), ("build", False, _is_text), ("revision", False, _is_number), ("beside", False, _are_texts)),
    "move": (_ID, _AT, _MOVE),
    "preview": (_ID, _AT, _MOVE),
    "hint": (_ID, _AT),
    "undo": (_ID,),
    "undo_answer": (_ID, ("agree", True, _is_yes_or_no)),
    "resign": (_ID,),
    "bot_takes": (_ID, ("seat", False, _is_number)),
    "bot_returns": (_ID,),
    "ping": (_ID,),
}
