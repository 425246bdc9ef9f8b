"""What a summary of a capture shows beside its findings: what guards watch, the largest kernels, memory and time."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from compile_lessons import facts
from compile_lessons.facts.source import is_not_torch, resumed
from compile_lessons.findings.guards import CLASS_ATTRIBUTE, readable
from compile_lessons.ground.groups import grouped


@dataclass(frozen=True, kw_only=True)
class Watched:
    """One thing that guards watch: how the reader writes it, its value in this call, and a line that reads it."""

    source: str
    value: str
    location: facts.Location | None
    #: How many others are in this row, such as the same attribute of other modules.
    more: int = 0


@dataclass(frozen=True, kw_only=True)
class GuardDigest:
    """All guards: those that the reader's own values can fail, one by one, and the number of the others."""

    number: int
    on_parameters: int
    others: int
    inputs: tuple[Watched, ...]
    values: tuple[Watched, ...]


def digest(guards: Sequence[facts.Guard]) -> GuardDigest:
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
        inputs=tuple({(item.source, item.value): item for item in (*inputs, *sizes)}.values()),
        values=tuple(_by_attribute(values)),
    )


#: A parameter or a buffer of a module: ``L['self']._modules['q_proj']._parameters['weight']``.
_PARAMETER = re.compile(r"\._(?:parameters|buffers)\[")
#: A size in a condition: ``2 <= L['x'].size()[0]``.
_SIZE = re.compile(r"(?P<source>[LG]\['\w+'\][\w.\[\]']*)\.size\(\)\[(?P<index>\d+)\]")


def _size(guard: facts.Guard, lines: dict[str, facts.Location | None]) -> Watched:
    """Return a condition on sizes. Where torch names no line, it is the first line that uses the tensor."""
    condition = guard.checks[0]
    sizes = list(dict.fromkeys(match.groups() for match in _SIZE.finditer(condition)))
    names = [f"{readable(source)}.size({index})" for source, index in sizes]
    line = guard.location or next((lines[source] for source, _ in sizes if lines.get(source)), None)
    words = _SIZE.sub(lambda match: f"{readable(match['source'])}.size({match['index']})", condition)
    return Watched(source=", ".join(names) or "a condition on sizes", value=words, location=line)


def _is_setting(guard: facts.Guard, types: dict[str, str]) -> bool:
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


def _by_attribute(items: Iterable[Watched]) -> Iterator[Watched]:
    """Yield one item for an attribute that several modules have."""
    for same in grouped((item.source.rpartition(".")[2], item) for item in items).values():
        names, values = dict.fromkeys(item.source for item in same), dict.fromkeys(item.value for item in same)
        source, value = next(iter(names)), ", ".join(values)
        yield Watched(source=source, value=value, location=same[0].location, more=len(names) - 1)


@dataclass(frozen=True, kw_only=True)
class PlacedKernel:
    """A kernel, its graph, and the line that most of its operations come from."""

    direction: facts.Direction
    kernel: facts.Kernel
    location: facts.Location | None


def kernels_by_bytes(graphs: Sequence[facts.CompiledGraph]) -> list[PlacedKernel]:
    """Return all kernels, those with the most bytes first."""
    kernels = [
        PlacedKernel(direction=part.direction, kernel=kernel, location=_line(part, kernel))
        for graph in graphs
        for part in graph.inductor
        for kernel in part.kernels
    ]
    return sorted(kernels, key=lambda item: -(item.kernel.bytes or 0))


def _line(part: facts.InductorGraph, kernel: facts.Kernel) -> facts.Location | None:
    nodes = {node.name: node for node in part.post_grad.nodes}
    lines = Counter(nodes[name].location for name in kernel.origins if name in nodes)
    lines.pop(None, None)
    return lines.most_common(1)[0][0] if lines else None


def longest_frames(frames: Sequence[facts.Frame], most: int) -> list[facts.Frame]:
    """Return the frames that took longest to compile, in the order in which they were compiled."""
    longest = sorted(frames, key=lambda frame: -frame.seconds)[:most]
    return [frame for frame in frames if frame in longest]


def frame_name(frame: facts.Frame) -> str:
    """Return the name of a frame. What follows a break has the name of the whole function."""
    divided = resumed(frame.function)
    return frame.name.replace(frame.function, f"{divided[0]}, resumed") if divided else frame.name


#: Names of inputs that Dynamo made from a module's parameters and buffers: ``l_self_modules_fc_parameters_weight_``.
_PARAMETER_NAME = re.compile(r"_(?:parameters|buffers)_")


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What all forward graphs keep for their backward graphs. Parameters and inputs exist anyway, activations don't."""

    activations: tuple[facts.Saved, ...]
    parameters: tuple[facts.Saved, ...]
    inputs: tuple[facts.Saved, ...]
    recomputed: int


@dataclass(frozen=True, kw_only=True)
class Peak:
    """The most bytes that a graph's own buffers take at one time, without its inputs, and the bytes of the inputs.

    An estimate: it counts every buffer between two kernels from its kernel to the last that reads it, with no reuse in
    place and nothing of the allocator.
    """

    direction: facts.Direction
    bytes: int
    inputs: int


