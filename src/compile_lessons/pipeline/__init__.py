"""One compile as data. See ``capture``, ``capture_calls`` and the counters; ``model`` describes what they return."""

from compile_lessons.pipeline import html, text  # noqa: F401 (register the forms of the parts)
from compile_lessons.pipeline.calls import capture_calls, count_breaks, count_graphs, count_recompiles
from compile_lessons.pipeline.capture import capture
from compile_lessons.pipeline.checks import CaptureError
from compile_lessons.pipeline.model import Calls, Pipeline

__all__ = [
    "Calls",
    "CaptureError",
    "Pipeline",
    "capture",
    "capture_calls",
    "count_breaks",
    "count_graphs",
    "count_recompiles",
]
