"""A compiled version as the facts of a pipeline: what torch's listings of one compile say, and nothing else.

A trace has no bytecode, no Inductor IR, and no node of a graph as an object. It has graphs as Python, with the user's
line above each group of nodes, guards with their line, and output code that names the nodes of the Dynamo graph that a
line computes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from compile_lessons.facts import (
    Break,
    CodeLine,
    CompiledGraph,
    Direction,
    Frame,
    Graph,
    GraphKind,
    Guard,
    InductorGraph,
    Line,
    Lines,
    Node,
    Pipeline,
)
from compile_lessons.facts.places import is_not_torch, location
from compile_lessons.facts.run import Compile, GraphBreak, Listing
from compile_lessons.facts.source import Location

#: The line that the nodes below it are from: ``# File: /work/train.py:9 in scan, code: x = x @ y``.
_SOURCE = re.compile(r"^\s*# File: (?P<file>.+):(?P<line>\d+) in (?P<function>[^,]+), code: (?P<text>.*)")
#: ``addmm: "f32[8, 16][16, 1]cpu" = torch.ops.aten.addmm.default(primals_2, …``
_NODE = re.compile(r'^\s+(?P<name>\w+)(?:: "[^"]*")? = (?P<target>[^(;]+)')
#: An input, in a line of its own or beside others: ``primals_1: "f32[16, 8][8, 1]cpu"``.
_INPUT = re.compile(r'(?P<name>\w+): "[^"]*"')
#: ``| +- TENSOR_MATCH: check_tensor(L['x'], …)  # x + 1  # p/train.py:12 in forward``
_GUARD = re.compile(r"^[| ]*\+- (?P<kind>[A-Z_]+): (?P<check>.*)")
_GUARD_LINE = re.compile(r"  # (?P<path>\S+\.py):(?P<line>\d+) in \S+\s*$")
#: Names of nodes of the Dynamo graph, above the line that computes them.
_NAMED = re.compile(r"^\s*# .*Source Nodes: \[(?P<names>[^\]]*)\]")
_AOT_ID = re.compile(r"^# AOT ID: \['\d+_(?P<direction>forward|backward|inference)'\]", re.MULTILINE)

#: Stages that no trace has.
NOT_RECORDED = ("bytecode", "joint graph", "Inductor IR", "machine code")


def pipeline_of(item: Compile, breaks: Sequence[GraphBreak], torch_version: str) -> Pipeline | None:
    """Return what the listings of a compile say; ``None`` if there is no graph among them."""
    texts = {listing.title: listing.text for listing in item.listings}
    if "Dynamo graph" not in texts:
        return None
    dynamo = _graph("dynamo", texts["Dynamo graph"])
    forward = _aten(texts, "ATen forward graph", "forward") or _aten(texts, "ATen graph", "inference")
    graph = CompiledGraph(
        dynamo=dynamo,
        joint=None,
        forward=forward,
        backward=_aten(texts, "ATen backward graph", "backward"),
        saved=(),
        recomputed=(),
        inductor=tuple(_inductor(item.listings, dynamo)),
        missing=(),
    )
    files = [place.file for place in (item.code, *_places(dynamo), *item.stack)]
    frame = Frame(
        id=item.id,
        function=item.code.function,
        module="",
        file=item.code.file,
        line=item.code.line,
        resume=item.code.function.startswith("torch_dynamo_resume_in_"),
        original=(),
        rewritten=(),
        guards=tuple(_guards(texts.get("guards", ""), files)),
        guard_tree=None,
        breaks=tuple(_break(graph_break) for graph_break in breaks),
        graph=graph,
        error=None,
        seconds=item.seconds,
    )
    return Pipeline(
        function=item.name,
        torch_version=torch_version,
        target="",
        frames=(frame,),
        skips=(),
        phases=(),
        caches=(),
        comparison=None,
        failures=(),
        lines=Lines(lines=tuple(_lines(frame, graph)), unknown=()),
    )


def _aten(texts: dict[str, str], title: str, kind: GraphKind) -> Graph | None:
    return _graph(kind, texts[title]) if title in texts else None


def _graph(kind: GraphKind, text: str) -> Graph:
    return Graph(kind=kind, code=text, nodes=tuple({node.name: node for node in _nodes(text)}.values()))


def _nodes(text: str) -> Iterator[Node]:
    """Yield the nodes that a graph's text defines. The user's line is above the first of those that are from it."""
    place: Location | None = None
    in_head = False
    for line in text.splitlines():
        if source := _SOURCE.match(line):
            place = _source(source)
        elif line.lstrip().startswith("def forward(") or in_head:
            in_head = "):" not in line
            for found in _INPUT.finditer(line):
                yield _node(found["name"], "placeholder", found["name"], None)
        elif (node := _NODE.match(line)) and " = None" not in node[0]:
            called = "call_function" if "(" in line or " " in node["target"].strip() else "get_attr"
            yield _node(node["name"], called, node["target"].strip(), place)


def _source(found: re.Match[str]) -> Location | None:
    if not is_not_torch(found["file"]):
        return None
    place = location(found["file"], int(found["line"]), found["function"])
    return place if place.text else replace(place, text=found["text"].strip())  # the file is on another machine


def _node(name: str, op: str, target: str, place: Location | None) -> Node:
    return Node(
        name=name,
        op=op,  # type: ignore[arg-type]  # one of FX's names, as above
        target=target,
        args="",
        inputs=(),
        tensors=(),
        location=place,
        sources=(),
        decomposed_from=None,
    )


def _inductor(listings: Iterable[Listing], dynamo: Graph) -> Iterator[InductorGraph]:
    """Yield each output code with the post-grad graph before it. Code from the cache has no graph before it."""
    post_grad = Graph(kind="post_grad", code="", nodes=())
    for listing in listings:
        if listing.title == "post-grad graph":
            post_grad = _graph("post_grad", listing.text)
        elif listing.title == "output code":
            direction = _AOT_ID.search(listing.text)
            yield InductorGraph(
                direction=_direction(direction["direction"] if direction else "inference"),
                post_grad=post_grad,
                ir=(),
                fused=(),
                decisions=(),
                reuses=(),
                kernels=(),
                output_code=listing.text.strip("\n"),
                output_file="",
                code_lines=tuple(_code_lines(listing.text, dynamo)),
            )
            post_grad = Graph(kind="post_grad", code="", nodes=())


def _direction(word: str) -> Direction:
    return "forward" if word == "forward" else "backward" if word == "backward" else "inference"


def _code_lines(text: str, dynamo: Graph) -> Iterator[CodeLine]:
    """Yield the lines that torch says compute nodes of the Dynamo graph, with the line of each of these.

    Their ``node`` is empty: torch's text names no post-grad node.
    """
    places = {node.name: node.location for node in dynamo.nodes}
    named: list[str] = []
    for number, line in enumerate(text.strip("\n").splitlines(), 1):
        if found := _NAMED.match(line):
            named = found["names"].split(", ")
        elif named and not line.lstrip().startswith("#"):
            lines = dict.fromkeys(place for name in named if (place := places.get(name)))
            yield from (CodeLine(line=number, node="", location=place) for place in lines)
            named = []


def _guards(text: str, files: Sequence[str]) -> Iterator[Guard]:
    for line in text.splitlines():
        if (found := _GUARD.match(line)) is None:
            continue
        check = found["check"]
        place = None
        if end := _GUARD_LINE.search(check):
            file = next((file for file in files if file.endswith(end["path"]) and is_not_torch(file)), None)
            place = location(file, int(end["line"])) if file else None
            check = check[: end.start()]
        check = check.partition("  # ")[0].strip()
        yield Guard(kind=found["kind"], source="", checks=(check,), words=f"{found['kind']} {check}", location=place)


def _break(found: GraphBreak) -> Break:
    return Break(
        gb_type=found.cause,
        gb_id=found.gb_id,
        explanation=found.explanation,
        hints=found.hints,
        context="",
        stack=found.inside,
    )


def _places(graph: Graph) -> list[Location]:
    return list(dict.fromkeys(node.location for node in graph.nodes if node.location is not None))


def _lines(frame: Frame, compiled: CompiledGraph) -> Iterator[Line]:
    """Yield the user's lines that the graphs name, so that their text is shown."""
    places = dict.fromkeys(place for graph in compiled.stages for place in _places(graph))
    for place in places:
        yield Line(
            frame=frame.id,
            file=place.file,
            line=place.line,
            text=place.text,
            bytecode=(),
            dynamo=_from(compiled.dynamo, place),
            forward=_from(compiled.forward, place),
            backward=_from(compiled.backward, place),
            buffers=(),
            kernels=(),
            code=(),
        )


def _from(graph: Graph | None, place: Location) -> tuple[str, ...]:
    return tuple(node.name for node in graph.nodes if node.location == place) if graph else ()
