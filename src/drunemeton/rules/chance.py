"""Where shuffles come from: a secret that was committed to, a typed seed, or orders handed in.

Before each step of a real game the generator is set from the secret and the step's number, and cleared afterwards, so nothing that
anybody computes in between can change a shuffle, and nothing in memory tells the next one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

from .errors import BadOrder
from .kernel import FAULT_ORDER, TAPE, Desk, seed

SECRET_BYTES = 32
_WORDS = struct.Struct(">3I")


def _clear(desk: Desk) -> None:
    desk.rng = [0, 0, 0, 0]
    desk.tape_at = desk.tape_end = 0


class _Sown(list[int]):
    """The words of a generator."""

    __slots__ = ("later",)


class _Unsown(_Sown):
    """A generator that is set when it is first read: most steps shuffle nothing, and setting it costs as much as a small step."""

    __slots__ = ()

    def __init__(self, chance: Chance, step: int) -> None:
        super().__init__((0, 0, 0, 0))
        self.later = chance, step

    def __getitem__(self, index: Any) -> Any:
        chance, step = self.later
        self.__class__ = _Sown  # type: ignore[assignment]
        desk = SimpleNamespace(rng=self)
        seed(cast(Desk, desk), *chance.words(step))
        return self[index]


@dataclass(frozen=True)
class Chance:
    """Shuffles from a secret and the step's number."""

    secret: bytes
    auditable: bool = True

    @classmethod
    def fresh(cls, nonces: Iterable[bytes] = ()) -> Chance:
        """A new secret of 256 bits, with what each seat has thrown in."""
        digest = hashlib.blake2b(secrets.token_bytes(SECRET_BYTES), digest_size=SECRET_BYTES)
        for nonce in nonces:
            digest.update(len(nonce).to_bytes(4, "big") + nonce)
        return cls(digest.digest())

    @classmethod
    def from_seed(cls, number: int) -> Chance:
        """A typed seed: repeatable, and therefore not auditable, since it can be guessed."""
        return cls(f"seed {number}".encode(), auditable=False)

    @property
    def commitment(self) -> str:
        """What is published before the game, and binds the secret."""
        return hashlib.sha256(b"drunemeton shuffle\n" + self.secret).hexdigest()

    def begin(self, desk: Desk, step: int) -> None:
        """Set the desk's generator for one step."""
        _clear(desk)
        desk.rng = _Unsown(self, step)

    def words(self, step: int) -> tuple[int, int, int]:
        """The three words that set the generator for one step."""
        return _WORDS.unpack(hashlib.blake2b(step.to_bytes(8, "big"), key=self.secret[:64], digest_size=12).digest())

    def finish(self, desk: Desk) -> None:
        """Clear the generator."""
        _clear(desk)


def fits(commitment: str, secret: bytes) -> bool:
    """Whether a revealed secret is the one that was committed to."""
    return hmac.compare_digest(commitment.encode(), Chance(secret).commitment.encode())


@dataclass
class Orders:
    """Shuffle orders handed in, step by step: a replay, or an exact enumeration."""

    by_step: Sequence[Sequence[Sequence[int]]]
    auditable: bool = field(default=False, init=False)

    def begin(self, desk: Desk, step: int) -> None:
        """Put the orders of one step on the desk."""
        _clear(desk)
        cards = [card for order in (self.by_step[step] if step < len(self.by_step) else []) for card in order]
        if len(cards) > TAPE:
            raise BadOrder(f"step {step}: {len(cards)} cards in shuffle orders, more than any step can use")
        desk.tape[: len(cards)] = cards
        # An empty tape must not fall back to the generator: one card too few is a fault as well.
        desk.tape_end = max(len(cards), 1)
        desk.tape_at = 0 if cards else 1

    def finish(self, desk: Desk) -> None:
        """Check that the orders were used up, and clear the desk."""
        wrong = desk.fault == FAULT_ORDER or desk.tape_at != desk.tape_end
        _clear(desk)
        if wrong:
            desk.fault = 0
            raise BadOrder("a shuffle order does not fit the pile that was shuffled")
