"""Compiles that take longer than they need to."""

from __future__ import annotations

import ast
import linecache
from collections import defaultdict
from collections.abc import Iterator

from compile_lessons.facts.places import TORCH_OPTIM, innermost, is_user_file
from compile_lessons.facts.run import Compile, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules_of_run.recompiles import function_name
from compile_lessons.ground.reading import parse
from compile_lessons.ground.words import rough_duration

#: A line that is in a graph this often, in a compile of at least so many seconds, is worth a change.
_TIMES = 8
_SECONDS = 2.0
#: A line that is in a graph this often is in no layer of a model: what calls it is a loop over data.
_NO_LAYERS = 128


def unrolled_loops(run: Run) -> Iterator[Finding]:
    """Yield a finding for each line that is in one graph many times: the loop around it is unrolled."""
    places: dict[Location, list[tuple[Compile, int]]] = defaultdict(list)
    for process in run.processes:
        for item in process.compiles:
            line, count = next((pair for pair in item.repeated if is_user_file(pair[0].file)), (None, 0))
            loops = line is not None and (count >= _NO_LAYERS or (count >= _TIMES and _is_in_loop(line)))
            if line is not None and loops and item.outcome == "compiled":
                places[line].append((item, count))
    for line, same in places.items():
        seconds = sum(item.seconds for item, _ in same if not item.nested)
        count = max(count for _, count in same)
        if seconds >= _SECONDS:
            yield Finding(
                rule="unrolled-loop",
                severity="fault",
                what=f"a loop is unrolled: this line is {count} times in one graph, "
                f"which took {rough_duration(seconds)}",
                seconds=seconds * (count - 1) / count,
                where=(line, same[0][0].code),
                evidence=(f"{same[0][0].operations} operations in the graph",),
                remedy="compile what the loop repeats as a function or module of its own, and loop in Python",
                lesson="production/placement",
            )


def _is_in_loop(line: Location) -> bool:
    """Return whether a line is in a loop of its own function, and not in a loop over layers, which calls them."""
    try:
        tree = parse("".join(linecache.getlines(line.file)))
    except SyntaxError:
        return False
    around = [node for node in ast.walk(tree) if node.__dict__.get("lineno", 0) <= line.line <= _end(node)]
    inside: list[ast.AST] = []
    for node in around:  # ast.walk gives what is outside first
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inside = []
        elif isinstance(node, (ast.For, ast.While, ast.ListComp, ast.GeneratorExp)):
            inside.append(node)
    return bool(inside) and not _calls_its_variable(inside[-1])


def _end(node: ast.AST) -> int:
    return node.__dict__.get("end_lineno") or 0


def _calls_its_variable(loop: ast.AST) -> bool:
    """Return whether a loop calls what it loops over: ``for layer in self.layers: x = layer(x)``."""
    stored = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    called = {n.func.id for n in ast.walk(loop) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    return bool(stored & called)


#: A run of which so much is spent in compiles, in seconds and as a share, gets advice.
_LONG = 20.0
_SHARE = 0.3
#: From this number of times on that a line is in the graph, the model has a block that repeats.
#: An optimizer repeats its lines for each parameter, and has no block to compile.
_BLOCKS = 4
_BLOCK = "compile the block that repeats and not the whole model, and "


def long_compiles(run: Run) -> Iterator[Finding]:
    """Yield advice for each function whose first compile takes a large part of the run."""
    for process in run.processes:
        for item in process.compiles:
            if item.nested or item.guards or item.seconds < _LONG or item.seconds < _SHARE * run.seconds:
                continue
            region = process.region(item.region)
            use = innermost(reversed(region.stack)) if region else None
            own = item.code if is_user_file(item.code.file) else None
            blocks = any(count >= _BLOCKS and not TORCH_OPTIM.search(line.file) for line, count in item.repeated[:1])
            yield Finding(
                rule="compile-time",
                severity="advice",
                what=(
                    f"the first compile of {function_name(item, region)} took {rough_duration(item.seconds)}, "
                    f"{item.seconds / run.seconds:.0%} of the run"
                ),
                seconds=item.seconds,
                where=tuple(dict.fromkeys(line for line in (own, use) if line)) or (item.code,),
                evidence=tuple(filter(None, (_stages(item), _backward(item), _cache(item)))),
                remedy=f"{_BLOCK if blocks else ''}keep the folder of TORCHINDUCTOR_CACHE_DIR from run to run",
                lesson="production/warm-starts",
            )


def _stages(item: Compile) -> str:
    """Return the seconds of each stage without those inside it: AOTAutograd runs in Dynamo, Inductor in AOTAutograd."""
    order = ("Dynamo", "AOTAutograd", "Inductor")
    inner = [item.stages.get(stage, 0.0) for stage in order[1:]] + [0.0]
    own = {stage: item.stages.get(stage, 0.0) - below for stage, below in zip(order, inner, strict=True)}
    return ", ".join(f"{stage} {rough_duration(seconds)}" for stage, seconds in own.items() if seconds > 0.1)


def _backward(item: Compile) -> str:
    return f"its backward pass took {rough_duration(item.backward_seconds)} more" if item.backward_seconds else ""


def _cache(item: Compile) -> str:
    if not item.caches:
        return ""
    hits = item.caches.count("hit")
    return f"{hits} of {len(item.caches)} graphs came from Inductor's cache"
