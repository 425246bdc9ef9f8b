"""Compiles that take longer than they need to."""

from __future__ import annotations

import ast
import linecache
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compile_lessons.facts.places import TORCH_OPTIM, innermost, is_user_file, location
from compile_lessons.facts.run import ENDED, Compile, Process, Repeated, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules_of_run.recompiles import function_name
from compile_lessons.ground.reading import parse
from compile_lessons.ground.words import counted, rough_duration

#: A loop with fewer copies in a graph is not worth a change.
_TIMES = 8
#: A line that is in a graph this often is in no layer of a model: what calls it is a loop over data.
_NO_LAYERS = 128
#: What a change has to save, as a share of the run: a busy machine makes both the run and its compiles longer. Fewer
#: seconds than the least ones are not worth a change, and a loop that costs more than ``_MUCH`` is, in any run.
_SHARE_SAVED = 0.1
_LEAST_OF_LOOP, _LEAST_OF_COMPILE, _MUCH = 1.0, 3.0, 20.0


@dataclass(frozen=True)
class _Unrolled:
    """A loop in a graph. ``loop`` is the line to show: of the loop, or of what is repeated if no loop is found."""

    loop: Location
    body: Repeated
    #: Whether the body is in no other loop, as one over layers, inside of this one: then copies are steps.
    direct: bool
    compile: Compile

    @property
    def seconds(self) -> float:
        return self.compile.seconds + self.compile.backward_seconds

    @property
    def saved(self) -> float:
        """Return the seconds that all copies but one took, by their share of the operations."""
        return self.seconds * _share(self.body, self.compile) * (self.body.copies - 1) / self.body.copies


def _share(body: Repeated, item: Compile) -> float:
    return min(1.0, body.operations / item.operations) if body.operations and item.operations else 1.0


def unrolled_loops(run: Run) -> Iterator[Finding]:
    """Yield a finding for each loop whose body is in one graph many times."""
    places: dict[Location, list[_Unrolled]] = defaultdict(list)
    for process in run.processes:
        for item in process.compiles:
            if not item.nested and (found := _unrolled(item)):
                places[found.loop].append(found)
    for loop, same in places.items():
        saved = sum(found.saved for found in same)
        if saved < max(_LEAST_OF_LOOP, min(_MUCH, _SHARE_SAVED * run.seconds)):
            continue
        most = max(same, key=lambda found: found.body.copies)
        times = f"{most.body.copies} times"
        what = f"a loop is unrolled {times} in one graph" if most.direct else f"a line is {times} in one graph"
        operations = f"{most.compile.operations} operations in the graph"
        if most.body.operations:
            operations = f"{most.body.operations} of the {operations}, are of this loop"
        yield Finding(
            rule="unrolled-loop",
            severity="fault",
            what=f"{what}, and compiling it took {rough_duration(sum(found.seconds for found in same))}",
            seconds=saved,
            where=tuple(dict.fromkeys((loop, most.body.line, most.compile.code))),
            evidence=(operations, *([f"{len(same)} compiles"] if len(same) > 1 else [])),
            remedy=_ONE_STEP,
            lesson="fix/first-call#a-python-loop-runs-many-times",
        )


_ONE_STEP = (
    "compile one step and not the loop: write what the loop repeats as a function or module, as in "
    "self.cell = torch.compile(Cell(…)), and call it from a loop that isn't compiled; "
    "torch.nn.GRU and LSTM, where they compute the same, need no compile"
)


def _unrolled(item: Compile) -> _Unrolled | None:
    """Return the loop over data that has most of a graph's operations."""
    if item.outcome != "compiled":
        return None
    for body in item.repeated:
        if body.copies < _TIMES or not is_user_file(body.line.file):
            continue
        loops = _loops_around(body.line)
        over_data = [loop for loop in loops if not _calls_its_variable(loop)]
        if over_data:
            loop = location(body.line.file, over_data[0].__dict__["lineno"], body.line.function)
            return _Unrolled(loop, body, loops[-1] is over_data[0], item)
        if body.copies >= _NO_LAYERS:
            return _Unrolled(body.line, body, False, item)
    return None


