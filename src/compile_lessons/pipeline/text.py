"""Text forms: short, aligned, for 100 columns."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterable, Sequence
from functools import singledispatch
from typing import Any

from compile_lessons.gpu.model import GpuKernel
from compile_lessons.pipeline import model
from compile_lessons.table import Table

WIDTH = 100


@singledispatch
def text(part: Any) -> str:
    """The text form of a part of the model."""
    raise TypeError(f"no text form for {type(part).__name__}")


def _line(value: str) -> str:
    """As one line."""
    return " ".join(value.split())


def shorten(value: str, width: int) -> str:
    """One line of at most ``width`` characters."""
    line = _line(value)
    return line if len(line) <= width else line[: width - 1] + "…"


def shorten_left(value: str, width: int) -> str:
    """At most the last ``width`` characters: of a path, the end tells most."""
    return value if len(value) <= width else "…" + value[1 - width :]


def counted(number: int, noun: str) -> str:
    """``1 graph``, ``2 graphs``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def place(location: model.Location | None, width: int = WIDTH) -> str:
    """``file.py:12`` without folders, or ``-`` if it is not known. The name of the file is cut, never the line."""
    if location is None:
        return "-"
    line = f":{location.line}"
    return shorten(os.path.basename(location.file), width - len(line)) + line


def tensor(meta: model.TensorMeta) -> str:
    """``float32[8, 16]``."""
    return f"{meta.dtype}[{', '.join(map(str, meta.shape))}]"


def size(number: int | None) -> str:
    return "-" if number is None else f"{number:,}"


def table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], least: dict[int, int], width: int | None = WIDTH
) -> Table:
    """A ``Table`` of at most ``width`` characters: columns in ``least`` are cut, the first ones first, to that many."""
    cells = [list(row) for row in rows]
    widths = [max(len(str(row[i])) for row in [columns, *cells]) for i in range(len(columns))]
    excess = 0 if width is None else sum(widths) + 2 * (len(columns) - 1) - width
    for column, narrow in least.items():
        cut = min(excess, widths[column] - narrow)
        if cut > 0:
            excess -= cut
            for row in cells:
                row[column] = shorten(str(row[column]), widths[column] - cut)
    return Table(tuple(columns), cells)


def graph_table(graph: model.Graph, width: int | None = WIDTH) -> Table:
    rows = [
        (node.name, node.target, node.args, " ".join(map(tensor, node.tensors)), place(node.location, 18))
        for node in graph.nodes
        if node.op != "output"
    ]
    return table(("node", "target", "arguments", "result", "line"), rows, {2: 16, 1: 22, 0: 14, 3: 16}, width)


def guards_table(guards: Iterable[model.Guard], width: int | None = WIDTH) -> Table:
    """One row a guard; where the width is limited, one for all that check the same of several values."""
    groups: dict[Any, list[model.Guard]] = {}
    for guard in guards:
        alone = width is None or guard.kind == "TENSOR_MATCH"
        groups.setdefault(id(guard) if alone else (guard.kind, guard.words), []).append(guard)
    rows = [
        (same[0].kind, _sources(same, width), same[0].words, place(same[0].location, 18)) for same in groups.values()
    ]
    return table(("guard", "on", "holds if", "line"), rows, {0: 18, 2: 30}, width)


def _sources(guards: Sequence[model.Guard], width: int | None) -> str:
    first = guards[0].source
    if len(guards) > 1:
        return f"{len(guards)} like {shorten_left(first, 16)}"
    return first if width is None else shorten_left(first, 26)


def bytecode_table(instructions: Iterable[model.Instruction], width: int | None = WIDTH) -> Table:
    rows = [(i.offset, "-" if i.line is None else i.line, i.opname, i.argument) for i in instructions]
    return table(("offset", "line", "instruction", "argument"), rows, {3: 40}, width)


def kernels_table(kernels: Iterable[model.Kernel], width: int | None = WIDTH) -> Table:
    rows = [(k.name, k.kind, " ".join(k.loads), " ".join(k.stores), size(k.bytes), size(k.flops)) for k in kernels]
    columns = ("kernel", "kind", "loads", "stores", "bytes", "flops")
    return table(columns, rows, {2: 14, 3: 12, 0: 24}, width)


