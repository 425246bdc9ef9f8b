"""HTML forms, for notebooks and pages: tables, folded where they are long. No scripts and no styles of their own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch
from html import escape
from typing import Any

from compile_lessons.gpu.model import GpuKernel
from compile_lessons.pipeline import model
from compile_lessons.pipeline import text as texts


@singledispatch
def html(part: Any) -> str:
    """The HTML form of a part of the model; parts without one of their own show their text."""
    return _pre(texts.text(part))


def _pre(body: str) -> str:
    return f"<pre>{escape(body)}</pre>"


def _fold(title: str, body: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{body}</details>" if body else ""


def _texts(parts: Iterable[model.Part]) -> str:
    body = "\n".join(map(texts.text, parts))
    return _pre(body) if body else ""


def _paragraph(body: str) -> str:
    return f"<p>{escape(body)}</p>"


def html_of(parts: model.Parts) -> str:
    """Several parts as one table, or one after the other."""
    table = texts.table_of(parts)
    return table._repr_html_() if table else "".join(map(html, parts)) or _paragraph("none")


@html.register
def _(part: model.Graph) -> str:
    subgraphs = "".join(_fold(sub.name, html(sub.graph)) for sub in part.subgraphs)
    return texts.graph_table(part, None)._repr_html_() + subgraphs


@html.register
def _(part: model.InductorGraph) -> str:
    return (
        texts.kernels_table(part.kernels, None)._repr_html_()
        + _fold("fusion decisions", texts.decisions_table(part.decisions, None)._repr_html_() if part.decisions else "")
        + _fold("buffers reused", _texts(part.reuses))
        + _fold("lowered IR", _pre("\n".join(node.text for node in part.ir)))
        + _fold("output code", _pre(part.output_code))
        + "".join(html(kernel) for kernel in part.gpu_kernels)
    )


@html.register
def _(part: GpuKernel) -> str:
    code = part.code
    stages = {"Triton": part.function, "TTIR": code.ttir, "TTGIR": code.ttgir, "LLVM IR": code.llir}
    stages |= {"PTX": code.ptx, "SASS": code.sass}
    return (
        texts.gpu_kernels_table([part], None)._repr_html_()
        + "".join(_fold(f"{part.name}: {name}", _pre(body)) for name, body in stages.items())
        + _fold(f"{part.name}: lines", texts.gpu_lines_table(part, None)._repr_html_())
    )


@html.register
def _(part: model.CompiledGraph) -> str:
    stages = [stage for stage in (part.dynamo, part.joint, part.forward, part.backward) if stage]
    folded = "".join(_fold(texts.graph_title(stage), html(stage)) for stage in stages)
    inductor = "".join(_fold(f"Inductor, {found.direction}", html(found)) for found in part.inductor)
    saved = _fold(f"saved for backward, {texts.size(part.saved_bytes)} bytes", _texts(part.saved))
    recomputed = _fold("recomputed in backward", _pre("\n".join(part.recomputed))) if part.recomputed else ""
    return folded + (saved if part.saved else "") + recomputed + inductor + _texts(part.missing)


@html.register
def _(part: model.Frame) -> str:
    head = texts.text(part).split("\n\n")[0]
    return (
        _pre(head)
        + html(part.bytecode)
        + "".join(_pre(texts.text(found)) for found in part.breaks)
        + _fold(
            texts.counted(len(part.guards), "guard"),
            texts.guards_table(part.guards, None)._repr_html_() if part.guards else "",
        )
        + _fold("guard tree", _pre(texts.tree(part.guard_tree)) if part.guard_tree else "")
        + (html(part.graph) if part.graph else _paragraph(f"no graph: {part.no_graph}"))
    )


@html.register
def _(part: model.Lines) -> str:
    return texts.lines_table(part, None)._repr_html_()


@html.register
def _(part: model.Bytecode) -> str:
    return "".join(
        _fold(title, texts.bytecode_table(found, None)._repr_html_()) for title, found in texts.bytecodes(part)
    )


@html.register
def _(part: model.Calls) -> str:
    errors = "".join(html(call.error) for call in part.calls if call.error)
    return texts.calls_table(part, None)._repr_html_() + errors


@html.register
def _(part: model.Pipeline) -> str:
    head = texts.text(part).split("\n\n")[0]
    return (
        _paragraph(head)
        + (_paragraph(texts.text(part.comparison)) if part.comparison else "")
        + (_pre(texts.failures_text(part.failures)) if part.failures else "")
        + _texts(part.skips)
        + "".join(html(frame) for frame in part.frames)
        + _fold("lines", html(part.lines))
        + _fold("compile time", texts.phases_table(part.phases, None)._repr_html_() if part.phases else "")
        + _fold("compile caches", _texts(part.caches))
    )
