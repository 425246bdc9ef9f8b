"""Graph breaks that could be avoided, with the user's line that led to each, and the work that it separates."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from compile_lessons.facts.run import GraphBreak, Process, Run
from compile_lessons.facts.source import (
    TORCH_OPTIM,
    Location,
    innermost,
    is_not_torch,
    is_user_file,
    package_of,
    undivided,
)
from compile_lessons.findings.syntax import nodes_of
from compile_lessons.ground.words import ADDRESS

#: The function that ``torch.compiler.disable`` was put above: ``Skip calling function `<function f>```.
_DISABLED = re.compile(r"^Skip (?:calling|inlining) function `<(?:function|bound method) ([\w.<>]+)")
#: A file, and a line in it.
Place = tuple[str, int]


@dataclass(frozen=True)
class PlacedBreak:
    """A graph break, the user's line that led to it, and the operations on tensors that it separates.

    ``frames`` are those of the stack outside of torch. ``library`` is the one that breaks, if the user's line called
    it, and ``computes`` says whether it is a part of the model; a trace doesn't tell.
    """

    graph_break: GraphBreak
    frames: tuple[Location, ...]
    line: Location | None
    work: int
    library: str
    computes: bool

    @property
    def is_asked_for(self) -> bool:
        """Whether the program or a library asks for it, as with ``torch.compiler.disable``."""
        return "torch.compiler.disable" in self.graph_break.gb_type


def placed_breaks(process: Process, run: Run) -> Iterator[PlacedBreak]:
    """Yield the breaks of one process that could be avoided.

    A function and what resumes it are a chain of compiles, and a break divides the chain. A break in a function that is
    called also divides its callers' chains.
    """
    order = {item.id: number for number, item in enumerate(process.compiles)}
    operations = [item.operations or 0 for item in process.compiles]
    chains = [_chain(item.code) for item in process.compiles]
    told = ("skipped", "limit") if run.captured else ("skipped", "limit", "failed")  # by other rules
    left_out = {item.id for item in process.compiles if item.outcome in told}
    computing = {package_of(file) for item in process.compiles for file in item.computing or ()}
    for found in process.breaks:
        # A program doesn't choose what torch's own functions compile, so there a line of its own must be inside.
        stack = (*found.callers, *found.stack) if run.captured else found.stack
        frames = [frame for frame in stack if is_not_torch(frame.file)]
        line = innermost(frames)
        if found.compile in left_out or (not run.captured and (line is None or _is_harmless(found, line))):
            continue
        here = order.get(found.compile, len(order))
        library = package_of(frames[-1].file) if run.captured and line and is_user_file(line.file) else ""
        if not run.captured and line and not is_user_file(line.file) and found.compile in order:
            library, line = package_of(line.file), process.compiles[here].call_line or line
        work = 0  # operations of a chain up to the break, or those after it, whichever are fewer
        for chain in {*chains[here : here + 1], *map(_chain, found.callers)}:
            divided = [number for number, each in zip(operations, chains, strict=True) if each == chain]
            before = chains[: here + 1].count(chain)
            work = max(work, min(sum(divided[:before]), sum(divided[before:])))
        explanation, *hints = (ADDRESS.sub("", text) for text in (found.explanation, *found.hints))
        found = replace(found, explanation=explanation, hints=tuple(hints))
        yield PlacedBreak(found, tuple(frames), line, work, library, library in computing)


def places_of_breaks(process: Process, run: Run) -> set[Place]:
    """Return the lines whose breaks have a finding, which also tells what follows from them."""
    told = [] if run.captured else [item for item in placed_breaks(process, run) if not item.is_asked_for]
    return {(frame.file, frame.line) for item in told if not item.library for frame in item.frames}


def _is_harmless(found: GraphBreak, line: Location) -> bool:
    """Return whether the program, or torch's optimizer, asks for the break."""
    if found.gb_id == "GB0025":
        return True
    # Breaks that torch's own optimizers and schedulers make around ``step`` cost nothing worth a change.
    if "function marked as skipped" in found.gb_type and TORCH_OPTIM.search(found.explanation):
        return True
    # A function of the same file that the user has disabled, as a remedy says.
    disabled = _DISABLED.search(found.explanation)
    name = disabled[1].rpartition(".")[2] if disabled else ""
    return any(isinstance(node, ast.FunctionDef) and node.name == name for node in nodes_of(line.file))


def _chain(code: Location) -> tuple[str, str]:
    return code.file, undivided(code.function)
