"""Who answers in the bots' processes: every bot, the adviser whose hints come from the appraisal, and the reviewer, bit by bit."""

from __future__ import annotations

import base64
import json
import pickle
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

from .. import records
from ..bots import ADVISER, LEVELS, OPINIONS, Bot, ask_once, make_bot, strength_of
from ..bots.search import Considered
from ..rules.errors import GameError
from ..rules.game import Game, Result
from ..rules.kernel import Record, has_numba
from .account import Depth
from .played import LEAST, NoReview, listened
from .reasons import Reasons
from .reviewing import Reviewer
from .shape import DIGITS
from .value import Appraiser

REVIEWER = "reviewer"
AT_HAND = 2  # games that are kept laid out: whoever asks for one step asks for the next
PIECE_SECONDS = 0.25  # a piece ends then, so that a move that is being played waits no longer


class Adviser:
    """Tells people what it thinks of every move."""

    name = ADVISER

    def __init__(self, game: type[Game]) -> None:
        good = strength_of(game, LEVELS[5])
        self.appraiser = Appraiser(game, OPINIONS * good.simulations, trees=OPINIONS)
        ask_once(self, game)  # compiling is no thinking: whoever asks has the adviser's whole time

    def choose(self, knowledge: Record, *, seed: int) -> int:
        """What it would play."""
        return self.consider(knowledge, seed=seed)[0].action

    def consider(self, knowledge: Record, *, seed: int) -> list[Considered]:
        """Every move with the chance to win after it."""
        return self.appraiser.moves(self.appraiser.engine.box(knowledge), seed=seed)


class ReviewBot:
    """Reviews records piece by piece. What it hands out of a piece is opaque, and is handed back to it for the whole."""

    name = REVIEWER

    def __init__(self, game: type[Game]) -> None:
        self.game = game
        self._onlooker: Appraiser | None = None
        self._reasons: Reasons | None = None
        self._at_hand: OrderedDict[bytes, Reviewer] = OrderedDict()
        if has_numba():
            self._warm()

    def review(self, asked: tuple[str, str, Any], *, seed: int) -> dict[str, Any]:
        """`first`: the graph; `judge` with steps: as many of them as time allows; `tries` with all pieces: what is left to weigh;
        `weigh` with some of that: as much of it as time allows; `whole` with all pieces and all that was weighed: the review;
        `public` with a story as spectators were told it: every seat's chances after some of its steps, from that alone;
        `why` with a knowledge and two actions: reasons for the first beside the second.

        A record that cannot be reviewed is answered with a `problem`, never with an error: it is nobody's fault.
        """
        text, what, more = asked
        if what == "public":
            return {"chances": self._public(more)}
        if what == "why":
            return {"why": self._why(*more, seed=seed)}
        try:
            reviewer = self._reviewer(text)
        except NoReview as problem:
            return {"problem": problem.code}
        except GameError:
            return {"problem": "record"}
        if what == "first":
            return {"steps": len(reviewer.steps), "review": json.dumps(reviewer.first().describe())}
        if what == "judge":
            return {"pieces": _pieces(reviewer.judge, [(step,) for step in more])}
        if what == "weigh":
            return {"pieces": _pieces(reviewer.weigh, more)}
        judged = sorted(map(_opened, more[0]), key=lambda one: one.step)
        if what == "tries":
            return {"tries": reviewer.tries(judged)}
        return {"review": json.dumps(reviewer.whole(judged, list(map(_opened, more[1]))).describe())}

    def _public(self, told: dict[str, Any]) -> list[list[float]]:
        """As many of the steps as the time of a piece allows, and at least one."""
        began = time.monotonic()
        self._onlooker = self._onlooker or Appraiser(self.game, Depth().simulations)
        found: list[list[float]] = []
        laid = self.game.lay_out(told["seats"], told["options"], told["components"])
        for step, box in enumerate(listened(self._onlooker.engine, laid.knowledge, told["story"])):
            if step not in told["steps"]:
                continue
            if found and time.monotonic() - began > PIECE_SECONDS:
                break
            found.append([round(one, DIGITS) for one in self._onlooker.value(box, seed=step).chances])
        return found

    def _why(self, knowledge: Record, action: int, other: int | None, *, seed: int) -> list[dict[str, Any]]:
        """What speaks for an action that is still to be taken: what it wins, what it threatens, and what it saves from."""
        self._reasons = self._reasons or Reasons(self.game)
        found = self._reasons.why(self._reasons.box(knowledge), action, other, seed=seed)
        codes = {"wins": "wins", "threatens": "threatens", "leaves_open": "saves"}
        return [{"code": codes[one.code], "event": one.event} for one in found if one.code in codes]

    def _warm(self) -> None:
        """Have everything compiled and loaded that a review needs: that is no thinking, and nobody's time is charged for it."""
        played = self.game.new(seed=1, seats=2)
        for _ in range(LEAST):
            played.carry_out(played.actions()[0])
        Reviewer(records.read(records.write(played, Result("resigned", (1, 2))))).judge(1)

    def _reviewer(self, text: str) -> Reviewer:
        key = sha256(text.encode()).digest()
        if key not in self._at_hand:
            self._at_hand[key] = Reviewer(records.read(text))
            while len(self._at_hand) > AT_HAND:
                self._at_hand.popitem(last=False)
        self._at_hand.move_to_end(key)
        return self._at_hand[key]


def _pieces(work: Callable[..., Any], asked: Sequence[Sequence[Any]]) -> list[str]:
    """What is asked, as far as the time of a piece allows, and at least one."""
    began, pieces = time.monotonic(), []
    for one in asked:
        pieces.append(base64.b64encode(pickle.dumps(work(*one))).decode())
        if time.monotonic() - began > PIECE_SECONDS:
            break
    return pieces


def _opened(piece: str) -> Any:
    return pickle.loads(base64.b64decode(piece))


def make(game: type[Game], name: str) -> Bot | ReviewBot:
    """The bot of that name for a game, the adviser or the reviewer."""
    if name == REVIEWER:
        return ReviewBot(game)
    return Adviser(game) if name == ADVISER and has_numba() else make_bot(game, name)
