"""Facts as linked panes: every stage of a compile side by side, and which line came from which.

``links`` joins what the facts record, ``panes`` lays the stages out as lines, ``page`` writes them as one HTML file.
``diagnosis`` writes the report of a whole run as one HTML file.
None of them needs torch.
"""

from compile_lessons.explorer.diagnosis import diagnosis
from compile_lessons.explorer.links import Link, links
from compile_lessons.explorer.page import page
from compile_lessons.explorer.panes import Pane, PaneLine, PanePart, panes

__all__ = ["Link", "Pane", "PaneLine", "PanePart", "diagnosis", "links", "page", "panes"]
