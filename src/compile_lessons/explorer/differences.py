"""Which lines of one variant are not in another, pane by pane."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from compile_lessons.explorer.sheet import Sheet

#: Names that differ with each run or with each text: those of compiled functions, and of files named after their hash.
_RANDOM = re.compile(r"_[0-9a-f]{8}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{4}_[0-9a-f]{12}\b|\bc[a-z2-7]{51}\b")

#: A pane's name, the place of a part in it, and the place of a line in that.
Place = tuple[str, int, int]


def differences(one: Sheet, other: Sheet) -> tuple[set[Place], set[Place]]:
    """Return the lines of ``one`` that are not in ``other``, and those of ``other`` that are not in ``one``.

    Parts are compared in their order: the first graph with the first graph. A line is text, wherever it stands.
    """
    ours: set[Place] = set()
    theirs: set[Place] = set()
    for name in dict.fromkeys(pane.name for pane in (*one.panes, *other.panes)):
        mine, others = _parts(one, name), _parts(other, name)
        for part in range(max(len(mine), len(others))):
            left, right = (parts[part] if part < len(parts) else [] for parts in (mine, others))
            same = SequenceMatcher(None, left, right).get_matching_blocks()
            ours |= {(name, part, at) for at in _left_over(len(left), [(block.a, block.size) for block in same])}
            theirs |= {(name, part, at) for at in _left_over(len(right), [(block.b, block.size) for block in same])}
    return ours, theirs


def _parts(sheet: Sheet, name: str) -> list[list[str]]:
    parts = [part for pane in sheet.panes if pane.name == name for part in pane.parts]
    return [[_RANDOM.sub("…", line.text) for line in part.lines] for part in parts]


def _left_over(count: int, blocks: list[tuple[int, int]]) -> Iterator[int]:
    same = {at for begin, size in blocks for at in range(begin, begin + size)}
    return (at for at in range(count) if at not in same)
