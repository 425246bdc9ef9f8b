"""Rates by size: lines over a linear axis that begins at 0, as text and as SVG."""

from __future__ import annotations

import io
import zlib
from typing import Any

from compile_lessons.plot import _COLORS, _MARKERS, _TEXT, Plot


class Rates(Plot):
    """A plot whose y axis is linear and begins at 0, and whose x axis marks each size.

    It has a module of its own: an edit of ``plot.py`` makes the recordings stale that draw with it.
    """

    def svg(self) -> str:
        """Return standalone SVG. Raises ``ModuleNotFoundError`` without matplotlib."""
        import matplotlib
        from matplotlib.figure import Figure

        colors = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "grid.color")
        style: dict[Any, Any] = {
            "svg.fonttype": "none",
            "svg.hashsalt": str(zlib.crc32(str(self).encode())),
            "font.size": 9,
            "axes.linewidth": 0.6,
            **dict.fromkeys(colors, _TEXT),
        }
        with matplotlib.rc_context(style):
            figure = Figure(figsize=(max(2.9 * len(self.panels), 3.5) + 0.3, 2.9), layout="constrained")
            axes = figure.subplots(1, len(self.panels), sharey=True, squeeze=False)[0]
            for panel, (title, lines) in zip(axes, self.panels.items(), strict=True):
                for (name, points), color, marker in zip(lines.items(), _COLORS, _MARKERS, strict=False):
                    panel.plot(*zip(*points, strict=True), label=name, color=color, marker=marker, markersize=4)
                sizes = sorted({x for points in lines.values() for x, _ in points})
                panel.set(xscale="log", ylim=(0, None), title=title, xlabel=self.x)
                panel.set_xticks(sizes, [f"{size:g}" for size in sizes])
                panel.minorticks_off()
                panel.grid(alpha=0.15)
                panel.patch.set_alpha(0)
            axes[0].set_ylabel(self.y)
            handles, names = axes[0].get_legend_handles_labels()
            figure.legend(handles, names, loc="outside lower center", ncols=len(names), frameon=False)
            written = io.StringIO()
            figure.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        return self._for_a_page(written.getvalue())
