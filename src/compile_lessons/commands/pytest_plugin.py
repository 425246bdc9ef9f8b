"""pytest: the fixture ``compile_health`` fails a test for what breaks, recompiles or runs in eager mode in a library.

Each pytest of an environment imports this module, so it imports torch only in a test that uses the fixture.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from compile_lessons.facts import Calls, Pipeline
    from compile_lessons.findings.finding import Finding

#: Findings that a failure shows.
_MOST = 5
#: Where torch writes what ``TORCH_TRACE`` keeps, whenever the logger has a handler.
_TRACE = logging.getLogger("torch.__trace")


@pytest.fixture
def compile_health() -> Callable[..., None]:
    """Return a check: ``compile_health(model, [(x,), (y,)], package="my_library", recompiles=1)``.

    It makes the calls as a user of the library does, and fails for graph breaks, recompiles and skipped functions in
    the package. The first argument is compiled; if it calls something that is compiled already, such as a training step
    with a compiled model, that stays as it is. Calls have the forms that ``capture_calls`` takes. ``recompiles`` is the
    number of recompiles that all calls may need, such as 1 for a size that becomes dynamic.

    All calls run once in their order, and then each call that compiled something runs once more by itself. Generated
    code is left out: graphs run in eager mode, so no C++ compiler is needed.
    """
    return check_health


def check_health(fn: Callable[..., Any], calls: Sequence[Any], *, package: str, recompiles: int = 0) -> None:
    """Fail the test with the findings on these calls that are in the package."""
    from compile_lessons.facts.source import as_users  # here, as are all imports of what imports torch
    from compile_lessons.ground.words import counted
    from compile_lessons.reports.findings import findings_text

    folders = _folders(package)
    with as_users(package.partition(".")[0]), _without_trace():
        together, each = _captured(fn, calls)
        found = {(one.rule, one.where): one for one in _findings(together, each, folders, recompiles)}
    if found:
        text = findings_text(list(found.values()), _MOST, "findings")
        if together.recompiles > recompiles:
            text += f"\n{counted(together.recompiles, 'recompile')}, and recompiles={recompiles} in this test"
        pytest.fail(text, pytrace=False)
    if not any(_is_below(file, folders) for file in _compiled_files(each)):
        pytest.fail(f"no code of {package} was compiled in these calls, so nothing was checked", pytrace=False)


def _folders(package: str) -> list[Path]:
    """Return the folders of a package, or the file of a module."""
    spec = find_spec(package)
    if spec is None:
        raise ModuleNotFoundError(f"compile_health: there is no package {package!r}", name=package)
    return [Path(folder).resolve() for folder in spec.submodule_search_locations or [spec.origin or ""]]


def _captured(fn: Callable[..., Any], items: Sequence[Any]) -> tuple[Calls, list[Pipeline]]:
    """Return all calls together, for their recompiles, and each that compiles by itself, for its breaks and skips."""
    import torch

    from compile_lessons.api import capture, capture_calls
    from compile_lessons.api.own_call import reaches_compiled
    from compile_lessons.ground.arguments import call_arguments, calls_and_steps

    observe = reaches_compiled(fn)
    torch.compiler.reset()  # what an earlier test compiled would be called, and not captured
    together = capture_calls(fn, backend="aot_eager", observe=observe)(items)
    each = []
    for call, steps, happened in zip(*calls_and_steps(items), together.calls, strict=True):
        for step in steps:
            step()
        if happened.outcome != "hit":
            args, kwargs = call_arguments(call)
            torch.compiler.reset()
            each.append(capture(fn, until="dynamo", observe=observe)(*args, **kwargs))
    return together, each


@contextmanager
def _without_trace() -> Iterator[None]:
    """Keep torch's trace out of the log that pytest shows below a failure: pytest 9.2 and later listen to it."""
    listening = [handler for handler in _TRACE.handlers if type(handler).__module__ == "_pytest.logging"]
    for handler in listening:
        _TRACE.removeHandler(handler)
    try:
        yield
    finally:
        for handler in listening:
            _TRACE.addHandler(handler)


def _findings(together: Calls, each: Iterable[Pipeline], folders: Sequence[Path], recompiles: int) -> Iterator[Finding]:
    """Yield what ends a call, wherever that is, and the faults and recompiles that have a line in the folders."""
    from compile_lessons.findings.rules import FAILED, findings_of

    found = [found for pipeline in each for found in findings_of(pipeline) if found.severity == "fault"]
    found += [found for found in findings_of(together) if together.recompiles > recompiles or found.rule in FAILED]
    for one in found:
        if one.rule == "exception" or not one.where or any(_is_below(line.file, folders) for line in one.where):
            yield replace(one, severity="fault")  # a single recompile is advice elsewhere


def _compiled_files(each: Iterable[Pipeline]) -> Iterator[str]:
    """Yield the files of compiled functions, and of lines in their graphs."""
    from compile_lessons.facts.captured import run_of

    for pipeline in each:
        for process in run_of(pipeline).processes:
            for item in process.compiles:
                yield from (item.code.file, *(item.computing or ()))


def _is_below(file: str, folders: Sequence[Path]) -> bool:
    path = Path(file).resolve()
    return any(path == folder or folder in path.parents for folder in folders)
