"""Times as bars, parts of times as stacked bars, and lines by size, in the colors of light and dark pages."""

import html
import importlib.util
import io
import itertools
import math
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import msgspec

from compile_lessons.show.table import Table, duration

# Eager mode is gray and compiled code blue, in all charts.
_GRAY, _BLUE, _ORANGE, _GREEN, _PURPLE = "#7a7f87", "#4c7df0", "#e8710a", "#1a9e77", "#c2489b"
#: Percent of a chart's width: three pixels. A line from quartile to quartile that is shorter would be a dot.
_SEEN = 0.5
#: Pixels: of a line of text above bars, and of a bar with the space below it.
_LINE, _BAR = 24, 20
_LANE = _LINE + _BAR


class _Data:
    """A chart that is recorded as its numbers, and drawn where it is shown."""

    def to_json(self) -> str:
        """Return the chart's numbers and labels."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the chart that ``to_json`` wrote. Raises ``ValueError`` for anything else."""
        return msgspec.json.decode(text, type=cls)


#: Seconds: the lower quartile, the median, the upper quartile.
Quarters = tuple[float, float, float]


@dataclass(frozen=True)
class Bars(_Data):
    """Labels, each with the quartiles of its times.

    What labels have in common before their last comma stands once, above its bars. Those of eager mode are gray.
    """

    times: Sequence[tuple[str, Quarters]]

    MIME: ClassVar[str] = "application/vnd.compile-lessons.bars+json"

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
        return _full_width(drawn, top)


def _bar(label: str, quarters: Quarters, top: int, longest: float) -> str:
    # The time and what tells the bars of a group apart stand beside the bar: 100 pixels on a phone.
    low, middle, high = (f"{0.66 * value / longest:.2%}" for value in quarters)
    group, _, variant = label.rpartition(", ")
    color = _GRAY if variant == "eager" else _BLUE
    time = duration(quarters[1])
    beside = f"{time}, {variant}" if group else time
    spread = f'<line x1="{low}" x2="{high}" y1="{top + 8}" y2="{top + 8}" stroke="currentColor"/>'
    return (
        f'<rect y="{top + 2}" width="{middle}" height="12" fill="{color}"/>'
        f"{spread if float(high[:-1]) - float(low[:-1]) >= _SEEN else ''}"
        f'<text x="{high}" dx="6" y="{top + 13}" fill="currentColor">{html.escape(beside)}</text>'
    )


#: Of the parts of a bar.
_PARTS = (_PURPLE, _GRAY, _GREEN, _BLUE, _ORANGE)


@dataclass(frozen=True)
class StackedBars(_Data):
    """Labels, each with the seconds of the parts of its time, in the order of ``parts``; the last part is what is left.

    A part has the color of its place, the last one only an outline; the legend leaves out those that no bar has.
    ``totals`` are the seconds that stand beside the labels, for parts that were rounded before; by default, the sums.
    Raises ``ValueError`` for more than six parts.
    """

    parts: Sequence[str]
    times: Sequence[tuple[str, Sequence[float]]]
    totals: Sequence[float] = ()

    MIME: ClassVar[str] = "application/vnd.compile-lessons.stacked-bars+json"

    def __post_init__(self) -> None:
        _looks(self.parts)

    def __str__(self) -> str:
        rows = [[label, *(f"{part / sum(seconds):.0%}" for part in seconds)] for label, seconds in self.times]
        return str(Table(["share of the time", *self.parts], rows))

    def _repr_html_(self) -> str:
        """A legend, and bars as wide as there is room."""
        longest = max(sum(seconds) for _, seconds in self.times)
        looks = _looks(self.parts)
        totals = self.totals or [sum(seconds) for _, seconds in self.times]
        drawn = ""
        for number, ((label, seconds), total) in enumerate(zip(self.times, totals, strict=True)):
            ends = list(itertools.accumulate(seconds, initial=0.0))
            spans = [span for span in zip(self.parts, ends, ends[1:], strict=False) if span[1] < span[2]]
            drawn += _lane(f"{label}, {duration(total)}", spans, looks, number * _LANE, longest)
        named = [part for number, part in enumerate(self.parts) if any(seconds[number] for _, seconds in self.times)]
        return _legend(named, looks) + _full_width(drawn, len(self.times) * _LANE)


#: What ran, and from when to when, in seconds.
Span = tuple[str, float, float]