def gpu_kernels_table(kernels: Iterable[GpuKernel], width: int | None = WIDTH) -> Table:
    """What each kernel takes of a multiprocessor; shared memory in bytes a block."""
    columns = ("kernel", "blocks", "warps", "registers", "shared", "spills", "occupancy", "limited by")
    return table(columns, [(k.name, *_usage(k)) for k in kernels], {0: 28, 1: 21}, width)


def _usage(kernel: GpuKernel) -> tuple[Any, ...]:
    code = kernel.code
    blocks = " ".join(f"{name[0]}={size}" for name, size in code.config.blocks.items())
    spills = code.spill_stores + code.spill_loads
    share = f"{code.occupancy.share:.0%}"
    return blocks, code.config.num_warps, code.registers, code.shared, spills, share, code.occupancy.limit


def gpu_lines_table(kernel: GpuKernel, width: int | None = WIDTH) -> Table:
    """Each line of the kernel's Triton file, and how many instructions were made of it."""
    rows = [(line.triton, line.text, len(line.ptx), len(line.sass)) for line in kernel.code.lines]
    return table(("line", "Triton", "PTX", "SASS"), rows, {1: 76}, width)


def decisions_table(decisions: Iterable[model.FusionDecision], width: int | None = WIDTH) -> Table:
    rows = [(d.first, d.second, "yes" if d.fused else "no", "yes" if d.kernel else "no", d.reason) for d in decisions]
    return table(("node", "with", "fused", "one kernel", "why"), rows, {0: 16, 1: 16, 4: 44}, width)


def lines_table(lines: model.Lines, width: int | None = WIDTH) -> Table:
    rows = [
        (f"{entry.frame} {entry.line}", entry.text, len(entry.bytecode), " ".join(entry.dynamo), *_counts(entry))
        for entry in lines.lines
    ]
    columns = ("line", "source", "bytecode", "dynamo", "ATen", "buffers", "kernels", "code")
    return table(columns, rows, {3: 14, 1: 32}, width)


def _counts(entry: model.Line) -> tuple[int, ...]:
    aten = len(entry.forward) + len(entry.backward)
    return aten, len(entry.buffers), len(entry.kernels), len(entry.code)


def phases_table(phases: Iterable[model.Phase], width: int | None = WIDTH) -> Table:
    return table(("phase", "calls", "seconds"), [(p.name, p.calls, f"{p.seconds:.3f}") for p in phases], {0: 70}, width)


def _wrap(body: str, indent: str = "  ") -> str:
    """The lines of ``body``, broken at 100 columns; what goes on is indented."""
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent=indent) for line in body.splitlines())


def _section(title: str, body: str) -> str:
    return f"{title}\n{body}" if body else ""


def _lines(body: str) -> str:
    """Each line of ``body``, cut at 100 columns."""
    return "\n".join(line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in body.splitlines())


def _at(location: model.Location) -> str:
    return f"  at {place(location, 30)}: {shorten(location.text, 60)}"


def _reason(given: str) -> str:
    """Torch's reason without the frame that it names again."""
    return _line(given.partition("\nFrame info:")[0])


def _join(parts: Iterable[str]) -> str:
    return "\n\n".join(part for part in parts if part)


@text.register
def _(part: model.Graph) -> str:
    subgraphs = [_section(f"{sub.name}:", text(sub.graph)) for sub in part.subgraphs]
    return _join([_section(graph_title(part), str(graph_table(part))), *subgraphs])


def graph_title(graph: model.Graph) -> str:
    return f"{graph.kind} graph, {counted(len(graph.calls), 'operation')}"


@text.register
def _(part: model.Guard) -> str:
    return _wrap(f"{part.kind} on {part.source or 'global state'}: {part.words} ({place(part.location, 40)})")


@text.register
def _(part: model.GuardNode) -> str:
    return _lines(tree(part))


