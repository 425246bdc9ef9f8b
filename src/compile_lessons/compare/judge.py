"""Whether compiled results match eager mode's."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from compile_lessons.compare.reach import is_same
from compile_lessons.compare.values import Key, Value, Values
from compile_lessons.pipeline.model import Compared, Comparison

#: By dtype, how far an element may be off, relative to itself plus to the typical element of its tensor: the order of
#: additions is free, so errors go with the size of what was added. In 16 bits Inductor rounds less often than eager;
#: these are 10 and 20 units in the last place.
TOLERANCES = {torch.float64: 1e-7, torch.float32: 1e-4, torch.float16: 2e-2, torch.bfloat16: 8e-2}

#: So many times as far from float64 as eager mode may a result be; torch's own benchmarks allow two or three.
FACTOR = 3


def judged(eager: Values, compiled: Values, exact: Values | None = None, how: tuple[str, ...] = ()) -> Comparison:
    """Return whether all values match. ``exact`` is a run in float64, ``how`` is said of either verdict."""
    values = tuple(_compared(eager, compiled, exact))
    notes = tuple(dict.fromkeys([*how, *eager.notes, *compiled.notes, *_opaque(eager, compiled)]))
    different = [value.path for value in values if not value.equal]
    if different:
        reason = " ".join(("not within tolerance", *how)) + f": {', '.join(different)}"
        return Comparison(status="different", reason=reason, values=values)
    if not any(value.kind == "output" for value in values):
        return Comparison(status="not compared", reason="; ".join(notes) or "no value came out", values=values)
    return Comparison(status="equal", reason="; ".join(notes), values=values)


def _compared(eager: Values, compiled: Values, exact: Values | None) -> Iterator[Compared]:
    if eager.structure != compiled.structure:
        path = "containers of the output"
        yield Compared(kind="output", path=path, equal=False, max_difference=None, tolerance=None)
    for key, left, right in _both(eager, compiled):
        if left is None or right is None:
            yield Compared(kind=key[0], path=key[1], equal=False, max_difference=None, tolerance=None)
        elif not (left.opaque and right.opaque and left.description == right.description):
            yield _one(key, left, right, exact.values.get(key) if exact else None)


def _opaque(eager: Values, compiled: Values) -> list[str]:
    """Each object that nothing tells apart from another of its class."""
    return [
        f"{path} ({left.description.rpartition('.')[2]}) can't be looked into"
        for (_, path), left, right in _both(eager, compiled)
        if left and right and left.opaque and right.opaque and left.description == right.description
    ]


def _both(eager: Values, compiled: Values) -> Iterator[tuple[Key, Value | None, Value | None]]:
    """Each value of two runs. Gradients count where both could be differentiated."""
    both = eager.differentiated and compiled.differentiated
    for key in dict.fromkeys([*eager.values, *compiled.values]):
        if both or key[0] != "gradient":
            yield key, eager.values.get(key), compiled.values.get(key)


def _one(key: Key, left: Value, right: Value, exact: Value | None) -> Compared:
    kind, path = key
    if left.description != right.description or left.numbers is None or right.numbers is None:
        equal = left.description == right.description
        return Compared(kind=kind, path=path, equal=equal, max_difference=None, tolerance=None)
    dtype = left.dtype or left.numbers.dtype
    if not (dtype.is_floating_point or left.numbers.is_floating_point()):
        equal = torch.equal(left.numbers, right.numbers)
        return Compared(kind=kind, path=path, equal=equal, max_difference=None, tolerance=None)
    return _within(kind, path, left.numbers.double(), right.numbers.double(), dtype, exact)


def _within(
    kind: str, path: str, left: torch.Tensor, right: torch.Tensor, dtype: torch.dtype, exact: Value | None
) -> Compared:
    """``|left - right| <= tolerance * (|left| + typical |left|)``; NaN and infinities are alike or not.

    The typical one is the median of those that are not zero, so that one huge element excuses no other.
    """
    tolerance = TOLERANCES.get(dtype, 1e-1)
    finite = left.isfinite() & right.isfinite()
    same = is_same(left[~finite], right[~finite])
    size, difference = left[finite].abs(), (left - right)[finite].abs()
    allowed = tolerance * _typical(size)
    equal = same and bool((difference <= allowed + tolerance * size).all())
    largest = difference.max().item() if difference.numel() else 0.0
    if same and not equal and exact is not None and exact.numbers is not None and exact.numbers.shape == left.shape:
        wide = exact.numbers.double()[finite]
        allowed = _allowed(left[finite], wide, tolerance)
        equal = _rms(right[finite] - wide) <= allowed
    return Compared(kind=kind, path=path, equal=equal, max_difference=largest, tolerance=allowed)


def _allowed(eager: torch.Tensor, exact: torch.Tensor, tolerance: float) -> float:
    """How far off float64 results may be: a few times as far as eager's are, if rounding has cost these digits."""
    error = _rms(eager - exact)
    lost = error > tolerance / 10 * _rms(exact)
    return FACTOR * error + (tolerance / 10 if lost else 0.0)


def _rms(numbers: torch.Tensor) -> float:
    return numbers.square().mean().sqrt().item() if numbers.numel() else 0.0


def _typical(sizes: torch.Tensor) -> float:
    return sizes[sizes > 0].median().item() if sizes.any() else 0.0
