"""From a guard that failed, in torch's words, to what changed and what to do about it.

``CAUSES`` is the table: the first row whose pattern fits gives the cause.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from compile_lessons.facts.run import FailedCheck


@dataclass(frozen=True, kw_only=True)
class Cause:
    """One kind of change that triggers a recompile."""

    name: str
    #: Named groups: ``source``, ``old``, ``new``, ``index``.
    pattern: str
    #: What changes, with the pattern's groups.
    what: str
    remedy: str
    lesson: str = "dynamo/recompiles"


@dataclass(frozen=True, kw_only=True)
class FailedGuard:
    """A guard that failed, read from torch's text."""

    cause: Cause
    #: What changed: ``the size of tokens in dimension 0``.
    what: str
    source: str
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


_VALUE = r"(?P<old>-?\d[\d.e+-]*|True|False|None|'[^']*'|\"[^\"]*\")"

CAUSES = (
    Cause(
        name="backend",
        pattern=r"^BACKEND_MATCH",
        what="the backend is a new object",
        remedy="make the backend once, and use torch.compile once, outside of the loop",
        lesson="pipeline/backends",
    ),
    Cause(
        name="parameter",
        pattern=r"^tensor '(?P<source>.+_parameters\['\w+'\])' size mismatch at index (?P<index>\d+)\. "
        r"expected (?P<old>\d+), actual (?P<new>\d+)",
        what="the size of {source} in dimension {index}",
        remedy="give these parameters one size, by padding; sizes of parameters are never dynamic",
    ),
    Cause(
        name="size",
        pattern=r"^tensor '(?P<source>.+)' size mismatch at index (?P<index>\d+)\. "
        r"expected (?P<old>\d+), actual (?P<new>\d+)",
        what="the size of {source} in dimension {index}",
        remedy="torch._dynamo.mark_dynamic({source}, {index}) before the first call",
        lesson="dynamo/dynamic-shapes",
    ),
    Cause(
        name="stride",
        pattern=r"^tensor '(?P<source>.+)' stride mismatch at index (?P<index>\d+)\. "
        r"expected (?P<old>\d+), actual (?P<new>\d+)",
        what="the stride of {source} in dimension {index}",
        remedy="pass {source}.contiguous()",
        lesson="dynamo/guards",
    ),
    Cause(
        name="dtype",
        pattern=r"^tensor '(?P<source>.+)' dtype mismatch\. expected (?P<old>\w+), actual (?P<new>\w+)",
        what="the dtype of {source}",
        remedy="convert {source} to one dtype before the call",
        lesson="dynamo/guards",
    ),
    Cause(
        name="requires_grad",
        pattern=r"^tensor '(?P<source>.+)' requires_grad mismatch\. expected (?:requires_grad=)?(?P<old>\w+)",
        what="requires_grad of {source}",
        remedy="detach {source} before the call, or pass it the same way each time",
        lesson="dynamo/guards",
    ),
    Cause(
        name="rank",
        pattern=r"^tensor '(?P<source>.+)' rank mismatch\. expected (?P<old>\d+), actual (?P<new>\d+)",
        what="the number of dimensions of {source}",
        remedy="reshape {source} before the call",
        lesson="dynamo/guards",
    ),
    Cause(
        name="tensor",
        pattern=r"^tensor '(?P<source>.+?)' (?P<old>.+)",
        what="{source}: {old}",
        remedy="pass tensors of one kind",
        lesson="dynamo/guards",
    ),
    Cause(
        name="optimizer",
        pattern=rf"^(?P<source>.*param_groups\[\d+\]\['(?P<key>\w+)'\](?:\[\d+\])?) == {_VALUE}",
        what="{key} of the optimizer, a Python number",
        remedy="make {key} a tensor",
        lesson="dynamo/recompiles",
    ),
    Cause(
        name="item",
        pattern=r"^(?P<source>[\w.\[\]'\"]+)\.item\(\) == (?P<old>\S+)",
        what="the value of {source}, a tensor that the code uses as a Python number",
        remedy="pass {source} as a Python number, or index with a tensor operation such as index_copy",
        lesson="dynamo/recompiles",
    ),
    Cause(
        name="length",
        pattern=r"^len\((?P<source>.+)\) == (?P<old>\d+)",
        what="the length of {source}",
        remedy="keep the values in a tensor of full length, or stack them before the call",
        lesson="dynamo/recompiles",
    ),
    Cause(
        name="empty",
        pattern=r"^not (?P<source>[\w.\[\]'\"]+)$",
        what="whether {source} is empty",
        remedy="keep the values in a tensor of full length, or stack them before the call",
        lesson="dynamo/recompiles",
    ),
    Cause(
        name="global",
        pattern=rf"^G\['(?P<source>\w+)'\] == {_VALUE}",
        what="the global variable {source}",
        remedy="pass {source} as an argument, as a tensor if it changes at each call",
        lesson="dynamo/recompiles",
    ),
    Cause(
        name="string",
        pattern=r"^(?P<source>[\w.\[\]'\"]+) == (?P<old>'[^']*')",
        what="the string {source}",
        remedy="look up what {source} selects before the call, and pass that",
        lesson="dynamo/recompiles",
    ),
    Cause(
        name="attribute",
        pattern=rf"^(?P<source>[\w\[\]'\".]+\.\w+) == {_VALUE}",
        what="the attribute {source}, a Python number",
        remedy="keep it in a tensor: self.register_buffer(…), or count outside of the compiled code",
        lesson="dynamo/recompiles",
    ),
    Cause(
        name="argument",
        pattern=rf"^(?P<source>[\w\[\]'\".]+) == {_VALUE}",
        what="{source}, a Python value",
        remedy="pass {source} as a tensor",
        lesson="dynamo/recompiles",
    ),
    Cause(
        name="grad_mode",
        pattern=r"^GLOBAL_STATE changed: (?P<source>.+)",
        what="torch's global state: {source}",
        remedy="make all calls under the same setting",
        lesson="dynamo/guards",
    ),
    Cause(
        name="object",
        pattern=r"^___check_obj_id\((?P<source>.+?), \d+\)",
        what="{source} is a new object",
        remedy="keep the object, and change its tensors in place",
        lesson="dynamo/guards",
    ),
    Cause(
        name="type",
        pattern=r"^___check_type_id\((?P<source>.+?), \d+\)",
        what="the type of {source}",
        remedy="pass one type",
        lesson="dynamo/guards",
    ),
    Cause(
        name="sizes",
        pattern=r"^(?P<old>.*(?P<source>[\w\[\]'\".]+)\.size\(\)\[(?P<index>\d+)\].*)",
        what="the condition {old}",
        remedy="see the line that needs the condition: without it one version serves these sizes",
        lesson="dynamo/dynamic-shapes",
    ),
)
_OTHER = Cause(
    name="other",
    pattern="",
    what="the check {source}",
    remedy="keep what this check reads the same in all calls",
    lesson="dynamo/guards",
)
#: The line of the user's, after a comment: ``# keys.append(token)  # tests/growing_cache.py:8 in decode``.
_PLACE = re.compile(r"#\s*(?P<path>\S+\.py):(?P<line>\d+) in \S+\s*(?:$|\n|\()")
_STACK = re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d+), in')


