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


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], least: dict[int, int] | None = None) -> Table:
    """A ``Table`` of at most 100 columns: those in ``least`` are cut, the first ones first, down to that width."""
    cells = [list(row) for row in rows]
    widths = [max(len(str(row[i])) for row in [columns, *cells]) for i in range(len(columns))]
    excess = sum(widths) + 2 * (len(columns) - 1) - WIDTH
    for column, width in (least or {}).items():
        cut = min(excess, widths[column] - width)
        if cut > 0:
            excess -= cut
            for row in cells:
                row[column] = shorten(str(row[column]), widths[column] - cut)
    return Table(tuple(columns), cells)


def graph_table(graph: model.Graph) -> Table:
    rows = [
        (node.name, node.target, node.args, " ".join(map(tensor, node.tensors)), place(node.location, 18))
        for node in graph.nodes
        if node.op != "output"
    ]
    return table(("node", "target", "arguments", "result", "line"), rows, {2: 20, 1: 22, 3: 16, 0: 16})


def guards_table(guards: Iterable[model.Guard]) -> Table:
    rows = [(guard.kind, guard.source, guard.words, place(guard.location, 18)) for guard in guards]
    return table(("guard", "on", "holds if", "line"), rows, {1: 12, 0: 18, 2: 46})


def kernels_table(kernels: Iterable[model.Kernel]) -> Table:
    rows = [(k.name, k.kind, " ".join(k.loads), " ".join(k.stores), size(k.bytes), size(k.flops)) for k in kernels]
    columns = ("kernel", "kind", "loads", "stores", "bytes", "flops")
    return table(columns, rows, {2: 14, 3: 12, 0: 24})


def gpu_kernels_table(kernels: Iterable[GpuKernel]) -> Table:
    """What each kernel takes of a multiprocessor; shared memory in bytes a block."""
    columns = ("kernel", "blocks", "warps", "registers", "shared", "spills", "occupancy", "limited by")
    return table(columns, [(k.name, *_usage(k)) for k in kernels], {0: 28, 1: 21})


def _usage(kernel: GpuKernel) -> tuple[Any, ...]:
    code = kernel.code
    blocks = " ".join(f"{name[0]}={size}" for name, size in code.config.blocks.items())
    spills = code.spill_stores + code.spill_loads
    share = f"{code.occupancy.share:.0%}"
    return blocks, code.config.num_warps, code.registers, code.shared, spills, share, code.occupancy.limit


def gpu_lines_table(kernel: GpuKernel) -> Table:
    """Each line of the kernel's Triton file, and how many instructions were made of it."""
    rows = [(line.triton, line.text, len(line.ptx), len(line.sass)) for line in kernel.code.lines]
    return table(("line", "Triton", "PTX", "SASS"), rows, {1: 76})


def decisions_table(decisions: Iterable[model.FusionDecision]) -> Table:
    rows = [(d.first, d.second, "yes" if d.fused else "no", "yes" if d.kernel else "no", d.reason) for d in decisions]
    return table(("node", "with", "fused", "one kernel", "why"), rows, {0: 16, 1: 16, 4: 44})


def lines_table(lines: model.Lines) -> Table:
    rows = [
        (f"{entry.frame} {entry.line}", entry.text, len(entry.bytecode), " ".join(entry.dynamo), *_counts(entry))
        for entry in lines.lines
    ]
    columns = ("line", "source", "bytecode", "dynamo", "ATen", "buffers", "kernels", "code")
    return table(columns, rows, {3: 14, 1: 32})


def _counts(entry: model.Line) -> tuple[int, ...]:
    aten = len(entry.forward) + len(entry.backward)
    return aten, len(entry.buffers), len(entry.kernels), len(entry.code)


def phases_table(phases: Iterable[model.Phase]) -> Table:
    return table(("phase", "calls", "seconds"), [(p.name, p.calls, f"{p.seconds:.3f}") for p in phases], {0: 70})


def _wrap(body: str, indent: str = "  ") -> str:
    """The lines of ``body``, broken at 100 columns; what goes on is indented."""
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent=indent) for line in body.splitlines())


def _section(title: str, body: str) -> str:
    return f"{title}\n{body}" if body else ""


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
    return f"{part.kind} on {part.source or 'global state'}: {part.words} ({place(part.location)})"


@text.register
def _(part: model.GuardNode) -> str:
    return "\n".join(_tree(part, 0))


