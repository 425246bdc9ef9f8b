"""compile_lessons: the package behind *Inside torch.compile*."""

import importlib
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
    modules = {"Diagram": "diagram", "Table": "table"}
    return getattr(importlib.import_module(f"compile_lessons.{modules.get(name, 'pipeline')}"), name)
