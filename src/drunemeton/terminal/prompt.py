"""What a terminal at any table does: print what is told, list and explain moves, carry out what is typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..bots import level_of
from ..locales import glossary, say, tell_reason, tell_story, word
from ..rules.because import Because
from ..rules.errors import Reason
from ..rules.game import Game
from ..rules.story import Event

# What can be typed is the same in all languages; what it does is said in the reader's own.
HELP = {
    "MOVE": "move",
    "moves": "moves",
    "? MOVE": "ask",
    "undo": "undo",
    "log": "log",
    "board": "board",
    "words": "words",
    "save FILE": "save",
    "yes, no": "answer",
    "bot, back": "bot",
    "resign": "resign",
    "quit": "quit",
}


Happening = tuple[Sequence[Event], Sequence[Because]]  # what happened, and why


class Leave(Exception):
    """The player has left the table."""


class Terminal:
    """One terminal at a table. What it asks of the table is in the methods that only raise here."""

    commands: tuple[str, ...] = ()  # of those in HELP

    def __init__(self, game: type[Game], language: str) -> None:
        self.rules, self.language = game, language

    # --- The table

    def legal(self) -> list[str]:
        """The moves of who is on turn here."""
        raise NotImplementedError

    def draw(self) -> str:
        """The table as the player sees it."""
        raise NotImplementedError

    def log(self) -> Happening:
        """All that the player was told."""
        raise NotImplementedError

    def foresee(self, move: str) -> Reason | list[tuple[float, Happening]]:
        """What a move would bring with which probability, or why it is refused."""
        raise NotImplementedError

    def move(self, text: str) -> Reason | None:
        """Play a move; why not, if it is refused."""
        raise NotImplementedError

    def undo(self) -> Reason | None:
        """Take back, or ask to."""
        raise NotImplementedError

    def more(self, text: str) -> bool:
        """What else can be typed at this table; whether it was something."""
        return False

    # --- What is printed

    def say(self, key: str, **params: Any) -> None:
        """Print a sentence of the terminal's own."""
        print(say(self.language, f"term.{key}", **params))

    def seat_name(self, seat: int) -> str:
        """A seat in the reader's words."""
        return word(self.language, self.rules.script.prefix, self.rules.seat_names[seat])

    def bot_name(self, bot: str) -> str:
        """A bot in the reader's words."""
        if level := level_of(bot):
            return say(self.language, "bot.level", level=level)
        return bot if ":" in bot else say(self.language, f"web.bot.{bot}")

    def tell(self, told: Happening, before: str = "") -> None:
        """Print what happened, and why."""
        for line in tell_story(self.language, self.rules.script.prefix, *told):
            print(f"  {before}{line}")

    def refuse(self, reason: Reason) -> None:
        """Print why something is not possible, with its rule."""
        print(f"  {tell_reason(self.language, reason.code, reason.params)}" + (f" ({reason.rule})" if reason.rule else ""))

    def list_moves(self) -> None:
        """Print the legal moves."""
        moves = self.legal()
        print("  " + "   ".join(moves) if moves else f"  {tell_reason(self.language, 'not_your_turn', {})}")

    def help(self) -> None:
        """Print what can be typed."""
        for typed, does in HELP.items():
            if does in self.commands:
                print(f"  {typed:<11} {say(self.language, f'term.help.{does}')}")

    def explain(self, move: str) -> None:
        """Print what a move would bring, as far as the player can know, or why it is refused."""
        found = self.foresee(move)
        if isinstance(found, Reason):
            self.refuse(found)
            return
        for share, told in found:
            self.tell(told, "" if share == 1 else f"{share:.0%} ")

    def places(self, places: Iterable[int], players: Iterable[str]) -> None:
        """Print how the game ended for each."""
        for seat, (place, player) in enumerate(zip(places, players, strict=True)):
            self.say("place", name=self.seat_name(seat), player=player, place=place)

    # --- What is typed

    def explain_words(self) -> None:
        """The game's words, each with what it is."""
        terms = glossary(self.language, self.rules.script.prefix)
        for term in terms or [say(self.language, "term.no_words")]:
            print(f"  {term}")

    def command(self, text: str) -> bool:
        """Carry out what was typed; whether the table was changed by it."""
        word, _, rest = text.partition(" ")
        reason: Reason | None = None
        if text in {"quit", "exit"}:
            raise Leave
        if text in {"?", "help", ""}:
            self.help()
            self.list_moves()
        elif word == "?":
            self.explain(rest.strip())
        elif text == "moves":
            self.list_moves()
        elif text == "board":
            print(self.draw())
        elif text == "log":
            self.tell(self.log())
        elif text == "words":
            self.explain_words()
        elif not self.more(text):
            reason = self.undo() if text == "undo" else self.move(text)
            if reason is None:
                return True
            self.refuse(reason)
        return False
