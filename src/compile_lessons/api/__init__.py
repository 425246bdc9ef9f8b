"""What a reader calls: ``capture``, ``capture_calls``, the counters and ``keep_graphs``.

``facts`` describes what they return.
"""

import compile_lessons.reports.forms  # noqa: F401 (registers the forms of what is returned)
from compile_lessons.api.calls import capture_calls, count_breaks, count_graphs, count_recompiles
from compile_lessons.api.graphs import KeptGraphs, keep_graphs
from compile_lessons.api.one_call import capture

__all__ = ["KeptGraphs", "capture", "capture_calls", "count_breaks", "count_graphs", "count_recompiles", "keep_graphs"]