def read_guard(text: str, new: str | None = None) -> FailedGuard:
    """Read torch's text for a guard that failed: ``0/1: self.n == 3  # self.n += 1  # model.py:8 in forward``."""
    first, _, rest = text.partition("\n")
    places = [*_STACK.finditer(rest)][-1:] or [*_PLACE.finditer(first)]
    place = places[0] if places else None
    check = re.split(r"\s{2,}#|\s+# ", re.sub(r"^\d+/\d+(?:_\d+)?: ", "", first))[0].strip()
    for cause in CAUSES:
        match = re.match(cause.pattern, check)
        if match:
            break
    else:
        cause, match = _OTHER, re.match(r"(?P<source>.*)", check)
    groups = {name: value or "" for name, value in (match.groupdict() if match else {}).items()}
    source = readable(groups.get("source", ""))
    groups["source"] = source
    return FailedGuard(
        cause=Cause(
            name=cause.name,
            pattern=cause.pattern,
            what=cause.what,
            remedy=cause.remedy.format(**groups),
            lesson=cause.lesson,
        ),
        what=cause.what.format(**groups),
        source=groups.get("key") or source,
        old=groups.get("old") or None,
        new=new or groups.get("new") or None,
        index=groups.get("index") or None,
        path=place["path"] if place else None,
        line=int(place["line"]) if place else None,
    )


#: Causes that tell apart two uses of a function, as training and inference, or a prompt and one token. A version for
#: each is right, so another version's guard says more about why there is one more.
_VARIANTS = ("grad_mode", "length", "empty", "type", "rank", "requires_grad", "dtype", "other", "sizes")


def most_telling(guards: Sequence[FailedCheck]) -> FailedGuard:
    """Return the guard that explains a recompile, of those that failed, one for each version, the newest first."""
    read = [read_guard(guard.text, guard.new) for guard in guards]
    return next((guard for guard in read if guard.cause.name not in _VARIANTS), read[0])


def readable(source: str) -> str:
    """Write a guard's source as the reader would: ``self.fc.weight``, without the dictionaries of modules."""
    source = re.sub(r"^[LG]\['(\w+)'\]", r"\1", source)
    source = re.sub(r"\._(?:modules|parameters|buffers)\['(\w+)'\]", r".\1", source)
    source = re.sub(r"\.__dict__\['(\w+)'\]", r".\1", source)
    return re.sub(r"^kwargs\['(\w+)'\]", r"\1", source)
