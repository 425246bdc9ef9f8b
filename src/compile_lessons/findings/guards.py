"""From a guard that failed, in torch's words, to what changed and what to do: by the table ``guards`` of the catalogue.

The first row whose pattern fits gives the cause.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compile_lessons.facts.run import Compile, FailedCheck
from compile_lessons.facts.source import STACK_LINE, Location, innermost, is_not_torch, is_user_file, location, stack_in
from compile_lessons.findings.catalogue import Cause, catalogue
from compile_lessons.ground.words import short_number

_VALUE = r"""-?\d[\d.e+-]*|-?inf|True|False|None|'[^']*'|"[^"]*\""""
#: The check in ``L['key'] == '#1'  # if key == "#1":  # file.py:3 in f``: all up to a ``#`` that is not in a string.
_CHECK = re.compile(r"""(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^#])*""")
#: Before the check, the compile's id: ``0/1: ``, ``- 0/1: ``.
_BEFORE = re.compile(r"^[\s-]*(?:\d+/\d+(?:_\d+)?:\s*)?")
#: The name of a variable that an inner function captures, as the user wrote it.
_HINT = re.compile(r'\(HINT: guard on "(?P<name>\w+)"\)')
#: The line of the user's, as a comment with its text: ``# keys.append(token)  # tests/growing_cache.py:8 in decode``.
_PLACE = re.compile(r"#\s*(?:(?P<text>[^#\n]*?)\s*#\s*)?(?P<file>\S+\.py):(?P<line>\d{1,9}) in \S+\s*(?:$|\n|\()")


@dataclass(frozen=True, kw_only=True)
class FailedGuard:
    """A guard that failed, read from torch's text."""

    cause: Cause
    #: What changed: ``the size of tokens in dimension 0``.
    what: str
    #: What to do, with the names of this guard.
    remedy: str
    lesson: str
    source: str
    #: The source in torch's words: ``kwargs['input_ids']``.
    raw: str = ""
    old: str | None = None
    new: str | None = None
    #: The dimension, of a size.
    index: str | None = None
    #: The line that the guard is from, or what torch's text says of it: the end of the path, the number, and the line.
    at: Location | None = None
    path: str | None = None
    line: int | None = None
    told: str = ""
    #: The innermost line, if it is a library's, which the line ``at`` calls.
    library: Location | None = None

    @property
    def values(self) -> str:
        """The value before and now, as far as they are known: ``: 3 → 4``."""
        return f": {short_number(self.old)} → {short_number(self.new)}" if self.old and self.new else ""

    @property
    def change(self) -> str:
        """What changed, with the value before and now."""
        return f"{self.what}{self.values}"

    @property
    def key(self) -> tuple[str, str]:
        """The same for guards that fail for one cause, whatever the value."""
        return self.cause.name, self.what if self.cause.name in ("size", "parameter") else self.source


def read_guard(text: str, new: str | None = None, at: Location | None = None, parameter: bool = False) -> FailedGuard:
    """Read torch's text for a guard that failed: ``0/1: self.n == 3  # self.n += 1  # model.py:8 in forward``.

    ``parameter``: it is on the size of a parameter that is an argument, which the text calls a tensor.
    """
    first, _, rest = text.rpartition("guard failure(s):")[2].strip().partition("\n")
    place = next(reversed([*STACK_LINE.finditer(rest)]), None) or _PLACE.search(first)
    stack = [line for line in stack_in(rest) if is_not_torch(line.file)]
    library = stack[-1] if stack and not is_user_file(stack[-1].file) else None
    check, _ = split_check(_BEFORE.sub("", first))
    # The last row of the catalogue's guards fits any text.
    cause, match = next((cause, match) for pattern, cause in _patterns() if (match := pattern.match(check)))
    if parameter and cause.name == "size":
        cause = next(cause for cause in catalogue().guards if cause.name == "parameter")
    groups = {name: value or "" for name, value in match.groupdict().items()}
    raw = groups.get("source", "")
    hint = _HINT.search(first) if cause.name == "captured" else None
    source = groups["source"] = hint["name"] if hint else readable(raw)
    return FailedGuard(
        cause=cause,
        what=cause.symptom.format(**groups),
        remedy=_remedy(cause, groups),
        lesson=cause.lesson,
        source=groups.get("key") or source,
        raw=raw,
        old=groups.get("old") or None,
        new=new or groups.get("new") or None,
        index=groups.get("index") or None,
        at=at or innermost(stack),
        library=library,
        path=place["file"] if place else None,
        line=int(place["line"]) if place else None,
        told=(place["text"] or "") if place else "",
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
    read = [read_guard(guard.text, guard.new, guard.line, guard.parameter) for guard in guards]
    return next((guard for guard in read if guard.cause.name not in VARIANTS), read[0])


def recompiled(compiles: Sequence[Compile]) -> Iterator[tuple[Compile, tuple[FailedCheck, ...]]]:
    """Yield the compiles of a function for which its versions didn't fit, with the guards of these, newest first.

    The versions of other uses of ``torch.compile`` say nothing: two models of one class have a version each. Where a
    use has another backend, as one that is made in each step, its versions count.
    """
    uses: list[int | None] = []  # of the versions so far
    for item in compiles:
        guards = item.guards
        if len(guards) == len(uses):
            pairs = zip(guards, reversed(uses), strict=True)
            guards = tuple(guard for guard, use in pairs if use == item.region or "BACKEND_MATCH" in guard.text)
        if guards and item.outcome in ("compiled", "limit"):
            yield item, guards
        if item.outcome == "compiled":
            uses.append(item.region)


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


def line_of(guard: FailedGuard, compiles: Sequence[Compile]) -> Location | None:
    """Return the user's line that reads what changed. torch's text has the end of its path."""
    if guard.at is not None or guard.path is None or guard.line is None:
        return guard.at
    files = {compiles[0].code.file} | {line.file for item in compiles for line in item.stack}
    file = next((file for file in sorted(files) if is_user_file(file) and file.endswith(guard.path)), None)
    return location(file, guard.line, told=guard.told) if file else None


#: An attribute of an object's class: ``dict(type(G['counter']).__dict__)['n']``.
CLASS_ATTRIBUTE = re.compile(r"dict\(type\((.+)\)\.__dict__\)\['(\w+)'\]$")


#: A global of another module than the compiled function's: ``G['__import_package_dot_masks'].window``.
_OTHER_MODULE = re.compile(r"^G\['__import_\w+'\]\.")


def readable(source: str) -> str:
    """Write a guard's source as the user would: ``self.fc.weight``, without the dictionaries of modules.

    A value that the bytecode had on its stack at a break, ``L['___stack0']``, has no name.
    """
    if "___stack" in source:
        return "a value on the stack"
    source = _OTHER_MODULE.sub("", source)
    source = re.sub(r"^[LG]\['(\w+)'\]", r"\1", CLASS_ATTRIBUTE.sub(r"\1.\2", source))
    source = re.sub(r"\._(?:modules|parameters|buffers)\['(\w+)'\]", r".\1", source)
    source = re.sub(r"\.__dict__\['(\w+)'\]", r".\1", source)
    return re.sub(r"^kwargs\['(\w+)'\]", r"\1", source)


def split_check(text: str) -> tuple[str, str]:
    """Return a check in torch's words, and torch's comment on it."""
    end = match.end() if (match := _CHECK.match(text)) else 0
    return text[:end].strip(), text[end:]


@functools.cache
def _patterns() -> tuple[tuple[re.Pattern[str], Cause], ...]:
    return tuple((re.compile(cause.pattern.replace("VALUE", _VALUE)), cause) for cause in catalogue().guards)
