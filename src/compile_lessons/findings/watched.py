"""The inputs and the values whose change triggers a recompile, out of all guards of a compile."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compile_lessons.facts import Guard, Location
from compile_lessons.facts.places import is_not_torch
from compile_lessons.findings.guards import CLASS_ATTRIBUTE, readable


@dataclass(frozen=True, kw_only=True)
class Watched:
    """One thing that guards watch: how the reader writes it, its value in this call, and a line that reads it."""

    source: str
    value: str
    location: Location | None
    #: So many others, such as the same attribute of other modules, are in this row.
    more: int = 0


@dataclass(frozen=True, kw_only=True)
class GuardDigest:
    """All guards: those that the reader's own values can fail, one by one, and the number of the others."""

    number: int
    on_parameters: int
    others: int
    inputs: tuple[Watched, ...]
    values: tuple[Watched, ...]


def digest(guards: Sequence[Guard]) -> GuardDigest:
    """Sort the guards of a compile by what they watch."""
    inputs, sizes, values, parameters = [], [], [], 0
    types = {guard.source: guard.value for guard in guards if guard.kind == "TYPE_MATCH"}
    lines = {guard.source: guard.location for guard in guards if guard.kind == "TENSOR_MATCH"}
    for guard in guards:
        if guard.kind == "TENSOR_MATCH" and _PARAMETER.search(guard.source):
            parameters += 1
        elif guard.kind == "TENSOR_MATCH":
            inputs.append(Watched(source=readable(guard.source), value=guard.value, location=guard.location))
        elif guard.kind == "SHAPE_ENV" and guard.checks:
            sizes.append(_size(guard, lines))
        elif _is_setting(guard, types):
            values.append(Watched(source=readable(guard.source), value=guard.value, location=guard.location))
    return GuardDigest(
        number=len(guards),
        on_parameters=parameters,
        others=len(guards) - parameters - len(inputs) - len(sizes) - len(values),
        inputs=tuple(_unique([*inputs, *sizes])),
        values=tuple(_by_attribute(values)),
    )


#: A parameter or a buffer of a module: ``L['self']._modules['q_proj']._parameters['weight']``.
_PARAMETER = re.compile(r"\._(?:parameters|buffers)\[")
#: A size in a condition: ``2 <= L['x'].size()[0]``.
_SIZE = re.compile(r"(?P<source>[LG]\['\w+'\][\w.\[\]']*)\.size\(\)\[(?P<index>\d+)\]")


def _size(guard: Guard, lines: dict[str, Location | None]) -> Watched:
    """Return a condition on sizes. Where torch names no line, it is the first line that uses the tensor."""
    condition = guard.checks[0]
    sizes = list(dict.fromkeys(match.groups() for match in _SIZE.finditer(condition)))
    names = [f"{readable(source)}.size({index})" for source, index in sizes]
    line = guard.location or next((lines[source] for source, _ in sizes if lines.get(source)), None)
    words = _SIZE.sub(lambda match: f"{readable(match['source'])}.size({match['index']})", condition)
    return Watched(source=", ".join(names) or "a condition on sizes", value=words, location=line)


def _is_setting(guard: Guard, types: dict[str, str]) -> bool:
    """Whether the guard is on a number, a string or a truth value of the user's, not of a module of torch's."""
    if guard.location is None or not guard.value or not is_not_torch(guard.location.file):
        return False
    of_class = CLASS_ATTRIBUTE.match(guard.source)
    owner = types.get(of_class[1] if of_class else guard.source.rpartition(".")[0], "")
    if owner.startswith("torch.") or guard.kind == "TYPE_MATCH":
        return False
    if guard.source.startswith("dict(type("):
        return bool(of_class and owner)
    return not guard.source.startswith("G['__import_") and "__defaults__" not in guard.source


def _unique(items: Iterable[Watched]) -> Iterator[Watched]:
    """Yield what was watched once for each name and value."""
    yield from {(item.source, item.value): item for item in items}.values()


def _by_attribute(items: Iterable[Watched]) -> Iterator[Watched]:
    """Yield one item for an attribute that several modules have."""
    groups: dict[str, list[Watched]] = {}
    for item in items:
        groups.setdefault(item.source.rpartition(".")[2], []).append(item)
    for same in groups.values():
        names, values = dict.fromkeys(item.source for item in same), dict.fromkeys(item.value for item in same)
        source, value = next(iter(names)), ", ".join(values)
        yield Watched(source=source, value=value, location=same[0].location, more=len(names) - 1)
