"""What a report looked at, and what it says that the run can't tell."""

from dataclasses import replace

from compile_lessons.facts.run import Memory, Process, Profile, Region, Run
from compile_lessons.facts.source import Location
from compile_lessons.reports.of_run import report_of
from compile_lessons.reports.text import looked_lines, report_text
from facts_of_runs import compiled, span

LINE = Location(file="/work/train.py", line=4, function="step", text="y = step(x)")
MEMORY = Memory(before=0, after=1)


def run(steady: float, collected: bool = True) -> Run:
    """A compile of a second, and a call that is in compiled code for ``steady`` of its second."""
    first = compiled(name="step", code=LINE, guard_count=3, caches=("hit", "bypass"))
    process = Process(
        pid=1,
        end=4.0,
        regions=(Region(id=1, function="step", calls=3, seconds=3.0, compile_seconds=1.0),),
        compiles=(first,),
        calls_seen=collected,
        spans=(
            span(0.0, 1.0, seconds=1.0, compiling=1.0),
            *(span(start, start + steady, seconds=steady) for start in (1.0, 2.0)),
        ),
    )
    return Run(processes=(process,), seconds=4.0, collected=collected)


def lines(run: Run) -> list[str]:
    return looked_lines(report_of(run, []))


def test_numbers_come_first_and_what_there_was_none_of_after_them() -> None:
    seen, none = lines(run(1.0))[0].split("; no ")
    assert seen == "Looked at: 1 compile, 3 guards, 1 cached graph, 1 uncached graph, 3 calls"
    assert "graph breaks" in none and "eager calls" in none


def test_calls_that_a_trace_alone_does_not_have_are_unknown() -> None:
    report = report_of(run(1.0, collected=False), [])
    assert {looked.what: looked.number for looked in report.looked_at}["eager call"] is None
    assert "eager call" not in looked_lines(report)[0]


def test_what_ran_between_calls_is_not_told_if_it_is_much() -> None:
    between = "what ran between the calls of compiled functions: 43% of the time of the last calls"
    assert any(between in line for line in lines(run(0.4)))
    assert not any("between the calls" in line for line in lines(run(0.9)))
    profiled = run(0.4)
    (process,) = profiled.processes
    profile = Profile(region=1, steps=1, seconds=1.0)
    assert not any(
        "between" in line for line in lines(replace(profiled, processes=(replace(process, profile=profile),)))
    )


def test_a_gpu_and_eager_mode_are_not_told_either() -> None:
    on_cpu = run(1.0)
    (process,) = on_cpu.processes
    on_gpu = replace(process, compiles=tuple(replace(item, gpu_memory=MEMORY) for item in process.compiles))
    gpu = replace(on_cpu, processes=(on_gpu,))
    assert [("the GPU waits" in line) for line in lines(gpu)].count(True) == 1
    assert not any("the GPU waits" in line for line in lines(on_cpu))
    assert any("--compare eager" in line for line in lines(on_cpu))
    assert not any("--compare eager" in line for line in lines(replace(on_cpu, eager=on_cpu)))


def test_a_program_that_compiled_nothing_has_no_such_lines() -> None:
    nothing = report_of(Run(processes=(Process(pid=1),)), [])
    assert looked_lines(nothing) == [] and "no findings in what was looked at" in report_text(nothing)


def test_the_lines_between_calls_are_named_with_their_shares() -> None:
    eager = run(0.4)
    (process,) = eager.processes
    seen = replace(process, between=((LINE, 0.61), (LINE, 0.02)), looked=40)
    told = lines(replace(eager, processes=(seen,)))
    assert told[1] == "Outside of compiled functions, of the time since the last compile: train.py:4 61%"
    assert not any("between the calls" in line for line in told), "it is told"
    assert report_of(replace(eager, processes=(replace(seen, looked=3),)), []).between == ()


def test_where_records_are_missing_no_number_is_given() -> None:
    told = lines(replace(run(1.0), lost=(("damaged record of the collector", 1),)))
    assert told and not any(line.startswith("Looked at") for line in told)
