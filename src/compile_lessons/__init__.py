"""compile_lessons: the package behind *Inside torch.compile*."""

from typing import TYPE_CHECKING, Any

from compile_lessons.show import show

if TYPE_CHECKING:  # also what records.sources follows from "from compile_lessons import capture"
    from compile_lessons.diagram import Diagram
    from compile_lessons.pipeline import capture, capture_calls, count_breaks, count_graphs, count_recompiles
    from compile_lessons.table import Table

__all__ = [
    "Diagram",
    "Table",
    "capture",
    "capture_calls",
    "count_breaks",
    "count_graphs",
    "count_recompiles",
    "show",
]


def __getattr__(name: str) -> Any:
    """Everything but ``show`` is imported when it is asked for: the site's build does without torch, and is quick."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "Diagram":
        from compile_lessons.diagram import Diagram as found
    elif name == "Table":
        from compile_lessons.table import Table as found
    else:
        from compile_lessons import pipeline

        found = getattr(pipeline, name)
    return found