def _loops_around(line: Location) -> list[ast.AST]:
    """Return the loops of a line's own function around it, the outermost first."""
    try:
        tree = parse("".join(linecache.getlines(line.file)))
    except SyntaxError:
        return []
    around = [node for node in ast.walk(tree) if node.__dict__.get("lineno", 0) <= line.line <= _end(node)]
    inside: list[ast.AST] = []
    for node in around:  # ast.walk gives what is outside first
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inside = []
        elif isinstance(node, (ast.For, ast.While, ast.ListComp, ast.GeneratorExp)):
            inside.append(node)
    return inside


def _end(node: ast.AST) -> int:
    return node.__dict__.get("end_lineno") or 0


def _calls_its_variable(loop: ast.AST) -> bool:
    """Return whether a loop is one over layers, and calls them: ``for layer in self.layers: x = layer(x)``.

    ``self.layers[i](x)``, with a variable of the loop, is such a call too. Variables of loops inside of it don't count.
    """
    inner = {name for node in ast.walk(loop) if node is not loop for name in _targets(node)}
    stored = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} - inner
    calls = [n.func for n in ast.walk(loop) if isinstance(n, ast.Call)]
    names = {n.id for n in calls if isinstance(n, ast.Name)}
    indices = [part for n in calls if isinstance(n, ast.Subscript) for part in ast.walk(n.slice)]
    return bool(stored & (names | {part.id for part in indices if isinstance(part, ast.Name)}))


def _targets(node: ast.AST) -> set[str]:
    """Return the variables of a loop, and none for anything else."""
    if isinstance(node, ast.For):
        targets = [node.target]
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)):
        targets = [part.target for part in node.generators]
    else:
        return set()
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


#: What a compile that doesn't end is stopped by.
STOPPED = ("KeyboardInterrupt", "SystemExit", ENDED)
_A_PART = "compile a part of it first, such as one layer, and see how long that takes; larger graphs take longer"


def unfinished_compiles(run: Run) -> Iterator[Finding]:
    """Yield a finding for each compile that was under way when the program was asked to end."""
    for process in run.processes:
        for item in process.compiles:
            if item.nested or item.outcome != "failed" or not (item.reason or "").startswith(STOPPED):
                continue
            loop = _first_loop_over_data(item.code)
            name = function_name(item, process.region(item.region))
            yield Finding(
                rule="unfinished-compile",
                severity="fault",
                what=f"compiling {name} had taken {rough_duration(item.seconds)} and not ended when it was stopped",
                seconds=item.seconds,
                where=tuple(dict.fromkeys([*([loop] if loop else []), *_places(process, [item])])),
                evidence=("torch unrolls this loop into the graph, step by step",) if loop else (),
                remedy=_ONE_STEP if loop else _A_PART,
                lesson="fix/first-call#a-python-loop-runs-many-times" if loop else "fix/first-call",
            )


def _first_loop_over_data(code: Location) -> Location | None:
    """Return the first loop of a function, if it is not one over layers."""
    try:
        tree = parse("".join(linecache.getlines(code.file)))
    except SyntaxError:
        return None
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for function in functions:
        first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
        if first <= code.line <= function.body[0].lineno and function.name == code.function:
            loops = [node for node in ast.walk(function) if isinstance(node, (ast.For, ast.While))]
            over_data = [node.lineno for node in loops if not _calls_its_variable(node)]
            return location(code.file, min(over_data), code.function) if over_data else None
    return None


#: First compiles that take such a share of the run get advice, if some of it can be saved.
_SHARE = 0.3
#: From this number of times on that a line is in the graph, the model has a block that repeats.
#: An optimizer repeats its lines for each parameter, and has no block to compile.
_BLOCKS = 4
#: Functions that are named.
_NAMED = 3


