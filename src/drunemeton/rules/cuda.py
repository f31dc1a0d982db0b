"""The third speed: the same rules compiled for a GPU by numba-cuda.

`native(fn, *records, target=CUDA)` gives a function for other code on the device to call; `kernel` gives one that the processor can launch.
Nothing else of the package imports numba-cuda, and this file does so only when asked for a twin.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, cast

from .cache import cache_folder
from .errors import GameError
from .kernel import CUDA, FAULT_ORDER, Record, Twins, ask_dealer, count_bits, is_rule, lowest_bit, native_form, set_record


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

    settings: Any = importlib.import_module("numba.cuda.core.config")
    settings.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # few games are no mistake
    return cuda


# --- Twins on the device -------------------------------------------------------------------------------------------


LARGE = 20_000  # bytes of Python's code: more than that, all copied into one place, does not fit a GPU's instruction cache
SHORT = 300  # rules with more code than that are then called, not copied into their callers
REGISTERS = {True: 64, False: 128}  # a thread may have, of large kernels and of others: more threads wait side by side


class Inlining:
    """Which rules are called where others are copied into their callers; decided when all rules of a kernel are known."""

    called = False


def compile_rule(fn: FunctionType, inlining: Inlining | None = None) -> Any:
    """The twin of a rule that code on the device can call; it is compiled when first called there."""
    cuda = toolkit()
    if simulated():
        return cuda.jit(fn, device=True)
    return _widened(cuda.jit(fn, device=True), fn, inlining or Inlining())


def _widened(dispatcher: Any, fn: FunctionType, inlining: Inlining) -> Any:
    """Let a rule take every integer as 64 bits wide, as on the processor, and let a refusal name the rule."""
    types = cast(Any, importlib.import_module("numba.cuda.types"))
    compile_exactly = dispatcher.compile_device

    def compile_wide(args: Any, return_type: Any = None) -> Any:
        plain = (types.unliteral(argument) for argument in args)
        wide = tuple(types.int64 if isinstance(kind, types.Integer) else kind for kind in plain)
        with _naming(fn):
            made = compile_exactly(wide, return_type)
        module = made.library.modules[0]
        for function in module.functions:
            if function.name == made.fndesc.llvm_func_name and function.blocks and "rolled" not in vars(function):
                function.rolled = True
                _roll(module, function)
                if inlining.called and len(fn.__code__.co_code) > SHORT:
                    function.attributes.add("noinline")
        return made

    dispatcher.compile_device = compile_wide
    return dispatcher


def _roll(module: Any, function: Any) -> None:
    """Have no loop unrolled: threads wait for instructions before they wait for anything else."""
    from llvmlite import ir

    class Loop(ir.MDValue):  # type: ignore[misc]
        """What names a loop must name itself."""

        def descr(self, buffer: list[str]) -> None:
            buffer += (f"distinct !{{ {self.get_reference()}, {rolled} }}\n",)

    rolled = module.add_metadata(["llvm.loop.unroll.disable"]).get_reference()
    order = {block: place for place, block in enumerate(function.blocks)}
    for block, place in order.items():
        if block.terminator is not None and any(order.get(target, place + 1) <= place for target in block.terminator.operands):
            block.terminator.set_metadata("llvm.loop", Loop(module, [], name=str(len(module.metadata))))


class _naming:
    """Turns what the compiler says against a function into an error that names the rule and the line."""

    def __init__(self, fn: FunctionType) -> None:
        self.fn = fn

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, problem: Any, trace: Any) -> None:
        if problem is None or isinstance(problem, GameError):
            return
        from numba.core.errors import NumbaError
        from numba.cuda.core import errors

        if isinstance(problem, NumbaError | errors.NumbaError):
            code = self.fn.__code__
            place = getattr(problem, "loc", None)
            while trace and not getattr(problem, "loc", None):  # the error does not know its place: who raised it was at work on one
                place = getattr(trace.tb_frame.f_locals.get("constraint"), "loc", place)
                trace = trace.tb_next
            line = getattr(place, "line", code.co_firstlineno)
            said = " ".join(str(problem).split())
            raise CannotCompile(f"{self.fn.__name__} cannot be compiled for the GPU, {code.co_filename}, line {line}: {said}") from problem


def kernel(fn: Any, records: Sequence[type[Record]], names: Mapping[str, Any], instead: Mapping[Any, Any] | None = None) -> Any:
    """A function to launch, written like a rule: its callees become their twins, and `names` stand for what they say.

    `instead` says which rules are called in place of others: what is never called need not be compiled.
    """
    cuda = toolkit()
    twins, inlining = Twins(frozenset(records), CUDA), Inlining()
    twins.compile = functools.partial(compile_rule, inlining=inlining)
    for left_out, other in (instead or {}).items():
        twins.made[left_out, False] = twins.of(other)
    space = {**fn.__globals__, "cuda": cuda}
    for name in fn.__code__.co_names:
        called = fn.__globals__.get(name)
        if name not in names and is_rule(called):
            space[name] = twins.of(called)
    space.update(names)
    inlining.called = sum(len(rule.__code__.co_code) for rule, _ in twins.made if isinstance(rule, FunctionType)) > LARGE
    twin = FunctionType(fn.__code__, space, fn.__name__, fn.__defaults__)
    twin.__qualname__, twin.__module__ = fn.__qualname__, fn.__module__
    if simulated():
        return cuda.jit(twin)
    exchanged = [f"{one.__name__}: {other.__module__}.{other.__qualname__}" for one, other in (instead or {}).items()]
    return _cached(
        twin,
        repr([sorted((name, str(getattr(value, "name", value))) for name, value in names.items()), records, exchanged, inlining.called]),
        REGISTERS[inlining.called],
    )


def _cached(twin: FunctionType, about: str, registers: int) -> Any:
    """A kernel whose machine code is kept on disk, apart for everything that its own source does not tell."""
    config: Any = importlib.import_module("numba.cuda.core.config")
    mark = hashlib.blake2b(f"{about} {registers}".encode(), digest_size=8).hexdigest()
    folder = cache_folder(Path(twin.__code__.co_filename)) / f"cuda-{mark}"
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        return toolkit().jit(twin, cache=True, max_registers=registers)
    finally:
        config.CACHE_DIR = before


# --- Records on the device -----------------------------------------------------------------------------------------


class Slim:
    """How a record lies in a GPU's memory: every field as narrow as it may be, the widest first; constants lie nowhere.

    Memory is what limits games on a GPU. `constants` are fields that keep one value: code that asks for them is compiled for it.
    """

    def __init__(self, record: type[Record], constants: Mapping[str, int] | None = None, shapes: Mapping[str, int] | None = None) -> None:
        import numpy

        self.record = record
        self.constants = dict(constants or {})
        fields = sorted(record.fields.items(), key=lambda entry: (-entry[1].fits, len(entry[1].shape)))
        shorter = self.shorter = dict(shapes or {})
        described = [
            (name, f"i{field.fits}", (shorter[name], *field.shape[1:]) if name in shorter else field.shape) for name, field in fields
        ]
        bare = numpy.dtype(described, align=True)
        spare = -bare.itemsize % WORD_BYTES
        self.dtype = numpy.dtype([*described, ("spare", "i1", (spare,))], align=True) if spare else bare
        self.bytes = self.dtype.itemsize

    def box(self, wide: Any) -> Any:
        """Records of the processor's layout in this one."""
        import numpy

        made = numpy.zeros(len(wide), self.dtype)
        for name in self.record.fields:
            made[name] = wide[name][:, : self.shorter[name]] if name in self.shorter else wide[name]
        return made

    @functools.cached_property
    def type(self) -> Any:
        """What the compiler knows such a record by; in the simulator, anything."""
        return object if simulated() else _type_of(self.dtype, self.constants)


