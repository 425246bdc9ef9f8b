"""Functions that run in eager mode as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compile_lessons.facts import Location, Pipeline, Skip
from compile_lessons.findings.finding import Finding

#: Torch's reasons for frames without operations on tensors: "no tensor-related objects found in frame",
#: "Dynamo decided to skip the frame while tracing: No ops traced for the FX graph."
_NO_OPERATIONS = re.compile(r"no tensor-related objects|No ops traced")
#: "Dynamo recompile limit exceeded", "recompile_limit reached", "accumulated_recompile_limit reached".
LIMIT = re.compile(r"(?:recompile|cache_size)[_ ]limit")
#: What to do about a limit that a call reached.
LIMIT_REMEDY = (
    "look at what changes from call to call; if all versions are meant to be, raise the limit: "
    "torch.compile(…, recompile_limit=64)"
)
LIMIT_LESSON = "dynamo/recompile-limit#the-limit-and-the-calls-after-it"


def skipped_frames(pipeline: Pipeline) -> Iterator[Finding]:
    """Yield a finding for each reason.

    Where there are graphs, frames without operations on tensors are left out: nothing in them is to be compiled.
    """
    reasons: dict[str, list[Skip]] = {}
    for skip in pipeline.skips:
        if not pipeline.graphs or not _NO_OPERATIONS.search(skip.reason):
            reasons.setdefault(skip.reason.partition("\n")[0], []).append(skip)
    for reason, same in reasons.items():
        limit = bool(LIMIT.search(reason))
        names = list(dict.fromkeys(skip.function for skip in same))
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        yield Finding(
            rule="recompile-limit" if limit else "skipped-frame",
            severity="fault",
            what=f"skipped {', '.join(names[:3])}{more}: {reason}",
            where=tuple(dict.fromkeys(Location(file=skip.file, line=skip.line) for skip in same)),
            remedy=LIMIT_REMEDY if limit else "",
            lesson=LIMIT_LESSON if limit else "",
        )
