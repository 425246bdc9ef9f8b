"""From a guard that failed, in torch's words, to what changed and what to do: by the table ``guards`` of the catalogue.

The first row whose pattern fits gives the cause.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compile_lessons.facts.run import FailedCheck
from compile_lessons.findings.catalogue import Cause, catalogue

_VALUE = r"""-?\d[\d.e+-]*|-?inf|True|False|None|'[^']*'|"[^"]*\""""
#: The check in ``L['key'] == '#1'  # if key == "#1":  # file.py:3 in f``: all up to a ``#`` that is not in a string.
_CHECK = re.compile(r"""(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^#])*""")
#: Before the check: ``0/1: ``, ``- 0/1: ``.
_BEFORE = re.compile(r"^[\s-]*(?:\d+/\d+(?:_\d+)?:\s*)?")
#: The line of the user's, after a comment: ``# keys.append(token)  # tests/growing_cache.py:8 in decode``.
_PLACE = re.compile(r"#\s*(?P<path>\S+\.py):(?P<line>\d+) in \S+\s*(?:$|\n|\()")
_STACK = re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d+), in')


@dataclass(frozen=True, kw_only=True)
class FailedGuard:
    """A guard that failed, read from torch's text."""

    cause: Cause
    #: What changed: ``the size of tokens in dimension 0``.
    what: str
    #: What to do, with the names of this guard.
    remedy: str
    source: str
    #: The source in torch's words: ``kwargs['input_ids']``.
    raw: str = ""
    old: str | None = None
    new: str | None = None
    #: The dimension, of a size.
    index: str | None = None
    #: The line that the guard is from, as torch shortens it: a part of the path, and the line's number.
    path: str | None = None
    line: int | None = None

    @property
    def key(self) -> tuple[str, str]:
        """The same for guards that fail for one cause, whatever the value."""
        return self.cause.name, self.what if self.cause.name in ("size", "parameter") else self.source


def read_guard(text: str, new: str | None = None) -> FailedGuard:
    """Read torch's text for a guard that failed: ``0/1: self.n == 3  # self.n += 1  # model.py:8 in forward``."""
    first, _, rest = text.rpartition("guard failure(s):")[2].strip().partition("\n")
    places = [*_STACK.finditer(rest)][-1:] or [*_PLACE.finditer(first)]
    place = places[0] if places else None
    cause, match = _cause_of(_check(first))
    groups = {name: value or "" for name, value in match.groupdict().items()}
    raw = groups.get("source", "")
    source = groups["source"] = readable(raw)
    return FailedGuard(
        cause=cause,
        what=cause.symptom.format(**groups),
        remedy=_remedy(cause, groups),
        source=groups.get("key") or source,
        raw=raw,
        old=groups.get("old") or None,
        new=new or groups.get("new") or None,
        index=groups.get("index") or None,
        path=place["path"] if place else None,
        line=int(place["line"]) if place else None,
    )


#: Code about a tensor, as of ``mark_dynamic``: the caller of the function runs it.
_CODE = re.compile(r"`[^`]*\{source\}[^`]*`")


def _remedy(cause: Cause, groups: dict[str, str]) -> str:
    """Return the remedy. ``args[0]`` and ``self.cache`` are names inside of the function, so code says ``tensor``."""
    source = groups["source"]
    if source.isidentifier() or not _CODE.search(cause.remedy):
        return cause.remedy.format(**groups)
    remedy = _CODE.sub(lambda code: code[0].replace("{source}", "tensor"), cause.remedy)
    return f"{remedy.format(**groups)}, where `tensor` is what the function calls `{source}`"


#: Causes that tell apart two uses of a function, as training and inference, or a prompt and one token. A version for
#: each is right, so another version's guard says more about why there is one more.
VARIANTS = ("state", "length", "empty", "type", "rank", "requires_grad", "dtype", "other", "sizes")


def most_telling(guards: Sequence[FailedCheck]) -> FailedGuard:
    """Return the guard that explains a recompile, of those that failed, one for each version, the newest first."""
    read = [read_guard(guard.text, guard.new) for guard in guards]
    return next((guard for guard in read if guard.cause.name not in VARIANTS), read[0])


#: Causes whose patterns fit what is no guard: ``not faster``.
_LIKE_WORDS = ("empty", "other")


#: What stands before a guard in a log.
_START = r"(?:^|\d: |\(s\):|- )\s*"


def patterns_for_scripts() -> Iterator[tuple[str, Cause]]:
    """Yield the pattern of each cause for JavaScript: for a guard anywhere in what was pasted.

    Each has a named group, as a match without one has no ``groups`` there.
    """
    for pattern, cause in _patterns():
        if cause.name not in _LIKE_WORDS:
            check = pattern.pattern.removeprefix("^").replace("(?P<", "(?<")
            yield f"{_START}(?<check>{check})", cause


def readable(source: str) -> str:
    """Write a guard's source as the reader would: ``self.fc.weight``, without the dictionaries of modules."""
    source = re.sub(r"^[LG]\['(\w+)'\]", r"\1", source)
    source = re.sub(r"\._(?:modules|parameters|buffers)\['(\w+)'\]", r".\1", source)
    source = re.sub(r"\.__dict__\['(\w+)'\]", r".\1", source)
    return re.sub(r"^kwargs\['(\w+)'\]", r"\1", source)


def _check(line: str) -> str:
    """Return the check alone, without the compile's id before it and torch's comment after it."""
    line = _BEFORE.sub("", line)
    match = _CHECK.match(line)
    return (match[0] if match else line).strip()


def _cause_of(check: str) -> tuple[Cause, re.Match[str]]:
    for pattern, cause in _patterns():
        if match := pattern.match(check):
            return cause, match
    raise AssertionError("the last row of the catalogue's guards fits any text")


@functools.cache
def _patterns() -> tuple[tuple[re.Pattern[str], Cause], ...]:
    return tuple((re.compile(cause.pattern.replace("VALUE", _VALUE)), cause) for cause in catalogue().guards)
