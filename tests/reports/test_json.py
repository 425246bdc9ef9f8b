"""A report as JSON: the fields that ``FIELDS`` documents, in their order, and back."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from compile_lessons.facts.run import Process, Profile, ProfiledWork, Region, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.reports.json import FIELDS, report_from_json, report_to_json
from compile_lessons.reports.of_run import report_of
from facts_of_runs import span

LINE = Location(file="/work/train.py", line=4, function="forward", text="x = f(x)")
FOUND = Finding(rule="recompiles", severity="fault", what="it is", where=(LINE,), evidence=("n: 1 → 2",))


def paths(data: Any, path: str = "") -> Iterator[str]:
    if isinstance(data, dict):
        for name, value in data.items():
            yield f"{path}{name}"
            yield from paths(value, f"{path}{name}.")
    elif isinstance(data, list) and data:
        yield from paths(data[0], f"{path.removesuffix('.')}[].")


def a_run() -> Run:
    process = Process(
        pid=1,
        regions=(Region(id=1, function="forward", calls=4),),
        between=((LINE, 0.5),),
        looked=40,
        spans=tuple(span(n, n + 1.0, seconds=0.5) for n in range(4)),
    )
    work = (ProfiledWork("aten::mm", 1, 0.5, True),) * 60
    rates = {"copy": 1.0, "bf16": 1.0, "f32": 1.0}
    profile = Profile(region=2, first=1, steps=2, seconds=1.0, rates=rates, work=work)
    return Run(
        processes=(replace(process, profile=profile),),
        seconds=1 / 3,
        command=("python", "train.py"),
        eager=Run(processes=(process,)),
    )


@pytest.mark.parametrize("source", [True, False])
def test_each_field_is_documented(source: bool) -> None:
    data = json.loads(report_to_json(report_of(a_run(), [FOUND], source)))
    assert list(paths(data)) == [path for path in FIELDS if source or not path.endswith(".text")]
    assert data["seconds"]["total"] == 0.3333 and len(data["profile"]["work"]) == 50


def test_what_is_written_can_be_read() -> None:
    data = json.loads(report_to_json(report_of(a_run(), [FOUND])))
    read = report_from_json(json.dumps(data | {"later": 1}).encode())
    assert read.findings[0].where == (LINE,) and read.counts.calls == 4
    assert read.comparison and read.comparison.function == "forward" and read.command == ("python", "train.py")
    del data["comparison"], data["profile"]  # the first reports had neither, and fewer counts
    del data["counts"]["late_compiles"], data["counts"]["exceptions"]
    assert report_from_json(json.dumps(data).encode()).comparison is None
