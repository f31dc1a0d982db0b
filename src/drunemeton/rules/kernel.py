"""One Python source of rules at three speeds.

A game's rules are plain functions over one `Record`, marked with `@rule`. Called as they are, they run as ordinary Python on
list-backed records that a debugger can show. `native(fn)` gives the same function compiled by Numba, working on flat NumPy records of
the same layout, and `native(fn, target=CUDA)` compiled for a GPU (`cuda.py`). Numba and NumPy are imported only when `native` (or
`Record.box`) is first used.

Rules keep to a restricted style so that both worlds agree: integers, fixed-size nested arrays indexed as `s.stack[t][i]`, no
allocation, no exceptions, no Python objects. All fields are signed, because Numba turns unsigned arithmetic into floats; a mask
keeps to 63 bits, because plain integers do not wrap.

This file is long because it is the whole language that rules are written in, and its parts need one another: records are what twins are
made for, the desk is a record, shuffles and bit sets are rules with native forms.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeVar, cast

from .cache import SharedLocator, compiling_alone, guest_digest, stopping_between_rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Box = npt.NDArray[np.void]

F = TypeVar("F", bound=Callable[..., Any])
Row = list[int]
Grid = list[list[int]]


# --- Records: one description, two layouts -------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """Width in bytes and shape of one field of a record; how many bytes hold all that it can mean."""

    width: int
    shape: tuple[int, ...]
    fits: int

    @property
    def code(self) -> str:
        """The NumPy type code."""
        return f"i{self.width}"

    def zero(self) -> Any:
        """A fresh value for the plain twin: 0, or nested lists of it."""
        return functools.reduce(lambda inner, n: [_clone(inner) for _ in range(n)], reversed(self.shape), cast(Any, 0))


def i8(*shape: int) -> Any:
    """A field of signed bytes."""
    return Field(1, shape, 1)


def i16(*shape: int) -> Any:
    """A field of signed 16-bit integers."""
    return Field(2, shape, 2)


def i32(*shape: int) -> Any:
    """A field of signed 32-bit integers."""
    return Field(4, shape, 4)


def i64(*shape: int, fits: int = 8) -> Any:
    """A field of signed 64-bit integers, which a processor likes best; where memory is scarce, `fits` bytes will do."""
    return Field(8, shape, fits)


def _clone(value: Any) -> Any:
    if type(value) is not list:
        return value
    if value and type(value[0]) is list:
        return [_clone(inner) for inner in value]
    return value[:]


def _leaves(value: Any) -> list[int]:
    if type(value) is not list:
        return [value]
    if value and type(value[0]) is list:
        return [leaf for inner in value for leaf in _leaves(inner)]
    return value


class _Described(type):
    """Turns the described fields of a record into slots: plain rules read and write little else."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _Described:
        own = {key: value for key, value in space.items() if isinstance(value, Field)}
        rest = {key: value for key, value in space.items() if key not in own}
        cls = super().__new__(mcs, name, bases, {**rest, "__slots__": (*rest.get("__slots__", ()), *own)})
        # Own fields first: were they behind the inherited ones, Numba would take the one record for the other.
        fields: dict[str, Field] = {**own, **getattr(cls, "fields", {})}
        described: Any = cls
        described.fields = fields
        described._copy_into = _copying(fields)
        return cls


def _copying(fields: Mapping[str, Field]) -> Callable[[Any, Any], None]:
    """A function that copies these fields from one record into another, written out: every step of a game copies its state."""
    ways = ("self.{0}", "self.{0}[:]", "[row[:] for row in self.{0}]", "clone(self.{0})")
    lines = [f"    twin.{name} = {ways[min(len(field.shape), 3)].format(name)}" for name, field in fields.items()]
    space: dict[str, Any] = {"clone": _clone}
    exec("\n".join(["def copy_into(self, twin):", *lines, "    return"]), space)
    return cast("Callable[[Any, Any], None]", space["copy_into"])


