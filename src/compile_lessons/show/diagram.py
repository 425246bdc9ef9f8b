"""A small directed graph that prints as text and becomes SVG on a page: graphs with a cut, guard trees, call flows."""

import html
import itertools
import math
import textwrap
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

_LETTER, _LINE, _GAP_X, _GAP_Y, _PAD, _LANE = 7.3, 15, 18, 34, 9, 8
_GAP_IN_FRAME = 20

#: What a group is drawn in: its color, and the dashes of its border, so that no group is told by color alone.
_Style = tuple[str, str]
#: The same roles look the same in every diagram.
_ROLES: dict[str, _Style] = {
    "forward": ("#5c6bc0", "none"),
    "backward": ("#c2410c", "6 3"),
    "saved": ("#00897b", "2 2"),
    "recomputed": ("#8e24aa", "8 2 2 2"),
}
_STYLES: tuple[_Style, ...] = (*_ROLES.values(), ("#6d4c41", "1 3"), ("#c62828", "10 4"))

#: x, y, width and height, in pixels.
Box = tuple[float, float, float, float]
Edge = tuple[str, str]
#: Width and height.
Size = tuple[float, float]
#: The place of each box, the lanes that each edge takes through the layers it passes, and the size of the whole.
_Placed = tuple[dict[str, Box], dict[Edge, list[Box]], float, float]
#: What takes a place in a layer: a box, by its name, or an edge that passes the layer.
_Item = str | tuple[str, str, int]


@dataclass(frozen=True)
class Diagram:
    """Boxes and arrows, laid out in layers from top to bottom.

    ``nodes`` gives each box's text by its name (``\\n`` breaks a line), ``edges`` pairs of names, and ``groups`` the
    group of a box: boxes of a group share a color, named in the legend. ``frames`` gives the title of the frame that a
    box is in. An edge that leaves a frame begins at the frame, and an edge that enters it ends there; ``edges`` and
    ``groups`` may name a frame by its title. Raises ``ValueError`` for an edge to a box that is not there and for a
    cycle.
    """

    nodes: Mapping[str, str]
    edges: Sequence[Edge]
    groups: Mapping[str, str] = field(default_factory=dict)
    frames: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if unknown := {name for edge in self.edges for name in edge} - {*self.nodes, *self.frames.values()}:
            raise ValueError(f"edges name boxes that are not there: {', '.join(sorted(unknown))}")
        try:
            self._layout()
        except CycleError as error:
            raise ValueError(f"the edges form a cycle: {' -> '.join(error.args[1])}") from None

    def __str__(self) -> str:
        """A line a box: its text, its group, and the boxes its arrows lead to; a frame's line before its boxes."""
        lines, titled = [], set()
        for name in self.nodes:
            frame = self.frames.get(name)
            if frame is None:
                lines.append(self._line(name))
            elif frame not in titled:
                titled.add(frame)
                lines.append(self._line(frame))
                lines += [f"  {self._line(box)}" for box in self.nodes if self.frames.get(box) == frame]
        return "\n".join(lines)

    def _line(self, name: str) -> str:
        group = f" [{self.groups[name]}]" if name in self.groups else ""
        targets = ", ".join(_flat(self.nodes.get(b, b)) for a, b in self._arrows() if a == name)
        return f"{_flat(self.nodes.get(name, name))}{group}" + (f" -> {targets}" if targets else "")

    def _arrows(self) -> list[Edge]:
        """The edges as they are drawn: between two boxes of a frame, or else between the frames that they stand in."""
        drawn = []
        for a, b in self.edges:
            frames = self.frames.get(a, a), self.frames.get(b, b)
            drawn.append(frames if frames[0] != frames[1] else (a, b))
        return list(dict.fromkeys(drawn))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "image/svg+xml": self.svg()}

    def svg(self) -> str:
        """Return standalone SVG. Its text and arrows take the color of the text around it, in light and dark."""
        boxes, lanes, width, height = self._layout()
        named = [name for name in boxes if name in self.groups]
        styles = _styles(dict.fromkeys(self.groups[name] for name in named))
        tip = f"tip-{zlib.crc32(str(self).encode()):08x}"  # an id of its own: a page may hold several diagrams
        parts = [self._box(name, boxes[name], styles) for name in boxes if name not in self.nodes]
        parts += [_arrow(boxes[a], passed, boxes[b], tip) for (a, b), passed in lanes.items()]
        parts += [self._box(name, boxes[name], styles) for name in self.nodes]
        legend = 12 + len(styles) * _LINE if styles else 0
        parts = [f'<g transform="translate(0 {legend})">', *parts, "</g>"]
        for number, (group, (color, dashes)) in enumerate(styles.items()):
            y = 13 + number * _LINE
            parts.append(
                f'<rect x="4.5" y="{y - 9}" width="14" height="10" rx="2" fill="{color}" fill-opacity="0.12"'
                f' stroke="{color}" stroke-dasharray="{dashes}"/>'
                f'<text x="26" y="{y}" fill="currentColor">{html.escape(group)}</text>'
            )
        height += legend
        width = max([width, *(30 + len(group) * _LETTER for group in styles)])
        name = f"Diagram of {len(self.nodes)} boxes and {len(self.edges)} arrows"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {height:.0f}"'
            f' width="{width:.0f}" height="{height:.0f}" font-family="monospace" font-size="12">'
            f"<title>{name}</title><desc>{html.escape(str(self))}</desc>"
            f'<defs><marker id="{tip}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6"'
            ' orient="auto">'
            '<path d="M0 0L8 4L0 8z" fill="currentColor" fill-opacity="0.6"/></marker></defs>'
            + "".join(parts)
            + "</svg>"
        )

    def _layout(self) -> _Placed:
        """Place the boxes of each frame, then the frames and the other boxes, all as boxes of their size."""
        arrows, inside = self._arrows(), {}
        sizes: dict[str, Size] = {}
        for name in self.nodes:
            frame = self.frames.get(name)
            if frame is None:
                sizes[name] = _size(self.nodes[name])
            elif frame not in inside:
                own = {box: _size(self.nodes[box]) for box in self.nodes if self.frames.get(box) == frame}
                inside[frame] = _place(own, [edge for edge in arrows if edge[0] in own], _GAP_IN_FRAME)
                title, (_, _, width, height) = _size(frame), inside[frame]
                sizes[frame] = max(title[0], width + 2 * _PAD), title[1] + height + _PAD
        boxes, lanes, width, height = _place(sizes, [edge for edge in arrows if edge[0] in sizes], _GAP_Y)
        for frame, (own_boxes, own_lanes, own_width, _) in inside.items():
            x = boxes[frame][0] + (boxes[frame][2] - own_width) / 2
            y = boxes[frame][1] + _size(frame)[1]
            boxes |= {name: _moved(box, x, y) for name, box in own_boxes.items()}
            lanes |= {edge: [_moved(lane, x, y) for lane in passed] for edge, passed in own_lanes.items()}
        return boxes, lanes, width, height

    def _box(self, name: str, box: Box, styles: Mapping[str, _Style]) -> str:
        x, y, width, height = box
        color, dashes = styles[self.groups[name]] if name in self.groups else ("currentColor", "none")
        frame, border = name not in self.nodes, ' stroke-opacity="0.35"' if color == "currentColor" else ""
        return (
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="4" fill="{color}"'
            f' fill-opacity="{0.04 if frame else 0.1}" stroke="{color}"{border} stroke-dasharray="{dashes}"/>'
            + _text(self.nodes.get(name, name).split("\n"), box, frame)
        )