def long_compiles(run: Run) -> Iterator[Finding]:
    """Yield advice for each process that spends a large part of the run in first compiles."""
    for process in run.processes:
        compiled = [item for item in process.compiles if item.outcome == "compiled" and not item.nested]
        first = [item for item in compiled if not item.guards and not _unrolled(item)]
        seconds = sum(item.seconds + item.backward_seconds for item in first)
        saved = sum(max(_saved_by_cache(item), _saved_by_block(item)) for item in first)
        if seconds < _SHARE * run.seconds or saved < max(_LEAST_OF_COMPILE, _SHARE_SAVED * run.seconds):
            continue
        first.sort(key=lambda item: -(item.seconds + item.backward_seconds))
        most = first[0]
        others = f" and {counted(len(first) - 1, 'other function')}" if len(first) > 1 else ""
        name = function_name(most, process.region(most.region))
        yield Finding(
            rule="compile-time",
            severity="advice",
            what=(
                f"the first compile of {name}{others} took {rough_duration(seconds)}, "
                f"{seconds / run.seconds:.0%} of the run"
            ),
            seconds=seconds,
            where=_places(process, first[:_NAMED]),
            evidence=tuple(filter(None, (stages_in_words(most), _backward(most), _cache(first)))),
            remedy=" and ".join(_remedies(first)),
            lesson="production/warm-starts",
        )


def _saved_by_cache(item: Compile) -> float:
    """Return the seconds of stages whose results Inductor's cache keeps, if they weren't from there."""
    if "hit" in item.caches:
        return 0.0
    below = item.stages.get("AOTAutograd", 0.0) if "Inductor" in item.stages else 0.0
    return below + (item.backward_seconds if below else 0.0)


def _saved_by_block(item: Compile) -> float:
    block = _block(item)
    if block is None:
        return 0.0
    return (item.seconds + item.backward_seconds) * _share(block, item) * (block.copies - 1) / block.copies


def _block(item: Compile) -> Repeated | None:
    return next(
        (body for body in item.repeated[:1] if body.copies >= _BLOCKS and not TORCH_OPTIM.search(body.line.file)), None
    )


def _remedies(first: Sequence[Compile]) -> Iterator[str]:
    by_block, by_cache = (sum(map(saved, first)) for saved in (_saved_by_block, _saved_by_cache))
    if by_block > by_cache / 2:
        yield "compile the block that repeats and not the whole model"
    if any(_saved_by_cache(item) and not item.caches for item in first):
        yield "let Inductor use its cache, which a setting turns off (fx_graph_cache, force_disable_caches)"
    if by_cache:
        yield "keep the folder of TORCHINDUCTOR_CACHE_DIR from run to run"


def _places(process: Process, first: Sequence[Compile]) -> tuple[Location, ...]:
    lines: list[Location | None] = []
    for item in first:
        region = process.region(item.region)
        lines.append(item.code if is_user_file(item.code.file) else None)
        lines.append(innermost(reversed(region.stack)) if region else None)
    return tuple(dict.fromkeys(line for line in lines if line)) or (first[0].code,)


def stages_in_words(item: Compile) -> str:
    """Return the seconds of each stage without those inside it: AOTAutograd runs in Dynamo, Inductor in AOTAutograd."""
    order = ("Dynamo", "AOTAutograd", "Inductor")
    inner = [item.stages.get(stage, 0.0) for stage in order[1:]] + [0.0]
    own = {stage: item.stages.get(stage, 0.0) - below for stage, below in zip(order, inner, strict=True)}
    return ", ".join(f"{stage} {rough_duration(seconds)}" for stage, seconds in own.items() if seconds > 0.1)


def _backward(item: Compile) -> str:
    return f"its backward pass took {rough_duration(item.backward_seconds)} more" if item.backward_seconds else ""


def _cache(first: Sequence[Compile]) -> str:
    graphs = [cache for item in first for cache in item.caches]
    return f"{graphs.count('hit')} of {len(graphs)} graphs came from Inductor's cache" if graphs else ""
