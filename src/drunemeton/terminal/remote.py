"""A seat at a server's table in the terminal: what is told is printed as it comes, what is typed is sent."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections import deque
from pathlib import Path
from typing import Any

from ..client import BROKEN, Client, Message, MoveRefused, ServerError
from ..locales import say
from ..rules.errors import Reason
from ..rules.game import find_game
from ..rules.story import Event
from .prompt import Happening, Leave, Terminal


def play_at(url: str, language: str = "en", save: Path | None = None) -> int:
    """Play at a server's table, and save the finished game's record; answers the exit status."""
    try:
        with Client.join(url) as client:
            RemoteTerminal(client, language).run()
            if save is not None:
                save.write_text(client.record(), encoding="utf-8")
                print(say(language, "term.record_in", file=save))
            return 0
    except (ServerError, OSError) as problem:
        print(f"drunemeton: {problem}", file=sys.stderr)
        return 1
    except (Leave, KeyboardInterrupt):
        print("\n" + say(language, "term.left_link"))
        return 0


class RemoteTerminal(Terminal):
    """A table that is on a server."""

    commands = ("move", "moves", "ask", "undo", "log", "board", "words", "answer", "bot", "resign", "quit")

    def __init__(self, client: Client, language: str) -> None:
        super().__init__(find_game(client.table["game"]), language)
        self.client = client
        self.heard: list[Event] = []
        self.typed: deque[str | None] = deque()
        self.shown = -1

    def run(self) -> None:
        """Until the game is over, or the player leaves."""
        who = [self.player(seat) for seat in self.client.table["seats"]]
        print(f"{self.rules.title}: " + ", ".join(f"{self.seat_name(seat)} ({player})" for seat, player in enumerate(who)))
        self.help()
        threading.Thread(target=self._read, daemon=True).start()
        while True:
            self.show()
            if self.client.over:
                result = self.client.state["result"]
                self.say("over", end=result["end"])
                self.places(result["places"], who)
                return
            if self.typed:
                text = self.typed.popleft()
                if text is None:
                    raise Leave
                self.carry_out(text)
                continue
            try:
                with contextlib.suppress(TimeoutError):
                    self.client.receive(timeout=0.2)
                self.client.stay()
            except BROKEN:
                print("  " + say(self.language, "term.broken"))
                self.client.come_back()

    def _read(self) -> None:
        for line in sys.stdin:
            self.typed.append(line.strip())
        self.typed.append(None)

    def player(self, seat: Message) -> str:
        """Who sits there."""
        return str(seat["name"]) or (self.bot_name(seat["bot"]) if seat["kind"] == "bot" else say(self.language, "term.human"))

    def show(self) -> None:
        """Print what was told, and the board when it has changed."""
        news = self.client.news()
        self.heard += news
        self.tell((news, ()))
        for note in self.client.notes:
            line = self.note(note)
            if line:
                print(f"  * {line}")
        self.client.notes.clear()
        for said in self.client.words:
            text = said["text"] or say(self.language, f"web.phrase.{said['phrase']}")
            print(f"  * {self.seat_name(said['seat'])}: {text}")
        self.client.words.clear()
        state = self.client.state
        if state["revision"] != self.shown:
            self.shown = state["revision"]
            print(self.draw())
            if state["legal"]:
                self.list_moves()
                print(f"{self.seat_name(self.client.seat or 0)}> ", end="", flush=True)

    def note(self, note: Message) -> str:
        """Something that happened at the table and is no move, in words."""
        kind = str(note["kind"])
        if kind == "undo":
            kind = "undo_seen" if note.get("seen") else "undo"
        elif kind == "undo_answered":
            kind = "undo_yes" if note.get("agree") else "undo_no"
        key = f"web.note.{kind}" if kind not in {"undo", "rematch"} else f"term.{kind}"
        words = say(self.language, key, name=self.seat_name(note["seat"]) if note.get("seat") is not None else "")
        return "" if words == key else words + (" " + say(self.language, "term.answer") if kind == "undo_asked" else "")

    def carry_out(self, text: str) -> None:
        """What was typed; what the server refuses is said."""
        try:
            self.command(text)
        except MoveRefused as refused:
            self.refuse(refused.reason)

    def legal(self) -> list[str]:
        return list(self.client.state["legal"] or [])

    def draw(self) -> str:
        view = self.client.state["view"]
        return say(self.language, "reason.waiting") if view is None else str(self.rules.showing.draw(view))

    def log(self) -> Happening:
        return self.heard, ()

    def foresee(self, move: str) -> Reason | list[tuple[float, Happening]]:
        return [(one["share"], ([one["event"]], ())) for one in self.client.preview(move)]

    def move(self, text: str) -> Reason | None:
        self.client.play(text)
        return None

    def undo(self) -> Reason | None:
        self.client.do("undo")
        return None

    def more(self, text: str) -> bool:
        asked: dict[str, tuple[str, dict[str, Any]]] = {
            "yes": ("undo_answer", {"agree": True}),
            "no": ("undo_answer", {"agree": False}),
            "bot": ("bot_takes", {}),
            "back": ("bot_returns", {}),
            "resign": ("resign", {}),
        }
        if text not in asked:
            return False
        what, more = asked[text]
        self.client.do(what, **more)
        return True