@dataclass(frozen=True)
class Timeline(_Data):
    """Labels, each with what ran from when to when, over one time axis that begins at zero.

    ``kinds`` are what can run, in the order of the legend: each has a color, the last one only an outline. Raises
    ``ValueError`` for more than six kinds, and for a span of another kind.
    """

    kinds: Sequence[str]
    lanes: Sequence[tuple[str, Sequence[Span]]]

    MIME: ClassVar[str] = "application/vnd.compile-lessons.timeline+json"

    def __post_init__(self) -> None:
        _looks(self.kinds)
        if unknown := {kind for _, spans in self.lanes for kind, *_ in spans} - {*self.kinds}:
            raise ValueError(f"`kinds` doesn't name what ran: {', '.join(sorted(unknown))}")

    def __str__(self) -> str:
        rows = [
            [label, kind, duration(start) if start else "0", duration(end)]
            for label, spans in self.lanes
            for kind, start, end in spans
        ]
        return str(Table(["", "what", "from", "to"], rows))

    def _repr_html_(self) -> str:
        """A legend, lanes as wide as there is room, and the axis."""
        longest = max(end for _, spans in self.lanes for *_, end in spans)
        looks, height = _looks(self.kinds), len(self.lanes) * _LANE
        drawn = "".join(
            _lane(label, spans, looks, number * _LANE, longest) for number, (label, spans) in enumerate(self.lanes)
        )
        return _legend(self.kinds, looks) + _full_width(drawn + _axis(longest, height), height + _LINE)


def _looks(parts: Sequence[str]) -> dict[str, str]:
    """Return how each part is drawn. A line around it lets the shortest one be seen."""
    if len(parts) > len(_PARTS) + 1:
        raise ValueError(f"bars tell {len(_PARTS) + 1} parts apart, and these are {len(parts)}")
    filled = [f'fill="{color}" stroke="{color}"' for color in _PARTS[: len(parts) - 1]]
    return dict(zip(parts, [*filled, 'fill="none" stroke="currentColor"'], strict=True))


def _legend(names: Iterable[str], looks: Mapping[str, str]) -> str:
    entries = "".join(
        f'<span><svg viewBox="0 0 10 10" width="10" height="10" {looks[name]} aria-hidden="true">'
        f'<path d="M.5.5h9v9h-9z"/></svg> {html.escape(name)}</span>'
        for name in names
    )
    return f'<p class="plot-legend">{entries}</p>'


def _full_width(drawn: str, height: int) -> str:
    size = f"width: 100%; max-width: 640px; height: {height}px"
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" font-size="13" style="{size}">{drawn}</svg>'


def _lane(label: str, spans: Iterable[Span], looks: Mapping[str, str], top: int, longest: float) -> str:
    drawn = f'<text y="{top + 17}" fill="currentColor">{html.escape(label)}</text>'
    for name, start, end in spans:
        place = f'x="{start / longest:.2%}" y="{top + _LINE}" width="{(end - start) / longest:.2%}" height="14"'
        drawn += f"<rect {place} {looks[name]}><title>{html.escape(name)}: {duration(end - start)}</title></rect>"
    return drawn


def _axis(longest: float, top: int) -> str:
    """Draw the axis, with a time at each round number of seconds: one, two or five times a power of ten."""
    power = 10.0 ** math.floor(math.log10(longest))
    step = next(power * part for part in (0.2, 0.5, 1, 2) if longest / (power * part) < 5)
    drawn = f'<line x2="100%" y1="{top + 4}" y2="{top + 4}" stroke="currentColor"/><text y="{top + 20}">0</text>'
    for number in range(1, int(longest / step + 1e-6) + 1):
        x = f"{number * step / longest:.2%}"
        anchor = "middle" if number * step < 0.9 * longest else "end"
        drawn += (
            f'<line x1="{x}" x2="{x}" y1="{top + 4}" y2="{top + 8}" stroke="currentColor"/>'
            f'<text x="{x}" y="{top + 20}" text-anchor="{anchor}">{duration(number * step)}</text>'
        )
    return f'<g fill="currentColor">{drawn}</g>'


#: Stands for the page's text color until the SVG is written: matplotlib knows no "currentColor".
_TEXT = "#0a0b0c"
#: matplotlib's markers, and their shapes in the legend, in a square of 10.
_MARKERS = {
    "o": '<circle cx="5" cy="5" r="4"/>',
    "s": '<path d="M1 1h8v8H1z"/>',
    "^": '<path d="M5 1 9 9H1z"/>',
    "D": '<path d="M5 0 10 5 5 10 0 5z"/>',
    "v": '<path d="M5 9 1 1H9z"/>',
}
_LOOKS = tuple(zip((_GRAY, _BLUE, _ORANGE, _GREEN, _PURPLE), _MARKERS, strict=True))
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",  # text stays text: it can be searched, and takes the page's font and color
    "font.size": 9,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(
        ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "grid.color"), _TEXT
    ),
}

