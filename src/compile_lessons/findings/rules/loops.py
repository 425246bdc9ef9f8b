"""Lines that are in one graph many times, because Dynamo unrolls loops and inlines calls."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from compile_lessons.facts.run import Compile, Repeated, Run
from compile_lessons.facts.source import TORCH_OPTIM, Location, is_user_file, location, source_line
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding, finding
from compile_lessons.findings.syntax import nodes_of
from compile_lessons.ground.groups import grouped
from compile_lessons.ground.words import rough_duration

#: A loop with fewer copies in a graph is not worth a change.
_TIMES = 8
#: A line that is in a graph this often is in no layer of a model: what calls it is a loop over data.
_NO_LAYERS = 128
#: What a change has to save, as a share of the run: a busy machine makes both the run and its compiles longer. Fewer
#: seconds than the least ones are not worth a change, and a loop that costs more than ``_MUCH`` is, in any run.
SHARE_SAVED = 0.1
_LEAST, _MUCH = 1.0, 20.0
#: What was captured is in no run. There, copies count that have so many operations, and such a share of the graph.
_OPERATIONS, _SHARE = 64, 0.5
#: Operations that take as long to compile as a graph with none. Measured with Inductor on a CPU: a GRU's cell, unrolled
#: 4, 8, 16 and 32 times, took 7.9, 9.7, 13.6 and 23.4 s, which is 200 of its operations, and a transposed part 40.
_A_GRAPH = 100
#: From this number of times on that a line is in the graph, the model has a block that repeats.
#: An optimizer repeats its lines for each parameter, and has no block to compile.
_BLOCKS = 4
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp)


@dataclass(frozen=True)
class _Unrolled:
    """A loop in a graph. ``loop`` is the line to show: of the loop, or of what is repeated if no loop is found."""

    loop: Location
    body: Repeated
    #: Whether the body is in no other loop, as one over layers, inside of this one: then copies are steps.
    direct: bool
    compile: Compile


def _saved(body: Repeated, item: Compile) -> float:
    """Return the seconds that all copies but one took, by their share of the operations, and of what a graph costs."""
    return item.all_seconds * _share(body, item, _A_GRAPH) * (body.copies - 1) / body.copies


def _share(body: Repeated, item: Compile, fixed: int = 0) -> float:
    return min(1.0, body.operations / (item.operations + fixed)) if body.operations and item.operations else 1.0


def unrolled_loops(run: Run) -> Iterator[Finding]:
    """Yield a finding for each loop whose body is in one graph many times: a fault by the seconds that it costs."""
    compiles = (item for process in run.processes for item in process.compiles if not item.nested)
    found = filter(None, map(unrolled_loop, compiles))
    for loop, same in grouped((each.loop, each) for each in found).items():
        saved = sum(_saved(each.body, each.compile) for each in same)
        most = max(same, key=lambda each: each.body.copies)
        costly = saved >= max(_LEAST, min(_MUCH, SHARE_SAVED * run.seconds))
        if not costly and not (run.captured and _is_large(most.body, most.compile)):
            continue
        times = f"{most.body.copies} times"
        what = f"a loop is unrolled {times} in one graph" if most.direct else f"a line is {times} in one graph"
        yield finding(
            fix("unrolled-loop"),
            f"{what}, and compiling it took {rough_duration(sum(each.compile.all_seconds for each in same))}",
            advice=not costly,
            seconds=saved,
            where=(loop, most.body.line, most.compile.code),
            evidence=(_operations(most.body, most.compile), f"{len(same)} compiles" if len(same) > 1 else ""),
        )


def repeated_blocks(run: Run) -> Iterator[Finding]:
    """Yield advice for a block that is in a captured graph many times. In a run, its seconds count: ``long_compiles``.

    A block is the lines of one function that are there equally often.
    """
    seen = set()
    for item in (item for process in run.processes for item in process.compiles if run.captured):
        lines = grouped(
            ((body.line.file, body.line.function, body.copies), body)
            for body in item.repeated
            if body.copies >= _TIMES and not TORCH_OPTIM.search(body.line.file)
        )
        if not lines or unrolled_loop(item):
            continue
        block = max(lines.values(), key=lambda same: sum(body.operations or 0 for body in same))
        block.sort(key=lambda body: body.line.line)
        whole = Repeated(block[0].line, block[0].copies, sum(body.operations or 0 for body in block))
        if _is_large(whole, item) and whole.line not in seen:
            seen.add(whole.line)
            lines_in_words = "a line" if len(block) == 1 else f"a block of {len(block)} lines"
            yield finding(
                fix("repeated-block"),
                f"{lines_in_words} is {whole.copies} times in one graph",
                advice=True,
                where=(whole.line,),
                evidence=(f"{_operations(whole, item)}, compiled for {rough_duration(item.seconds)}",),
            )


def _is_large(body: Repeated, item: Compile) -> bool:
    return (body.operations or 0) >= _OPERATIONS and _share(body, item) >= _SHARE


def _operations(body: Repeated, item: Compile) -> str:
    if not body.operations:
        return f"{item.operations} operations in the graph"
    return f"{body.operations} of the graph's {item.operations} operations are in these copies"


def saved_by_block(item: Compile) -> float:
    """Return the seconds that a compile of the block that repeats, and not of the whole model, would save."""
    body = next(iter(item.repeated), None)
    is_block = body is not None and body.copies >= _BLOCKS and not TORCH_OPTIM.search(body.line.file)
    return _saved(body, item) if body and is_block else 0.0


def unrolled_loop(item: Compile) -> _Unrolled | None:
    """Return the loop over data that has most of a graph's operations."""
    if item.outcome != "compiled":
        return None
    for body in item.repeated:
        if body.copies < _TIMES or not is_user_file(body.line.file):
            continue
        loops = _loops_around(body.line)
        over_data = [loop for loop in loops if not _calls_its_variable(loop)]
        if over_data and (steps := _steps(body, over_data[0], item)) >= _TIMES:
            loop = location(body.line.file, over_data[0].__dict__["lineno"], body.line.function)
            direct = body.steps is not None or loops[-1] is over_data[0]
            return _Unrolled(loop, replace(_whole_body(body, over_data[0], item), copies=steps), direct, item)
        if not over_data and (body.steps or body.copies) >= _NO_LAYERS:
            return _Unrolled(body.line, body, False, item)
    return None


