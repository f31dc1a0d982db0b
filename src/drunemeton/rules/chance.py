"""Where shuffles come from: a secret that was committed to, a typed seed, or orders handed in.

A shuffle follows from the secret or seed, the pile, and how often that pile was shuffled before; never from what else has happened. So the
same move brings the same shuffle after it was taken back, and two games of one deal stay alike in what chance gives after they part. A
secret's shuffles are drawn from BLAKE2b, in plain Python. A seed's come from the kernel's fast generator, in compiled rules as well.
The desk is cleared after every step of a real game: nothing that lies in memory beside the secret tells a shuffle to come.
"""

from __future__ import annotations

import functools
import hashlib
import hmac
import re
import secrets
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .errors import BadOrder, GameError
from .kernel import ASKED, DEALT, FAULT_ORDER, FORMER_DEALS, PILES, STREAM, TAPE, Desk, Row, mix, seed

SECRET_BYTES = 32
_WORDS = struct.Struct(">3I")
_SEED = re.compile(rb"seed (-?\d{1,99})")
_BLOCK = struct.Struct(">16I")

# How shuffles are derived. A record or a table that names none was made when there was only the first.
BY_STEP = "step"  # the generator is set anew for every step
BY_PILE = "pile"
DERIVATIONS = (BY_STEP, BY_PILE)


def _clear(desk: Desk) -> None:
    desk.rng = [0, 0, 0, 0]
    desk.source, desk.dealer, desk.deal = STREAM, None, 0
    desk.shuffled = [0] * PILES
    desk.tape_at = desk.tape_end = 0


@dataclass(frozen=True)
class Chance:
    """Shuffles from a secret or a seed."""

    secret: bytes
    auditable: bool = True
    derivation: str = BY_PILE

    def __post_init__(self) -> None:
        if self.derivation not in DERIVATIONS:
            raise GameError(f"shuffles are derived by {' or '.join(DERIVATIONS)} here, not by {self.derivation!r}")

    @classmethod
    def fresh(cls, nonces: Iterable[bytes] = ()) -> Chance:
        """A new secret of 256 bits, with what each seat has thrown in."""
        digest = hashlib.blake2b(secrets.token_bytes(SECRET_BYTES), digest_size=SECRET_BYTES)
        for nonce in nonces:
            digest.update(len(nonce).to_bytes(4, "big") + nonce)
        return cls(digest.digest())

    @classmethod
    def from_seed(cls, number: int, derivation: str = BY_PILE) -> Chance:
        """A typed seed: repeatable, and therefore not auditable, since it can be guessed."""
        return cls(f"seed {number}".encode(), False, derivation)

    @property
    def commitment(self) -> str:
        """What is published before the game, and binds the secret."""
        return hashlib.sha256(b"drunemeton shuffle\n" + self.secret).hexdigest()

    @functools.cached_property
    def deal(self) -> int | None:
        """The number of the deal that a typed seed is, wherever it is played; None for a secret."""
        typed = _SEED.fullmatch(self.secret)
        return deal_of(int(typed[1])) if typed and not self.auditable and self.derivation == BY_PILE else None

    def begin(self, desk: Desk, step: int, shuffled: Sequence[int]) -> None:
        """Prepare the desk for one step of a game in which each pile was shuffled so often."""
        _clear(desk)
        desk.shuffled[:] = shuffled
        deal = self.deal
        if deal is not None:
            desk.source, desk.deal = DEALT, deal
        else:
            desk.source, desk.dealer = ASKED, Audited(self.secret) if self.derivation == BY_PILE else ByStep(self.secret, step)

    def finish(self, desk: Desk) -> None:
        """Clear the desk."""
        _clear(desk)


def deal_of(number: int) -> int:
    """Any whole number as the number of a deal: 64 bits, as compiled rules keep it."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


class Audited:
    """Deals from a secret: every shuffle has a stream of its own, and no smaller generator comes between."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret

    def lay(self, d: Desk, name: int, pile: Row, n: int) -> None:
        """Lay the first n cards of a pile in a new order, every one as likely."""
        words = self.words(name, d.shuffled[name])
        for i in range(n - 1, 0, -1):
            j = _below(words, i + 1)
            pile[i], pile[j] = pile[j], pile[i]

    def words(self, name: int, count: int) -> Iterator[int]:
        """The words of 32 bits from which one shuffle is drawn."""
        shuffle = b"shuffle" + name.to_bytes(2, "big") + count.to_bytes(4, "big")
        block = 0
        while True:
            yield from _BLOCK.unpack(hashlib.blake2b(shuffle + block.to_bytes(4, "big"), key=self.secret[:64]).digest())
            block += 1


def _below(words: Iterator[int], n: int) -> int:
    """A number from 0 to n - 1 from the next word that favours none of them."""
    return next(word for word in words if word < (1 << 32) // n * n) % n


class ByStep:
    """Deals as tables and records did that name no derivation: one generator for all shuffles of a step, set when the first one comes."""

    def __init__(self, secret: bytes, step: int) -> None:
        self.secret, self.step = secret, step
        self.set = False

    def lay(self, d: Desk, name: int, pile: Row, n: int) -> None:
        """Mix the first n cards of a pile."""
        if not self.set:
            self.set = True
            digest = hashlib.blake2b(self.step.to_bytes(8, "big"), key=self.secret[:64], digest_size=12).digest()
            seed(d, *_WORDS.unpack(digest))
        mix(d, pile, n)


class FormerDeal:
    """A deal of a match, as it was before shuffles followed from the pile: for files of games that name a deal and no derivation."""

    auditable = False

    def __init__(self, number: int) -> None:
        self.number = number

    def begin(self, desk: Desk, step: int, shuffled: Sequence[int]) -> None:
        """Prepare the desk for one step."""
        _clear(desk)
        desk.shuffled[:] = shuffled
        desk.source, desk.dealer = ASKED, self
        seed(desk, self.number, step, FORMER_DEALS)

    def lay(self, d: Desk, name: int, pile: Row, n: int) -> None:
        """Mix the first n cards of a pile."""
        mix(d, pile, n)

    def finish(self, desk: Desk) -> None:
        """Clear the desk."""
        _clear(desk)


def fits(commitment: str, secret: bytes) -> bool:
    """Whether a revealed secret is the one that was committed to."""
    return hmac.compare_digest(commitment.encode(), Chance(secret).commitment.encode())


@dataclass
class Orders:
    """Shuffle orders handed in, step by step: a replay, or an exact enumeration."""

    by_step: Sequence[Sequence[Sequence[int]]]
    auditable: bool = field(default=False, init=False)

    def begin(self, desk: Desk, step: int, shuffled: Sequence[int]) -> None:
        """Put the orders of one step on the desk."""
        _clear(desk)
        desk.shuffled[:] = shuffled
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
