"""Vectors of eight numbers, so that eight words go through the tree side by side.

What goes from node to node of a tree is a chain of dependent steps, which a processor cannot
overlap; but the chains of eight words are alike. Work space that has a column for each of eight
words is read and written a row at a time: `load` and `store` move a vector, and +, -, *, /, `root`
and `log` work on it. Of an array with one axis they move a number, so that what is written with
them serves one word as well as eight. A document's words, too, are taken eight at a time.

LLVM turns a vector into whatever registers the processor has. All lanes do the same arithmetic: a
word's numbers do not depend on which words it is with.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from frex.sampler.formulas import elementary, rows
from frex.sampler.formulas.options import for_cpu
from frex.sampler.kernels.elementary import LOG2_HIGH, LOG2_LOW, LOG_SERIES, ROOT_HALF

LANES = 8
_AXES = 2
"""Of work space that has a column for each word."""

_NUMBER = ir.DoubleType()
_VECTOR = ir.VectorType(_NUMBER, LANES)
_NOWHERE = ir.Constant(_VECTOR, ir.Undefined)
_FIRST = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)


class Vector(types.Type):
    """Numba's type of a vector."""

    def __init__(self) -> None:
        super().__init__(name=f"vector of {LANES}")


vector = Vector()


@register_model(Vector)
class _VectorModel(models.PrimitiveModel):
    """A vector is LLVM's."""

    def __init__(self, manager: Any, numba_type: Vector) -> None:
        super().__init__(manager, numba_type, _VECTOR)


def _kind(array: Any) -> tuple[Any, Any]:
    """Return what a row of an array is, in Numba's types and in LLVM's."""
    return (vector, _VECTOR) if array.ndim == _AXES else (types.float64, _NUMBER)


def _place(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    """Return a pointer to a row."""
    parts = context.make_array(array_type)(context, builder, array)
    start = [row, ir.Constant(row.type, 0)][: array_type.ndim]
    place = cgutils.get_item_pointer(
        context, builder, array_type, parts, start, wraparound=False, boundscheck=False
    )
    return builder.bitcast(place, _kind(array_type)[1].as_pointer())


@intrinsic
def _load(typingctx, array, row):  # noqa: ARG001 - the signature that Numba asks for
    """Return a row of an array, in double precision; that there is one is not checked.

    The array has numbers of any precision, or whole ones without a sign.
    """
    stored = array.dtype
    whole = isinstance(stored, types.Integer)

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature.args[0], *arguments)
        if stored == types.float64:
            return builder.load(place, align=8)
        number = ir.IntType(stored.bitwidth) if whole else ir.FloatType()
        narrow = ir.VectorType(number, LANES) if array.ndim == _AXES else number
        place = builder.bitcast(place, narrow.as_pointer())
        found = builder.load(place, align=stored.bitwidth // 8)
        widen = builder.uitofp if whole else builder.fpext
        return widen(found, _kind(array)[1])

    return _kind(array)[0](array, types.intp), generate


@intrinsic
def _store(typingctx, array, row, value):  # noqa: ARG001
    """Set a row of an array; that there is one is not checked."""

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], place, align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, _kind(array)[0]), generate


@intrinsic
def _spread_out(typingctx, number):  # noqa: ARG001
    """Return a vector of one number."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        return _spread(builder, arguments[0])

    return vector(types.float64), generate


def _spread(builder: Any, number: Any) -> Any:
    one = builder.insert_element(_NOWHERE, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, _NOWHERE, _FIRST)


@intrinsic
def _root(typingctx, x):  # noqa: ARG001
    """Return the square roots of a vector."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        function = ir.FunctionType(_VECTOR, [_VECTOR])
        known = cgutils.get_or_insert_function(builder.module, function, f"llvm.sqrt.v{LANES}f64")
        return builder.call(known, arguments)

    return vector(vector), generate


@intrinsic
def _across(typingctx, x):  # noqa: ARG001
    """Return the sum of a vector's numbers, in pairs."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        (x,) = arguments
        parts = [builder.extract_element(x, ir.Constant(ir.IntType(32), i)) for i in range(LANES)]
        while len(parts) > 1:
            parts = [builder.fadd(a, b) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        return parts[0]

    return types.float64(vector), generate


@intrinsic
def _log(typingctx, x):  # noqa: ARG001
    """Return the logarithm of normal numbers, NaN of those not above 0: `elementary.log`."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        (x,) = arguments
        whole = ir.VectorType(ir.IntType(64), LANES)

        def constant(value):
            return ir.Constant(_VECTOR if isinstance(value, float) else whole, [value] * LANES)

        def times(a, b):
            return builder.fmul(a, b, flags=("contract",))

        def plus(a, b):
            return builder.fadd(a, b, flags=("contract",))

        def minus(a, b):
            return builder.fsub(a, b, flags=("contract",))

        bits = builder.bitcast(x, whole)
        exponent = builder.ashr(builder.sub(bits, constant(int(ROOT_HALF))), constant(52))
        mantissa = builder.sub(bits, builder.shl(exponent, constant(52)))
        f = builder.fsub(builder.bitcast(mantissa, _VECTOR), constant(1.0))
        s = builder.fdiv(f, builder.fadd(f, constant(2.0)))
        z = times(s, s)
        series = constant(LOG_SERIES[0])
        for term in LOG_SERIES[1:]:
            series = plus(times(series, z), constant(term))
        series = times(series, z)
        half = times(times(f, f), constant(0.5))
        k = builder.sitofp(exponent, _VECTOR)
        low = plus(times(s, plus(half, series)), times(k, constant(LOG2_LOW)))
        value = minus(times(k, constant(LOG2_HIGH)), minus(minus(half, low), f))
        return builder.select(
            builder.fcmp_ordered(">", x, constant(0.0)), value, constant(math.nan)
        )

    return vector(vector), generate


def _define(symbol: Any, instruction: str) -> None:
    """Let an operator work on two vectors, or a vector and a number."""
    operands = (vector, vector), (vector, types.float64), (types.float64, vector)

    @infer_global(symbol)
    class _Typed(ConcreteTemplate):
        cases = tuple(signature(vector, *pair) for pair in operands)

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        spread_out = [
            argument if kind == vector else _spread(builder, argument)
            for kind, argument in zip(signature.args, arguments, strict=True)
        ]
        return getattr(builder, instruction)(*spread_out, flags=("contract",))

    for pair in operands:
        lower_builtin(symbol, *pair)(generate)


for _symbol, _instruction in {
    operator.add: "fadd",
    operator.sub: "fsub",
    operator.mul: "fmul",
    operator.truediv: "fdiv",
}.items():
    _define(_symbol, _instruction)


# What stands for a function in `formulas/`, given the types of its arguments


def _load_row(array, place):
    return _load(array, place)


def _store_row(array, place, value):
    return _store(array, place, value)


def _spread_number(number):
    return _spread_out(number)


def _sum_across(row):
    return _across(row)


def _roots(x):
    return _root(x)


def _logs(x):
    return _log(x)


for_cpu(rows.load, lambda *_: _load_row, forceinline=True)
for_cpu(rows.store, lambda *_: _store_row, forceinline=True)
for_cpu(rows.spread, lambda _: _spread_number, forceinline=True)
for_cpu(rows.across, lambda _: _sum_across, forceinline=True)
for_cpu(elementary.root, lambda x: _roots if isinstance(x, Vector) else None, forceinline=True)
for_cpu(elementary.log, lambda x: _logs if isinstance(x, Vector) else None, forceinline=True)
