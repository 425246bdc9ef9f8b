"""Facts as linked panes: every stage of a compile side by side, and which line came from which.

``links`` joins what the facts record, ``panes`` lays the stages out as lines, ``sheet`` makes plain data of it that can
be recorded, ``page`` writes that as one HTML file, and ``Explorer`` is what ``show`` takes. None of them needs torch.
"""

from compile_lessons.explorer.links import Link, links
from compile_lessons.explorer.page import page
from compile_lessons.explorer.panes import Pane, PaneLine, PanePart, panes
from compile_lessons.explorer.shown import Explorer

__all__ = ["Explorer", "Link", "Pane", "PaneLine", "PanePart", "links", "page", "panes"]
