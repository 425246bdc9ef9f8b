"""Whether compiled results match eager mode's."""

from collections.abc import Iterator
from dataclasses import replace

import torch

from compile_lessons.api.compare.values import Key, Value, Values, same_numbers, value_of
from compile_lessons.facts import Compared, EagerComparison, ValueKind

#: The compiled result may be off by at most this many times the distance that rounding moves eager mode's result.
FACTOR = 4

#: How far each element moves with other roundings.
Noise = dict[Key, torch.Tensor]

#: Stands for a value that only the other run left.
_MISSING = Value(description="missing")
_NONE = value_of(None)


def judged(
    eager: Values, compiled: Values, how: tuple[str, ...] = (), noise: Noise | None = None, operation: str = ""
) -> EagerComparison:
    """Return whether all values match. ``how`` is said of either verdict, ``operation`` is where the noise grows."""
    values, notes = list[Compared](), [*eager.notes, *compiled.notes]
    returns_none = False
    words: dict[str, str] = {}
    if not eager.structure.is_same(compiled.structure):
        values.append(_compared(("output", "containers of the output"), eager.structure, compiled.structure, None))
    for key, left, right in _both(eager, compiled):
        if left.opaque and right.opaque and left.description == right.description:
            notes.append(f"{key[1]} ({left.description.rpartition('.')[2]}) can't be inspected")
        elif left.is_same(_NONE) and right.is_same(_NONE):
            returns_none = True
        elif key[0] == "gradient" and (missing := _only_zeros(left, right)):
            notes.append(f"the gradient of {key[1]} is zeros, and None in {missing}")
        else:
            values.append(_compared(key, left, right, (noise or {}).get(key)))
            words[key[1]] = _instead(key[0], left, right)
    different = [value.path + words.get(value.path, "") for value in values if not value.equal]
    if different:
        reason = " ".join(("not within tolerance", *how)) + f": {', '.join(different)}"
        return EagerComparison(status="different", reason=reason, values=tuple(values))
    if noise:
        where = f", which grow most in {operation}" if operation else ""
        how = (*how, f"as near as eager is to itself with other roundings{where}")
    reason = "; ".join(dict.fromkeys([*how, *notes]))
    if returns_none and not values:
        reason = reason or "the call returns None, and changes nothing that it can reach"
    elif not returns_none and not any(value.kind == "output" for value in values):
        reason = reason or "no value came out"
    else:
        return EagerComparison(status="equal", reason=reason, values=tuple(values))
    return EagerComparison(status="not compared", reason=reason, values=tuple(values))


def add_noise(noise: Noise, eager: Values, again: Values, rounded: Values) -> None:
    """Note how far other roundings move eager mode's values, but not those that differ in each run anyway."""
    for key, left, right in _both(eager, rounded):
        if _may_be_off(left, right) and left.is_same(again.values.get(key, _MISSING)):
            distance = (left.numbers.double() - right.numbers.double()).abs().nan_to_num(posinf=0.0)
            noise[key] = torch.maximum(noise.get(key, distance), distance)


def unsteady(eager: Values, again: Values) -> set[Key]:
    """Return what two runs in eager mode change otherwise: the time of a call, a number of the process."""
    both = _both(eager, again)
    return {key for key, left, right in both if key[0] in _ONLY_EAGER and not _compared(key, left, right, None).equal}


def without(keys: set[Key], values: Values) -> Values:
    """Return the values but for those of ``keys``."""
    notes = [f"{path} is another one after each run in eager mode: not compared" for _, path in sorted(keys)]
    kept = {key: value for key, value in values.values.items() if key not in keys}
    return replace(values, values=kept, notes=(*values.notes, *notes))


def _both(eager: Values, other: Values) -> Iterator[tuple[Key, Value, Value]]:
    """Each value of two runs. Gradients count where both could be differentiated."""
    differentiated = eager.differentiated and other.differentiated
    for key in dict.fromkeys([*eager.values, *other.values]):
        if differentiated or key[0] != "gradient":
            yield key, eager.values.get(key, _MISSING), other.values.get(key, _MISSING)


#: What a value that only one of the runs left is: of what a call can change, the other run left it as it was.
_ONLY_EAGER = {"input": "not changed; eager mode changes it", "state": "not changed; eager mode changes it"}
_ONLY_COMPILED = {"input": "changed; eager mode doesn't change it", "state": "changed; eager mode doesn't change it"}


def _instead(kind: ValueKind, eager: Value, compiled: Value) -> str:
    """Say what the compiled run left in place of eager mode's value, where the largest difference doesn't tell."""
    if compiled is _MISSING:
        return f" ({_ONLY_EAGER.get(kind, 'missing')})"
    if eager is _MISSING:
        return f" ({_ONLY_COMPILED.get(kind, 'eager mode has none')})"
    if eager.description != compiled.description:
        return f" ({compiled.description} instead of {eager.description})"
    forms = [pair for pair in zip(compiled.form, eager.form, strict=True) if pair[0] != pair[1]]
    if forms:
        return f" ({', '.join(f'{now} instead of {then}' for now, then in forms)})"
    left, right = eager.numbers.double(), compiled.numbers.double()
    alike = (left == right) | (left.isnan() & right.isnan()) | (left.isfinite() & right.isfinite())
    if bool(alike.all()):
        return ""
    place = int(alike.int().argmin())
    return f" ({right[place]:.2g} instead of {left[place]:.2g})"


def _only_zeros(eager: Value, compiled: Value) -> str:
    """Return who has no gradient, if the other one's is zeros; else nothing."""
    if eager is not _MISSING and compiled is not _MISSING:
        return ""
    none, other = ("eager mode", compiled) if eager is _MISSING else ("the compiled call", eager)
    return "" if other.numbers.any() else none


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
    infinite = not same_numbers(left[~finite], right[~finite])
    equal = not infinite and eager.form == compiled.form and bool((difference <= most).all())
    largest = None if infinite else difference.max().item() if difference.numel() else 0.0
    return Compared(kind=kind, path=path, equal=equal, max_difference=largest, tolerance=allowed)


def _typical(sizes: torch.Tensor) -> float:
    return sizes[sizes > 0].median().item() if sizes.any() else 0.0
