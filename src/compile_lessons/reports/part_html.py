"""HTML forms, for notebooks and pages: tables, folded where they are long. No scripts and no styles of their own.

A whole pipeline is the explorer, whose package registers its form.
"""

from typing import Any

from compile_lessons import facts
from compile_lessons.facts.part import Part, Parts, html
from compile_lessons.ground.words import counted, size
from compile_lessons.reports.part_text import frame_head, graph_title, guard_tree_text
from compile_lessons.reports.tables import calls_table, graph_table, kernels_table, table_of
from compile_lessons.show.layout import fold, paragraph, pre


def _folds(values: dict[str, Any]) -> str:
    """Fold each value under its title: a text, a part, or several parts or names. Leave out those that are empty."""
    return "".join(fold(title, _body(value)) for title, value in values.items() if value)


def _body(value: Any) -> str:
    if isinstance(value, str):
        return pre(value)
    form = value if isinstance(value, Part) else table_of(value, None)
    return form._repr_html_() if form else pre("\n".join(map(str, value)))


@html.register
def _(parts: Parts) -> str:
    table = table_of(parts, None)
    return table._repr_html_() if table else "".join(map(html, parts)) or paragraph("none")


@html.register
def _(part: facts.Frame) -> str:
    return (
        pre(frame_head(part, None))
        + _folds({"bytecode": part.original, "bytecode after Dynamo": part.rewritten})
        + "".join(map(html, part.breaks))
        + _folds({counted(len(part.guards), "guard"): part.guards, "guard tree": part.guard_tree})
        + (html(part.graph) if part.graph else paragraph(f"no graph: {part.why_no_graph}"))
    )


@html.register
def _(part: facts.CompiledGraph) -> str:
    return (
        _folds({graph_title(graph): graph for graph in part.stages})
        + _folds({f"saved for backward, {size(part.saved_bytes)} bytes": part.saved})
        + _folds({"recomputed in backward": part.recomputed})
        + _folds({f"Inductor, {lowered.direction}": lowered for lowered in part.inductor})
        + "".join(map(html, part.missing))
    )


@html.register
def _(part: facts.Graph) -> str:
    return graph_table(part, None)._repr_html_() + _folds({body.name: body.graph for body in part.subgraphs})


@html.register
def _(part: facts.InductorGraph) -> str:
    return (
        kernels_table(part.kernels, None)._repr_html_()
        + _folds({"fusion decisions": part.decisions, "buffers reused": part.reuses})
        + _folds({"lowered IR": "\n".join(node.text for node in part.ir), "output code": part.output_code})
        + "".join(map(html, part.gpu_kernels))
    )


@html.register
def _(part: facts.Kernel) -> str:
    return kernels_table([part], None)._repr_html_() + pre(part.source.strip())


@html.register
def _(part: facts.GpuKernel) -> str:
    code = part.code
    stages = {"Triton": part.function, "TTIR": code.ttir, "TTGIR": code.ttgir, "LLVM IR": code.llir}
    stages |= {"PTX": code.ptx, "SASS": code.sass}
    return html(Parts([part])) + _folds(
        {f"{part.name}: {name}": body for name, body in stages.items()} | {f"{part.name}: lines": code.lines}
    )


@html.register
def _(part: facts.MachineCode) -> str:
    return pre(part.sass.strip())


@html.register
def _(part: facts.IrNode) -> str:
    return pre(part.text)


@html.register
def _(part: facts.GuardNode) -> str:
    return pre(guard_tree_text(part))


@html.register
def _(part: facts.Lines) -> str:
    return html(Parts(part.lines))


@html.register
def _(part: facts.Calls) -> str:
    errors = "".join(html(call.error) for call in part.calls if call.error)
    return calls_table(part.calls, None)._repr_html_() + errors
