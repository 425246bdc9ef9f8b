"""Find where results begin to differ from eager mode: the stage of the compiler, the line, the part of the stage.

Each of torch's backends adds a stage, so the first one that differs names the stage:

- Where it is Dynamo or AOTAutograd, the operations of its graphs are run one by one. The line is the first whose result
  in eager mode no operation of that line computes. Backward passes are not compared by line.
- Where it is the decompositions or Inductor, the compile is repeated with fewer and fewer of their steps.

Relies on ``CompilerBisector.disable_subsystem`` (``torch/_inductor/compiler_bisector.py``), which torch asks before
each step, and on the variable ``n`` of the function that Inductor passes to it, the node that is lowered.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch._dynamo.backends.common import aot_autograd

from compile_lessons.api.compare.growth import Numbers, Operation, OperationsWatch
from compile_lessons.facts import Location
from compile_lessons.ground.patching import replaced
from compile_lessons.pipeline.backends import Backend
from compile_lessons.pipeline.locations import from_stack_trace, is_outside_torch

#: What differs before any backend compiles.
WRAPPER = "the module that torch.compile returns: its parameters are named _orig_mod.…, and module.compile() adds none"
#: Where the lines of the forward pass don't differ.
NOT_A_LINE = "each line of the forward pass computes the same as in eager mode: a gradient differs, or what is returned"
#: The steps that torch can leave out, by backend, each with its name.
STEPS = {
    "aot_eager_decomp_partition": {"decomposition": "decomposition"},
    "inductor": {
        "pre_grad_passes": "pass before AOTAutograd",
        "joint_graph_passes": "pass over the joint graph",
        "post_grad_passes": "pass over the forward or the backward graph",
        "lowerings": "lowering",
    },
}
#: No rounding explains two results of one operation that are this many roundings apart.
_APART = 100


@dataclass
class Steps:
    """Leaves out the steps of one kind after the first ``most``, and keeps the last one that was made."""

    backend: str
    kind: str
    most: int
    made: int = 0
    name: str = ""
    place: Location | None = None

    def disabled(self, backend: str, kind: str, debug_info: Callable[[], str] | None = None) -> bool:
        """Return whether torch is to leave a step out."""
        if (backend, kind) != (self.backend, self.kind):
            return False
        if self.made >= self.most:
            return True
        self.made += 1
        if debug_info is not None:
            node = inspect.getclosurevars(debug_info).nonlocals.get("n")
            if isinstance(node, torch.fx.Node):
                self.name, self.place = str(node.target), from_stack_trace(node.stack_trace)
            else:
                self.name = debug_info()
        return False

    def applied(self) -> Any:
        """Return a context in which torch asks ``disabled``."""
        target = "torch._inductor.compiler_bisector:CompilerBisector.disable_subsystem"
        return replaced({target: staticmethod(self.disabled)})


def smallest(most: int, is_different: Callable[[int], bool]) -> int:
    """Return the smallest number for which ``is_different``, which holds for ``most`` and not for 0."""
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_different(middle) else (middle, high)
    return high


def one_by_one(backend: str, watch: GraphWatch) -> Backend:
    """Return a backend that runs the operations of its graphs one by one, and has them watched with their lines."""

    def lines(graph: torch.fx.GraphModule, inputs: Any = ()) -> Callable[..., Any]:
        return _Lines(graph, watch).call

    if backend == "eager":
        return lambda module, inputs, **kwargs: lines(module)

    def boxed(graph: torch.fx.GraphModule, inputs: Any) -> Callable[..., Any]:
        run = lines(graph)

        def call(arguments: list[Any]) -> Any:
            given = list(arguments)
            arguments.clear()
            return run(*given)

        call._boxed_call = True  # type: ignore[attr-defined]
        return call

    autograd = aot_autograd(fw_compiler=boxed, bw_compiler=boxed)
    return lambda module, inputs, **kwargs: autograd(module, inputs)


class GraphWatch(OperationsWatch):
    """Keeps the operations of graphs, each with the line of the node that is run."""

    line: Location | None = None

    def place(self) -> tuple[bool, Location | None]:
        """Return the line of the node."""
        return True, self.line


class _Lines(torch.fx.Interpreter):
    """Runs a graph, and tells the watch the line of each node."""

    def __init__(self, graph: torch.fx.GraphModule, watch: GraphWatch) -> None:
        super().__init__(graph)
        self._watch = watch

    def call(self, *args: Any) -> Any:
        with self._watch:
            return self.run(*args)

    def run_node(self, n: torch.fx.Node) -> Any:
        place = from_stack_trace(n.stack_trace)
        self._watch.line = place if place is not None and is_outside_torch(place.file) else None
        try:
            return super().run_node(n)
        finally:
            self._watch.line = None


def first_line(eager: Sequence[Operation], compiled: Iterable[Operation]) -> tuple[Location | None, int]:
    """Return the first line whose last result in eager mode no operation of that line computes in compiled code.

    Lines that run in compiled code alone count where eager mode leaves them out. ``None`` if no line differs. Return
    also how many lines have the same results in both.
    """
    of_line: dict[tuple[str, int], list[Numbers]] = {}
    places: dict[tuple[str, int], Location] = {}
    for operation in compiled:
        if operation.place is not None:
            key = operation.place.file, operation.place.line
            places.setdefault(key, operation.place)
            of_line.setdefault(key, []).extend(operation.outputs)
    named = [operation for operation in eager if operation.place is not None and not operation.backward]
    in_eager = {(it.place.file, it.place.line) for it in named if it.place is not None}
    only_compiled = [place for key, place in places.items() if key not in in_eager]
    same = set[tuple[str, int]]()
    for place, group in itertools.groupby(named, lambda operation: operation.place):
        if place is None:
            continue
        last = list(group)[-1]
        computed = of_line.get((place.file, place.line), [])
        if not computed and only_compiled:
            return only_compiled[0], len(same)
        if any(_is_elsewhere(output, computed) for output in last.outputs):
            return place, len(same)
        if computed:
            same.add((place.file, place.line))
    return (only_compiled[0] if only_compiled else None), len(same)


def _is_elsewhere(output: Numbers, computed: list[Numbers]) -> bool:
    """Whether there are results of this shape, and all of them are other numbers."""
    alike = [other for other in computed if other.sample.shape == output.sample.shape]
    return bool(alike) and all(output.distance(other) > _APART * output.unit for other in alike)
