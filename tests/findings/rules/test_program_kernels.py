"""Triton kernels that a program launches: compiles and searches in the middle of a run, as an H200 recorded them."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from compile_lessons.facts.run import KernelArgument, KernelCompile, Process, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.guards import read_guard
from compile_lessons.findings.rules import findings_of
from compile_lessons.findings.rules.kernels import new_versions
from compile_lessons.findings.uses import by_use, is_mask
from compile_lessons.reports.of_run import report_of
from compile_lessons.reports.text import report_text
from compile_lessons.trace.read import read_run

RECORDS = Path(__file__).parents[2] / "programs" / "gpu" / "records"


def run_of(name: str, folder: Path) -> Run:
    shutil.copy(RECORDS / f"{name}.jsonl", folder / "1-1.jsonl")
    return read_run(folder)


def of_kernels(run: Run) -> list[Finding]:
    return [found for found in findings_of(run) if found.rule.startswith("kernel-")]


def test_a_size_that_changes_compiles_a_kernel_again(tmp_path: Path) -> None:
    run = run_of("kernel_sizes", tmp_path)
    (found,) = of_kernels(run)
    assert (found.rule, found.severity, found.where[0].line) == ("kernel-recompiled", "fault", 18)
    assert "compiled 7 times" in found.what and found.what.endswith("n 1024 → 1023, which is not divisible by 16")
    causes = [version.cause for version in new_versions(run.processes[0])]
    assert causes == ["value", "value", "constexpr", "constexpr", "width", "alignment"]
    for remedy in ('do_not_specialize=["n"]', '"BLOCK" without tl.constexpr', 'alignment=["x"]'):
        assert remedy in found.remedy
    counts = report_of(run, findings_of(run)).counts
    assert (counts.kernel_compiles, counts.kernel_compiles_after_warmup) == (7, 6)


def test_a_new_key_is_a_search(tmp_path: Path) -> None:
    (found,) = of_kernels(run_of("kernel_autotuned", tmp_path))
    assert (found.rule, found.where[0].line) == ("kernel-searched", 29)
    assert (
        "4 configurations of rms_norm again for 5 new keys" in found.what and 'key=["rows", "columns"]' in found.remedy
    )


@pytest.mark.parametrize("name", ["kernel_sizes_fixed", "kernel_autotuned_fixed", "flex_masks", "flex_masks_fixed"])
def test_fixed_programs_and_inductors_kernels_are_quiet(tmp_path: Path, name: str) -> None:
    run = run_of(name, tmp_path)
    assert not of_kernels(run)
    assert report_of(run, ()).counts.kernel_compiles_after_warmup == 0


def test_the_report_says_what_triton_compiled(tmp_path: Path) -> None:
    run = run_of("kernel_sizes", tmp_path)
    assert "compiling Triton kernels that the program launches" in report_text(report_of(run, findings_of(run)))


def test_a_mask_that_captures_a_number_should_capture_a_tensor() -> None:
    """The guard of ``flex_masks.py`` on the H200, which torch's own name for the variable is in."""
    check = "0/0: block_mask.mask_mod.__closure__[0].cell_contents == 64"
    guard = read_guard(f'{check}  # q // length  # m.py:12 in f (HINT: guard on "length")')
    assert guard.source == "length" and is_mask(guard)
    assert by_use(guard, None).remedy.startswith("keep length in a tensor")


def compiled(launch: int, *arguments: KernelArgument) -> KernelCompile:
    code = Location(file="/work/serve.py", line=3, function="scale")
    return KernelCompile(kernel="scale", code=code, start=launch, seconds=2.0, launch=launch, arguments=arguments)


def test_a_new_version_is_compared_with_the_one_that_is_most_like_it() -> None:
    def version(launch: int, size: str, dtype: str) -> KernelCompile:
        return compiled(launch, KernelArgument("x", dtype), KernelArgument("BLOCK", "constexpr", size, "constexpr"))

    process = Process(
        pid=1, kernels=(version(1, "64", "*fp32"), version(2, "128", "*fp16"), version(9, "128", "*fp32"))
    )
    (late,) = new_versions(process)
    assert late.words == "x *fp16 → *fp32" and late.cause == "dtype"


def test_compiles_before_the_steady_work_are_a_warm_up() -> None:
    early = [compiled(launch, KernelArgument("n", "i32", str(launch))) for launch in (1, 2, 3, 4)]
    assert not new_versions(Process(pid=1, kernels=tuple(early)))


def test_a_triton_without_the_names_is_no_run_without_compiles() -> None:
    process = Process(pid=1, missing=("triton.runtime.jit:JITFunction._do_compile",))
    counts = report_of(Run(processes=(process,), seconds=1.0), ()).counts
    assert counts.kernel_compiles is None and counts.kernel_compiles_after_warmup is None
    assert report_of(Run(processes=(replace(process, missing=()),), seconds=1.0), ()).counts.kernel_compiles == 0
