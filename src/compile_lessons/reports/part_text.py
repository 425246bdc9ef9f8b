"""Text forms of the parts of the model: short, aligned, for 100 columns."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import fields
from typing import Any

from compile_lessons import facts
from compile_lessons.facts.part import Part, Parts, text
from compile_lessons.ground.colors import bold, red, yellow
from compile_lessons.ground.groups import grouped
from compile_lessons.ground.words import (
    WIDTH,
    counted,
    cut,
    file_line,
    join,
    one_line,
    section,
    shorten,
    shorten_left,
    size,
    wrap,
)
from compile_lessons.reports.tables import blocks, calls_table, graph_table, kernels_table, line_of, table_of, tensor

#: How many skipped frames are listed, and how many lines of a failure's message.
_MOST_SKIPS, _MOST_LINES = 8, 8
#: How the lines of a failure's message begin that are kept whatever its length.
_LABELS = ("Explanation: ", "Hint: ", "Fix: ")
#: The place of a break for which there is no line of the user's.
OUTSIDE = "  outside your code, in a function that it calls"


@text.register
def _(parts: Parts) -> str:
    table = table_of(parts)
    return str(table) if table else join(map(text, parts)) or "none"


@text.register
def _(part: Part) -> str:
    """Return the row of a part's kind in its table. A kind without one shows its fields."""
    if table := table_of((part,)):
        return str(table)
    return wrap(", ".join(f"{field.name}: {_value(getattr(part, field.name))}" for field in fields(part)))


def _value(value: Any) -> str:
    return ", ".join(map(_value, value)) if isinstance(value, tuple) else one_line(str(value))


@text.register
def _(part: facts.Pipeline) -> str:
    kinds: dict[str, Sized] = {"graph": part.graphs, "break": part.breaks, "guard": part.guards, "kernel": part.kernels}
    counts = ", ".join(counted(len(parts), noun) for noun, parts in kinds.items())
    caches = ", ".join(f"{lookup.cache} {lookup.state}" for lookup in part.caches)
    phases = str(table_of(part.phases[:10]) or "")
    skips = list(map(text, part.skips[:_MOST_SKIPS]))
    if len(part.skips) > _MOST_SKIPS:
        skips.append(yellow(f"skipped {len(part.skips) - _MOST_SKIPS} more frames"))
    return join(
        [
            f"{shorten_left(part.function, 30)} on {part.target}, torch {part.torch_version}: {counts}",
            text(part.comparison) if part.comparison else "",
            failures_text(part.failures),
            "\n".join(skips),
            *map(text, part.frames),
            section("the ten longest phases; each includes those inside it", phases),
            wrap(f"caches: {caches}") if caches else "",
        ]
    )


@text.register
def _(part: facts.Skip) -> str:
    function, line = shorten_left(part.function, 40), file_line(part.file, part.line, 40)
    return yellow(wrap(f"skipped {function} ({line}): {_without_frame(part.reason)}"))


def _without_frame(reason: str) -> str:
    """Return torch's reason without the frame, which torch repeats in the last lines."""
    return one_line(reason.partition("\nFrame info:")[0])


@text.register
def _(part: facts.EagerComparison) -> str:
    if part.status == "not compared":
        return yellow(wrap(f"not compared with eager mode: {part.reason}"))
    concerned = [value for value in part.values if part.status == "equal" or not value.equal]
    differences = [value.max_difference for value in concerned if value.max_difference is not None]
    largest = f", largest difference {max(differences):.1e}" if differences else ""
    reason = f" ({part.reason})" if part.reason else ""
    values = counted(len(part.values), "value")
    if part.status == "different":
        values = f"{sum(not value.equal for value in part.values)} of {values}"
    if part.origin is not None:
        reason += f"\n{text(part.origin)}"
    if part.status == "equal":
        return wrap(f"matches eager mode in {values}{largest}{reason}")
    return red(wrap(f"differs from eager mode in {values}{largest}{reason}"))


@text.register
def _(part: facts.Origin) -> str:
    if not part.backend:
        return wrap(f"what differs is {part.stage}")
    line = f"first line that differs: {text(part.location)}" if part.location else "the line can't be told"
    lines = [f"the first backend that differs is {part.backend} ({part.stage})", part.step]
    return wrap("\n".join([*filter(None, lines), *([line] if part.location or not part.step else [])]))


@text.register
def _(part: facts.StageFailure) -> str:
    return failures_text((part,))


def failures_text(failures: Iterable[facts.StageFailure]) -> str:
    """Return the text of failures. The same failure in eager mode and in the compiled call is written once."""
    stages = grouped(((failure.type, failure.message, failure.location), failure.stage) for failure in failures)
    return join(_failure(" and ".join(dict.fromkeys(names)), *what) for what, names in stages.items())


