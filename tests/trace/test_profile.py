"""The profile of ``--profile-steps``: when it is made, and what is read of it."""

import json
import types
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
import torch
from torch.autograd.profiler import profile as torch_profile

from compile_lessons.facts.run import Process, Profile, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.rules.limits import kernels_below_the_limit
from compile_lessons.reports.of_run import report_of
from compile_lessons.reports.text import report_text
from compile_lessons.trace.profile import read_profile
from compile_lessons.trace.records import Generated, Profiled
from compile_lessons.trace.run import COLLECTOR
from from_file import load_module

PATH = COLLECTOR / "compile_lessons_collector" / "profile.py"


def event(name: str, ts: float, dur: float, cat: str = "cpu_op", tid: int = 1, correlation: int = 0) -> dict[str, Any]:
    args = {"correlation": correlation} if correlation else {}
    return {"ph": "X", "cat": cat, "name": name, "ts": ts, "dur": dur, "tid": tid, "args": args}


def read(folder: Path, events: list[dict[str, Any]], device: str | None = None) -> Any:
    (folder / "p.json").write_text(json.dumps({"traceEvents": events}))
    profile = Profile(region=1, first=6, steps=2, seconds=0.001, device=device)
    return read_profile(folder, Profiled(profile, "p.json"))


def test_operators_have_their_own_time_and_their_side(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        [
            event("Torch-Compiled Region: 0/0", 0, 100),
            event("## Call CompiledFxGraph fu5l ##", 10, 80),
            event("aten::mm", 20, 30),
            event("aten::mm", 200, 50),
            event("aten::add", 210, 10),
            event("aten::add", 210, 10, tid=2),
            {"ph": "M", "name": "process_name"},
        ],
    )
    assert {(work.name, work.compiled): (work.calls, round(1e6 * work.seconds)) for work in found.work} == {
        ("generated code", True): (1, 50),
        ("guards and wrappers of compiled code", True): (1, 20),
        ("aten::mm", True): (1, 30),
        ("aten::mm", False): (1, 40),
        ("aten::add", False): (2, 20),
    }
    assert (found.first, found.last, found.busy, found.launching) == (6, 7, None, None)


def test_kernels_belong_to_what_launched_them(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        [
            event("## Call CompiledFxGraph fu5l ##", 0, 50),
            event("cudaLaunchKernel", 10, 2, "cuda_runtime", correlation=1),
            event("cudaLaunchKernel", 60, 2, "cuda_runtime", correlation=2),
            event("sgemm", 100, 200, "kernel", 7, correlation=1),
            event("sgemm", 250, 100, "kernel", 8, correlation=2),
            event("triton_poi_fused_0", 500, 10, "kernel", 7),
        ],
        "NVIDIA H100",
    )
    assert [(work.name, round(1e6 * work.seconds), work.compiled) for work in found.work] == [
        ("sgemm", 200, True),
        ("sgemm", 100, False),
        ("triton_poi_fused_0", 10, True),
    ]
    assert found.busy == pytest.approx(260e-6)  # two streams at once count once
    assert found.launching == pytest.approx(52e-6)  # before the kernels


def test_a_device_without_work_is_no_fact(tmp_path: Path) -> None:
    launch = event("cudaLaunchKernel", 10, 2, "cuda_runtime", correlation=1)
    assert read(tmp_path, [launch], "NVIDIA H100").why.startswith("torch's profiler saw no work of the NVIDIA H100")


