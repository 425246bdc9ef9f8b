"""The JSON form of a run has the fields that ``FIELDS`` documents, in their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from compile_lessons.facts.run import Process, Profile, Region, Run, Span, Work
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.forms.run_json import FIELDS, run_to_json

LINE = Location(file="/work/train.py", line=4, function="forward", text="x = f(x)")
FOUND = Finding(rule="recompiles", severity="fault", what="it is", where=(LINE,), evidence=("n: 1 → 2",))


def paths(data: Any, path: str = "") -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield f"{path}{name}"
            yield from paths(value, f"{path}{name}.")
    elif isinstance(data, list) and data:
        yield from paths(data[0], f"{path.removesuffix('.')}[].")


@pytest.mark.parametrize("source", [True, False])
def test_each_field_is_documented(source: bool) -> None:
    process = Process(
        pid=1,
        regions=(Region(id=1, function="forward", calls=4),),
        spans=tuple(Span(region=1, since=n, end=n + 1.0, calls=1, seconds=0.5, compiling=0, eager=0) for n in range(4)),
    )
    profile = Profile(region=2, first=1, steps=2, seconds=1.0, work=(Work("aten::mm", 1, 0.5, True),))
    run = Run(
        processes=(replace(process, profile=profile),), command=("python", "train.py"), eager=Run(processes=(process,))
    )
    found = list(paths(run_to_json(run, [FOUND], source)))
    assert found == [path for path in FIELDS if source or path != "findings[].where[].text"]