def _steps(body: Repeated, loop: ast.AST, item: Compile) -> int:
    """Return how often a loop runs each time that its function is called: layers of a model call the function too.

    Where modules aren't known, lines of the function that are outside of the loop tell how often it is called.
    """
    same = [each for each in item.repeated if each.line.file == body.line.file]
    known = [each.steps for each in same if _has(loop, each.line) and each.steps is not None]
    if known:
        return min(known)
    functions = [node for node in nodes_of(body.line.file) if isinstance(node, _FUNCTIONS) and _has(node, body.line)]
    calls = [each.copies for each in same if functions and _has(functions[-1], each.line) and not _has(loop, each.line)]
    return body.copies // min(calls, default=1)


def _whole_body(body: Repeated, loop: ast.AST, item: Compile) -> Repeated:
    """Return a line of a loop with the operations of all lines of the loop that are there as often."""
    same = [
        each.operations
        for each in item.repeated
        if each.line.file == body.line.file and _has(loop, each.line) and each.copies == body.copies
    ]
    known = [operations for operations in same if operations is not None]
    total = min(sum(known), item.operations or sum(known))
    return Repeated(body.line, body.copies, total if len(known) == len(same) else None)


def first_loop_over_data(code: Location) -> Location | None:
    """Return the first loop of a function, if it is not one over layers."""
    functions = [node for node in nodes_of(code.file) if isinstance(node, _FUNCTIONS)]
    for function in functions:
        first = min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])
        if first <= code.line <= function.body[0].lineno and function.name == code.function:
            loops = [node for node in ast.walk(function) if isinstance(node, (ast.For, ast.While))]
            over_data = [node.lineno for node in loops if not _calls_its_variable(node)]
            return location(code.file, min(over_data), code.function) if over_data else None
    return None


def _loops_around(line: Location) -> list[ast.AST]:
    """Return the loops of a line's own function around it, the outermost first; none if the file has changed."""
    if line.text and source_line(line.file, line.line) != line.text:
        return []
    inside: list[ast.AST] = []
    for node in nodes_of(line.file):
        if not _has(node, line):
            continue
        if isinstance(node, _FUNCTIONS):
            inside = []
        elif isinstance(node, (ast.For, ast.While, *_COMPREHENSIONS)):
            inside.append(node)
    return inside


def _has(node: ast.AST, line: Location) -> bool:
    """Return whether a part of a file has the line."""
    return node.__dict__.get("lineno", 0) <= line.line <= (node.__dict__.get("end_lineno") or 0)


def _calls_its_variable(loop: ast.AST) -> bool:
    """Return whether a loop is one over layers, and calls them: ``for layer in self.layers: x = layer(x)``.

    ``self.layers[i](x)``, with a variable of the loop, is such a call too, and so is ``block.attention(x)`` in a loop
    over ``self.blocks``. Variables of loops inside of it don't count.
    """
    inner = {name for node in ast.walk(loop) if node is not loop for name in _targets(node)}
    stored = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} - inner
    calls = [n.func for n in ast.walk(loop) if isinstance(n, ast.Call)]
    names = {n.id for n in calls if isinstance(n, ast.Name)}
    if _is_over_own_modules(loop):
        names |= {n.value.id for n in calls if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    indices = [part for n in calls if isinstance(n, ast.Subscript) for part in ast.walk(n.slice)]
    return bool(stored & (names | {part.id for part in indices if isinstance(part, ast.Name)}))


def _is_over_own_modules(loop: ast.AST) -> bool:
    """Return whether a loop is over what ``self`` holds, as ``enumerate(self.blocks)``, and not what it computes."""
    iterables = [loop.iter] if isinstance(loop, ast.For) else [part.iter for part in getattr(loop, "generators", ())]
    inside = [node for part in iterables for node in ast.walk(part)]
    called = [node.func for node in inside if isinstance(node, ast.Call)]
    own = [node for node in inside if isinstance(node, ast.Attribute) and node not in called]
    return any(isinstance(node.value, ast.Name) and node.value.id == "self" for node in own)


def _targets(node: ast.AST) -> set[str]:
    """Return the variables of a loop, and none for anything else."""
    loops = [node] if isinstance(node, ast.For) else node.generators if isinstance(node, _COMPREHENSIONS) else []
    targets = [loop.target for loop in loops]
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