WORD_BYTES = 8
IN_FLIGHT = 8  # words that a copy asks for before it waits for the first


@functools.cache
def _fixed_class() -> Any:
    """Numba's type of a record some of whose fields are constants."""
    extending = importlib.import_module("numba.cuda.extending")
    arrays = importlib.import_module("numba.cuda.np.arrayobj")
    types = cast(Any, importlib.import_module("numba.cuda.types"))
    models = importlib.import_module("numba.cuda.datamodel.models")

    class Fixed(types.Record):  # type: ignore[misc,name-defined]
        """A record some of whose fields are constants."""

        def __init__(self, plain: Any, constants: Mapping[str, int]) -> None:
            self.constants = constants
            fields = [(name, {"type": of.type, "offset": of.offset, "alignment": of.alignment}) for name, of in plain.fields.items()]
            super().__init__(fields, plain.size, plain.aligned)
            self.name += f" with {constants}"

    extending.register_model(Fixed)(models.RecordModel)

    @extending.lower_getattr_generic(Fixed)  # type: ignore[untyped-decorator]
    def read(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
        if name in kind.constants:
            return context.get_constant(kind.typeof(name), kind.constants[name])
        return arrays.record_getattr(context, builder, kind, value, name)

    return Fixed


def _type_of(dtype: Any, constants: Mapping[str, int]) -> Any:
    plain = importlib.import_module("numba.cuda.np.numpy_support").from_dtype(dtype)
    return _fixed_class()(plain, constants) if constants else plain


def on_device(kind: Slim, wide: Any, count: int = 0) -> Any:
    """Records of the processor's layout, or so many copies of the one there, in the device's memory (in the simulator: plain ones)."""
    import numpy

    if simulated():
        made = numpy.empty(count or len(wide), object)
        made[:] = [kind.record.from_box(wide, 0 if count else i) for i in range(len(made))]
        return made
    box = kind.box(wide)
    return toolkit().to_device(numpy.repeat(box, count) if count else box)


def own_room(of: Any, count: int, *, clean: bool = False) -> Any:
    """Gives a thread memory of its own for so many records of a type, or integers: a function for a kernel, which asks once.

    Anything lies there at first. The compiler's own arrays are filled with zeros, byte by byte in every thread, which takes longer than a
    decision; only what is `clean` is.
    """
    import numpy

    if simulated():
        return functools.partial(numpy.empty, count, object)
    from llvmlite import ir

    extending = importlib.import_module("numba.cuda.extending")
    arrays = importlib.import_module("numba.cuda.np.arrayobj")
    types = cast(Any, importlib.import_module("numba.cuda.types"))
    tools = importlib.import_module("numba.cuda.cgutils")
    of = types.int64 if of is int else of

    def typed(context: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, _arguments: Any) -> Any:
            layout = ir.ArrayType(context.get_data_type(of), count)
            if clean:
                room = tools.alloca_once(builder, layout)
            else:
                with builder.goto_entry_block():
                    room = builder.alloca(layout)
            room.align = WORD_BYTES
            one = arrays.make_array(signature.return_type)(context, builder)
            size = of.size if isinstance(of, types.Record) else of.bitwidth // 8
            shape, strides = ([context.get_constant(types.intp, number)] for number in (count, size))
            first = builder.bitcast(room, one.data.type)
            arrays.populate_array(one, data=first, shape=shape, strides=strides, itemsize=strides[0], meminfo=None)
            return one._getvalue()

        return types.Array(of, 1, "C")(), code

    made = extending.intrinsic(typed)
    made.name = f"{count} of {of}{', clean' if clean else ''}"  # what the cache of kernels knows it by
    return made


class _Column:
    """One field of an array of records, for whoever reads arrays of the device."""

    def __init__(self, kind: Slim, records: Any, name: str) -> None:
        field = kind.record.fields[name]
        self.__cuda_array_interface__ = {
            "shape": records.shape,
            "strides": (kind.bytes,),
            "typestr": f"<i{field.fits}",
            "data": (records.__cuda_array_interface__["data"][0] + cast(Any, kind.dtype.fields)[name][1], False),
            "version": 3,
        }
        self.records = records  # the memory stays as long as somebody looks at it


def column(kind: Slim, records: Any, name: str) -> Any:
    """One field of an array of records on the device, as an array over the same memory."""
    if simulated():
        import numpy

        return numpy.array([getattr(record, name) for record in records])
    return toolkit().as_cuda_array(_Column(kind, records, name))


# --- What the device spells differently ----------------------------------------------------------------------------


@native_form(count_bits, CUDA)
def _count_bits() -> Any:
    return _form(_popc)


@native_form(lowest_bit, CUDA)
def _lowest_bit() -> Any:
    return _form(_lowest)


@native_form(set_record, CUDA)
def _set_record() -> Any:
    return _form(_copy_record) if simulated() else _copy_words()


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


def _lowest(word: int) -> int:
    # By counting bits: the simulator's own search for a bit is wrong above the 32nd.
    return int(cuda.popc((int64(word) & -int64(word)) - int64(1)))


def _nobody_deals(d: Any, name: int, pile: Any, n: int) -> None:
    d.fault = FAULT_ORDER


def _copy_record(records: Any, i: int, sources: Any, j: int) -> None:
    # As on the device, whoever holds the record sees it change.
    if records[i] is None:
        records[i] = sources[j].copy()
    else:
        sources[j]._copy_into(records[i])


@functools.cache
def _copy_words() -> Any:
    """Copies a record word by word: the compiler's own way is byte by byte."""
    from llvmlite import ir

    extending = importlib.import_module("numba.cuda.extending")
    arrays = importlib.import_module("numba.cuda.np.arrayobj")
    types = cast(Any, importlib.import_module("numba.cuda.types"))
    tools = importlib.import_module("numba.cuda.cgutils")

    def typed(_context: Any, records: Any, i: Any, sources: Any, j: Any) -> Any:
        if records.dtype.size != sources.dtype.size:
            raise CannotCompile(f"a record of {sources.dtype.size} bytes cannot be copied over one of {records.dtype.size}")
        width = WORD_BYTES if records.dtype.size % WORD_BYTES == 0 else 4 if records.dtype.size % 4 == 0 else 1
        count = records.dtype.size // width

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = ir.IntType(8 * width)
            size = ir.Constant(ir.IntType(64), count)
            ends = []
            for kind, box, index in ((signature.args[0], 0, 1), (signature.args[2], 2, 3)):
                array = arrays.make_array(kind)(context, builder, arguments[box])
                first = builder.bitcast(array.data, word.as_pointer())
                ends.append(builder.gep(first, [builder.mul(arguments[index], size)]))

            def move(places: list[Any]) -> None:
                taken = [builder.load(builder.gep(ends[1], [at]), align=width) for at in places]
                for at, value in zip(places, taken, strict=True):
                    builder.store(value, builder.gep(ends[0], [at]), align=width)

            together = ir.Constant(ir.IntType(64), IN_FLIGHT)
            with tools.for_range(builder, ir.Constant(ir.IntType(64), count // IN_FLIGHT)) as loop:
                begun = builder.mul(loop.index, together)
                move([builder.add(begun, ir.Constant(ir.IntType(64), n)) for n in range(IN_FLIGHT)])
            move([ir.Constant(ir.IntType(64), n) for n in range(count - count % IN_FLIGHT, count)])
            return context.get_dummy_value()

        return types.void(records, types.int64, sources, types.int64), code

    return extending.intrinsic(typed)


@functools.cache
def row_of_array() -> Any:
    """Gives one row of an array: a function on the device cannot answer one that it was not given."""
    extending = importlib.import_module("numba.cuda.extending")
    arrays = importlib.import_module("numba.cuda.np.arrayobj")
    types = cast(Any, importlib.import_module("numba.cuda.types"))
    tools = importlib.import_module("numba.cuda.cgutils")

    def typed(_context: Any, rows: Any, i: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = arrays.make_array(signature.args[0])(context, builder, arguments[0])
            one = arrays.make_array(signature.return_type)(context, builder)
            at = [arguments[1], context.get_constant(types.intp, 0)]
            first = tools.get_item_pointer(context, builder, signature.args[0], whole, at)
            length = tools.unpack_tuple(builder, whole.shape, 2)[1]
            stride = tools.unpack_tuple(builder, whole.strides, 2)[1]
            arrays.populate_array(one, data=first, shape=[length], strides=[stride], itemsize=whole.itemsize, meminfo=None)
            return one._getvalue()

        return types.Array(rows.dtype, 1, "C")(rows, types.int64), code

    return extending.intrinsic(typed)
