"""The parts of times as bars, whose text takes the color of the page, light or dark."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from compile_lessons.bars import duration
from compile_lessons.table import Table

#: Pixels: of the line of text above a bar, and of a bar with the space below it.
_LINE, _BAR = 24, 20
#: Of the parts of a bar. Compiled code's blue and eager mode's gray are those of ``Bars``.
_COLORS = ("#c2489b", "#7a7f87", "#1a9e77", "#4c7df0", "#e8710a")


@dataclass(frozen=True)
class StackedBars:
    """Labels, each with the seconds of the parts of its time, in the order of ``parts``; the last part is what is left.

    A part has the color of its place, the last one only an outline; the legend leaves out those that no bar has. Raises
    ``ValueError`` for more than six parts.
    """

    parts: Sequence[str]
    times: Sequence[tuple[str, Sequence[float]]]

    def __post_init__(self) -> None:
        if len(self.parts) > len(_COLORS) + 1:
            raise ValueError(f"stacked bars tell {len(_COLORS) + 1} parts apart, and these are {len(self.parts)}")

    def __str__(self) -> str:
        rows = [[label, *(f"{part / sum(seconds):.0%}" for part in seconds)] for label, seconds in self.times]
        return str(Table(["share of the time", *self.parts], rows))

    def _repr_html_(self) -> str:
        """A legend, and bars as wide as there is room."""
        longest = max(sum(seconds) for _, seconds in self.times)
        looks = [*(f'fill="{color}"' for color in _COLORS[: len(self.parts) - 1]), 'fill="none" stroke="currentColor"']
        drawn = "".join(
            _stack(label, zip(self.parts, looks, seconds, strict=True), number * (_LINE + _BAR), longest)
            for number, (label, seconds) in enumerate(self.times)
        )
        legend = "".join(
            f'<span><svg viewBox="0 0 10 10" width="10" height="10" {look} aria-hidden="true">'
            f'<path d="M.5.5h9v9h-9z"/></svg> {html.escape(name)}</span>'
            for name, look, *seconds in zip(self.parts, looks, *(seconds for _, seconds in self.times), strict=True)
            if any(seconds)
        )
        size = f"width: 100%; max-width: 640px; height: {len(self.times) * (_LINE + _BAR)}px"
        return (
            f'<p class="plot-legend">{legend}</p>'
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" font-size="13" style="{size}">{drawn}</svg>'
        )


def _stack(label: str, parts: Iterable[tuple[str, str, float]], top: int, longest: float) -> str:
    drawn, end = "", 0.0
    for name, look, seconds in parts:
        about = f"<title>{html.escape(name)}: {duration(seconds)}</title>" if seconds else ""
        place = f'x="{end / longest:.2%}" y="{top + _LINE}" width="{seconds / longest:.2%}" height="14"'
        drawn += f"<rect {place} {look}>{about}</rect>" if seconds else ""
        end += seconds
    return f'<text y="{top + 17}" fill="currentColor">{html.escape(label)}, {duration(end)}</text>{drawn}'
