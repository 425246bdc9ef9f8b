"""A small directed graph that prints as text and becomes SVG on a page: graphs with a cut, guard trees, call flows."""

from __future__ import annotations

import html
import textwrap
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

_COLORS = ("#5c6bc0", "#ef6c00", "#00897b", "#8e24aa", "#c62828", "#6d4c41")
_LETTER, _LINE, _GAP_X, _GAP_Y, _PAD, _BOW = 7.3, 15, 18, 34, 9, 40

#: x, y, width and height, in pixels.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Diagram:
    """Boxes and arrows, laid out in layers from top to bottom.

    ``nodes`` gives each box's text by its name (``\\n`` breaks a line), ``edges`` pairs of names, and ``groups`` the
    group of a box: boxes of a group share a color, named in the legend. Raises ``ValueError`` for an edge to a box
    that is not there and for a cycle.
    """

    nodes: Mapping[str, str]
    edges: Sequence[tuple[str, str]]
    groups: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if unknown := {name for edge in self.edges for name in edge} - set(self.nodes):
            raise ValueError(f"edges name boxes that are not there: {', '.join(sorted(unknown))}")
        try:
            self._layers()
        except CycleError as error:
            raise ValueError(f"the edges form a cycle: {' -> '.join(error.args[1])}") from None

    def __str__(self) -> str:
        """A line a box: its text, its group, and the boxes its arrows lead to."""
        lines = []
        for name, text in self.nodes.items():
            group = f" [{self.groups[name]}]" if name in self.groups else ""
            targets = ", ".join(_flat(self.nodes[b]) for a, b in self.edges if a == name)
            lines.append(f"{_flat(text)}{group}" + (f" -> {targets}" if targets else ""))
        return "\n".join(lines)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "image/svg+xml": self.svg()}

    def svg(self) -> str:
        """Standalone SVG; its text and arrows take the color of the text around it, in light and dark."""
        boxes, width, height = self._layout()
        legend = list(dict.fromkeys(self.groups[name] for name in self.nodes if name in self.groups))
        tip = f"tip-{zlib.crc32(str(self).encode()):08x}"  # an id of its own: a page may hold several diagrams
        parts = [self._arrow(boxes[a], boxes[b], boxes.values(), tip) for a, b in self.edges]
        parts += [self._box(name, *boxes[name]) for name in self.nodes]
        for number, group in enumerate(legend):
            y = height + 16 + number * _LINE
            parts.append(
                f'<rect x="4" y="{y - 9}" width="10" height="10" rx="2" fill="{_COLORS[number % len(_COLORS)]}"/>'
            )
            parts.append(f'<text x="20" y="{y}" fill="currentColor">{html.escape(group)}</text>')
        height += 12 + len(legend) * _LINE if legend else 0
        width = max([width, *(24 + len(group) * _LETTER for group in legend)])
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {height:.0f}"'
            f' width="{width:.0f}" height="{height:.0f}" font-family="monospace" font-size="12">'
            f"<title>{html.escape(str(self))}</title>"
            f'<defs><marker id="{tip}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
            ' orient="auto">'
            '<path d="M0 0L8 4L0 8z" fill="currentColor"/></marker></defs>' + "".join(parts) + "</svg>"
        )

    def _before(self, name: str) -> list[str]:
        return [a for a, b in self.edges if b == name]

    def _layers(self) -> list[list[str]]:
        """Boxes by the length of the longest path that leads to them."""
        depth: dict[str, int] = {}
        for name in TopologicalSorter({name: self._before(name) for name in self.nodes}).static_order():
            depth[name] = 1 + max((depth[a] for a in self._before(name)), default=-1)
        return [
            [name for name in self.nodes if depth[name] == level]
            for level in range(max(depth.values(), default=-1) + 1)
        ]

    def _layout(self) -> tuple[dict[str, Box], float, float]:
        """Each box, and the size of the whole. A box stands under those that lead to it."""
        boxes: dict[str, Box] = {}
        y, widest = 4.0, 0.0
        for layer in self._layers():
            order = sorted(layer, key=lambda name: _mean([boxes[a][0] for a in self._before(name)]))
            sizes = [self._size(name) for name in order]
            x = 4.0
            for name, (width, height) in zip(order, sizes, strict=True):
                boxes[name] = (x, y, width, height)
                x += width + _GAP_X
            y += max(height for _, height in sizes) + _GAP_Y
            widest = max(widest, x - _GAP_X + 4 + _BOW)
        rows: dict[float, list[str]] = {}
        for name, box in boxes.items():
            rows.setdefault(box[1], []).append(name)
        for names in rows.values():  # center every layer
            last = boxes[names[-1]]
            shift = (widest - (last[0] + last[2]) - 4) / 2
            for name in names:
                box = boxes[name]
                boxes[name] = (box[0] + shift, *box[1:])
        return boxes, widest, y - _GAP_Y + 6

    def _size(self, name: str) -> tuple[float, float]:
        lines = self.nodes[name].split("\n")
        return max(map(len, lines)) * _LETTER + 2 * _PAD, len(lines) * _LINE + _PAD

    def _box(self, name: str, x: float, y: float, width: float, height: float) -> str:
        groups = list(dict.fromkeys(self.groups.values()))
        color = _COLORS[groups.index(self.groups[name]) % len(_COLORS)] if name in self.groups else "currentColor"
        lines = "".join(
            f'<text x="{x + _PAD:.1f}" y="{y + 16 + i * _LINE:.1f}" fill="currentColor">{html.escape(line)}</text>'
            for i, line in enumerate(self.nodes[name].split("\n"))
        )
        return (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="4" fill="{color}"'
            f' fill-opacity="0.12" stroke="{color}"/>{lines}'
        )

    def _arrow(self, a: Box, b: Box, boxes: Iterable[Box], tip: str) -> str:
        x1, y1, x2, y2 = a[0] + a[2] / 2, a[1] + a[3], b[0] + b[2] / 2, b[1] - 1
        middle = (y1 + y2) / 2
        passed = [x + width for x, y, width, _ in boxes if a[1] < y < b[1]]
        if passed:  # go around the boxes of the layers in between
            x1, x2 = x1 + a[2] / 4, x2 + b[2] / 4
            # Half-way, a cubic curve has come three quarters of the way to its control points.
            side = max((max(passed) + _PAD - (x1 + x2) / 8) / 0.75, x1, x2)
            curve = f"M{x1:.1f} {y1:.1f}C{side:.1f} {y1 + _GAP_Y:.1f} {side:.1f} {y2 - _GAP_Y:.1f} {x2:.1f} {y2:.1f}"
        else:
            curve = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {middle:.1f} {x2:.1f} {middle:.1f} {x2:.1f} {y2:.1f}"
        return f'<path d="{curve}" fill="none" stroke="currentColor" stroke-opacity="0.6" marker-end="url(#{tip})"/>'


def _flat(text: str) -> str:
    return textwrap.shorten(text.replace("\n", " "), 60, placeholder="…")


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
