"""One screen about a compile: whether it worked, what breaks the graph, what may recompile, what costs most."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from compile_lessons import facts
from compile_lessons.forms.tables import line_of, short_source
from compile_lessons.forms.text import OUTSIDE, SECTIONS, failures_text
from compile_lessons.ground.words import counted, file_line, join, shorten, shorten_left, size, wrap
from compile_lessons.show.table import Table

T = TypeVar("T")

#: Hints that torch adds to many breaks and that name no change to the code, by their beginnings.
_STOCK_HINTS = (
    "Please report an issue",
    "It may be possible to write Dynamo tracing rules",
    "This graph break is fundamental",
    "This graph break may be difficult to debug",
    "This is likely to be a Dynamo bug",
    "If it is a Python builtin, please file an issue",
)

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


def summary(pipeline: facts.Pipeline, maker: str = "") -> str:
    """Return what matters most of a compile, in at most about 50 lines of 100 columns.

    ``maker`` is the name of the function that the arguments come from, if the text should name it.
    """
    arguments = f"the arguments come from {maker}" if maker else ""
    if eager := [failure for failure in pipeline.failures if failure.stage == "eager"]:
        return join(
            [
                f"{_head(pipeline)}\nThe call fails without torch.compile too. Fix that first:",
                failures_text(eager),
                arguments,
            ]
        )
    return join(
        [
            _verdict(pipeline, arguments),
            failures_text(pipeline.failures),
            _skips(pipeline),
            _breaks(pipeline.breaks),
            _frames(pipeline.frames),
            _guards(pipeline),
            _kernels(pipeline),
            _saved(pipeline.graphs),
            _compile_time(pipeline.phases),
            _more(pipeline),
        ]
    )


def parts(pipeline: facts.Pipeline, names: Sequence[str]) -> str:
    """Return the named parts in full, after what makes the command fail."""
    comparison = pipeline.comparison
    different = str(comparison) if comparison is not None and comparison.status == "different" else ""
    return join([failures_text(pipeline.failures), different, *(SECTIONS[name](pipeline) for name in names)])


def calls(result: facts.Calls) -> str:
    """Return what each call did, after a line that counts their outcomes."""
    outcomes = Counter(call.outcome for call in result.calls)
    counts = ", ".join(f"{outcome} {number}" for outcome, number in outcomes.items())
    verdicts = Counter(call.comparison.status for call in result.calls if call.comparison)
    compared = verdicts["equal"] + verdicts["different"]
    if compared:
        counts += f"; {verdicts['equal']} of {counted(compared, 'result')} match eager mode"
    return f"{result.function}, {counted(len(result.calls), 'call')}: {counts}\n\n{result}"


def _verdict(pipeline: facts.Pipeline, arguments: str) -> str:
    comparison = str(pipeline.comparison) if pipeline.comparison else ""
    return "\n".join(line for line in (_head(pipeline), comparison, arguments) if line)


def _head(pipeline: facts.Pipeline) -> str:
    breaks = counted(len(pipeline.breaks), "graph break") if pipeline.breaks else "no graph breaks"
    causes = len(_by_cause(pipeline.breaks))
    if 1 < causes < len(pipeline.breaks):
        breaks += f" of {causes} kinds"
    graphs = counted(len(pipeline.graphs), "graph") if pipeline.graphs else "no graph"
    counts = f"{graphs}, {breaks}" if pipeline.graphs or pipeline.breaks else graphs
    stages = dict.fromkeys(failure.stage for failure in pipeline.failures)
    failed = f"{' and '.join(stages)} failed"
    if "eager" in stages:
        result = failed
    elif stages:
        result = f"{failed}; Dynamo made {counts}"
    else:
        result = f"compiled into {counts}" if pipeline.graphs else "not compiled: Dynamo made no graph"
    return wrap(f"{shorten(pipeline.function, 40)} on {pipeline.target}, torch {pipeline.torch_version}: {result}")


def _skips(pipeline: facts.Pipeline) -> str:
    """Frames that run in eager mode, with one line for each reason.

    Where there are graphs, frames without operations on tensors are left out: nothing in them is to be compiled.
    """
    skips = [skip for skip in pipeline.skips if not pipeline.graphs or not _NO_OPERATIONS.search(skip.reason)]
    reasons = _grouped(skips, lambda skip: skip.reason.partition("\n")[0])
    lines = [f"skipped {_names(skip.function for skip in same)}: {reason}" for reason, same in reasons.items()]
    return "\n".join(map(wrap, _first(lines, 4, "reasons")))


#: Torch's reasons for frames without operations on tensors: "no tensor-related objects found in frame",
#: "Dynamo decided to skip the frame while tracing: No ops traced for the FX graph."
_NO_OPERATIONS = re.compile(r"no tensor-related objects|No ops traced")


def _breaks(breaks: Sequence[facts.Break]) -> str:
    """Breaks grouped by cause, each group with its lines and the hints that name a change."""
    causes = _by_cause(breaks)
    hints = 2 if len(causes) < 3 else 1
    return "\n".join(_first([_cause(same, hints) for same in causes.values()], 5, "causes: --only breaks"))


def _by_cause(breaks: Sequence[facts.Break]) -> dict[tuple[str, tuple[str, ...]], list[facts.Break]]:
    return _grouped(breaks, lambda item: (item.gb_type, item.hints))


def _cause(same: Sequence[facts.Break], most_hints: int) -> str:
    gb_id = f" ({same[0].gb_id})" if same[0].gb_id else ""
    counts = Counter(_place(item) for item in same)
    lines = [line if number == 1 else f"{line}  ({number} times)" for line, number in counts.items()]
    hints = [hint for hint in same[0].hints if not hint.startswith(_STOCK_HINTS)] or list(same[0].hints)
    return "\n".join(
        [
            wrap(f"break: {same[0].gb_type}{gb_id}"),
            *_first(lines, 4, "places"),
            *(wrap(f"  hint: {hint}", " " * 8) for hint in hints[:most_hints]),
        ]
    )


def _place(item: facts.Break) -> str:
    """Return the line of a break with its code, uncut."""
    return wrap(f"  {line_of(item.stack[-1])}: {item.stack[-1].text}", " " * 6) if item.stack else OUTSIDE


def _frames(frames: Sequence[facts.Frame]) -> str:
    """The frames that took longest to compile."""
    longest = sorted(frames, key=lambda frame: -frame.seconds)[:5]
    rows = [
        (
            frame.id,
            _function(frame),
            file_line(frame.file, frame.line, 30),
            f"{frame.seconds:.2f}",
            len(frame.graph.dynamo.calls) if frame.graph else "no graph",
            len(frame.guards),
        )
        for frame in frames
        if frame in longest
    ]
    table = str(Table(("frame", "function", "line", "seconds", "operations", "guards"), rows)) if rows else ""
    more = f"\n… {counted(len(frames) - len(rows), 'more frame')}: --all" if len(frames) > len(rows) else ""
    return table + more


def _function(frame: facts.Frame) -> str:
    """The function's name with its module's class. The class alone stands for a wrapper around ``forward``."""
    name = _RESUME.sub(r"\1, resumed", frame.function)
    for guard in frame.guards:
        if guard.kind == "TYPE_MATCH" and guard.source in _SELF:
            owner = guard.words.rpartition(".")[2]
            name = owner if name in _WRAPPERS else f"{owner}.{name}"
    return shorten_left(name, 40)


#: The object that a method, or a wrapper around a method, belongs to, as the source of a guard.
_SELF = ("L['self']", "L['fn']", "L['args'][0]")
#: Functions around a module's ``forward``: torch's own for a module of torch, and the usual name in decorators.
_WRAPPERS = ("inner", "wrapper")


#: The name that Dynamo gives what follows a break: ``torch_dynamo_resume_in_step_at_12``.
_RESUME = re.compile(r"torch_dynamo_resume_in_(.+)_at_\d+")


def _guards(pipeline: facts.Pipeline) -> str:
    """The inputs and the values whose change triggers a recompile, and how many guards are on anything else."""
    if not pipeline.guards:
        return ""
    inputs, values, parameters = [], [], 0
    types = {guard.source: guard.words for guard in pipeline.guards if guard.kind == "TYPE_MATCH"}
    for guard in pipeline.guards:
        if guard.kind == "TENSOR_MATCH" and _PARAMETER.search(guard.source):
            parameters += 1
        elif guard.kind == "TENSOR_MATCH":
            words = _STRIDES.sub("", guard.words).removesuffix(", requires_grad=False")
            inputs.append((_source(guard.source), words, guard.location))
        elif guard.kind == "SHAPE_ENV" and guard.checks:
            inputs.append(("sizes", guard.words, guard.location))
        elif _is_setting(guard, types):
            values.append((_source(guard.source), guard.words.removeprefix("equal to "), guard.location))
    rest = len(pipeline.guards) - parameters - len(inputs) - len(values)
    on_parameters = f"{parameters} on parameters and buffers, " if parameters else ""
    head = f"{counted(len(pipeline.guards), 'guard')}: {on_parameters}{rest} on types, structure and torch's settings"
    rows = [*_rows(inputs, 6), *_same_setting(values, 8)]
    table = Table(("a change here triggers a recompile", "current value", "line"), rows)
    return f"{head}\n{table}" if rows else head


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


def _is_setting(guard: facts.Guard, types: dict[str, str]) -> bool:
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


#: A source, what its guard says, and the line.
_Row = tuple[str, str, facts.Location | None]


def _rows(items: Sequence[_Row], most: int) -> Iterator[tuple[str, str, str]]:
    unique = list({item[:2]: item for item in items}.values())
    for source, words, location in unique[:most]:
        yield shorten_left(source, 44), shorten(words, 30), line_of(location, 22)
    if len(unique) > most:
        yield f"… {len(unique) - most} more: --only guards", "", ""


def _same_setting(items: Sequence[_Row], most: int) -> Iterator[tuple[str, str, str]]:
    """One row for an attribute that several modules have."""
    sources = _grouped(items, lambda item: item[0].rpartition(".")[2])
    merged = []
    for same in sources.values():
        names, words = dict.fromkeys(item[0] for item in same), dict.fromkeys(item[1] for item in same)
        source, more = next(iter(names)), f" and {len(names) - 1} more" if len(names) > 1 else ""
        merged.append((shorten_left(source, 44 - len(more)) + more, ", ".join(words), same[0][2]))
    return _rows(merged, most)


#: The root of a guard's source: ``L['x']`` is a local, ``G['limit']`` a global.
_ROOT = re.compile(r"^[LG]\['(\w+)'\]")


def _source(source: str) -> str:
    """A guard's source as the reader would write it: ``self.self_attn.q_proj.weight``.

    A value that the bytecode had on its stack at a break, ``L['___stack0']``, has no name.
    """
    source = _CLASS_ATTRIBUTE.sub(r"\1.\2", source)
    return "a value on the stack" if "___stack" in source else _ROOT.sub(r"\1", short_source(source))


def _kernels(pipeline: facts.Pipeline) -> str:
    """The kernels that read and write most."""
    kernels = [(part, kernel) for graph in pipeline.graphs for part in graph.inductor for kernel in part.kernels]
    if not kernels:
        return ""
    rows = Counter(
        (part.direction, _cut_middle(kernel.name, 44), kernel.kind, size(kernel.bytes), _kernel_line(part, kernel))
        for part, kernel in sorted(kernels, key=lambda pair: -(pair[1].bytes or 0))
    )
    table = Table(
        ("direction", "kernel", "kind", "bytes", "line", "calls"), [(*row, n) for row, n in list(rows.items())[:5]]
    )
    largest = "; the largest by bytes read and written:" if len(rows) > 5 else ""
    return f"{counted(len(kernels), 'kernel')}{largest}\n{table}"


def _kernel_line(part: facts.InductorGraph, kernel: facts.Kernel) -> str:
    """The line that most of the kernel's operations come from."""
    nodes = {node.name: node for node in part.post_grad.nodes}
    locations = [nodes[name].location for name in kernel.origins if name in nodes]
    lines = Counter(line_of(location, 22) for location in locations if location is not None)
    return lines.most_common(1)[0][0] if lines else "-"


