"""compile_lessons: the package behind *Inside torch.compile*."""

from compile_lessons.diagram import Diagram
from compile_lessons.show import show
from compile_lessons.table import Table

__all__ = ["Diagram", "Table", "show"]
