"""Entries of an observation that are written several at once: on a processor a store of eight numbers costs what a store of one does.

Each is written out in plain Python first, which is what plain rules and a GPU do; the native form does the same in one go. A row is a line
of an array of 16-bit numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..rules.kernel import Row, native_form

EIGHT = 8
COUNT = 7  # bits of a packed count


def write_eight(row: Row, n: int, eight: Row, turned: int, plus: int) -> None:
    """Eight small numbers and `plus`, from entry n; `turned` by 4, the second half comes first."""
    for i in range(EIGHT):
        row[n + i] = plus + eight[i ^ turned]


@native_form(write_eight)
def _write_eight() -> Any:
    from llvmlite import ir
    from numba import int64, types
    from numba.extending import intrinsic

    def typed(_context: Any, row: Any, n: Any, eight: Any, turned: Any, plus: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, lanes, wide = ir.IntType(64), ir.VectorType(ir.IntType(8), EIGHT), ir.VectorType(ir.IntType(16), EIGHT)
            found = builder.load(_entry(context, builder, signature.args[2], arguments[2], None, word), align=1)
            half = ir.Constant(word, 32)
            other = builder.or_(builder.shl(found, half), builder.lshr(found, half))
            found = builder.select(builder.icmp_unsigned("==", arguments[3], ir.Constant(word, 0)), found, other)
            found = builder.bitcast(found, lanes)
            more = builder.trunc(arguments[4], ir.IntType(16))
            both = builder.add(builder.sext(found, wide), _splat(builder, more, wide))
            builder.store(both, _entry(context, builder, signature.args[0], arguments[0], arguments[1], wide), align=1)
            return context.get_dummy_value()

        return types.void(row, int64, eight, int64, int64), code

    return intrinsic(typed)


def write_nine(row: Row, n: int, packed: int) -> int:
    """Nine counts of seven bits each; answers where the next entry goes."""
    for i in range(EIGHT + 1):
        row[n + i] = (packed >> (COUNT * i)) & 127
    return n + EIGHT + 1


@native_form(write_nine)
def _write_nine() -> Any:
    from llvmlite import ir
    from numba import int64
    from numba.extending import intrinsic

    def typed(_context: Any, row: Any, n: Any, packed: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, narrow = ir.IntType(64), ir.IntType(16)
            words, lanes = ir.VectorType(word, EIGHT), ir.VectorType(narrow, EIGHT)
            shifts = ir.Constant(words, [COUNT * i for i in range(EIGHT)])
            first = builder.and_(builder.lshr(_splat(builder, arguments[2], words), shifts), ir.Constant(words, [127] * EIGHT))
            builder.store(
                builder.trunc(first, lanes), _entry(context, builder, signature.args[0], arguments[0], arguments[1], lanes), align=1
            )
            behind = builder.add(arguments[1], ir.Constant(word, EIGHT))
            last = builder.trunc(builder.lshr(arguments[2], ir.Constant(word, COUNT * EIGHT)), narrow)
            builder.store(last, _entry(context, builder, signature.args[0], arguments[0], behind, narrow), align=1)
            return builder.add(behind, ir.Constant(word, 1))

        return int64(row, int64, int64), code

    return intrinsic(typed)


def write_three(row: Row, n: int, packed: int) -> int:
    """Three numbers of sixteen bits each; answers where the next entry goes."""
    for i in range(3):
        row[n + i] = (((packed >> (16 * i)) & 0xFFFF) ^ 0x8000) - 0x8000
    return n + 3


@native_form(write_three)
def _write_three() -> Any:
    from llvmlite import ir
    from numba import int64
    from numba.extending import intrinsic

    def typed(_context: Any, row: Any, n: Any, packed: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word, two, one = ir.IntType(64), ir.IntType(32), ir.IntType(16)
            builder.store(
                builder.trunc(arguments[2], two), _entry(context, builder, signature.args[0], arguments[0], arguments[1], two), align=1
            )
            third = builder.add(arguments[1], ir.Constant(word, 2))
            last = builder.trunc(builder.lshr(arguments[2], ir.Constant(word, 32)), one)
            builder.store(last, _entry(context, builder, signature.args[0], arguments[0], third, one), align=1)
            return builder.add(third, ir.Constant(word, 1))

        return int64(row, int64, int64), code

    return intrinsic(typed)


def table_of(written: Callable[[int, int], int], first: int, second: int) -> Any:
    """A native form that looks up what a function of two small numbers says of each pair of them."""
    from llvmlite import ir
    from numba import int64
    from numba.extending import intrinsic

    def typed(_context: Any, one: Any, other: Any) -> Any:
        def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            lines = ir.ArrayType(word, first * second)
            table = ir.GlobalVariable(builder.module, lines, builder.module.get_unique_name(f"{written.__name__}.table"))
            table.initializer = ir.Constant(lines, [written(i, j) for j in range(second) for i in range(first)])
            table.global_constant, table.linkage, table.unnamed_addr = True, "private", True
            at = builder.add(builder.mul(arguments[1], ir.Constant(word, first)), arguments[0])
            return builder.load(builder.gep(table, [ir.Constant(word, 0), at], inbounds=True))

        return int64(int64, int64), code

    return intrinsic(typed)


def _splat(builder: Any, value: Any, lanes: Any) -> Any:
    """The same number in every lane."""
    from llvmlite import ir

    one = builder.insert_element(ir.Constant(lanes, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), lanes.count), [0] * lanes.count))


def _entry(context: Any, builder: Any, kind: Any, array: Any, n: Any, what: Any) -> Any:
    """Where entry n of an array lies (the first, if None), as a pointer to `what`."""
    from numba.np import arrayobj

    made: Any = arrayobj
    first = made.make_array(kind)(context, builder, array).data
    return builder.bitcast(first if n is None else builder.gep(first, [n]), what.as_pointer())
