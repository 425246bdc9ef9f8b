"""Facts as text, HTML and tables. Importing this package registers the form of each part; it needs no torch."""

from compile_lessons.facts import Calls, Parts, Pipeline
from compile_lessons.reports import part_html, part_text  # noqa: F401 (they register the forms)

__all__ = ["Calls", "Parts", "Pipeline"]
