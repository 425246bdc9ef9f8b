"""Lines of the user's source, and what a tensor is without its values."""

from collections.abc import Iterable
from dataclasses import dataclass

from compile_lessons.facts.part import Part


def total(sizes: Iterable[int | None]) -> int | None:
    """Return the sum of sizes; ``None`` if one of them is."""
    sizes = list(sizes)
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


@dataclass(frozen=True, kw_only=True)
class Location(Part):
    """A line of source. ``text`` is the line itself, stripped; empty if the file can't be read."""

    file: str
    line: int
    function: str = ""
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class TensorMeta(Part):
    """Metadata of one tensor. A dimension is an ``int``, or the symbol (``"s0"``) of a dynamic one.

    ``bytes`` is elements times element size; ``None`` if a dimension is symbolic.
    """

    shape: tuple[int | str, ...]
    stride: tuple[int | str, ...]
    dtype: str
    device: str
    bytes: int | None
