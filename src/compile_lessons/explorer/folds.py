"""Which lines of a listing are boilerplate: much the same for every program, and linked to nothing."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from compile_lessons.ground.words import counted

#: Fewer lines than this are not folded.
_LEAST = 3
#: By pane: what lines of a fold look like, and what they are.
_BOILERPLATE = {
    "kernels": (r"$|import |from |triton_helpers|@|\s+\w+=|\)$", "imports and heuristics"),
    "guards": (r"", "guards on torch's state and on modules"),
    "ttir": (r"#loc", "locations"),
    "ttgir": (r"#loc", "locations"),
    "llir": (r"$|!|;|source_filename|target |attributes |declare ", "declarations and debug information"),
    "ptx": (
        r"\s*(?:$|//|\.(?:version|target|address_size|section|file|b8|b16|b32|b64)\b|[{}]$)",
        "directives and debug information",
    ),
    "sass": (r"\s*(?:$|//|\.\w)", "directives"),
}
#: The sections of the output code, by the line that each begins with. A section without a name is not folded.
_SECTIONS = (
    (re.compile(r"# kernel path|# Topologically|\w+ = async_compile\.\w+\("), ""),
    (re.compile(r"async_compile\.wait"), "names, and the runner of partitions"),
    (re.compile(r"(?:    )?def call\("), ""),
    (re.compile(r"runner = |def get_args|def benchmark_compiled_module"), "a benchmark of this code"),
)
_CHECK = re.compile(r"\s+assert_(?:size_stride|alignment)\(")


class Fold(NamedTuple):
    """Lines from ``begin`` to before ``end``, counted from 0, under a title."""

    begin: int
    end: int
    title: str


def folds(pane: str, texts: Sequence[str], linked: Sequence[bool]) -> list[Fold]:
    """Return the runs of boilerplate in one part of a pane. A line with a link is in no fold."""
    kinds = _of_code(texts) if pane == "code" else _by_look(pane, texts)
    unlinked = ("" if link else kind for kind, link in zip(kinds, linked, strict=True))
    found: list[Fold] = []
    begin = 0
    for kind, run in groupby(unlinked):
        end = begin + len(list(run))
        if kind and end - begin >= _LEAST:
            found.append(Fold(begin, end, f"{counted(end - begin, 'line')}: {kind}"))
        begin = end
    return found


def _by_look(pane: str, texts: Sequence[str]) -> Iterator[str]:
    look, title = _BOILERPLATE.get(pane, (r"(?!)", ""))
    pattern = re.compile(look)
    return (title if pattern.match(text) else "" for text in texts)


def _of_code(texts: Sequence[str]) -> Iterator[str]:
    section = "imports and names"
    for text in texts:
        section = next((name for begins, name in _SECTIONS if begins.match(text)), section)
        yield "checks of sizes and strides" if _CHECK.match(text) else section
