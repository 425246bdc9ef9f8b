"""compile_lessons: the package behind *Inside torch.compile*."""

from typing import TYPE_CHECKING, Any

from compile_lessons.diagram import Diagram
from compile_lessons.show import show
from compile_lessons.table import Table

if TYPE_CHECKING:  # also what records.sources follows from "from compile_lessons import capture"
    from compile_lessons.pipeline import capture, capture_calls, count_breaks, count_graphs, count_recompiles

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
    """What needs torch is imported when it is asked for: the site's build does without torch."""
    if name in __all__:
        from compile_lessons import pipeline

        return getattr(pipeline, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
