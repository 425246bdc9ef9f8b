"""Whether compiled results match eager mode's."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from compile_lessons.compare.values import Key, Value, Values, same_numbers
from compile_lessons.facts import Compared, EagerComparison

#: So many times as far as rounding moves eager mode's result may the compiled one be off.
FACTOR = 4

#: How far each element moves with other roundings.
Noise = dict[Key, torch.Tensor]

#: Stands for a value that only the other run left.
_MISSING = Value(description="missing")


def judged(eager: Values, compiled: Values, how: tuple[str, ...] = (), noise: Noise | None = None) -> EagerComparison:
    """Return whether all values match. ``how`` is said of either verdict."""
    values, notes = list[Compared](), [*eager.notes, *compiled.notes]
    kinds: dict[str, str] = {}
    if not eager.structure.is_same(compiled.structure):
        values.append(_compared(("output", "containers of the output"), eager.structure, compiled.structure, None))
    for key, left, right in _both(eager, compiled):
        if left.opaque and right.opaque and left.description == right.description:
            notes.append(f"{key[1]} ({left.description.rpartition('.')[2]}) can't be inspected")
        else:
            values.append(_compared(key, left, right, (noise or {}).get(key)))
            if left.description != right.description:
                kinds[key[1]] = f" ({right.description} instead of {left.description})"
    different = [value.path + kinds.get(value.path, "") for value in values if not value.equal]
    if different:
        reason = " ".join(("not within tolerance", *how)) + f": {', '.join(different)}"
        return EagerComparison(status="different", reason=reason, values=tuple(values))
    if noise:
        how = (*how, "as near as eager is to itself with other roundings")
    reason = "; ".join(dict.fromkeys([*how, *notes]))
    if not any(value.kind == "output" for value in values):
        return EagerComparison(status="not compared", reason=reason or "no value came out", values=tuple(values))
    return EagerComparison(status="equal", reason=reason, values=tuple(values))


def add_noise(noise: Noise, eager: Values, again: Values, rounded: Values) -> None:
    """Note how far other roundings move eager mode's values, but not those that differ in each run anyway."""
    for key, left, right in _both(eager, rounded):
        if _may_be_off(left, right) and left.is_same(again.values.get(key, _MISSING)):
            distance = (left.numbers.double() - right.numbers.double()).abs().nan_to_num(posinf=0.0)
            noise[key] = torch.maximum(noise.get(key, distance), distance)


def _both(eager: Values, other: Values) -> Iterator[tuple[Key, Value, Value]]:
    """Each value of two runs. Gradients count where both could be differentiated."""
    differentiated = eager.differentiated and other.differentiated
    for key in dict.fromkeys([*eager.values, *other.values]):
        if differentiated or key[0] != "gradient":
            yield key, eager.values.get(key, _MISSING), other.values.get(key, _MISSING)


def _may_be_off(left: Value, right: Value) -> bool:
    return left.tolerance > 0 and left.description == right.description


def _compared(key: Key, eager: Value, compiled: Value, noise: torch.Tensor | None) -> Compared:
    """``|left - right| <= tolerance * (|left| + typical |left|)``, or as far as the noise; NaN and infinities are alike
    or not. The typical one is the median of those that are not zero, so that one huge element excuses no other.

    What has no tolerance is the same or not.
    """
    kind, path = key
    if not _may_be_off(eager, compiled):
        same, largest = eager.is_same(compiled), None
        if eager.description == compiled.description and eager.numbers.numel():
            largest = (eager.numbers.double() - compiled.numbers.double()).abs().max().item()
        return Compared(kind=kind, path=path, equal=same, max_difference=largest, tolerance=None)
    left, right, tolerance = eager.numbers.double(), compiled.numbers.double(), eager.tolerance
    finite = left.isfinite() & right.isfinite()
    size, difference = left[finite].abs(), (left - right)[finite].abs()
    allowed = tolerance * _typical(size)
    most = allowed + tolerance * size
    if noise is not None:
        allowed += FACTOR * _typical(noise[finite])
        most = torch.maximum(most, allowed + FACTOR * noise[finite])
    equal = same_numbers(left[~finite], right[~finite]) and bool((difference <= most).all())
    largest = difference.max().item() if difference.numel() else 0.0
    return Compared(kind=kind, path=path, equal=equal, max_difference=largest, tolerance=allowed)


def _typical(sizes: torch.Tensor) -> float:
    return sizes[sizes > 0].median().item() if sizes.any() else 0.0
