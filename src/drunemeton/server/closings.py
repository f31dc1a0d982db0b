"""Why connections are closed."""

from __future__ import annotations

from typing import NamedTuple


class BadMessage(Exception):
    """A message that no client of ours would send; the code says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Closing(NamedTuple):
    """Why a connection is closed: a sentence for developers, the WebSocket's code, and whether coming back is worth a try."""

    sentence: str
    code: int = 1008
    again: bool = False


CLOSINGS = {
    "session": Closing("this session is not known here; open the link again"),
    "garbage": Closing("this message cannot be read"),
    "too_fast": Closing("too many messages"),
    "too_big": Closing("this message is too long", 1009),
    "slow": Closing("messages pile up; the connection is too slow", 1013, again=True),
    "idle": Closing("nothing was heard for a long time", again=True),
    "replaced": Closing("this seat is open in too many places"),
    "hello_first": Closing("the first message must be hello"),
    "no_table": Closing("there is no such table"),
    "damaged": Closing("what is stored of this table cannot be read"),
    "store": Closing("the table cannot be written to disk; nothing was changed", 1013, again=True),
    "stopping": Closing("the server stops", 1012, again=True),
    "deleted": Closing("the table was deleted"),
}