def _text(lines: Sequence[str], box: Box, frame: bool) -> str:
    """Draw the lines of a box. The first one of a frame stands out; the only one of another box is in its middle."""
    x, y, width, _ = box
    place, anchor = x + _PAD, ""
    if len(lines) == 1 and not frame:
        place, anchor = x + width / 2, ' text-anchor="middle"'
    looks = [' font-weight="600"'] + [' fill-opacity="0.75"'] * (len(lines) - 1) if frame else [""] * len(lines)
    return "".join(
        f'<text x="{place:.1f}" y="{y + 16 + number * _LINE:.1f}" fill="currentColor"{anchor}{look}>'
        f"{html.escape(line)}</text>"
        for number, (line, look) in enumerate(zip(lines, looks, strict=True))
    )


def _styles(groups: Iterable[str]) -> dict[str, _Style]:
    """Give each group its style: that of its role, or the next that no other group has."""
    roles = {group: group.split()[0].strip(":") for group in groups}  # "saved: in both" has the role "saved"
    taken = {_ROLES[role] for role in roles.values() if role in _ROLES}
    free = itertools.cycle([style for style in _STYLES if style not in taken])
    return {group: _ROLES[role] if role in _ROLES else next(free) for group, role in roles.items()}


def _levels(names: Iterable[str], edges: Sequence[Edge]) -> dict[str, int]:
    """The layer of each box: the length of the longest path that leads to it."""
    before = {name: [a for a, b in edges if b == name] for name in names}
    level: dict[str, int] = {}
    for name in TopologicalSorter(before).static_order():
        level[name] = 1 + max((level[a] for a in before[name]), default=-1)
    return level


