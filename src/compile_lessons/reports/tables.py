"""Tables of several parts of the model. They are at most 100 columns wide in text, and any width in HTML.

A narrow table cuts long cells, and shows a parameter that Dynamo names after its path as ``…q_proj.weight``.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from compile_lessons import facts
from compile_lessons.facts import Candidate, Config, GpuKernel, LineMap, Part
from compile_lessons.ground.groups import grouped
from compile_lessons.ground.words import WIDTH, file_line, shorten, shorten_left, size
from compile_lessons.show.layout import fitted_table
from compile_lessons.show.table import Table

#: A step into a module in a guard's source: ``._modules['q_proj']`` or ``._parameters['weight']``.
_STEP_IN_SOURCE = re.compile(r"\._(?:modules|parameters|buffers)\['(\w+)'\]")
#: The same steps in a placeholder's name: ``l_self_modules_q_proj_parameters_weight_``.
_STEP_IN_NAME = re.compile(r"_(?:modules|parameters|buffers)_")


def line_of(location: facts.Location | None, width: int = WIDTH) -> str:
    """Return ``file.py:12``, or ``-`` if the line is unknown."""
    return file_line(location.file, location.line, width) if location else "-"


def tensor(meta: facts.TensorMeta) -> str:
    """Return ``float32[8, 16]``."""
    return f"{meta.dtype}[{', '.join(map(str, meta.shape))}]"


def short_source(source: str) -> str:
    """Return a guard's source with module paths as in Python: ``L['self'].q_proj.weight``."""
    return _STEP_IN_SOURCE.sub(r".\1", source)


def short_name(name: str) -> str:
    """Return the path of a parameter or buffer for the placeholder that Dynamo names after it, else the name."""
    first, *steps = _STEP_IN_NAME.split(name)
    return f"…{'.'.join(steps).rstrip('_')}" if steps else first


def graph_table(graph: facts.Graph, width: int | None = WIDTH) -> Table:
    """Return a row per node but the output."""
    rows = [
        (
            _name(node.name, width),
            node.target if node.op.startswith("call_") else node.op,
            _arguments(node, width),
            " ".join(map(tensor, node.tensors)),
            line_of(node.location, 18 if width else WIDTH),
        )
        for node in graph.nodes
        if node.op != "output"
    ]
    limits = {
        "arguments": (14, shorten),
        "target": (22, shorten_left),
        "node": (14, shorten_left),
        "result": (16, shorten),
    }
    return fitted_table(("node", "target", "arguments", "result", "line"), rows, limits, width)


def _name(name: str, width: int | None) -> str:
    return name if width is None else short_name(name)


def _arguments(node: facts.Node, width: int | None) -> str:
    arguments = node.args
    for name in node.inputs:
        arguments = arguments.replace(name, _name(name, width))
    return arguments


def guards_table(guards: Iterable[facts.Guard], width: int | None = WIDTH) -> Table:
    """Return a row per guard. A narrow table has one row for all guards that check the same of several values."""
    groups = grouped(
        (id(guard) if width is None or guard.kind == "TENSOR_MATCH" else (guard.kind, guard.words), guard)
        for guard in guards
    )
    rows = [
        (
            same[0].kind,
            _sources(same, width),
            same[0].words if width is None else short_source(same[0].words),
            line_of(same[0].location, 18 if width else WIDTH),
        )
        for same in groups.values()
    ]
    limits = {"guard": (18, shorten), "holds if": (30, shorten)}
    return fitted_table(("guard", "on", "holds if", "line"), rows, limits, width)


def _sources(guards: Sequence[facts.Guard], width: int | None) -> str:
    if width is None:
        return guards[0].source
    source = short_source(guards[0].source)
    return f"{len(guards)} like {shorten_left(source, 16)}" if len(guards) > 1 else shorten_left(source, 26)


def bytecode_table(instructions: Iterable[facts.Instruction], width: int | None = WIDTH) -> Table:
    rows = [(i.offset, "-" if i.line is None else i.line, i.opname, i.argument) for i in instructions]
    return fitted_table(("offset", "line", "instruction", "argument"), rows, {"argument": (40, shorten)}, width)


def graphs_table(graphs: Iterable[facts.CompiledGraph], width: int | None = WIDTH) -> Table:
    """Return a row per compiled graph, with the number of operations in the graph of each stage, and of kernels."""
    rows = [
        (
            number,
            *(
                "-" if stage is None else len(stage.calls)
                for stage in (one.dynamo, one.joint, one.forward, one.backward)
            ),
            size(one.saved_bytes),
            len(one.kernels),
        )
        for number, one in enumerate(graphs)
    ]
    columns = ("graph", "dynamo", "joint", "forward", "backward", "saved bytes", "kernels")
    return fitted_table(columns, rows, {}, width)