def _tree(node: model.GuardNode, depth: int) -> Iterable[str]:
    yield shorten("  " * depth + node.accessor, WIDTH) if depth == 0 else "  " * depth + shorten(node.accessor, 60)
    for check in node.checks:
        yield "  " * depth + "- " + shorten(check, WIDTH - 2 - 2 * depth)
    for child in node.children:
        yield from _tree(child, depth + 1)


@text.register
def _(part: model.Break) -> str:
    number = f" ({part.gb_id})" if part.gb_id else ""
    stack = [f"  at {place(found)}: {shorten(found.text, 76)}" for found in part.stack[-3:]]
    hints = [_wrap(f"  hint: {_line(hint)}", " " * 8) for hint in part.hints]
    explanation = [_wrap(f"  {_line(part.explanation)}")] if part.explanation else []
    return "\n".join([shorten(f"break: {part.gb_type}{number}", WIDTH), *explanation, *stack, *hints])


@text.register
def _(part: model.Kernel) -> str:
    head = f"{part.name} ({part.kind}), bytes {size(part.bytes)}, flops {size(part.flops)}"
    return f"{head}\n{part.source.strip()}" if part.source else head


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
            "\n".join(f"no {found.stage}: {found.reason}" for found in part.missing),
        ]
    )


@text.register
def _(part: model.Frame) -> str:
    kind = "resume function" if part.resume else "frame"
    head = f"{kind} {part.id} {part.function} ({os.path.basename(part.file)}:{part.line})"
    bytecode = f"{counted(len(part.original), 'instruction')}, {len(part.rewritten)} after Dynamo"
    sizes = f"{bytecode}; {counted(len(part.guards), 'guard')}"
    return _join(
        [
            f"{head}\n{sizes}",
            _wrap(f"not compiled: {part.error}") if part.error else "",
            *map(text, part.breaks),
            str(guards_table(part.guards)) if part.guards else "",
            text(part.graph) if part.graph else ("" if part.error else f"no graph: {part.no_graph}"),
        ]
    )


@text.register
def _(part: model.Comparison) -> str:
    if part.status == "not compared":
        return f"not compared with eager: {part.reason}"
    worst = max((value.max_difference or 0.0 for value in part.values), default=0.0)
    tail = f" ({part.reason})" if part.reason else ""
    relation = "equal to eager" if part.status == "equal" else "different from eager"
    return _wrap(f"{relation} in {counted(len(part.values), 'value')}, largest difference {worst:.1e}{tail}")


@text.register
def _(part: model.Failure) -> str:
    return failures_text((part,))


def failures_text(failures: Iterable[model.Failure]) -> str:
    """What failed; the same failure in eager mode and in the compiled call is told once."""
    stages: dict[tuple, list[str]] = {}
    for found in failures:
        stages.setdefault((found.type, found.message, found.location), []).append(found.stage)
    return _join(_failure(" and ".join(names), *what) for what, names in stages.items())


def _failure(stages: str, kind: str, message: str, location: model.Location | None) -> str:
    line = f"\n  at {place(location)}: {shorten(location.text, 70)}" if location else ""
    return _wrap(f"{stages} failed: {kind}: {message}") + line


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
            text(part.comparison),
            failures_text(part.failures),
            "\n".join(
                _wrap(f"skipped {skip.function} ({os.path.basename(skip.file)}:{skip.line}): {skip.reason}")
                for skip in part.skips
            ),
            *map(text, part.frames),
            str(phases_table(part.phases[:10])) if part.phases else "",
            _wrap(f"caches: {caches}") if caches else "",
        ]
    )


@text.register
def _(part: model.Calls) -> str:
    return str(calls_table(part))


def calls_table(part: model.Calls) -> Table:
    rows = [
        (call.index, call.arguments, call.outcome, "; ".join(call.failed) or call.error or "", _entries(call))
        for call in part.calls
    ]
    return table(("call", "arguments", "outcome", "failed", "entries"), rows, {1: 26, 3: 44})


def _entries(call: model.Call) -> int:
    return sum(entry.entries for entry in call.entries)


#: Parts that ``explain --only`` names, as functions from a pipeline to text.
SECTIONS: dict[str, Callable[[model.Pipeline], str]] = {
    "graphs": lambda part: _join(map(text, _graphs(part))),
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