class Record(metaclass=_Described):
    """A flat record, described once.

    >>> class Pond(Record):
    ...     frogs: int = i8()
    ...     depth: Grid = i16(2, 3)  # by bank and stone

    An instance is the plain twin (integers and nested lists). `Pond.box()` is a one-element NumPy array of the same layout; `box[0]`
    inside compiled code is the record. Passing the array is ten times cheaper than passing the record.
    """

    fields: ClassVar[Mapping[str, Field]]
    guest: ClassVar[bool] = False  # whether it stands for a rule from outside this package, for which generics are filled in
    _copy_into: ClassVar[Callable[[Any, Any], None]]

    def __init__(self) -> None:
        for name, field in self.fields.items():
            setattr(self, name, field.zero())

    def copy(self) -> Self:
        """An independent copy."""
        twin = object.__new__(type(self))
        self._copy_into(twin)
        return twin

    def assign(self, other: Record) -> None:
        """Take over every field that `other` has too."""
        for name in self.fields:
            if name in other.fields:
                setattr(self, name, _clone(getattr(other, name)))

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and all(getattr(other, name) == getattr(self, name) for name in self.fields)

    __hash__ = None  # type: ignore[assignment]

    def out_of_range(self) -> list[str]:
        """The fields that would not fit into the compiled record, on processor or GPU; empty when all is well."""
        wrong = []
        for name, field in self.fields.items():
            bound = 1 << (8 * field.fits - 1)
            if any(not -bound <= leaf < bound for leaf in _leaves(getattr(self, name))):
                wrong.append(name)
        return wrong

    @classmethod
    def dtype(cls) -> np.dtype[np.void]:
        """The layout of the compiled record."""
        import numpy as np

        found = cls.__dict__.get("_dtype")
        if found is None:
            found = np.dtype([(name, field.code, field.shape) for name, field in cls.fields.items()], align=True)
            cls._dtype = found  # type: ignore[attr-defined]
        return cast("np.dtype[np.void]", found)

    @classmethod
    def box(cls, count: int = 1) -> Box:
        """A zeroed array of compiled records."""
        import numpy as np

        return np.zeros(count, cls.dtype())

    def to_box(self, box: Box | None = None) -> Box:
        """This record in its compiled layout."""
        box = type(self).box() if box is None else box
        first = box[0]
        for name in self.fields:
            first[name] = getattr(self, name)
        return box

    @classmethod
    def from_box(cls, box: Box, index: int = 0) -> Self:
        """The plain twin of a compiled record."""
        twin = object.__new__(cls)
        source = box[index]
        for name in cls.fields:
            setattr(twin, name, source[name].tolist())
        return twin


def copy_box(box: Box) -> Box:
    """Copy compiled records as bytes: twenty times faster than NumPy's own copy of a structured array."""
    import numpy as np

    return box.view(np.uint8).copy().view(box.dtype)


# --- Rules: plain as written, native on demand ---------------------------------------------------------------------

_rules: dict[Callable[..., Any], None] = {}
_unfolded: set[Callable[..., Any]] = set()
_built: dict[tuple[Callable[..., Any], str], Callable[[], Any]] = {}

# What a twin is made for.
PLAIN, CPU, CUDA = "plain", "cpu", "cuda"


def rule(fn: F) -> F:
    """Mark a function as a rule: it stays what it is, and `native` can compile it."""
    _rules[fn] = None
    return fn


def unfolded(fn: F) -> F:
    """Mark a rule that is written out wherever a rule calls it, since handing its arguments over would take longer than its work."""
    _unfolded.add(fn)
    return rule(fn)


def native_form(written: Callable[..., Any], target: str = CPU) -> Callable[[F], F]:
    """Mark a function that builds what `written` becomes when compiled, for the few things that the worlds spell differently.

    A GPU takes what has no form of its own there as it is written.
    """

    def mark(build: F) -> F:
        _rules[written] = None
        _built[written, target] = build
        return build

    return mark


class Generic:
    """A rule that every game fills in, chosen by the type of the first argument.

    Drivers such as playouts and searches are written once against generics; `native(driver, State)` compiles them for one game.
    """

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.__doc__ = fn.__doc__
        self.__name__ = fn.__name__
        self.table: dict[type[Record], Callable[..., Any]] = {}

    def __call__(self, first: Record, *rest: Any) -> Any:
        return (self.table.get(type(first)) or self.of(type(first)))(first, *rest)

    def of(self, record: type[Record]) -> Callable[..., Any]:
        """What this generic is for the game whose state (or knowledge) is `record`."""
        fn = self.table.get(record)
        if fn is None:
            fn = self.table[record] = next(self.table[base] for base in record.__mro__ if base in self.table)
        return fn

    def among(self, records: Collection[type[Record]]) -> Callable[..., Any]:
        """What this generic is for a game of these records; what a guest fills in comes first."""
        return self.table[max((record for record in self.table if record in records), key=lambda record: record.guest)]

    def bind(self, record: type[Record], fn: Callable[..., Any]) -> None:
        """Fill this generic in for the game whose state (or knowledge) is `record`."""
        self.table[record] = fn