#: The points of a line, x and y.
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Plot(_Data):
    """Panels side by side, by title; in each one the named lines, up to five, over the same axes.

    ``x`` and ``y`` label the axes. The x axis is logarithmic and marks each size; so is the y axis, unless it begins
    at zero (``from_zero``). Without matplotlib there is only the text form. Raises ``ValueError`` for a sixth line.
    """

    panels: Mapping[str, Mapping[str, Points]]
    x: str
    y: str
    from_zero: bool = False

    MIME: ClassVar[str] = "application/vnd.compile-lessons.plot+json"

    def __post_init__(self) -> None:
        if len(self._names()) > len(_LOOKS):
            raise ValueError(f"a plot tells {len(_LOOKS)} lines apart, and this has {len(self._names())}")

    def __str__(self) -> str:
        """A table for each panel: a row for each x, a column for each line."""
        return "\n\n".join(f"{title}: {self.y}\n{self._table(lines)}" for title, lines in self.panels.items())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        drawn = {"text/html": self._repr_html_()} if importlib.util.find_spec("matplotlib") else {}
        return {"text/plain": str(self), **drawn}

    def _repr_html_(self) -> str:
        """Panels that stand below each other where there is no room, and a legend."""
        entries = "".join(
            f'<span><svg viewBox="0 0 10 10" width="10" height="10" fill="{color}" aria-hidden="true">'
            f"{_MARKERS[marker]}</svg> {html.escape(name)}</span>"
            for name, (color, marker) in zip(self._names(), _LOOKS, strict=False)
        )
        panels = "".join(self.svg(title) for title in self.panels)
        return f'<div class="plot"><p class="plot-legend">{entries}</p>{panels}</div>'

    def svg(self, title: str) -> str:
        """Return one panel as standalone SVG. Raises ``ModuleNotFoundError`` without matplotlib."""
        import matplotlib
        from matplotlib.figure import Figure

        salt = str(zlib.crc32(f"{title}\n{self}".encode()))  # a page may hold several plots
        with matplotlib.rc_context({**_STYLE, "svg.hashsalt": salt}):
            figure = Figure(figsize=(2.9, 2.6), layout="constrained")
            axes = figure.subplots()
            looks = dict(zip(self._names(), _LOOKS, strict=False))
            for name, points in self.panels[title].items():
                color, marker = looks[name]
                axes.plot(*zip(*points, strict=True), color=color, marker=marker, markersize=4, linewidth=1.4)
            axes.set(xscale="log", title=title, xlabel=self.x, ylabel=self.y)
            axes.set_xticks(self._sizes(), [f"{size:g}" for size in self._sizes()])
            if self.from_zero:
                axes.set_ylim(0, 1.1 * self._range()[1])
            else:
                low, high = self._range()
                axes.set_yscale("log")
                axes.set_ylim(low / 1.5, high * 1.5)
            axes.yaxis.set_major_formatter(lambda value, _: f"{value:,g}")
            axes.minorticks_off()
            axes.grid(alpha=0.15)
            axes.patch.set_alpha(0)
            written = io.StringIO()
            figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        return self._for_a_page(written.getvalue(), title)

    def _for_a_page(self, svg: str, title: str) -> str:
        """Drop the XML prolog and the ids that nothing refers to, and let text and axes take the page's color."""
        svg = svg[svg.index("<svg") :].replace(_TEXT, "currentColor")
        used = set(re.findall(r'(?:url\(#|xlink:href="#)([^)"]+)', svg))
        svg = re.sub(r' id="([^"]*)"', lambda match: match[0] if match[1] in used else "", svg)
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
        name = html.escape(f"{title}: {self.y} by {self.x}")
        described = html.escape(f"{title}: {self.y}\n{self._table(self.panels[title])}")
        about = f"<title>{name}</title><desc>{described}</desc>"
        return svg.replace("<svg ", '<svg role="img" ', 1).replace(">", f">{about}", 1)

    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for lines in self.panels.values() for name in lines))

    def _sizes(self) -> list[float]:
        return sorted({x for lines in self.panels.values() for points in lines.values() for x, _ in points})

    def _range(self) -> tuple[float, float]:
        """The least and the largest y of all panels, which share their axis."""
        values = [y for lines in self.panels.values() for points in lines.values() for _, y in points]
        return min(values), max(values)

    def _table(self, lines: Mapping[str, Points]) -> Table:
        values = {name: dict(points) for name, points in lines.items()}
        places = sorted({x for points in lines.values() for x, _ in points})
        rows = [[f"{x:g}", *(f"{v[x]:,.4g}" if x in v else "" for v in values.values())] for x in places]
        return Table([self.x, *lines], rows)