def _place(sizes: Mapping[str, Size], edges: Sequence[Edge], gap: float) -> _Placed:
    """Place boxes of these sizes in layers.

    Layers are ordered by the mean place of their neighbors, and then moved below or above these (Sugiyama et al.,
    1981). An edge takes a place of its own in each layer that it passes, so no arrow crosses a box.
    """
    level = _levels(sizes, edges)
    layers: list[list[_Item]] = [[] for _ in range(max(level.values(), default=-1) + 1)]
    for name in sizes:
        layers[level[name]].append(name)
    paths: dict[tuple[str, str], list[_Item]] = {}
    for a, b in edges:
        paths[a, b] = [a, *((a, b, passed) for passed in range(level[a] + 1, level[b])), b]
        for passed, lane in enumerate(paths[a, b][1:-1], level[a] + 1):
            layers[passed].append(lane)
    above: defaultdict[_Item, list[_Item]] = defaultdict(list)
    below: defaultdict[_Item, list[_Item]] = defaultdict(list)
    for path in paths.values():
        for upper, lower in itertools.pairwise(path):
            above[lower].append(upper)
            below[upper].append(lower)
    spaces = {item: sizes[item] if isinstance(item, str) else (_LANE, 0.0) for layer in layers for item in layer}
    center = {item: float(place) for layer in layers for place, item in enumerate(layer)}
    for _ in range(4):
        for neighbors, sweep in ((above, layers), (below, layers[::-1])):
            for layer in sweep:
                wanted = _wanted(layer, neighbors, center)
                layer.sort(key=lambda item: wanted[item])
                center.update({item: place - len(layer) / 2 for place, item in enumerate(layer)})
    for layer in layers:
        _spread(layer, dict.fromkeys(layer, 0.0), spaces, center)
    for neighbors, sweep in ((above, layers), (below, layers[::-1]), (above, layers)):
        for layer in sweep:
            _spread(layer, _wanted(layer, neighbors, center), spaces, center)
    left = min((center[item] - spaces[item][0] / 2 for item in spaces), default=0.0) - 4
    places: dict[_Item, Box] = {}
    y = 4.0
    for layer in layers:
        height = max(spaces[item][1] for item in layer)
        for item in layer:
            width, own = spaces[item]
            places[item] = (center[item] - width / 2 - left, y, width, height if isinstance(item, tuple) else own)
        y += height + gap
    right = max((x + width for x, _, width, _ in places.values()), default=0.0) + 4
    boxes = {name: places[name] for name in sizes}
    lanes = {edge: [places[lane] for lane in path[1:-1]] for edge, path in paths.items()}
    return boxes, lanes, right, y - gap + 6


def _size(text: str) -> Size:
    lines = text.split("\n")
    return max(map(len, lines)) * _LETTER + 2 * _PAD, len(lines) * _LINE + _PAD


def _moved(box: Box, x: float, y: float) -> Box:
    return box[0] + x, box[1] + y, box[2], box[3]


def _wanted(
    layer: list[_Item], neighbors: Mapping[_Item, list[_Item]], center: Mapping[_Item, float]
) -> dict[_Item, float]:
    """Return the mean place of each item's neighbors; where it has none, its own."""
    return {item: _mean([center[other] for other in neighbors.get(item, [item])]) for item in layer}


def _spread(
    layer: list[_Item],
    wanted: Mapping[_Item, float],
    sizes: Mapping[_Item, Size],
    center: dict[_Item, float],
) -> None:
    """Give the items of a layer centers near those wanted, in their order and without overlap."""
    right = -math.inf
    for item in layer:
        center[item] = max(wanted[item], right + _GAP_X + sizes[item][0] / 2)
        right = center[item] + sizes[item][0] / 2
    shift = _mean([wanted[item] - center[item] for item in layer])
    for item in layer:
        center[item] += shift


def _arrow(start: Box, lanes: Sequence[Box], end: Box, tip: str) -> str:
    """Draw an arrow from the bottom of a box through its lanes to the top of another."""
    x, y = start[0] + start[2] / 2, start[1] + start[3]
    curve = f"M{x:.1f} {y:.1f}"
    for box in (*lanes, end):
        to = box[0] + box[2] / 2
        top = box[1] - (box is end)
        middle = (y + top) / 2
        curve += f"C{x:.1f} {middle:.1f} {to:.1f} {middle:.1f} {to:.1f} {top:.1f}"
        x, y = to, top
        if box is not end:
            y += box[3]
            curve += f"V{y:.1f}"
    return f'<path d="{curve}" fill="none" stroke="currentColor" stroke-opacity="0.45" marker-end="url(#{tip})"/>'


def _flat(text: str) -> str:
    return textwrap.shorten(text.replace("\n", " "), 60, placeholder="…")


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)