def _failure(stages: str, kind: str, message: str, location: facts.Location | None) -> str:
    """Return a failure's text. Indented lines of the message are code: they are cut, not wrapped.

    A long message is cut too, but not its explanation and its remedies.
    """
    first, *rest = message.splitlines() or [""]
    place = [place_text(location)] if location else []
    return "\n".join([red(wrap(f"{stages} failed: {kind}: {first}")), *message_lines(rest), *place])


def message_lines(lines: Sequence[str]) -> list[str]:
    """Return the lines of a message after its first, as ``_failure`` does."""
    labeled = [line for line in lines if line.startswith(_LABELS)]
    more = [line for line in lines if line not in labeled]
    if len(more) > _MOST_LINES:
        more = [*more[: _MOST_LINES - 1], f"… {len(more) - _MOST_LINES + 1} more lines in the failure's message"]
    return [*map(wrap, labeled), *(cut(line) if line[:1].isspace() else wrap(line) for line in more)]


def place_text(location: facts.Location) -> str:
    """Return the line of the user's that a failure or a break is at, uncut."""
    return wrap(f"  at {line_of(location)}: {location.text}", " " * 6)


@text.register
def _(part: facts.Circumstance) -> str:
    place = line_of(part.location, 40) if part.location else ""
    if not part.kept:
        return wrap(f"your program differs: {part.what}" + (f" ({place})" if place else ""))
    return wrap(part.what + (f", as {place} does" if place else ""))


@text.register
def _(part: facts.Location) -> str:
    return f"{line_of(part, 30)}: {shorten(part.text, 60)}"


@text.register
def _(part: facts.Frame) -> str:
    why_no_graph = "" if part.graph or part.error else yellow(f"no graph: {part.why_no_graph}")
    return join(
        [
            bold(frame_head(part)),
            yellow(wrap(f"not compiled: {_without_frame(part.error)}")) if part.error else "",
            *map(text, part.breaks),
            text(part.graph) if part.graph else why_no_graph,
            str(table_of(part.guards) or ""),
        ]
    )


def frame_head(frame: facts.Frame, most: int | None = 38) -> str:
    """Return the frame's name and line, each cut to ``most``, and below how long its bytecode is, and its guards."""
    name, line = frame.name, file_line(frame.file, frame.line)
    if most is not None:
        name, line = shorten_left(name, most), shorten_left(line, most)
    head = f"{'resume function' if frame.resume else 'frame'} {frame.id} {name} ({line})"
    bytecode = f"{counted(len(frame.original), 'instruction')}, {len(frame.rewritten)} after Dynamo"
    return f"{head}\n{bytecode}; {counted(len(frame.guards), 'guard')}"


@text.register
def _(part: facts.Break) -> str:
    number = f" ({part.gb_id})" if part.gb_id else ""
    explanation = [wrap(f"  {one_line(part.explanation)}")] if part.explanation else []
    stack = [place_text(location) for location in part.stack[-3:]]
    if not stack:  # a break in torch's own code
        stack = [OUTSIDE, *map(place_text, part.callers[-1:])]
    hints = [wrap(f"  hint: {one_line(hint)}", " " * 8) for hint in part.hints]
    return "\n".join([yellow(wrap(f"break: {part.gb_type}{number}")), *explanation, *stack, *hints])


@text.register
def _(part: facts.GuardNode) -> str:
    return cut(guard_tree_text(part))


def guard_tree_text(node: facts.GuardNode, indent: str = "") -> str:
    """Return the guard tree, a line per value and per check. Its lines are not cut."""
    checks = [f"{indent}- {one_line(check)}" for check in node.checks]
    children = [guard_tree_text(child, indent + "  ") for child in node.children]
    return "\n".join([indent + node.accessor, *checks, *children])


@text.register
def _(part: facts.CompiledGraph) -> str:
    saved = ", ".join(f"{value.name} ({size(value.bytes)} bytes)" for value in part.saved)
    return join(
        [
            *map(text, part.stages),
            wrap(f"saved for backward, {size(part.saved_bytes)} bytes: {saved}") if saved else "",
            wrap(f"recomputed in backward: {', '.join(part.recomputed)}") if part.recomputed else "",
            *map(text, part.inductor),
            "\n".join(map(text, part.missing)),
        ]
    )


@text.register
def _(part: facts.Missing) -> str:
    return yellow(wrap(f"no {part.stage}: {part.reason}"))


@text.register
def _(part: facts.Graph) -> str:
    subgraphs = map(text, part.subgraphs)
    return join([section(bold(graph_title(part)), str(graph_table(part))), *subgraphs])


def graph_title(graph: facts.Graph) -> str:
    """Return ``forward graph, 3 operations``."""
    return f"{graph.kind} graph, {counted(len(graph.calls), 'operation')}"


@text.register
def _(part: facts.Subgraph) -> str:
    return section(f"{part.name}:", text(part.graph))


@text.register
def _(part: facts.TensorMeta) -> str:
    return tensor(part)


