"""Why a run does not count, in the order in which a reader would want to know."""

import errno
import os
import re
import signal
from pathlib import Path

from compile_lessons.course.records.record import Record, SnippetFailure, Unfinished
from compile_lessons.course.records.snippet import Snippet
from compile_lessons.ground.project import CACHE_VARIABLE
from compile_lessons.runs import pool
from compile_lessons.runs.child import CANNOT_WRITE, Job, Result
from compile_lessons.runs.pool import Finished

#: Bytes of output that a page can show.
MOST_SHOWN = 256 * 2**10
#: Bytes of the output of a run that was cut short.
_LAST_WORDS = 2000


def failure_of(
    snippet: Snippet, job: Job, finished: Finished, result: Result | None, captured: bytes
) -> SnippetFailure | None:
    """Return why a run does not count; ``None`` if it does.

    ``result`` is what its process wrote at its end, if it came that far, and ``captured`` all its output.
    """
    printed = captured[-_LAST_WORDS:].decode(errors="replace").strip()
    output = f"; its output: {printed}" if printed else ""
    if reason := _cut_short(snippet, job, finished):
        message, remedy = reason
        return Unfinished(message=message, line=_fault_line(job), remedy=remedy + output)
    if result is None:
        message = f"its process ended with status {finished.status} before Python did"
        return SnippetFailure(message=message, line=_fault_line(job), remedy="let the snippet end by itself" + output)
    if finished.left:
        message = f"left a process behind: {', '.join(finished.left)}"
        remedy = "wait for it or end it before the snippet ends"
        return SnippetFailure(message=message, line=result.line, remedy=remedy)
    return _unexpected(snippet, result) or _unreadable(captured)


def difference_failure(snippet: Snippet, first: Record, second: Record) -> SnippetFailure | None:
    """Return the failure of two runs that differ in what the snippet does not declare; ``None`` if they don't."""
    difference = _difference(snippet, first, second)
    if difference is None:
        return None
    remedy = "make it deterministic, or declare what may differ under 'varies'"
    return SnippetFailure(message=f"a second run differed: {difference}", remedy=remedy)


def _cut_short(snippet: Snippet, job: Job, finished: Finished) -> tuple[str, str] | None:
    """Return which limit, signal or full disk ended a run, and what to do; ``None`` if none did."""
    limit = f"{snippet.declared.timeout:g} s"
    if finished.killed == "processor":
        return f"still running after {limit} of processor time", "make it faster, or declare a longer 'timeout'"
    if finished.killed == "idle":
        remedy = "find what it sleeps on or waits for (a lock, a pipe, a process), or declare a longer 'timeout'"
        return f"still waiting after {limit} in which it used no processor", remedy
    if finished.killed == "memory":
        used = f"used {finished.peak_memory / 2**20:.0f} MiB; its limit is {snippet.declared.memory} MiB"
        return used, "use less, or declare a larger 'memory'"
    if finished.killed == "output":
        return f"printed more than {pool.MOST_OUTPUT // 2**20} MiB", "print less"
    if finished.killed:
        return f"did not finish: {finished.killed}", "run it again"
    if finished.status < 0:
        number = signal.Signals(-finished.status)
        hint = "; the system may have run out of memory" if number == signal.SIGKILL else ""
        return f"died of {number.name}{hint}", f"run it alone to see why: {snippet.command}"
    if finished.status == CANNOT_WRITE:
        folder = Path(job.folder).parent
        return f"its result could not be written to {folder}", f"free space there, or set {CACHE_VARIABLE}"
    return None


def _unexpected(snippet: Snippet, result: Result) -> SnippetFailure | None:
    """Return the failure of a run with an exception that the snippet does not declare, or without the declared one."""
    expected = snippet.declared.raises
    raised = f"{result.exception}: {result.message}" if result.message else f"{result.exception}"
    raised = "\n".join((raised, *result.notes))
    if expected is None:
        if result.exception is None:
            return None
        if os.strerror(errno.ENOSPC) in result.message:
            remedy = f"free space on the disk, or set {CACHE_VARIABLE} to a folder on another one"
            return Unfinished(message=f"raised {raised}", line=result.line, remedy=remedy)
        remedy = "correct it, or declare the exception: 'raises' in its '# /// lesson' block"
        if result.exception == "SyntaxError":
            remedy = "correct the line"
        if result.exception == "AssertionError":
            remedy = "correct it, or the page that states it; while you try something out, delete the assertion"
        return SnippetFailure(message=f"raised {raised}", line=result.line, remedy=remedy)
    declared = f"{expected.type}({expected.message!r})" if expected.message else expected.type
    if result.exception is None:
        message = f"should have raised {declared}, but ended without an exception"
        remedy = "take 'raises' out of its lesson block, or find out why it no longer fails"
        return SnippetFailure(message=message, line=snippet.first_line, remedy=remedy)
    named = result.exception == expected.type or result.exception.endswith("." + expected.type)
    if named and expected.message in result.message:
        return None
    message = f"should have raised {declared}, but raised {raised}"
    return SnippetFailure(message=message, line=result.line, remedy="correct it, or declare what it raises now")


def _unreadable(captured: bytes) -> SnippetFailure | None:
    """Return the failure of output that a page can't show."""
    if len(captured) > MOST_SHOWN:
        message = f"printed {len(captured) / 2**10:.0f} KiB; a page can show {MOST_SHOWN // 2**10} KiB"
        return SnippetFailure(message=message, remedy="print less: a page is read by people")
    try:
        captured.decode("utf-8")
    except UnicodeDecodeError as error:
        line = captured[: error.start].count(b"\n") + 1
        return SnippetFailure(
            message=f"line {line} of its output is not UTF-8", remedy="decode bytes before printing them"
        )
    return None


def _fault_line(job: Job) -> int | None:
    """Return the innermost line of the snippet in the stack that faulthandler wrote, innermost frame first."""
    if not job.fault.exists():
        return None
    # '  File "/home/ada/course/snippets/dynamo/guards.py", line 12 in f'
    match = re.search(rf'File ".*snippets/{re.escape(job.name)}", line (\d+)', job.fault.read_text(errors="replace"))
    return int(match[1]) if match else None


def _difference(snippet: Snippet, first: Record, second: Record) -> str | None:
    first_lines, second_lines = comparable(snippet, first.text), comparable(snippet, second.text)
    for number, (a, b) in enumerate(zip(first_lines, second_lines, strict=False), 1):
        if a != b:
            return f"line {number} of the output was {a!r}, then {b!r}"
    if len(first_lines) != len(second_lines):
        return f"{len(first_lines)} lines of output, then {len(second_lines)}"
    for name in sorted(first.values.keys() | second.values.keys()):
        a, b = repr(first.values.get(name)), repr(second.values.get(name))  # repr: nan differs from itself
        if name not in snippet.declared.varies.values and a != b:
            return f"the value {name} was {a}, then {b}"
    return None


def without_varying(snippet: Snippet, text: str) -> str:
    """Return a text with an ellipsis for what the snippet says may vary."""
    for pattern in snippet.declared.varies.output:
        text = re.sub(pattern, "…", text)
    return text


def comparable(snippet: Snippet, text: str) -> list[str]:
    """Return the lines of an output without what the snippet says may vary."""
    text = without_varying(snippet, text)
    if snippet.declared.varies.output:
        # "f      12 ms" and "---" under it: the padding of a column follows what varies in it.
        text = re.sub(r"[ -]{2,}", "  ", text)
    return text.splitlines()