def generic(fn: F) -> F:
    """Declare a rule that each game fills in; the function given here only documents it."""
    return cast(F, Generic(fn))


def is_rule(thing: object) -> bool:
    """Whether this can have twins."""
    return isinstance(thing, Generic) or (isinstance(thing, FunctionType) and thing in _rules)


def has_numba() -> bool:
    """Whether rules can be compiled here at all; `DRUNEMETON_PLAIN=1` says no."""
    import importlib.util

    return not os.environ.get("DRUNEMETON_PLAIN") and importlib.util.find_spec("numba") is not None


def native(fn: F, *records: type[Record], target: str = CPU) -> F:
    """The compiled twin of a rule; generics in it are filled in for `records`. Without Numba: the plain twin.

    With `CUDA`, which needs numba-cuda, it is a function that other code on the GPU can call.
    """
    return cast(F, _twins(frozenset(records), target if target == CUDA or has_numba() else PLAIN).of(fn))


def plain(fn: F, *records: type[Record]) -> F:
    """The rule with its generics filled in for `records`, still as plain Python: it saves the look-up at every call."""
    return cast(F, _twins(frozenset(records), PLAIN).of(fn))


class Twins:
    """Counterparts of rules for one game: the same code over a namespace in which every generic is filled in, compiled or not."""

    def __init__(self, records: frozenset[type[Record]], target: str) -> None:
        self.records = records
        self.target = target
        self.compile = _compiler(target)
        self.about = "-".join(sorted({record.__module__.rpartition(".")[0].rpartition(".")[2] for record in records}))
        self.made: dict[tuple[Callable[..., Any], bool], Any] = {}
        self.spaces: dict[str, dict[str, Any]] = {}

    def of(self, fn: Any, *, inner: bool = False) -> Any:
        """The counterpart of a rule; one that only other rules call (`inner`) is compiled without a way in from Python."""
        if isinstance(fn, Generic):
            fn = fn.among(self.records)
        key = fn, inner and self.target == CPU
        if key not in self.made:
            if (fn, self.target) in _built:
                self.made[key] = _built[fn, self.target]()
            elif fn in _rules:
                self._make(fn, key)
            else:
                raise TypeError(f"{fn.__module__}.{fn.__qualname__} is not marked with @rule")
        return self.made[key]

    def _make(self, fn: FunctionType, key: tuple[Callable[..., Any], bool]) -> None:
        space = self.spaces.setdefault(fn.__module__, dict(fn.__globals__))
        twin: Any = FunctionType(fn.__code__, space, fn.__name__, fn.__defaults__, fn.__closure__)
        twin.__qualname__, twin.__module__, twin.__doc__ = fn.__qualname__, fn.__module__, fn.__doc__
        twin.inner, twin.about, twin.guests = key[1], self.about, self._guests(fn)
        twin.unfolded = fn in _unfolded
        self.made[key] = self.compile(twin)
        for name in fn.__code__.co_names:
            called = fn.__globals__.get(name)
            if is_rule(called):
                space[name] = self.of(called, inner=True)

    def _guests(self, fn: FunctionType) -> str:
        """A digest of the sources outside this package that a rule leads to: whatever calls them is compiled for them alone."""
        if not guest_digest([fn]) and not any(record.guest for record in self.records):
            return ""
        seen: dict[Any, None] = {}
        waiting: list[Any] = [fn]
        while waiting:
            one = waiting.pop()
            if isinstance(one, Generic):
                one = one.among(self.records)
            if one not in seen:
                seen[one] = None
                waiting += [called for name in one.__code__.co_names if is_rule(called := one.__globals__.get(name))]
        return guest_digest(list(seen))


@functools.cache
def _twins(records: frozenset[type[Record]], target: str) -> Twins:
    return Twins(records, target)


def _compiler(target: str) -> Callable[[FunctionType], Any]:
    if target == CUDA:
        from .cuda import compile_rule

        return compile_rule
    return _compile if target == CPU else lambda fn: fn


