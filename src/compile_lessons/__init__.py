"""compile_lessons: the package behind *Inside torch.compile*."""

import importlib
from typing import TYPE_CHECKING, Any

from compile_lessons.show import show

if TYPE_CHECKING:  # also what records.sources follows from "from compile_lessons import capture"
    from compile_lessons.api import capture, capture_calls, count_breaks, count_graphs, count_recompiles, keep_graphs
    from compile_lessons.explorer import Explorer
    from compile_lessons.reports.forms import Calls, Parts, Pipeline
    from compile_lessons.show.diagram import Diagram
    from compile_lessons.show.listing import Listing
    from compile_lessons.show.table import Table

__all__ = [
    "Calls",
    "Diagram",
    "Explorer",
    "Listing",
    "Parts",
    "Pipeline",
    "Table",
    "capture",
    "capture_calls",
    "count_breaks",
    "count_graphs",
    "count_recompiles",
    "keep_graphs",
    "show",
]


#: The modules that names come from; all others come from ``api``.
_MODULES = {
    "Calls": "reports.forms",
    "Diagram": "show.diagram",
    "Explorer": "explorer",
    "Listing": "show.listing",
    "Parts": "reports.forms",
    "Pipeline": "reports.forms",
    "Table": "show.table",
}


def __getattr__(name: str) -> Any:
    """Import everything but ``show`` on first use: the site's build needs no torch, and starts quickly without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"compile_lessons.{_MODULES.get(name, 'api')}")
    if name in ("Pipeline", "capture"):
        importlib.import_module("compile_lessons.explorer")  # what a notebook shows of a pipeline
    return getattr(module, name)