def tree(node: model.GuardNode, indent: str = "") -> str:
    """The guard tree, its lines not cut."""
    checks = [f"{indent}- {_line(check)}" for check in node.checks]
    return "\n".join([indent + node.accessor, *checks, *(tree(child, indent + "  ") for child in node.children)])


@text.register
def _(part: model.Break) -> str:
    number = f" ({part.gb_id})" if part.gb_id else ""
    stack = [_at(found) for found in part.stack[-3:]]
    hints = [_wrap(f"  hint: {_line(hint)}", " " * 8) for hint in part.hints]
    explanation = [_wrap(f"  {_line(part.explanation)}")] if part.explanation else []
    return "\n".join([shorten(f"break: {part.gb_type}{number}", WIDTH), *explanation, *stack, *hints])


@text.register
def _(part: model.Kernel) -> str:
    head = f"{shorten(part.name, 50)} ({part.kind}), bytes {size(part.bytes)}, flops {size(part.flops)}"
    return f"{head}\n{_lines(part.source.strip())}" if part.source else head


@text.register
def _(part: model.InductorGraph) -> str:
    nodes, fused = counted(len(part.ir), "node"), " | ".join(node.name for node in part.fused)
    reused = ", ".join(f"{r.new} takes {r.old} ({r.kind})" for r in part.reuses)
    return _join(
        [
            shorten(f"Inductor, {part.direction}: {nodes}, {len(part.fused)} after fusion: {fused}", WIDTH),
            str(decisions_table(part.decisions)) if part.decisions else "",
            _wrap(f"buffers reused: {reused}") if reused else "",
            str(kernels_table(part.kernels)),
            str(gpu_kernels_table(part.gpu_kernels)) if part.gpu_kernels else "",
        ]
    )


@text.register
def _(part: GpuKernel) -> str:
    """What it takes, its Triton function, and which lines became which instructions."""
    return _join([str(gpu_kernels_table([part])), part.function.rstrip(), str(gpu_lines_table(part))])


@text.register
def _(part: model.CompiledGraph) -> str:
    stages = [stage for stage in (part.dynamo, part.joint, part.forward, part.backward) if stage]
    saved = ", ".join(f"{s.name} ({size(s.bytes)} bytes)" for s in part.saved)
    return _join(
        [
            *map(text, stages),
            _wrap(f"saved for backward, {size(part.saved_bytes)} bytes: {saved}") if saved else "",
            _wrap(f"recomputed in backward: {', '.join(part.recomputed)}") if part.recomputed else "",
            *map(text, part.inductor),
            "\n".join(map(text, part.missing)),
        ]
    )


@text.register
def _(part: model.Frame) -> str:
    kind = "resume function" if part.resume else "frame"
    head = f"{kind} {part.id} {shorten(part.function, 40)} ({place(model.Location(part.file, part.line), 38)})"
    bytecode = f"{counted(len(part.original), 'instruction')}, {len(part.rewritten)} after Dynamo"
    sizes = f"{bytecode}; {counted(len(part.guards), 'guard')}"
    return _join(
        [
            f"{head}\n{sizes}",
            _wrap(f"not compiled: {_reason(part.error)}") if part.error else "",
            *map(text, part.breaks),
            text(part.graph) if part.graph else ("" if part.error else f"no graph: {part.no_graph}"),
            str(guards_table(part.guards)) if part.guards else "",
        ]
    )


@text.register
def _(part: model.Comparison) -> str:
    if part.status == "not compared":
        return _wrap(f"not compared with eager: {part.reason}")
    worst = max((value.max_difference or 0.0 for value in part.values), default=0.0)
    tail = f" ({part.reason})" if part.reason else ""
    values = counted(len(part.values), "value")
    if part.status == "different":
        values = f"{sum(not value.equal for value in part.values)} of {values}"
    relation = "equal to eager" if part.status == "equal" else "different from eager"
    return _wrap(f"{relation} in {values}, largest difference {worst:.1e}{tail}")


@text.register
def _(part: model.Failure) -> str:
    return failures_text((part,))