def kernels_table(kernels: Iterable[facts.Kernel], width: int | None = WIDTH) -> Table:
    rows = [(k.name, k.kind, " ".join(k.loads), " ".join(k.stores), size(k.bytes), size(k.flops)) for k in kernels]
    columns = ("kernel", "kind", "loads", "stores", "bytes", "flops")
    limits = {"kernel": (32, shorten_left), "loads": (14, shorten), "stores": (12, shorten)}
    return fitted_table(columns, rows, limits, width)


def decisions_table(decisions: Iterable[facts.FusionDecision], width: int | None = WIDTH) -> Table:
    """Return a row per pair of nodes that the scheduler tried to fuse."""
    rows = [(d.first, d.second, "yes" if d.fused else "no", "yes" if d.kernel else "no", d.reason) for d in decisions]
    limits = {"node": (16, shorten_left), "with": (16, shorten_left), "why": (44, shorten)}
    return fitted_table(("node", "with", "fused", "one kernel", "why"), rows, limits, width)


def lines_table(lines: Iterable[facts.Line], width: int | None = WIDTH) -> Table:
    """Return a row per source line of a frame, with what each stage has of it."""
    rows = [
        (
            f"{line.frame} {line.line}",
            line.text,
            len(line.bytecode),
            " ".join(line.dynamo),
            len(line.forward) + len(line.backward),
            *map(len, (line.buffers, line.kernels, line.code)),
        )
        for line in lines
    ]
    columns = ("line", "source", "bytecode", "dynamo", "ATen", "buffers", "kernels", "code")
    return fitted_table(columns, rows, {"dynamo": (14, shorten), "source": (32, shorten)}, width)


def phases_table(phases: Iterable[facts.Phase], width: int | None = WIDTH) -> Table:
    rows = [(phase.name, phase.calls, f"{phase.seconds:.3f}") for phase in phases]
    return fitted_table(("phase", "calls", "seconds"), rows, {"phase": (70, shorten)}, width)


def calls_table(calls: Sequence[facts.Call], width: int | None = WIDTH) -> Table:
    columns = ["call", "arguments", "outcome", "failed", "versions"]
    rows = [
        [call.index, call.arguments, call.outcome, "; ".join(call.failed), sum(entry.entries for entry in call.entries)]
        for call in calls
    ]
    compared = [call.comparison for call in calls if call.comparison]
    if compared:
        columns.append("result")
        rows = [[*row, comparison.status] for row, comparison in zip(rows, compared, strict=True)]
    limits = {"arguments": (26, shorten), "failed": (30 if compared else 44, shorten)}
    return fitted_table(columns, rows, limits, width)


def gpu_kernels_table(kernels: Iterable[GpuKernel], width: int | None = WIDTH) -> Table:
    """Return a row per kernel with what it takes of a multiprocessor. Shared memory is in bytes per block."""
    rows = [
        (
            kernel.name,
            blocks(kernel.code.config),
            kernel.code.config.num_warps,
            kernel.code.registers,
            kernel.code.shared,
            kernel.code.spill_stores + kernel.code.spill_loads,
            f"{kernel.code.occupancy.share:.0%}",
            kernel.code.occupancy.limit,
        )
        for kernel in kernels
    ]
    columns = ("kernel", "blocks", "warps", "registers", "shared", "spills", "occupancy", "limited by")
    return fitted_table(columns, rows, {"kernel": (28, shorten_left), "blocks": (21, shorten)}, width)


def blocks(config: Config) -> str:
    """Return ``X=1024 Y=16``."""
    return " ".join(f"{name[0]}={size}" for name, size in config.blocks.items())


def line_maps_table(lines: Iterable[LineMap], width: int | None = WIDTH) -> Table:
    """Return a row per line of a Triton file with the number of PTX and SASS instructions compiled from it."""
    rows = [(line.triton, line.text, len(line.ptx), len(line.sass)) for line in lines]
    return fitted_table(("line", "Triton", "PTX", "SASS"), rows, {"Triton": (76, shorten)}, width)


def candidates_table(candidates: Iterable[Candidate], width: int | None = WIDTH) -> Table:
    """Return a row per candidate for which Inductor would time an operator."""
    rows = [(it.operator, it.name, it.options or "of a library") for it in candidates]
    return fitted_table(("operator", "candidate", "options"), rows, {"options": (60, shorten)}, width)


#: The kinds of parts whose ``Parts`` are one table.
_TABLES: dict[type, Callable[..., Table]] = {
    facts.CompiledGraph: graphs_table,
    facts.Guard: guards_table,
    facts.Kernel: kernels_table,
    GpuKernel: gpu_kernels_table,
    LineMap: line_maps_table,
    Candidate: candidates_table,
    facts.FusionDecision: decisions_table,
    facts.Line: lines_table,
    facts.Phase: phases_table,
    facts.Call: calls_table,
    facts.Instruction: bytecode_table,
}


def table_of(parts: Sequence[Part], width: int | None = WIDTH) -> Table | None:
    """Return the table of several parts of one kind; ``None`` for no parts, or a kind without a table."""
    table = _TABLES.get(type(parts[0])) if parts else None
    return table(parts, width) if table else None