compile_watchers: list[Callable[[str], None]] = []  # told the name of every rule that is about to be compiled, or found compiled

_compiling = threading.Lock()  # where Numba keeps its cache is a setting for all threads


def _compile(fn: FunctionType) -> Any:
    # Loops in rules run over a handful of cards: vector code for them is a third slower. Numba reads this when first imported.
    os.environ.setdefault("NUMBA_LOOP_VECTORIZE", "0")
    import numba

    from .compiling import EntryCompiler, InnerCompiler

    config: Any = numba.config
    with _compiling:
        setting, value = "CACHE_LOCATOR_CLASSES", f"{SharedLocator.__module__}.{SharedLocator.__name__}"
        if not hasattr(config, setting):  # of an older Numba; its cache is one for each folder of sources
            setting, value = "CACHE_DIR", str(SharedLocator(fn).get_cache_path())
        before = getattr(config, setting)
        setattr(config, setting, value)
        try:
            # A way in from Python takes as long to compile as a small rule.
            inner = getattr(fn, "inner", False)
            way: dict[str, Any] = {"no_cpython_wrapper": inner, "no_cfunc_wrapper": inner}
            if inner and getattr(fn, "unfolded", False):
                way["inline"] = "always"
            compiler = InnerCompiler if inner else EntryCompiler
            return _widened(numba.njit(fn, cache=True, nogil=True, error_model="numpy", pipeline_class=compiler, **way))
        finally:
            setattr(config, setting, before)


def _widened(dispatcher: Any) -> Any:
    """Let a compiled rule take every integer as 64 bits wide.

    Fields are narrow and variables wide, so Numba would compile each rule once for every mixture of the two that occurs in a call.
    """
    import numba

    from .compiling import in_words

    int64, types = numba.int64, cast(Any, numba.types)
    compile_exactly = dispatcher.compile

    def compile_wide(signature: Any) -> Any:
        for tell_name in compile_watchers:
            tell_name(f"{dispatcher.py_func.__module__.removeprefix('drunemeton.')}.{dispatcher.py_func.__name__}")
        plain = (types.unliteral(argument) for argument in getattr(signature, "args", signature))
        with compiling_alone(getattr(dispatcher.py_func, "about", "")), stopping_between_rules(), in_words(dispatcher.py_func):
            return compile_exactly(tuple(int64 if isinstance(kind, types.Integer) else kind for kind in plain))

    dispatcher.compile = compile_wide
    return dispatcher


def set_record(records: Any, i: int, sources: Any, j: int) -> None:
    """Copy record j of one box (or list) into place i of another."""
    records[i] = sources[j].copy()


@native_form(set_record)
def _set_record() -> Any:
    return _compile(cast(FunctionType, _assign_record))


def _assign_record(records: Any, i: int, sources: Any, j: int) -> None:
    records[i] = sources[j]


# --- The desk: what a rule needs beside the state ------------------------------------------------------------------

MOVES = 1024
EVENTS = 2048
TAPE = 512

# An event is a row of small integers. A seat outside `EV_WHO` is told it without `EV_SECRET`.
EV_KIND, EV_WHO, EV_A, EV_B, EV_C, EV_D, EV_SECRET = range(7)
EV_WIDTH = 7
EVERYBODY = 0x7FFF
NOBODY = 0
SPECTATOR = 14  # watches the table without a seat
OPEN = 15  # sees every card: a finished game

# Kinds of event that belong to chance itself; games count from FIRST_KIND.
EV_SHUFFLED = 1  # A pile, B cards
EV_ORDER = 2  # A place in the order, SECRET card, told to nobody
FIRST_KIND = 3

PILES = 8  # that a game can shuffle

# Where a desk's shuffles come from, unless orders are handed in.
STREAM = 0  # the generator, one after the other: who only thinks
DEALT = 1  # the number of the deal, the pile, and how often it was shuffled
ASKED = 2  # the desk's dealer, in plain Python

# The third word of a generator says what it is for.
SHUFFLES = 0xD << 28  # with pile and count
CHOICES = 0xB07
FORMER_DEALS = 0xDEA1  # with a step's number as the second word

FAULT_ORDER = 1  # an order handed in is no order of that pile
FAULT_STORY = 2  # more events than the buffer holds