def kept(graphs: Sequence[facts.CompiledGraph]) -> Kept:
    """Tell apart what the graphs save."""
    activations: list[facts.Saved] = []
    parameters: list[facts.Saved] = []
    inputs: list[facts.Saved] = []
    for graph in graphs:
        given = {node.name: node for node in graph.forward.nodes if node.op == "placeholder"} if graph.forward else {}
        named = _parameters(graph)
        for saved in graph.saved:
            where = activations if saved.name not in given else parameters if saved.name in named else inputs
            where.append(saved)
    recomputed = sum(len(graph.recomputed) for graph in graphs)
    return Kept(
        activations=tuple(activations), parameters=tuple(parameters), inputs=tuple(inputs), recomputed=recomputed
    )


def _parameters(graph: facts.CompiledGraph) -> set[str]:
    """Return the inputs of the forward graph that are parameters or buffers of a module."""
    given = [node for node in graph.dynamo.nodes if node.op == "placeholder"]
    taken = [node for node in graph.forward.nodes if node.op == "placeholder"] if graph.forward else []
    own = {node.name for node in given if _PARAMETER_NAME.search(node.name)}
    names = {node.name for node in taken if own & set(node.sources)}
    if len(given) == len(taken):  # AOTAutograd keeps the order, unless it adds inputs or merges equal ones
        names |= {node.name for node, source in zip(taken, given, strict=True) if source.name in own}
    return names


def peaks(graphs: Sequence[facts.CompiledGraph]) -> tuple[Peak, ...]:
    """Return the estimate for each graph whose sizes are known, in the order in which they were compiled."""
    return tuple(peak for graph in graphs for part in graph.inductor if (peak := _peak(part)) is not None)


def _peak(part: facts.InductorGraph) -> Peak | None:
    nodes = {node.name: node for node in part.post_grad.nodes}
    made_by = {name: step for step, kernel in enumerate(part.kernels) for name in kernel.origins if name in nodes}
    last = len(part.kernels)
    if not last:
        return None
    until = dict(made_by)
    for node in nodes.values():
        # What the output returns is there at the end. A view has no kernel: whoever reads the view reads its base.
        step = last if node.op == "output" else made_by.get(node.name, 0)
        for name in _buffers(node, nodes, made_by):
            until[name] = max(until[name], step)
    sizes = {name: facts.total(tensor.bytes for tensor in nodes[name].tensors) for name in made_by}
    inputs = facts.total(tensor.bytes for node in nodes.values() if node.op == "placeholder" for tensor in node.tensors)
    alive = {name: size for name, size in sizes.items() if until[name] > made_by[name]}
    if inputs is None or any(size is None for size in alive.values()):
        return None
    at = [
        sum(size or 0 for name, size in alive.items() if made_by[name] <= step <= until[name]) for step in range(last)
    ]
    return Peak(direction=part.direction, bytes=max(at), inputs=inputs)


def _buffers(node: facts.Node, nodes: dict[str, facts.Node], made_by: dict[str, int]) -> set[str]:
    """Return the nodes of kernels that a node reads, through views."""
    found, todo = set(), list(node.inputs)
    while todo:
        name = todo.pop()
        if name in made_by:
            found.add(name)
        elif name in nodes:
            todo += nodes[name].inputs
    return found


#: Stages, each with the phases of torch to add up and those inside them that belong to the next stage.
_STAGES = (
    ("Dynamo", ("_compile.compile_inner",), ("OutputGraph.call_user_compiler",)),
    ("AOTAutograd", ("create_aot_dispatcher_function",), ("compile_fx.<locals>.fw_compiler_base",)),
    ("Inductor", ("compile_fx.<locals>.fw_compiler_base", "compile_fx.<locals>.bw_compiler"), ()),
)
_TOTAL = ("_compile.compile_inner", "backward._backward_impl")
#: Inside Inductor: waiting for the C++ compiler, or for Triton.
_WAITING = "async_compile.wait"
#: Between Dynamo and AOTAutograd, once in a process: keys of caches contain a hash of torch's and of Triton's files.
_HASHING = ("inductor_codecache_torch_key", "CacheBase.get_system.triton_key")
#: Less time than this, in seconds, is left out.
_LEAST = 0.05


@dataclass(frozen=True)
class Stage:
    """The seconds of one stage without the stages inside it, and of a part of it that is worth a word."""

    name: str
    seconds: float
    part: str = ""
    part_seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class CompileTime:
    """The seconds of a compile and of its stages. What is left of the whole is ``other``."""

    seconds: float
    stages: tuple[Stage, ...]


def compile_time(phases: Sequence[facts.Phase]) -> CompileTime | None:
    """Add up torch's phases; ``None`` if there is none that belongs to a stage."""
    seconds = {phase.name: phase.seconds for phase in phases}

    def added(names: Iterable[str]) -> float:
        return sum(seconds.get(name, 0.0) for name in names)

    parts = {
        "Inductor": ("waiting for compilers", added([_WAITING])),
        "other": ("hashing torch's files for cache keys", added(_HASHING)),
    }
    spent = {name: added(own) - added(inside) for name, own, inside in _STAGES if added(own)}
    if not spent:
        return None
    other = added(_TOTAL) - sum(spent.values())
    if other > _LEAST:
        spent["other"] = other
    stages = []
    for name, own in spent.items():
        part, part_seconds = parts.get(name, ("", 0.0))
        stages.append(Stage(name, own, part, part_seconds) if _LEAST < part_seconds <= own else Stage(name, own))
    return CompileTime(seconds=added(_TOTAL), stages=tuple(stages))
