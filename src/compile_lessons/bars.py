"""Times as bars, whose text takes the color of the page, light or dark."""

from __future__ import annotations

import html
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from compile_lessons.table import Table

#: Pixels: of a line of text above bars, and of a bar.
_LINE, _BAR = 24, 20

#: Seconds: the lower quartile, the median, the upper quartile.
Quarters = tuple[float, float, float]


@dataclass(frozen=True)
class Bars:
    """Labels, each with the quartiles of its times.

    What labels have in common before their last comma stands once, above its bars. Those of eager mode are gray.
    """

    times: Sequence[tuple[str, Quarters]]

    def __str__(self) -> str:
        return str(Table(["", "median"], [[label, duration(median)] for label, (_, median, _) in self.times]))

    def _repr_html_(self) -> str:
        return self.svg()

    def svg(self) -> str:
        """Bars from zero to the median, with a line from quartile to quartile, as wide as there is room."""
        longest = max(high for _, (*_, high) in self.times)
        drawn, top = "", 0
        for name, group in itertools.groupby(self.times, lambda time: time[0].rpartition(", ")[0] or time[0]):
            drawn += f'<text y="{top + 17}" fill="currentColor">{html.escape(name)}</text>'
            top += _LINE
            for label, quarters in group:
                drawn += _bar(label, quarters, top, longest)
                top += _BAR
        size = f"width: 100%; max-width: 640px; height: {top}px"
        return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" font-size="13" style="{size}">{drawn}</svg>'


def _bar(label: str, quarters: Quarters, top: int, longest: float) -> str:
    # The time and what tells the bars of a group apart stand beside the bar: 100 pixels on a phone.
    low, middle, high = (f"{0.66 * value / longest:.2%}" for value in quarters)
    group, _, variant = label.rpartition(", ")
    color = "#7a7f87" if variant == "eager" else "#4c7df0"
    time = duration(quarters[1])
    beside = f"{time}, {variant}" if group else time
    return (
        f'<rect y="{top + 2}" width="{middle}" height="12" fill="{color}"/>'
        f'<line x1="{low}" x2="{high}" y1="{top + 8}" y2="{top + 8}" stroke="currentColor"/>'
        f'<text x="{high}" dx="6" y="{top + 13}" fill="currentColor">{html.escape(beside)}</text>'
    )


def duration(seconds: float) -> str:
    """``seconds`` with three digits and the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
