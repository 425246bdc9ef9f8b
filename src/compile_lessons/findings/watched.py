"""The inputs and the values whose change triggers a recompile, out of all guards of a compile."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compile_lessons.facts import Guard, Location


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
    types = {guard.source: guard.words for guard in guards if guard.kind == "TYPE_MATCH"}
    lines = {guard.source: guard.location for guard in guards if guard.kind == "TENSOR_MATCH"}
    for guard in guards:
        if guard.kind == "TENSOR_MATCH" and _PARAMETER.search(guard.source):
            parameters += 1
        elif guard.kind == "TENSOR_MATCH":
            words = _STRIDES.sub("", guard.words).removesuffix(", requires_grad=False")
            inputs.append(Watched(source=readable_source(guard.source), value=words, location=guard.location))
        elif guard.kind == "SHAPE_ENV" and guard.checks:
            sizes.append(_size(guard, lines))
        elif _is_setting(guard, types):
            value = guard.words.removeprefix("equal to ")
            values.append(Watched(source=readable_source(guard.source), value=value, location=guard.location))
    return GuardDigest(
        number=len(guards),
        on_parameters=parameters,
        others=len(guards) - parameters - len(inputs) - len(sizes) - len(values),
        inputs=tuple(_unique([*inputs, *sizes])),
        values=tuple(_by_attribute(values)),
    )


#: A parameter or a buffer of a module: ``L['self']._modules['q_proj']._parameters['weight']``.
_PARAMETER = re.compile(r"\._(?:parameters|buffers)\[")
#: The strides in the words of a tensor's guard: ``float32[2, 16], strides [16, 1], requires_grad=False``.
_STRIDES = re.compile(r", strides \[.*?\]")
#: A number, a string or a truth value: ``equal to 1e-06``, ``equal to 'sdpa'``.
_LITERAL = re.compile(r"equal to (?:[-+\d.e]+|True|False|'.*')$")
#: An attribute of an object's class: ``dict(type(G['counter']).__dict__)['n']``.
_CLASS_ATTRIBUTE = re.compile(r"dict\(type\((.+)\)\.__dict__\)\['(\w+)'\]$")
#: A file of torch's: ``/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py``.
_TORCH = re.compile(r"[/\\](?:site|dist)-packages[/\\]torch[/\\]")
#: A size in a condition: ``2 <= L['x'].size()[0]``.
_SIZE = re.compile(r"(?P<source>[LG]\['\w+'\][\w.\[\]']*)\.size\(\)\[(?P<index>\d+)\]")
#: A step into a module: ``._modules['q_proj']``.
_STEP = re.compile(r"\._(?:modules|parameters|buffers)\['(\w+)'\]")
#: The root of a guard's source: ``L['x']`` is a local, ``G['limit']`` a global.
_ROOT = re.compile(r"^[LG]\['(\w+)'\]")


def readable_source(source: str) -> str:
    """Return a guard's source as the reader would write it: ``self.self_attn.q_proj.weight``.

    A value that the bytecode had on its stack at a break, ``L['___stack0']``, has no name.
    """
    source = _CLASS_ATTRIBUTE.sub(r"\1.\2", source)
    return "a value on the stack" if "___stack" in source else _ROOT.sub(r"\1", _STEP.sub(r".\1", source))


def _size(guard: Guard, lines: dict[str, Location | None]) -> Watched:
    """Return a condition on sizes. Where torch names no line, it is the first line that uses the tensor."""
    sizes = list(dict.fromkeys(match.groups() for match in _SIZE.finditer(guard.words)))
    names = [f"{readable_source(source)}.size({index})" for source, index in sizes]
    line = guard.location or next((lines[source] for source, _ in sizes if lines.get(source)), None)
    words = _SIZE.sub(lambda match: f"{readable_source(match['source'])}.size({match['index']})", guard.words)
    return Watched(source=", ".join(names) or "a condition on sizes", value=words, location=line)


def _is_setting(guard: Guard, types: dict[str, str]) -> bool:
    """Whether the guard is on a number, a string or a truth value of the reader's, not of a module of torch's."""
    if guard.location is None or _TORCH.search(guard.location.file) or not _LITERAL.match(guard.words):
        return False
    of_class = _CLASS_ATTRIBUTE.match(guard.source)
    owner = types.get(of_class[1] if of_class else guard.source.rpartition(".")[0], "")
    if owner.startswith("type torch."):
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