class Dealer(Protocol):
    """Whoever lays piles anew where the generator must not."""

    def lay(self, d: Desk, name: int, pile: Row, n: int) -> None:
        """Lay the first n cards of a pile in a new order."""


class Dealt(Record):
    """Which deal a game is, and how often each pile was shuffled in it: from these two every shuffle to come follows."""

    deal: int = i64()
    shuffled: Row = i32(PILES)


class Desk(Record):
    """What lies beside the table: the generator, orders handed in, the list of legal moves, the story so far.

    It is not part of the state: thinking with a desk of one's own can change no shuffle, and no state holds its own future.
    """

    __slots__ = ("dealer",)
    dealer: Dealer | None  # of plain desks

    rng: Row = i64(4)  # sfc32: three words of 32 bits and a counter
    source: int = i8()  # of shuffles
    deal: int = i64()  # as in `Dealt`
    shuffled: Row = i32(PILES)
    tape: Row = i16(TAPE)  # shuffle orders handed in, one after the other, first card first
    tape_at: int = i32()
    tape_end: int = i32()  # 0: nothing is handed in
    moves: Row = i32(MOVES)  # written by `legal`
    listening: int = i8()  # whether events are wanted
    told: int = i32()  # events so far
    events: Grid = i16(EVENTS, EV_WIDTH)
    scratch: Row = i16(256)
    fault: int = i8()


@rule
def below(d: Desk, n: int) -> int:
    """A random integer from 0 to n - 1, exactly uniform, n below 2**31.

    The generator is sfc32 by Chris Doty-Humphrey, in 64-bit signed arithmetic; a draw that would favour low numbers is repeated (Lemire).
    """
    rng = d.rng
    while True:
        b = rng[1]
        c = rng[2]
        count = rng[3]
        bits = (rng[0] + b + count) & 0xFFFFFFFF
        rng[0] = b ^ (b >> 9)
        rng[1] = (c + (c << 3)) & 0xFFFFFFFF
        rng[2] = (((c << 21) | (c >> 11)) + bits) & 0xFFFFFFFF
        rng[3] = (count + 1) & 0xFFFFFFFF
        product = bits * n
        low = product & 0xFFFFFFFF
        if low >= n or low >= (0x100000000 - n) % n:
            return product >> 32


@rule
def shuffle(d: Desk, name: int, pile: Row, n: int) -> None:
    """Shuffle the first n cards of a pile. The only chance there is."""
    if d.tape_end > 0:
        _take_order(d, pile, n)
    elif d.source == DEALT:
        # Choices go on from where they are: they come from the generator too, and must not hang on what was shuffled.
        rng = d.rng
        a = rng[0]
        b = rng[1]
        c = rng[2]
        count = rng[3]
        seed(d, d.deal, d.deal >> 32, SHUFFLES | name << 24 | (d.shuffled[name] & 0xFFFFFF))
        mix(d, pile, n)
        rng[0] = a
        rng[1] = b
        rng[2] = c
        rng[3] = count
    elif d.source == ASKED:
        ask_dealer(d, name, pile, n)
    else:
        mix(d, pile, n)
    d.shuffled[name] += 1
    if d.listening:
        tell(d, EV_SHUFFLED, name, n, 0, 0)
        for i in range(n):
            tell_secret(d, EV_ORDER, NOBODY, i, 0, 0, 0, pile[i])


@rule
def mix(d: Desk, pile: Row, n: int) -> None:
    """Mix the first n cards of a pile by the generator, every order as likely."""
    for i in range(n - 1, 0, -1):
        j = below(d, i + 1)
        card = pile[i]
        pile[i] = pile[j]
        pile[j] = card


def ask_dealer(d: Desk, name: int, pile: Row, n: int) -> None:
    """Have a pile laid anew by the desk's dealer."""
    assert d.dealer is not None
    d.dealer.lay(d, name, pile, n)


@native_form(ask_dealer)
def _ask_dealer() -> Any:
    return _compile(cast(FunctionType, _nobody_deals))


def _nobody_deals(d: Any, name: int, pile: Any, n: int) -> None:
    d.fault = FAULT_ORDER


@rule
def _take_order(d: Desk, pile: Row, n: int) -> None:
    """Lay a pile as the desk's tape says; a fault if that is no order of this pile."""
    if d.tape_at + n > d.tape_end:
        d.fault = FAULT_ORDER
        return
    for i in range(n):
        card = d.tape[d.tape_at + i]
        j = i
        while j < n and pile[j] != card:
            j += 1
        if j == n:
            d.fault = FAULT_ORDER
            return
        pile[j] = pile[i]
        pile[i] = card
    d.tape_at += n


