"""Whether compiled results match eager mode's."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from compile_lessons.compare.reach import is_same
from compile_lessons.compare.values import Key, Value, Values
from compile_lessons.pipeline.model import Compared, EagerComparison, ValueKind

#: By dtype, how far an element may be off, relative to itself plus to the typical element of its tensor: the order of
#: additions is free, so errors go with the size of what was added. In 16 bits Inductor rounds less often than eager;
#: these are 10 and 20 units in the last place.
TOLERANCES = {torch.float64: 1e-7, torch.float32: 1e-4, torch.float16: 2e-2, torch.bfloat16: 8e-2}

#: So many times as far as rounding moves eager mode's result may the compiled one be off.
FACTOR = 4

#: How far each element moves with other roundings.
Noise = dict[Key, torch.Tensor]


def judged(eager: Values, compiled: Values, how: tuple[str, ...] = (), noise: Noise | None = None) -> EagerComparison:
    """Return whether all values match. ``how`` is said of either verdict."""
    values = tuple(_compared(eager, compiled, noise or {}))
    different = [value.path for value in values if not value.equal]
    if different:
        reason = " ".join(("not within tolerance", *how)) + f": {', '.join(different)}"
        return EagerComparison(status="different", reason=reason, values=values)
    if noise:
        how = (*how, "as near as eager is to itself with other roundings")
    reason = "; ".join(dict.fromkeys([*how, *eager.notes, *compiled.notes, *_opaque(eager, compiled)]))
    if not any(value.kind == "output" for value in values):
        return EagerComparison(status="not compared", reason=reason or "no value came out", values=values)
    return EagerComparison(status="equal", reason=reason, values=values)


def noise_of(eager: Values, again: Values, rounded: list[Values]) -> Noise:
    """Return how far other roundings move eager mode's values, without those that differ in each run anyway."""
    noise: Noise = {}
    for values in rounded:
        for key, left, right in _both(eager, values):
            numbers = _numbers(left, right)
            if numbers and _is_repeated(left, again.values.get(key)):
                distance = (numbers[0] - numbers[1]).abs().nan_to_num(posinf=0.0)
                noise[key] = torch.maximum(noise.get(key, distance), distance)
    return noise


def _is_repeated(left: Value | None, right: Value | None) -> bool:
    numbers = _numbers(left, right)
    return numbers is not None and is_same(*numbers)


def _compared(eager: Values, compiled: Values, noise: Noise) -> Iterator[Compared]:
    if eager.structure != compiled.structure:
        path = "containers of the output"
        yield Compared(kind="output", path=path, equal=False, max_difference=None, tolerance=None)
    for (kind, path), left, right in _both(eager, compiled):
        numbers = _numbers(left, right)
        if left is None or right is None:
            yield Compared(kind=kind, path=path, equal=False, max_difference=None, tolerance=None)
        elif numbers and left.dtype:
            yield _within(kind, path, *numbers, TOLERANCES.get(left.dtype, 1e-1), noise.get((kind, path)))
        elif not _is_opaque(left, right):
            same = left.description == right.description and (left.numbers is None or _is_equal(left, right))
            yield Compared(kind=kind, path=path, equal=same, max_difference=None, tolerance=None)


def _both(eager: Values, other: Values) -> Iterator[tuple[Key, Value | None, Value | None]]:
    """Each value of two runs. Gradients count where both could be differentiated."""
    differentiated = eager.differentiated and other.differentiated
    for key in dict.fromkeys([*eager.values, *other.values]):
        if differentiated or key[0] != "gradient":
            yield key, eager.values.get(key), other.values.get(key)


def _opaque(eager: Values, compiled: Values) -> list[str]:
    """Each object that nothing tells apart from another of its class."""
    pairs = [(path, left) for (_, path), left, right in _both(eager, compiled) if _is_opaque(left, right)]
    return [f"{path} ({left.description.rpartition('.')[2]}) can't be looked into" for path, left in pairs if left]


def _is_opaque(left: Value | None, right: Value | None) -> bool:
    return bool(left and right and left.opaque and right.opaque and left.description == right.description)


def _is_equal(left: Value, right: Value) -> bool:
    return left.numbers is not None and right.numbers is not None and torch.equal(left.numbers, right.numbers)


def _numbers(left: Value | None, right: Value | None) -> tuple[torch.Tensor, torch.Tensor] | None:
    """The numbers of two values in float64; ``None`` for what has to be the same exactly."""
    if left is None or right is None or left.description != right.description or left.dtype is None:
        return None
    if left.numbers is None or right.numbers is None:
        return None
    return left.numbers.double(), right.numbers.double()


def _within(
    kind: ValueKind, path: str, left: torch.Tensor, right: torch.Tensor, tolerance: float, noise: torch.Tensor | None
) -> Compared:
    """``|left - right| <= tolerance * (|left| + typical |left|)``, or as far as the noise; NaN and infinities are alike
    or not.

    The typical one is the median of those that are not zero, so that one huge element excuses no other.
    """
    finite = left.isfinite() & right.isfinite()
    size, difference = left[finite].abs(), (left - right)[finite].abs()
    allowed = tolerance * _typical(size)
    most = allowed + tolerance * size
    if noise is not None:
        allowed += FACTOR * _typical(noise[finite])
        most = torch.maximum(most, allowed + FACTOR * noise[finite])
    equal = is_same(left[~finite], right[~finite]) and bool((difference <= most).all())
    largest = difference.max().item() if difference.numel() else 0.0
    return Compared(kind=kind, path=path, equal=equal, max_difference=largest, tolerance=allowed)


def _typical(sizes: torch.Tensor) -> float:
    return sizes[sizes > 0].median().item() if sizes.any() else 0.0