def _saved(graphs: Sequence[facts.CompiledGraph]) -> str:
    values = sum(len(graph.saved) for graph in graphs)
    if not values:
        return ""
    saved = f"{counted(values, 'value')}, {size(facts.total(graph.saved_bytes for graph in graphs))} bytes"
    return f"saved for backward: {saved}; {sum(len(graph.recomputed) for graph in graphs)} operations recomputed"


def _compile_time(phases: Sequence[facts.Phase]) -> str:
    """The time in each stage, without the stages inside it, and what is left of the whole."""
    seconds = {phase.name: phase.seconds for phase in phases}

    def added(names: Iterable[str]) -> float:
        return sum(seconds.get(name, 0.0) for name in names)

    spent = {stage: added(own) - added(inside) for stage, own, inside in _STAGES if added(own)}
    if not spent:
        return ""
    other = added(_TOTAL) - sum(spent.values())
    if other > _LEAST:
        spent["other"] = other
    parts = {
        "Inductor": (added([_WAITING]), "waiting for compilers"),
        "other": (added(_HASHING), "hashing torch's files for cache keys"),
    }
    stages = [f"{stage} {time:.1f} s{_part_of(time, *parts.get(stage, (0.0, '')))}" for stage, time in spent.items()]
    return wrap(f"compile time {added(_TOTAL):.1f} s: {', '.join(stages)}")


def _part_of(whole: float, seconds: float, what: str) -> str:
    return f" ({seconds:.1f} s of it {what})" if _LEAST < seconds <= whole else ""


def _more(pipeline: facts.Pipeline) -> str:
    names = [name for name in SECTIONS if name != "machine" or pipeline.target != "cpu"]
    return f"more: --only {','.join(names)}, --all; which calls recompile: --calls"


def _grouped(items: Iterable[T], key: Callable[[T], Any]) -> dict[Any, list[T]]:
    groups: dict[Any, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def _first(lines: Sequence[str], most: int, noun: str) -> list[str]:
    return [*lines[:most], *([f"… {len(lines) - most} more {noun}"] if len(lines) > most else [])]


def _names(names: Iterable[str]) -> str:
    return ", ".join(_first(list(dict.fromkeys(names)), 3, "frames"))


def _cut_middle(name: str, width: int) -> str:
    """A kernel's name begins with its operations and ends with its number."""
    return name if len(name) <= width else f"{name[: width // 2]}…{name[len(name) - (width - 1) // 2 :]}"
