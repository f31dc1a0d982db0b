"""How Numba is to compile rules: what only other rules call is translated, and no more; what Python calls is made fast as a whole.

Numba makes every function fast by itself, callees and all, and turns it into machine code. With rules that call rules that call rules
the innermost ones would go through that once for each level above them, and nobody ever runs the results but the outermost.
"""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.errors import NumbaError

from .cache import PACKAGE
from .errors import GameError

ENVIRONMENT = "_ZN08NumbaEnv"  # how names begin by which machine code finds what belongs to a function in Python


class InnerLibrary(JITCodeLibrary):
    """A rule as it was translated, with all that it calls, to be taken over by callers; of machine code it has none."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        whole = self._final_module
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        for function in whole.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"  # several callers may bring it along
        self._shared_module = whole
        # Numba looks for the environments as soon as something is compiled.
        lines = [f'target datalayout = "{whole.data_layout}"', f'target triple = "{whole.triple}"']
        lines += [str(one) for one in whole.global_variables if one.name.startswith(ENVIRONMENT)]
        self._final_module = llvm.parse_assembly("\n".join(lines))
        self._final_module.name = whole.name
        super()._finalize_final_module()


class EntryLibrary(JITCodeLibrary):
    """A rule with a way in from Python, and all that it calls."""

    def _optimize_final_module(self) -> None:
        # Nobody else calls its rules: one with a single caller is put in its place whatever its size, and what none of them reads of an
        # array is not handed on. A search takes up to a third less time.
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = llvm.Linkage.internal
        # Twice: only when a small rule stands in its caller is it seen how small that one has become. A search is a sixth slower otherwise.
        super()._optimize_final_module()
        super()._optimize_final_module()


class _Into(Compiler):
    library: Any

    def define_pipelines(self) -> Any:
        state = self.state
        if state.library is None:
            state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return super().define_pipelines()


class InnerCompiler(_Into):
    """Compiles what only other rules call."""

    library = InnerLibrary


class EntryCompiler(_Into):
    """Compiles what Python calls."""

    library = EntryLibrary


def entry(compiled: Any, *arguments: Any) -> Any:
    """A compiled rule as machine code for arguments of just these types, without the look at them with which its calls begin.

    That look takes longer than the step of a game. Whoever calls the entry answers for the types of what is handed over.
    """
    return compiled.compile(tuple(numba.typeof(one) for one in arguments))


_here = threading.local()


@contextlib.contextmanager
def in_words(fn: Any) -> Iterator[None]:
    """Inside, what Numba cannot compile of a rule from outside this package is told in a sentence, with its line."""
    inner = getattr(_here, "compiles", False)
    _here.compiles = True
    try:
        yield
    except GameError:
        raise
    except Exception as problem:  # what Numba cannot make sense of ends in errors of every kind
        if inner or not getattr(fn, "guests", ""):
            raise
        said = str(problem) if isinstance(problem, NumbaError) else f"{type(problem).__name__}: {problem}"
        raise GameError(f"a rule of your own cannot be compiled: {complaint(said)}") from problem
    finally:
        _here.compiles = inner


def complaint(said: str) -> str:
    """What Numba says of a rule from outside, without the way that led there: its reason, and the first line outside this package."""
    reason = next((line for line in said.splitlines() if line.strip() and not line.startswith("Failed in ")), "Numba says no more")
    short = reason.partition(", location:")[0].rpartition(" due to ")[2].strip(' ."')[:300]
    for file, line in re.findall(r'File "([^"]*)", line (\d+)', said):
        if not Path(file).resolve().is_relative_to(PACKAGE):
            return f"{short} ({Path(file).name}, line {line})"
    return short
