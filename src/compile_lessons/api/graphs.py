"""``keep_graphs``: a backend for a program that compiles its own functions and wants to look at the graphs."""

from collections.abc import Callable
from typing import Any

import torch


class KeptGraphs:
    """A backend of ``torch.compile`` that keeps each graph it is given, and notes each run of one.

    ``graphs`` are Dynamo's graphs, as ``torch.fx.GraphModule``, in the order in which they were compiled. ``runs`` has
    a number for each run of a graph: its index in ``graphs``. A call that runs in eager mode adds nothing to ``runs``.
    """

    def __init__(self, then: str = "eager") -> None:
        self.graphs: list[torch.fx.GraphModule] = []
        self.runs: list[int] = []
        self._then = then

    def __call__(self, graph: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        """Compile one graph, as ``torch.compile`` asks its backend to."""
        from compile_lessons.pipeline import backends  # imports torch._dynamo: seconds

        compiled = backends.lookup(self._then)(graph, inputs)
        index = len(self.graphs)
        self.graphs.append(graph)  # only now: AOTAutograd can have Dynamo trace the function once more

        def run(*arguments: Any) -> Any:
            self.runs.append(index)
            return compiled(*arguments)

        return run


def keep_graphs(then: str = "eager") -> KeptGraphs:
    """Return a backend that keeps the graphs of your compiled functions: ``torch.compile(fn, backend=keep_graphs())``.

    Afterwards, ``len(kept.graphs)`` is the number of graphs that were compiled, and ``len(kept.runs)`` how often one of
    them ran. ``then`` names the backend of torch that compiles each graph: ``"eager"`` runs it as it is, and
    ``"aot_eager"`` also shows recompiles that only AOTAutograd causes. Of ``torch.compile``'s own backends, only
    ``"inductor"`` needs a C++ compiler.

    Use ``capture``, ``count_graphs``, ``count_breaks`` or ``count_recompiles`` for a function that isn't compiled yet.
    """
    return KeptGraphs(then)
