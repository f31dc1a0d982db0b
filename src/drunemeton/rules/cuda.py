"""The third speed: the same rules compiled for a GPU by numba-cuda.

`native(fn, *records, target=CUDA)` gives a function for other code on the device to call; `kernel` gives one that the processor can launch.
Nothing else of the package imports numba-cuda, and this file does so only when asked for a twin.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
from collections.abc import Mapping
from types import FunctionType
from typing import Any, cast

from .errors import GameError
from .kernel import CUDA, FAULT_ORDER, Record, ask_dealer, count_bits, lowest_bit, native, native_form, set_record


class NoDevice(GameError):
    """There is nothing here that could run rules on a GPU."""


class CannotCompile(GameError):
    """A rule that the GPU's compiler refuses, by name and line."""


def simulated() -> bool:
    """Whether Numba's simulator stands in for a GPU: threads of Python, for tests without one."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"


def missing() -> str:
    """What is missing to run rules on a GPU, in one sentence; empty when nothing is."""
    if importlib.util.find_spec("numba_cuda") is None:
        return "to play on a GPU, numba-cuda is missing: pip install 'drunemeton[gpu]'"
    if not _module().is_available():
        return "to play on a GPU, a GPU is missing: numba-cuda is installed, but finds no CUDA device with its driver"
    return ""


@functools.cache
def toolkit() -> Any:
    """numba-cuda's module; a sentence that says what is missing otherwise."""
    lack = missing()
    if lack:
        raise NoDevice(lack)
    return _module()


@functools.cache
def _module() -> Any:
    import numpy

    if not hasattr(numpy, "row_stack"):  # gone since NumPy 2.5, and numba-cuda asks for it when it is imported
        cast(Any, numpy).row_stack = numpy.vstack
    from numba import cuda

    return cuda


# --- Twins on the device -------------------------------------------------------------------------------------------


def compile_rule(fn: FunctionType) -> Any:
    """The twin of a rule that code on the device can call; it is compiled when first called there."""
    cuda = toolkit()
    if simulated():
        return cuda.jit(fn, device=True)
    return _widened(cuda.jit(fn, device=True), fn)


def _widened(dispatcher: Any, fn: FunctionType) -> Any:
    """Let a rule take every integer as 64 bits wide, as on the processor, and let a refusal name the rule."""
    types = cast(Any, importlib.import_module("numba.cuda.types"))
    compile_exactly = dispatcher.compile_device

    def compile_wide(args: Any, return_type: Any = None) -> Any:
        plain = (types.unliteral(argument) for argument in args)
        wide = tuple(types.int64 if isinstance(kind, types.Integer) else kind for kind in plain)
        with _naming(fn):
            return compile_exactly(wide, return_type)

    dispatcher.compile_device = compile_wide
    return dispatcher


class _naming:
    """Turns what the compiler says against a function into an error that names the rule and the line."""

    def __init__(self, fn: FunctionType) -> None:
        self.fn = fn

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        if problem is None or isinstance(problem, GameError):
            return
        from numba.cuda.core import errors

        if isinstance(problem, errors.NumbaError):
            code = self.fn.__code__
            line = getattr(getattr(problem, "loc", None), "line", code.co_firstlineno)
            said = " ".join(str(problem).split())
            raise CannotCompile(f"{self.fn.__name__} cannot be compiled for the GPU, {code.co_filename}, line {line}: {said}") from problem


def kernel(fn: Any, *records: type[Record], names: Mapping[str, Any], signature: Any = None, **flags: Any) -> Any:
    """A function to launch, written like a rule: its callees become their twins, and `names` stand for what they say."""
    cuda = toolkit()
    space = {**fn.__globals__, "cuda": cuda}
    for name in fn.__code__.co_names:
        called = fn.__globals__.get(name)
        if name not in names and callable(called) and not isinstance(called, type) and called is not cuda:
            space[name] = native(called, *records, target=CUDA)
    space.update(names)
    twin = FunctionType(fn.__code__, space, fn.__name__, fn.__defaults__)
    twin.__qualname__, twin.__module__ = fn.__qualname__, fn.__module__
    if simulated():
        return cuda.jit(twin)
    return cuda.jit(twin, **flags) if signature is None else cuda.jit(signature, **flags)(twin)


# --- What the device spells differently ----------------------------------------------------------------------------


@native_form(count_bits, CUDA)
def _count_bits() -> Any:
    return _form(_popc)


@native_form(lowest_bit, CUDA)
def _lowest_bit() -> Any:
    return _form(_ffs)


@native_form(set_record, CUDA)
def _set_record() -> Any:
    return _form(_copy_record if simulated() else _assign_record)


@native_form(ask_dealer, CUDA)
def _ask_dealer() -> Any:
    return _form(_nobody_deals)


def _form(fn: Any) -> Any:
    import numpy

    space = {"cuda": toolkit(), "int64": numpy.int64, "FAULT_ORDER": FAULT_ORDER}
    return compile_rule(FunctionType(fn.__code__, space, fn.__name__))


cuda: Any = None  # numba-cuda's module in the twins of the following
int64: Any = int


def _popc(word: int) -> int:
    return int(cuda.popc(int64(word)))


def _ffs(word: int) -> int:
    return int(cuda.ffs(int64(word))) - 1  # of a narrower type it is not known to the compiler


def _assign_record(records: Any, i: int, sources: Any, j: int) -> None:
    records[i] = sources[j]


def _nobody_deals(d: Any, name: int, pile: Any, n: int) -> None:
    d.fault = FAULT_ORDER


def _copy_record(records: Any, i: int, sources: Any, j: int) -> None:
    records[i] = sources[j].copy()
