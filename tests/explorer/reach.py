"""What the page's script lights up, computed from the links."""

from collections import defaultdict
from collections.abc import Iterable

from compile_lessons.explorer.links import Link, Pair


class Reach:
    """What each link came from and what became of it."""

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self._above: dict[Link, list[Link]] = defaultdict(list)
        self._below: dict[Link, list[Link]] = defaultdict(list)
        for above, below in pairs:
            self._above[below].append(above)
            self._below[above].append(below)

    def of(self, start: Iterable[Link]) -> set[Link]:
        """Return the links themselves, all that they came from, and all that came from them."""
        start = set(start)
        return start | _reached(start, self._above) | _reached(start, self._below)


def _reached(start: set[Link], step: dict[Link, list[Link]]) -> set[Link]:
    seen, todo = set(start), list(start)
    while todo:
        for link in step.get(todo.pop(), ()):
            if link not in seen:
                seen.add(link)
                todo.append(link)
    return seen