def test_a_file_that_is_cut_off_is_said(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('{"traceEvents": [')
    assert "can't be read" in read_profile(tmp_path, Profiled(Profile(), "p.json")).why
    assert read_profile(tmp_path, Profiled(Profile(why="because"))).why == "because"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module that the collector loads; what it changes in torch is put back."""
    monkeypatch.setattr(torch_profile, "_prepare_trace", torch_profile._prepare_trace)
    yield load_module("profile_here", PATH)


def open_window(module: ModuleType, folder: Path, steps: int) -> tuple[Any, list[Profiled]]:
    written: list[Profiled] = []
    window = module.Window(
        str(folder),
        steps,
        lambda kind, **fields: written.append(msgspec.convert(fields, Profiled)),
        lambda call, *args: call(*args),
        types.SimpleNamespace(watch=lambda: None, measure=lambda torch: {}),
    )
    return window, written


def test_this_torch_has_the_hook(module: ModuleType) -> None:
    assert [name.rpartition(":")[2] for name in module.HOOKS] == ["profile._prepare_trace", "profile._start_trace"]
    assert callable(torch_profile._prepare_trace) and callable(torch_profile._start_trace)


def test_calls_are_profiled_once_there_is_no_compile(module: ModuleType, tmp_path: Path) -> None:
    window, written = open_window(module, tmp_path, 2)
    enter = window.make_enter(1)
    for number in range(1, 20):
        enter()()
        torch.ones(2, 2) @ torch.ones(2, 2)
        if number in (3, 10):
            window.compiled()  # at call 10, while a profile runs
    (record,) = written
    assert (record.profile.region, record.profile.first, record.profile.steps) == (1, 16, 2)
    found = read_profile(tmp_path, record)
    assert {work.name: work.calls for work in found.work}["aten::mm"] == 2


def test_what_torch_does_to_begin_is_in_no_profile(
    module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Torch gets ready for a GPU in 1.1 s, seen on an H200 around two calls of 10 ms; part of it at the next kernel."""
    began, clock = [], iter(range(100))
    monkeypatch.setattr(module.time, "perf_counter", lambda: next(clock))
    start = torch_profile._start_trace
    monkeypatch.setattr(torch_profile, "_start_trace", lambda self: (began.append(window.calls[1, ident]), start(self)))
    ident = module.threading.get_ident()
    window, written = open_window(module, tmp_path, 2)
    prepared = []
    ready = torch_profile._prepare_trace
    monkeypatch.setattr(
        torch_profile, "_prepare_trace", lambda self: (prepared.append(window.calls[1, ident]), ready(self))
    )
    enter = window.make_enter(1)
    for _ in range(module.QUIET + 3):
        enter()()
    assert (prepared, began) == ([module.QUIET], [module.QUIET + 1])
    assert [(record.profile.first, record.profile.seconds) for record in written] == [(module.QUIET + 1, 1)]


def test_a_compile_before_the_profile_begins_ends_its_preparation(module: ModuleType, tmp_path: Path) -> None:
    window, written = open_window(module, tmp_path, 1)
    enter = window.make_enter(1)
    for number in range(1, 2 * module.QUIET + 3):
        enter()()
        if number == module.QUIET:
            window.compiled()
    assert [(record.profile.first, record.profile.steps) for record in written] == [(2 * module.QUIET + 1, 1)]


def test_kernels_are_noted_by_kineto(module: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without ``use_kineto``, a profile on a GPU has its launches and no kernel: seen on an H200 with torch 2.11."""
    asked: list[dict[str, Any]] = []

    class Asked(torch_profile):
        def __init__(self, **options: Any) -> None:
            asked.append(options)
            super().__init__(**options)

    monkeypatch.setattr(torch.autograd.profiler, "profile", Asked)
    window, _ = open_window(module, tmp_path, 1)
    enter = window.make_enter(1)
    for _ in range(module.QUIET + 2):
        enter()()
    assert asked == [{"use_device": None, "use_kineto": True, "record_shapes": False}]


def test_the_programs_own_profile_is_left_alone(module: ModuleType, tmp_path: Path) -> None:
    window, written = open_window(module, tmp_path, 2)
    enter = window.make_enter(1)
    with torch.profiler.profile() as own:
        for _ in range(20):
            enter()()
            torch.ones(2, 2) @ torch.ones(2, 2)
    assert written == [Profiled(Profile(why="the program uses torch's profiler itself"))]
    assert {item.key: item.count for item in own.key_averages()}["aten::mm"] == 20


def test_a_profile_of_the_programs_ends_ours(module: ModuleType, tmp_path: Path) -> None:
    window, written = open_window(module, tmp_path, 50)
    enter = window.make_enter(1)
    for _ in range(module.QUIET + 4):
        enter()()
    with torch.profiler.profile() as own:
        torch.ones(2, 2) @ torch.ones(2, 2)
    assert [(record.profile.first, record.profile.steps) for record in written] == [(6, 3)]
    assert {item.key: item.count for item in own.key_averages()}["aten::mm"] == 1


def test_a_program_that_ends_early_says_so(module: ModuleType, tmp_path: Path) -> None:
    window, written = open_window(module, tmp_path, 2)
    window.make_enter(1)()()
    window.at_exit()
    assert written[0].profile.why == "no compiled function was called 7 times in a row without a compile"


RATES = {"copy": 4e12, "bf16": 8e14, "f32": 5e13}
LINE = Location(file="/work/train.py", line=41, function="loss")


def test_a_kernel_has_its_share_of_the_limit(tmp_path: Path) -> None:
    product = event("aten::mm", 0, 5) | {"args": {"External id": 7, "Input Dims": [[4096, 4096]] * 3}}
    product["args"]["Input type"] = ["c10::BFloat16"] * 3
    launched = {"args": {"External id": 7}}
    events = [
        product,
        event("nvjet_sm90", 100, 200, "kernel", 7) | launched,
        event("splitK_reduce", 300, 10, "kernel", 7) | launched,
        event("triton_red_fused_loss_0", 400, 100, "kernel", 7),
        event("triton_poi_fused_add_1", 500, 100, "kernel", 7),
        event("elementwise", 600, 100, "kernel", 7),
        event("triton_tem_fused_mm_2", 700, 100, "kernel", 7),
    ]
    (tmp_path / "p.json").write_text(json.dumps({"traceEvents": events}))
    profile = Profile(region=1, first=6, steps=2, seconds=0.001, device="NVIDIA H200", rates=RATES)
    generated = [
        Generated("triton_red_fused_loss_0", 160_000_000, 0, (LINE,)),
        Generated("triton_poi_fused_add_1", 4_000, 0, ()),
        Generated("triton_poi_fused_add_1", 8_000, 0, ()),  # of another graph
        Generated("triton_tem_fused_mm_2", 8_000, 4_000, ()),  # in a type that is not known
    ]
    found = {work.name: work for work in read_profile(tmp_path, Profiled(profile, "p.json"), generated).work}
    loss = found["triton_red_fused_loss_0"]
    assert loss.least == pytest.approx(40e-6) and loss.moves and loss.lines == (LINE,)
    assert found["nvjet_sm90"].least == pytest.approx(2 * 4096**3 / 8e14) and not found["nvjet_sm90"].moves
    unknown = ["splitK_reduce", "triton_poi_fused_add_1", "elementwise", "triton_tem_fused_mm_2"]
    assert [found[name].least for name in unknown] == [None] * 4

    run = Run(processes=(Process(pid=1, profile=replace(profile, work=tuple(found.values()))),), seconds=1.0)
    (advice,) = kernels_below_the_limit(run)
    share = "runs at 40% of this GPU's copy rate and is 10% of the step: 6% to gain"
    assert advice.what == f"triton_red_fused_loss_0 {share}"
    assert advice.severity == "advice" and advice.where == (LINE,)
    table = report_text(report_of(run, [advice]))
    assert "4.00 TB/s in a copy, 800 TFLOP/s" in table and "40%" in table


def test_without_rates_no_share_is_known(tmp_path: Path) -> None:
    found = read(tmp_path, [event("triton_red_fused_loss_0", 400, 100, "kernel", 7)], "NVIDIA H200")
    assert [(work.least, work.to_gain) for work in found.work] == [(None, 0.0)]