@text.register
def _(part: facts.InductorGraph) -> str:
    nodes, fused = counted(len(part.ir), "node"), " | ".join(node.name for node in part.fused)
    reuses = ", ".join(map(text, part.reuses))
    return join(
        [
            bold(shorten(f"Inductor, {part.direction}: {nodes}, {len(part.fused)} after fusion: {fused}", WIDTH)),
            str(table_of(part.decisions) or ""),
            wrap(f"buffers reused: {reuses}") if reuses else "",
            str(kernels_table(part.kernels)),
            str(table_of(part.gpu_kernels) or ""),
        ]
    )


@text.register
def _(part: facts.IrNode) -> str:
    return cut(part.text)


@text.register
def _(part: facts.Reuse) -> str:
    return f"{part.new} takes {part.old} ({part.kind})"


@text.register
def _(part: facts.Kernel) -> str:
    head = f"{shorten_left(part.name, 50)} ({part.kind}), bytes {size(part.bytes)}, flops {size(part.flops)}"
    # Half the indentation: loops in C++ are nested so deeply that little would fit behind it.
    source = re.sub(r"(?m)^( +)\1", r"\1", part.source.strip())
    return f"{head}\n{cut(source)}" if source else head


@text.register
def _(part: facts.GpuKernel) -> str:
    return join([str(table_of((part,))), cut(part.function.rstrip()), str(table_of(part.code.lines) or "")])


@text.register
def _(part: facts.MachineCode) -> str:
    return cut(part.sass.strip())


def machine_code_text(kernel: facts.GpuKernel) -> str:
    """Return the kernel's text with its PTX and SASS, whose lines are not cut."""
    return join([text(kernel), f"PTX of {kernel.name}\n{kernel.code.ptx.strip()}", f"SASS\n{kernel.code.sass.strip()}"])


@text.register
def _(part: facts.Config) -> str:
    return f"{blocks(part)}, {part.num_warps} warps, {part.num_stages} stages"


@text.register
def _(part: facts.Occupancy) -> str:
    return f"{part.warps} warps in {part.blocks} blocks, {part.share:.0%}, limited by {part.limit}"


@text.register
def _(part: facts.Device) -> str:
    return wrap(f"{part.name}, compute capability {'.'.join(map(str, part.capability))} ({part.source})")


@text.register
def _(part: facts.TargetGpu) -> str:
    lines = wrap("\n".join([f"{part.device.name}, triton {part.triton_version}", *part.notes]))
    return join([lines, str(table_of(part.candidates) or "")])


@text.register
def _(part: facts.Candidate) -> str:
    return join([str(table_of((part,))), cut(part.source.strip())])


@text.register
def _(part: facts.Lines) -> str:
    unknown = wrap(f"from no line: {', '.join(part.unknown)}") if part.unknown else ""
    return join([str(table_of(part.lines) or ""), unknown])


@text.register
def _(part: facts.Calls) -> str:
    table = calls_table(part.calls)
    more = [
        _call(call, row[3].endswith("…")) for call, row in zip(part.calls, table.rows, strict=True) if not call.error
    ]
    comparisons = [call.comparison for call in part.calls if call.comparison]
    reasons = [text(comparison) for comparison in comparisons if comparison.status == "not compared"]
    return join([str(table), *_errors(part.calls), *more, *dict.fromkeys(reasons)])


def _errors(calls: Iterable[facts.Call]) -> Iterator[str]:
    """Yield each error once, with the calls that raised it."""
    same: dict[str, list[int]] = {}
    for call in calls:
        if call.error:
            same.setdefault(text(call.error), []).append(call.index)
    for error, numbers in same.items():
        yield (
            wrap(f"call{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}, error", "    ") + f"\n{error}"
        )


def _call(call: facts.Call, is_cut: bool) -> str:
    """Return what the table has no room for: guards that are cut there, why no compiled code ran, and how a result
    differs.
    """
    failed = "".join(f"\n  {guard}" for guard in call.failed) if is_cut else ""
    different = call.comparison is not None and call.comparison.status == "different"
    result = text(call.comparison) if different else ""
    if not (failed or result or call.skipped):
        return ""
    reason = f": {_without_frame(call.skipped)}" if call.skipped else ""
    head = wrap(f"call {call.index}, {call.outcome}{reason}{failed}", "    ")
    return "\n".join(line for line in (head, result) if line)


#: Parts that ``explain --only`` names, as functions from a pipeline to text.
SECTIONS: dict[str, Callable[[facts.Pipeline], str]] = {
    "graphs": lambda part: join(text(stage) for graph in part.graphs for stage in graph.stages) or yellow("no graphs"),
    "breaks": lambda part: join(map(text, part.breaks)) or yellow("no graph breaks"),
    "guards": lambda part: str(table_of(part.guards, None) or yellow("no guards")),  # whole, to be searched
    "kernels": lambda part: str(table_of(part.kernels) or yellow("no kernels")),
    "machine": lambda part: join(map(machine_code_text, part.gpu_kernels)) or yellow("no machine code"),
    "code": lambda part: (
        join(g.output_code for graph in part.graphs for g in graph.inductor) or yellow("no generated code")
    ),
}