@rule
def tell(d: Desk, kind: int, a: int, b: int, c: int, e: int) -> None:
    """Tell everybody that something happened."""
    if d.listening:
        tell_secret(d, kind, EVERYBODY, a, b, c, e, 0)


@rule
def tell_secret(d: Desk, kind: int, who: int, a: int, b: int, c: int, e: int, secret: int) -> None:
    """Tell everybody, and the seats of the mask `who` the secret too (a card, say)."""
    if d.listening:
        if d.told >= EVENTS:
            d.fault = FAULT_STORY
            return
        row = d.events[d.told]
        row[EV_KIND] = kind
        row[EV_WHO] = who
        row[EV_A] = a
        row[EV_B] = b
        row[EV_C] = c
        row[EV_D] = e
        row[EV_SECRET] = secret
        d.told += 1


@rule
def may_see(who: int, watcher: int) -> bool:
    """Whether a watcher is told the secret of an event that is for `who`. All telling, plain and compiled, asks here."""
    return (who >> watcher) & 1 == 1


@rule
def seed(d: Desk, a: int, b: int, c: int) -> None:
    """Set the generator from three words of 32 bits."""
    a &= 0xFFFFFFFF
    b &= 0xFFFFFFFF
    c &= 0xFFFFFFFF
    # Twelve rounds of the generator, as its author advises, so that every word has stirred all others.
    for count in range(1, 13):
        bits = (a + b + count) & 0xFFFFFFFF
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & 0xFFFFFFFF
        c = (((c << 21) | (c >> 11)) + bits) & 0xFFFFFFFF
    d.rng[0] = a
    d.rng[1] = b
    d.rng[2] = c
    d.rng[3] = 13


@rule
def deal_out(d: Desk, number: int) -> None:
    """From now on the desk's shuffles are those of a deal, from its beginning on."""
    d.source = DEALT
    d.deal = number
    for pile in range(PILES):
        d.shuffled[pile] = 0


@rule
def take_up(d: Desk, game: Dealt) -> None:
    """Go on with one of several games at this desk: its deal, and the shuffles that it has had."""
    d.source = DEALT
    d.deal = game.deal
    for pile in range(PILES):
        d.shuffled[pile] = game.shuffled[pile]


@rule
def lay_down(d: Desk, game: Dealt) -> None:
    """Note the shuffles that a game has had."""
    for pile in range(PILES):
        game.shuffled[pile] = d.shuffled[pile]


# --- Bit sets ------------------------------------------------------------------------------------------------------
# A word holds 63 bits, so that it is never negative and means the same in both worlds. Larger sets are rows of words.

WORD = 63


def count_bits(word: int) -> int:
    """How many bits are set."""
    return word.bit_count()


@native_form(count_bits)
def _count_bits() -> Any:
    return _instruction("ctpop")


def lowest_bit(word: int) -> int:
    """The index of the lowest set bit; the word must not be empty."""
    return (word & -word).bit_length() - 1


@native_form(lowest_bit)
def _lowest_bit() -> Any:
    return _instruction("cttz")


def _instruction(name: str) -> Any:
    """A processor's instruction on a word, as compiled rules can call it."""
    from llvmlite import ir
    from numba import int64
    from numba.extending import intrinsic

    def typed(_context: Any, word: Any) -> Any:
        def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            if name == "ctpop":
                return builder.ctpop(arguments[0])
            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

        return int64(int64), code

    return intrinsic(typed)


@rule
def nth_bit(word: int, n: int) -> int:
    """The index of the n-th set bit, counted from 0."""
    for _ in range(n):
        word &= word - 1
    return lowest_bit(word)


@rule
def bit_add(row: Row, i: int) -> None:
    """Put i into a set of several words."""
    row[i // WORD] |= 1 << (i % WORD)


@rule
def bit_drop(row: Row, i: int) -> None:
    """Take i out of a set of several words."""
    row[i // WORD] &= ~(1 << (i % WORD))


@rule
def bit_has(row: Row, i: int) -> bool:
    """Whether i is in a set of several words."""
    return (row[i // WORD] >> (i % WORD)) & 1 == 1