def failures_text(failures: Iterable[model.Failure]) -> str:
    """What failed; the same failure in eager mode and in the compiled call is told once."""
    stages: dict[tuple, list[str]] = {}
    for found in failures:
        stages.setdefault((found.type, found.message, found.location), []).append(found.stage)
    return _join(_failure(" and ".join(dict.fromkeys(names)), *what) for what, names in stages.items())


def _failure(stages: str, kind: str, message: str, location: model.Location | None) -> str:
    first, *more = message.splitlines() or [""]
    told = more if len(more) <= 8 else [*more[:7], f"… {len(more) - 7} more lines in the failure's message"]
    line = f"\n{_at(location)}" if location else ""
    return _wrap("\n".join([f"{stages} failed: {kind}: {first}", *told])) + line


@text.register
def _(part: model.Lines) -> str:
    unknown = _wrap(f"no known origin: {', '.join(part.unknown)}") if part.unknown else ""
    return _join([str(lines_table(part)), unknown])


@text.register
def _(part: model.Pipeline) -> str:
    numbers = {"graph": part.graphs, "break": part.breaks, "guard": part.guards, "kernel": part.kernels}
    counts = ", ".join(counted(len(found), noun) for noun, found in numbers.items())
    caches = ", ".join(f"{found.cache} {found.state}" for found in part.caches)
    return _join(
        [
            f"{shorten(part.function, 30)} on {part.target}, torch {part.torch_version}: {counts}",
            text(part.comparison) if part.comparison else "",
            failures_text(part.failures),
            "\n".join([*map(text, part.skips[:8]), *_rest(part.skips[8:])]),
            *map(text, part.frames),
            _section("the ten longest phases; each includes those inside it", str(phases_table(part.phases[:10])))
            if part.phases
            else "",
            _wrap(f"caches: {caches}") if caches else "",
        ]
    )


@text.register
def _(part: model.Calls) -> str:
    table = calls_table(part)
    cut = [str(row[3]).endswith("…") for row in table.rows]
    return _join([str(table), *map(_more, part.calls, cut)])


def calls_table(part: model.Calls, width: int | None = WIDTH) -> Table:
    rows = [(call.index, call.arguments, call.outcome, "; ".join(call.failed), _entries(call)) for call in part.calls]
    return table(("call", "arguments", "outcome", "failed", "entries"), rows, {1: 26, 3: 44}, width)


def _more(call: model.Call, cut: bool) -> str:
    """What the table has no room for."""
    failed = "".join(f"\n  {guard}" for guard in call.failed) if cut else ""
    error = text(call.error) if call.error else ""
    if not (failed or error or call.skipped):
        return ""
    why = f": {_reason(call.skipped)}" if call.skipped else ""
    return _wrap(f"call {call.index}, {call.outcome}{why}{failed}", "    ") + (f"\n{error}" if error else "")


def _entries(call: model.Call) -> int:
    return sum(entry.entries for entry in call.entries)


@text.register
def _(part: model.Location) -> str:
    return _at(part).removeprefix("  at ")


@text.register
def _(part: model.TensorMeta) -> str:
    return tensor(part)


@text.register
def _(part: model.Node) -> str:
    made = f" -> {' '.join(map(tensor, part.tensors))}" if part.tensors else ""
    return _wrap(f"{part.name} = {part.target}({part.args}){made} ({place(part.location, 40)})")


#: How several parts of one kind are shown together.
_TABLES: dict[type, Callable[..., Table]] = {model.Guard: guards_table, model.Kernel: kernels_table}


def texts_of(parts: model.Parts) -> str:
    """Several parts as one table, or one after the other; ``none`` for no part."""
    if not parts:
        return "none"
    table = _TABLES.get(type(parts[0]))
    return str(table(parts)) if table else _join(map(text, parts))


def table_of(parts: model.Parts) -> Table | None:
    """The table of several parts at any width, if their kind has one."""
    table = _TABLES.get(type(parts[0])) if parts else None
    return table(parts, None) if table else None


@text.register
def _(part: model.Subgraph) -> str:
    return _section(f"{part.name}:", text(part.graph))


