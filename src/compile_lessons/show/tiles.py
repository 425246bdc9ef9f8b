"""Matrices cut into tiles, each drawn by what happens to it: text in a terminal, SVG on a page."""

import html
import itertools
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_LETTER, _LINE, _GAP, _TOP, _WIDE = 7.3, 15, 20, 20, 380
_FINEST = 6  # pixels between two lines of a grid

#: How the kinds are drawn, in their order: filled, hatched, outlined. No kind is told by color alone.
_FILLS = ("#5c6bc0", "url(#{})", "none")
_SIGNS = "#/."


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """A matrix of tiles: the kind of each tile, row by row, and the ``height`` and ``width`` of a tile in elements."""

    tiles: Sequence[Sequence[str]]
    height: int
    width: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, in elements."""
        return len(self.tiles) * self.height, len(self.tiles[0]) * self.width


@dataclass(frozen=True)
class Tiles:
    """Matrices side by side, by title and to the same scale.

    ``kinds`` are the kinds of tiles that the legend names and counts, at most three; they are filled, hatched and
    outlined, in this order. Raises ``ValueError`` for more kinds, and for a tile of any other kind.
    """

    matrices: Mapping[str, Matrix]
    kinds: Sequence[str]

    def __post_init__(self) -> None:
        if len(self.kinds) > len(_FILLS):
            raise ValueError(f"{len(self.kinds)} kinds of tiles, but {len(_FILLS)} ways to draw them")
        if unknown := set(self._tiles()) - set(self.kinds):
            raise ValueError(f"tiles of a kind that `kinds` doesn't name: {', '.join(sorted(unknown))}")

    def __str__(self) -> str:
        """The titles, a sign for each tile, and the legend."""
        signs = dict(zip(self.kinds, _SIGNS, strict=False))
        parts = [
            "\n".join([_described(title, matrix), *("".join(signs[kind] for kind in row) for row in matrix.tiles)])
            for title, matrix in self.matrices.items()
        ]
        return "\n\n".join([*parts, "\n".join(f"{signs[kind]} {text}" for kind, text in self._legend().items())])

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "image/svg+xml": self.svg()}

    def svg(self) -> str:
        """Return standalone SVG. Its text and lines take the color of the text around it, in light and dark."""
        hatch = f"hatch-{zlib.crc32(str(self).encode()):08x}"  # an id of its own: a page may hold several figures
        fills = {kind: fill.format(hatch) for kind, fill in zip(self.kinds, _FILLS, strict=False)}
        columns = [matrix.shape[1] for matrix in self.matrices.values()]
        scale = (_WIDE - _GAP * (len(columns) - 1)) / sum(columns)
        parts, x, bottom = [], 1.0, 0.0
        for title, matrix in self.matrices.items():
            parts += [_text(x, 13, title), *_drawn(matrix, x, scale, fills)]
            x += max(matrix.shape[1] * scale, len(title) * _LETTER) + _GAP
            bottom = max(bottom, _TOP + matrix.shape[0] * scale)
        for kind, text in self._legend().items():
            bottom += _LINE + 3
            parts += [_rect(1, bottom - 9, 14, 11, fills[kind]), _text(22, bottom + 1, text)]
        width = max([x - _GAP, *(22 + len(text) * _LETTER for text in self._legend().values())]) + 2
        described = "; ".join([*itertools.starmap(_described, self.matrices.items()), *self._legend().values()])
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width:.0f} {bottom + 6:.0f}"'
            f' width="{width:.0f}" height="{bottom + 6:.0f}" font-family="monospace" font-size="12">'
            f"<title>Tiles of {html.escape(', '.join(self.matrices))}</title><desc>{html.escape(described)}</desc>"
            f'<defs><pattern id="{hatch}" width="5" height="5" patternUnits="userSpaceOnUse"'
            ' patternTransform="rotate(45)"><path d="M2 0V5" stroke="#d9622b" stroke-width="2.5"/></pattern></defs>'
            + "".join(parts)
            + "</svg>"
        )

    def _tiles(self) -> list[str]:
        return [kind for matrix in self.matrices.values() for row in matrix.tiles for kind in row]

    def _legend(self) -> dict[str, str]:
        """The text beside each kind."""
        tiles = self._tiles()
        return {kind: f"{kind}: {tiles.count(kind)} tiles" for kind in self.kinds}


def _drawn(matrix: Matrix, x: float, scale: float, fills: Mapping[str, str]) -> Iterator[str]:
    """Draw a rectangle for each run of tiles of a kind, and the lines between tiles that aren't too small for them."""
    rows, columns = matrix.shape
    for number, row in enumerate(matrix.tiles):
        column = 0
        for kind, run in itertools.groupby(row):
            count = len(list(run))
            left, top = x + column * matrix.width * scale, _TOP + number * matrix.height * scale
            if fills[kind] != "none":
                yield _rect(left, top, count * matrix.width * scale, matrix.height * scale, fills[kind], border=False)
            column += count
    lines = "".join(f"M{x:.1f} {_TOP + y * scale:.1f}h{columns * scale:.1f}" for y in _cuts(rows, matrix.height, scale))
    lines += "".join(f"M{x + y * scale:.1f} {_TOP}v{rows * scale:.1f}" for y in _cuts(columns, matrix.width, scale))
    yield f'<path d="{lines}" fill="none" stroke="currentColor" stroke-opacity="0.4"/>'


def _cuts(length: int, tile: int, scale: float) -> range:
    """Where lines are drawn: between the tiles, or at both ends alone."""
    return range(0, length + 1, tile if tile * scale >= _FINEST else length)


def _rect(x: float, y: float, width: float, height: float, fill: str, border: bool = True) -> str:
    stroke = ' stroke="currentColor" stroke-opacity="0.4"' if border else ""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{fill}"{stroke}/>'


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="currentColor">{html.escape(text)}</text>'


def _described(title: str, matrix: Matrix) -> str:
    return f"{title}: {len(matrix.tiles)} by {len(matrix.tiles[0])} tiles of {matrix.height} by {matrix.width}"
