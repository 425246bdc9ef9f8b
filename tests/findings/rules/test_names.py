"""Names of the wrapper that torch.compile returns, which code that goes by names doesn't find."""

from dataclasses import replace
from pathlib import Path

import pytest

from compile_lessons.facts.run import Process, Region, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.rules.names import looks_up_names, lookups_that_fail


def run_of(*printed: str, file: str = "/work/train.py", in_place: bool = False) -> Run:
    line = Location(file=file, line=3)
    region = Region(id=1, function="Net.forward", module="Net", stack=(line,), in_place=in_place)
    return Run(processes=(Process(pid=1, regions=(region,), printed=printed),), status=0)


def found(eager: str, plain: str) -> list[str]:
    run = replace(run_of(eager), eager=run_of(eager), plain=run_of(plain))
    return [each.where[0].file for each in lookups_that_fail(run)]


def test_other_numbers_without_the_wrapper_are_a_finding_where_it_is_made() -> None:
    assert found("validation 1.50", "validation 0.50") == ["/work/train.py"]


@pytest.mark.parametrize(
    ("eager", "plain"),
    [("validation 1.5", "validation 1.5"), ("_orig_mod.weight", "weight"), ("OptimizedModule(", "Net(")],
)
def test_printed_names_are_none(eager: str, plain: str) -> None:
    assert found(eager, plain) == []


@pytest.mark.parametrize(
    ("text", "in_place", "expected"),
    [("net.named_parameters()", False, True), ("net.named_parameters()", True, False), ("net(x)", False, False)],
)
def test_a_third_run_is_for_wrappers_whose_names_a_program_reads(
    text: str, in_place: bool, expected: bool, tmp_path: Path
) -> None:
    (tmp_path / "train.py").write_text(text)
    assert looks_up_names(run_of(file=str(tmp_path / "train.py"), in_place=in_place)) == expected