@text.register
def _(part: model.Instruction) -> str:
    return shorten(f"{part.offset} {part.opname} {part.argument}", WIDTH)


@text.register
def _(part: model.Bytecode) -> str:
    return _join(_section(title, str(bytecode_table(found))) for title, found in bytecodes(part))


def bytecodes(part: model.Bytecode) -> list[tuple[str, tuple[model.Instruction, ...]]]:
    """Both forms with their titles; nothing for a form that is not there."""
    both = (("bytecode", part.original), ("bytecode after Dynamo", part.rewritten))
    return [(f"{title}, {counted(len(found), 'instruction')}", found) for title, found in both if found]


@text.register
def _(part: model.Skip) -> str:
    where = place(model.Location(part.file, part.line), 40)
    return _wrap(f"skipped {shorten(part.function, 40)} ({where}): {_reason(part.reason)}")


@text.register
def _(part: model.IrNode) -> str:
    return _lines(part.text)


@text.register
def _(part: model.FusedNode) -> str:
    return _wrap(f"{part.name}: {', '.join(part.members)}")


@text.register
def _(part: model.FusionDecision) -> str:
    return _wrap(f"{part.first} with {part.second}: {'fused' if part.fused else 'not fused'}, {part.reason}")


@text.register
def _(part: model.Reuse) -> str:
    return f"{part.new} takes {part.old} ({part.kind})"


@text.register
def _(part: model.CodeLine) -> str:
    return f"line {part.line}: {shorten(part.node, 40)} ({place(part.location, 40)})"


@text.register
def _(part: model.Saved) -> str:
    return f"{part.name}: {' '.join(map(tensor, part.tensors))}, {size(part.bytes)} bytes"


@text.register
def _(part: model.Missing) -> str:
    return _wrap(f"no {part.stage}: {part.reason}")


@text.register
def _(part: model.Phase) -> str:
    return f"{part.name}: {part.seconds:.3f} seconds in {counted(part.calls, 'call')}"


@text.register
def _(part: model.CacheLookup) -> str:
    return _wrap(f"{part.cache} {part.state}: {part.key}")


@text.register
def _(part: model.Compared) -> str:
    difference = "" if part.max_difference is None else f", largest difference {part.max_difference:.1e}"
    return f"{part.kind} {part.path}: {'equal' if part.equal else 'different'}{difference}"


@text.register
def _(part: model.Line) -> str:
    return str(lines_table(model.Lines((part,), ())))


@text.register
def _(part: model.CacheEntry) -> str:
    where = place(model.Location(part.file, part.line), 40)
    return f"{shorten(part.function, 40)} ({where}): {part.entries} compiled"


@text.register
def _(part: model.Call) -> str:
    return text(model.Calls("", (part,)))


def _rest(skips: Sequence[model.Skip]) -> list[str]:
    return [f"skipped {len(skips)} more frames"] if skips else []


#: Parts that ``explain --only`` names, as functions from a pipeline to text.
SECTIONS: dict[str, Callable[[model.Pipeline], str]] = {
    "graphs": lambda part: _join(map(text, _graphs(part))) or "no graphs",
    "breaks": lambda part: _join(map(text, part.breaks)) or "no graph breaks",
    "guards": lambda part: str(guards_table(part.guards)) if part.guards else "no guards",
    "kernels": lambda part: str(kernels_table(part.kernels)) if part.kernels else "no kernels",
    "machine": lambda part: _join(_machine(kernel) for kernel in part.gpu_kernels) or "no machine code",
    "code": lambda part: _join(g.output_code for graph in part.graphs for g in graph.inductor) or "no generated code",
}


def _machine(kernel: GpuKernel) -> str:
    return _join(
        [text(kernel), f"PTX of {kernel.name}\n{kernel.code.ptx.strip()}", f"SASS\n{kernel.code.sass.strip()}"]
    )


def _graphs(part: model.Pipeline) -> list[model.Graph]:
    stages = [stage for g in part.graphs for stage in (g.dynamo, g.joint, g.forward, g.backward)]
    return [stage for stage in stages if stage is not None]
