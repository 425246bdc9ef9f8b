"""A compiled version as the facts of a pipeline: what torch's listings of one compile say, and nothing else.

A trace has no bytecode, no Inductor IR, and no node of a graph as an object. It has graphs as Python, with the user's
line above each group of nodes, guards with their line, and output code that names the nodes of the Dynamo graph that a
line computes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from compile_lessons import facts
from compile_lessons.facts.run import Compile, ListingStage, TracedListing
from compile_lessons.facts.source import Location, is_not_torch, location, resumed
from compile_lessons.trace.kinds import GUARD_LINE, SOURCE

#: ``addmm: "f32[8, 16][16, 1]cpu" = torch.ops.aten.addmm.default(primals_2, …``
_NODE = re.compile(r'^\s+(?P<name>\w+)(?:: "[^"]*")? = (?P<target>[^(;]+)')
#: An input, in a line of its own or beside others: ``primals_1: "f32[16, 8][8, 1]cpu"``.
_INPUT = re.compile(r'(?P<name>\w+): "[^"]*"')
#: ``| +- TENSOR_MATCH: check_tensor(L['x'], …)  # x + 1  # p/train.py:12 in forward``
_GUARD = re.compile(r"^[| ]*\+- (?P<kind>[A-Z_]+): (?P<check>.*)")
#: Names of nodes of the Dynamo graph, above the line that computes them.
_NAMED = re.compile(r"^\s*# .*Source Nodes: \[(?P<names>[^\]]*)\]")
_NO_GRAPH = facts.Graph(kind="post_grad", code="", nodes=())
_AOT_ID = re.compile(r"^# AOT ID: \['\d+_(?P<direction>forward|backward|inference)'\]", re.MULTILINE)

#: Stages that no trace has.
NOT_RECORDED = ("bytecode", "joint graph", "Inductor IR", "machine code")


def pipeline_of(item: Compile, breaks: Sequence[facts.Break], torch_version: str) -> facts.Pipeline | None:
    """Return what the listings of a compile say; ``None`` if there is no graph among them."""
    texts: dict[ListingStage, str] = {listing.stage: listing.text for listing in item.listings}
    if "dynamo" not in texts:
        return None
    dynamo = _graph("dynamo", texts["dynamo"])
    forward = _aten(texts, "forward") or _aten(texts, "inference")
    graph = facts.CompiledGraph(
        dynamo=dynamo,
        forward=forward,
        backward=_aten(texts, "backward"),
        inductor=tuple(_inductor(item.listings, dynamo)),
    )
    files = [place.file for place in (item.code, *_places(dynamo), *item.stack)]
    frame = facts.Frame(
        id=item.id,
        function=item.code.function,
        file=item.code.file,
        line=item.code.line,
        resume=resumed(item.code.function) is not None,
        guards=tuple(_guards(texts.get("guards", ""), files)),
        breaks=tuple(breaks),
        graph=graph,
        seconds=item.seconds,
    )
    return facts.Pipeline(
        function=item.name,
        torch_version=torch_version,
        frames=(frame,),
        lines=facts.Lines(lines=tuple(_lines(frame, graph))),
    )


def _aten(texts: dict[ListingStage, str], stage: facts.Direction) -> facts.Graph | None:
    return _graph(stage, texts[stage]) if stage in texts else None


def _graph(kind: facts.GraphKind, text: str) -> facts.Graph:
    return facts.Graph(kind=kind, code=text, nodes=tuple({node.name: node for node in _nodes(text)}.values()))


def _nodes(text: str) -> Iterator[facts.Node]:
    """Yield the nodes that a graph's text defines. The user's line is above the first of those that are from it."""
    place: Location | None = None
    in_head = False
    for line in text.splitlines():
        if source := SOURCE.match(line):
            where = source["file"], int(source["line"]), source["function"], source["text"]
            place = location(*where) if is_not_torch(source["file"]) else None
        elif line.lstrip().startswith("def forward(") or in_head:
            in_head = "):" not in line
            for found in _INPUT.finditer(line):
                yield facts.Node(name=found["name"], op="placeholder", target=found["name"], location=None)
        elif (node := _NODE.match(line)) and " = None" not in node[0]:
            target = node["target"].strip()
            op: facts.NodeOp = "call_function" if "(" in line or " " in target else "get_attr"
            yield facts.Node(name=node["name"], op=op, target=target, location=place)


def _inductor(listings: Iterable[TracedListing], dynamo: facts.Graph) -> Iterator[facts.InductorGraph]:
    """Yield each output code with the post-grad graph before it. Code from the cache has no graph before it."""
    post_grad = _NO_GRAPH
    for listing in listings:
        if listing.stage == "post_grad":
            post_grad = _graph("post_grad", listing.text)
        elif listing.stage == "code":
            direction = _AOT_ID.search(listing.text)
            yield facts.InductorGraph(
                direction=cast(facts.Direction, direction["direction"] if direction else "inference"),
                post_grad=post_grad,
                output_code=listing.text.strip("\n"),
                code_lines=tuple(_code_lines(listing.text, dynamo)),
            )
            post_grad = _NO_GRAPH


def _code_lines(text: str, dynamo: facts.Graph) -> Iterator[facts.CodeLine]:
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
            yield from (facts.CodeLine(line=number, node="", location=place) for place in lines)
            named = []


def _guards(text: str, files: Sequence[str]) -> Iterator[facts.Guard]:
    for line in text.splitlines():
        if (found := _GUARD.match(line)) is None:
            continue
        check = found["check"]
        place = None
        if end := GUARD_LINE.search(check):
            file = next((file for file in files if file.endswith(end["path"]) and is_not_torch(file)), None)
            check, _, told = check[: end.start()].partition("  # ")
            place = location(file, int(end["line"]), told=told) if file else None
        check = check.partition("  # ")[0].strip()
        yield facts.Guard(
            kind=found["kind"], source="", checks=(check,), words=f"{found['kind']} {check}", location=place
        )


def _places(graph: facts.Graph) -> list[Location]:
    return list(dict.fromkeys(node.location for node in graph.nodes if node.location is not None))


def _lines(frame: facts.Frame, compiled: facts.CompiledGraph) -> Iterator[facts.Line]:
    """Yield the user's lines that the graphs name, so that their text is shown."""
    places = dict.fromkeys(place for graph in compiled.stages for place in _places(graph))
    for place in places:
        yield facts.Line(
            frame=frame.id,
            file=place.file,
            line=place.line,
            text=place.text,
            dynamo=_from(compiled.dynamo, place),
            forward=_from(compiled.forward, place),
            backward=_from(compiled.backward, place),
        )


def _from(graph: facts.Graph | None, place: Location) -> tuple[str, ...]:
    return tuple(node.name for node in graph.nodes if node.location == place) if graph else ()
