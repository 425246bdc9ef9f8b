"""Lines over logarithmic axes: text in a terminal, SVG on a page whose text takes the page's color."""

from __future__ import annotations

import html
import importlib.util
import io
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from compile_lessons.table import Table

#: Stands for the page's text color until the SVG is written: matplotlib knows no "currentColor".
_TEXT = "#0a0b0c"
_COLORS = ("#7a7f87", "#4c7df0", "#e8710a", "#1a9e77", "#c2489b")
_MARKERS = ("o", "s", "^", "D", "v")

#: The points of a line, x and y.
Points = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Plot:
    """Panels side by side, by title; in each one the named lines, over the same logarithmic axes.

    ``x`` and ``y`` label the axes. Without matplotlib there is only the text form.
    """

    panels: Mapping[str, Mapping[str, Points]]
    x: str
    y: str

    def __str__(self) -> str:
        """A table for each panel: a row for each x, a column for each line."""
        return "\n\n".join(f"{title}: {self.y}\n{self._table(lines)}" for title, lines in self.panels.items())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        drawn = {"image/svg+xml": self.svg()} if importlib.util.find_spec("matplotlib") else {}
        return {"text/plain": str(self), **drawn}

    def svg(self) -> str:
        """Return standalone SVG. Raises ``ModuleNotFoundError`` without matplotlib."""
        import matplotlib
        from matplotlib.figure import Figure

        style: dict[Any, Any] = {
            "svg.fonttype": "none",  # text stays text: it can be searched, and takes the page's font and color
            "svg.hashsalt": str(zlib.crc32(str(self).encode())),  # a page may hold several plots
            "font.size": 9,
            "axes.linewidth": 0.6,
            **dict.fromkeys(
                ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "grid.color"), _TEXT
            ),
        }
        with matplotlib.rc_context(style):
            figure = Figure(figsize=(2.9 * len(self.panels) + 0.3, 2.9), layout="constrained")
            axes = figure.subplots(1, len(self.panels), sharey=True, squeeze=False)[0]
            for panel, (title, lines) in zip(axes, self.panels.items(), strict=True):
                for number, (name, points) in enumerate(lines.items()):
                    look = {"color": _COLORS[number % len(_COLORS)], "marker": _MARKERS[number % len(_MARKERS)]}
                    panel.plot(*zip(*points, strict=True), label=name, markersize=4, linewidth=1.4, **look)
                panel.set(xscale="log", yscale="log", title=title, xlabel=self.x)
                panel.grid(alpha=0.15)
                panel.patch.set_alpha(0)
            axes[0].set_ylabel(self.y)
            handles, names = axes[0].get_legend_handles_labels()
            figure.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False)
            written = io.StringIO()
            figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        return self._for_a_page(written.getvalue())

    def _for_a_page(self, svg: str) -> str:
        """Drop the XML prolog and the ids that nothing refers to, and let text and axes take the page's color."""
        svg = svg[svg.index("<svg") :].replace(_TEXT, "currentColor")
        used = set(re.findall(r'(?:url\(#|xlink:href="#)([^)"]+)', svg))
        svg = re.sub(r' id="([^"]*)"', lambda match: match[0] if match[1] in used else "", svg)
        svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
        return svg.replace("<svg ", '<svg role="img" ', 1).replace(
            ">", f"><title>{html.escape(self.y)} by {html.escape(self.x)}</title>", 1
        )

    def _table(self, lines: Mapping[str, Points]) -> Table:
        values = {name: dict(points) for name, points in lines.items()}
        places = sorted({x for points in lines.values() for x, _ in points})
        rows = [[f"{x:g}", *(f"{v[x]:,.4g}" if x in v else "" for v in values.values())] for x in places]
        return Table([self.x, *lines], rows)
