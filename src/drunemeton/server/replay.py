"""Finished games to be looked at again, of this server's tables and of records that somebody hands in: limited in size, number and time."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from collections import OrderedDict
from typing import Any

from .. import records
from ..records.frames import ReplayTooLong, frames, watcher_of
from ..rules.errors import BadOption
from ..rules.game import Game
from .limits import Buckets
from .messages import encode
from .settings import Settings

KEPT = 12  # answers, compressed: whoever looks at a game does so from several seats, and shows it to others
AT_ONCE = 1  # playing again is plain Python, and the tables must not wait for it


class Replays:
    """Plays records again for one server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.buckets = Buckets(settings.replays_per_minute / 60, settings.replays_burst)
        self._kept: OrderedDict[tuple[bytes, str], bytes] = OrderedDict()
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def answer(self, text: str, watcher: str, seats: list[dict[str, Any]] | None = None) -> bytes:
        """The game as a watcher saw it, as compressed JSON; `seats` tells who sat where."""
        key = (hashlib.sha256(encode({"text": text, "seats": seats})).digest(), watcher)
        if key not in self._kept:
            async with self._turn:
                if key not in self._kept:  # somebody may have asked for the same meanwhile
                    self._kept[key] = await asyncio.to_thread(self._play, text, watcher, seats)
                    while len(self._kept) > KEPT:
                        self._kept.popitem(last=False)
        answer = self._kept.get(key)
        if answer is None:  # pushed out while we waited
            return await self.answer(text, watcher, seats)
        self._kept.move_to_end(key)
        return answer

    def _play(self, text: str, name: str, seats: list[dict[str, Any]] | None) -> bytes:
        record = records.read(text)
        game = records.game_of(record)
        watcher = watcher_of(record, name, game.seat_names)
        if watcher is None:
            raise BadOption("as", "none_of", value=name, known=["open", "public", *game.seat_names[: record.seats]])
        shown = frames(record, watcher, self.settings.replay_seconds)
        return gzip.compress(encode(_head(record, game, name, seats) | shown), 6, mtime=0)


def _head(record: records.GameRecord, game: type[Game], name: str, seats: list[dict[str, Any]] | None) -> dict[str, Any]:
    assert record.result is not None
    printed = record.components == game.default_components()
    return {
        "game": record.game,
        "as": name,
        "seat": game.seat_names.index(name) if name in game.seat_names else None,
        "seats": seats or [{"kind": "person", "name": "", "bot": None, "out": None} for _ in range(record.seats)],
        "options": record.options,
        "components": record.components,
        "provenance": game.provenance() if printed else {},
        "auditable": record.auditable,
        "commitment": record.commitment,
        "secret": record.secret.hex() if record.secret is not None else None,
        "result": record.result.shown(),
    }


__all__ = ["ReplayTooLong", "Replays"]
