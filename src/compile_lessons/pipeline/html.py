"""HTML forms, for notebooks and pages: tables, folded where they are long. No scripts and no styles of their own."""

from __future__ import annotations

from collections.abc import Iterable

from compile_lessons.layout import counted, fold, paragraph, pre, size
from compile_lessons.part import Part, Parts, html, text
from compile_lessons.pipeline import model
from compile_lessons.pipeline.tables import (
    bytecode_table,
    calls_table,
    decisions_table,
    graph_table,
    guards_table,
    kernels_table,
    lines_table,
    phases_table,
    table_of,
)
from compile_lessons.pipeline.text import bytecode_forms, failures_text, graph_title, guard_tree_text


def _texts(parts: Iterable[Part]) -> str:
    return pre("\n".join(map(text, parts)))


def _head(part: Part) -> str:
    """Return the first paragraph of the part's text."""
    return text(part).split("\n\n")[0]


@html.register
def _(parts: Parts) -> str:
    table = table_of(parts, None)
    return table._repr_html_() if table else "".join(map(html, parts)) or paragraph("none")


@html.register
def _(part: model.Pipeline) -> str:
    return (
        paragraph(_head(part))
        + (paragraph(text(part.comparison)) if part.comparison else "")
        + pre(failures_text(part.failures))
        + _texts(part.skips)
        + "".join(map(html, part.frames))
        + fold("lines", html(part.lines))
        + fold("compile time", phases_table(part.phases, None)._repr_html_() if part.phases else "")
        + fold("compile caches", _texts(part.caches))
    )


@html.register
def _(part: model.Frame) -> str:
    guards = guards_table(part.guards, None)._repr_html_() if part.guards else ""
    return (
        pre(_head(part))
        + html(part.bytecode)
        + "".join(map(html, part.breaks))
        + fold(counted(len(part.guards), "guard"), guards)
        + fold("guard tree", html(part.guard_tree) if part.guard_tree else "")
        + (html(part.graph) if part.graph else paragraph(f"no graph: {part.why_no_graph}"))
    )


@html.register
def _(part: model.Bytecode) -> str:
    return "".join(fold(title, bytecode_table(code, None)._repr_html_()) for title, code in bytecode_forms(part))


@html.register
def _(part: model.CompiledGraph) -> str:
    saved = f"saved for backward, {size(part.saved_bytes)} bytes"
    return (
        "".join(fold(graph_title(stage), html(stage)) for stage in part.stages)
        + fold(saved, _texts(part.saved))
        + fold("recomputed in backward", pre("\n".join(part.recomputed)))
        + "".join(fold(f"Inductor, {lowered.direction}", html(lowered)) for lowered in part.inductor)
        + _texts(part.missing)
    )


@html.register
def _(part: model.Graph) -> str:
    subgraphs = "".join(fold(subgraph.name, html(subgraph.graph)) for subgraph in part.subgraphs)
    return graph_table(part, None)._repr_html_() + subgraphs


@html.register
def _(part: model.InductorGraph) -> str:
    decisions = decisions_table(part.decisions, None)._repr_html_() if part.decisions else ""
    return (
        kernels_table(part.kernels, None)._repr_html_()
        + fold("fusion decisions", decisions)
        + fold("buffers reused", _texts(part.reuses))
        + fold("lowered IR", "".join(map(html, part.ir)))
        + fold("output code", pre(part.output_code))
        + "".join(map(html, part.gpu_kernels))
    )


@html.register
def _(part: model.Kernel) -> str:
    return kernels_table([part], None)._repr_html_() + pre(part.source.strip())


@html.register
def _(part: model.IrNode) -> str:
    return pre(part.text)


@html.register
def _(part: model.GuardNode) -> str:
    return pre(guard_tree_text(part))


@html.register
def _(part: model.Lines) -> str:
    return lines_table(part.lines, None)._repr_html_()


@html.register
def _(part: model.Calls) -> str:
    errors = "".join(html(call.error) for call in part.calls if call.error)
    return calls_table(part.calls, None)._repr_html_() + errors
