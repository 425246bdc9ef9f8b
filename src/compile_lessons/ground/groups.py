"""Group values by their keys."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key, in the order of the pairs."""
    groups: dict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return dict(groups)
