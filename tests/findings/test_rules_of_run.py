"""Rules on facts that are written down here, for what no small program shows on a CPU."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from compile_lessons.facts.run import Compile, FailedCheck, Message, Process, Region, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.finding import Finding, worst_first
from compile_lessons.findings.guards import most_telling
from compile_lessons.findings.rules_of_run import findings_of

FORWARD = Location(file="/work/train.py", line=4, function="forward")
CALL = Location(file="/work/train.py", line=9, function="<module>")


def compiled(number: int, **about: Any) -> Compile:
    defaults: dict[str, Any] = {
        "id": f"0/{number}",
        "frame": 0,
        "number": number,
        "code": FORWARD,
        "name": "forward",
        "outcome": "compiled",
        "start": float(number),
        "seconds": 1.0,
        "region": 1,
        "stack": (CALL,),
    }
    return Compile(**defaults | about)


def process(*compiles: Compile, region: dict[str, Any] | None = None, **about: Any) -> Process:
    use: dict[str, Any] = {"calls": 100, "seconds": 9.0} | (region or {})
    forward = Region(id=1, function="forward", code=FORWARD, stack=(CALL,), **use)
    return Process(pid=1, regions=(forward,), compiles=compiles, **about)


def rules(*processes: Process, **about: Any) -> list[str]:
    return [found.rule for found in findings_of(Run(processes=processes, **about))]


def sizes(count: int) -> list[Compile]:
    guard = "0/{}: tensor 'x' size mismatch at index 0. expected {}, actual {}"
    return [
        compiled(0),
        *(compiled(n, guards=(FailedCheck(guard.format(n - 1, n, n + 1)),)) for n in range(1, count + 1)),
    ]


def test_two_recompiles_for_a_cause_are_how_torch_learns_sizes() -> None:
    assert rules(process(*sizes(2))) == []
    assert rules(process(*sizes(3))) == ["recompiles"]


def test_versions_that_the_program_asked_for_are_no_finding() -> None:
    static = {"dynamic": False, "own_limit": 16}
    assert rules(process(*sizes(8), region=static)) == []
    assert rules(process(*sizes(8), region=static | {"own_limit": 4})) == ["recompiles"]


def test_seconds_of_recompiles_that_run_inside_others_count_once() -> None:
    inner = [compiled(n, guards=(FailedCheck("0/0: self.n == 1"),), nested=n == 2) for n in range(4)]
    found = findings_of(Run(processes=(process(*inner),)))[0]
    assert found.seconds == 3.0


def test_a_skipped_cuda_graph_has_its_reason_and_line() -> None:
    message = Message(text="skipping cudagraphs due to mutated inputs (1 instances)\nmore", stack=(CALL,))
    found = findings_of(Run(processes=(process(compiled(0), messages=(message, message)),)))[0]
    assert (found.rule, found.where) == ("cuda-graph-skipped", (CALL,))
    assert found.what == "CUDA graphs are skipped, 2 times"
    assert found.evidence == ("skipping cudagraphs due to mutated inputs (1 instances)",)


def test_a_rank_that_compiles_more_is_named() -> None:
    alike = [process(compiled(0), rank=rank) for rank in range(2)]
    assert rules(*alike) == []
    found = findings_of(Run(processes=(alike[0], process(*sizes(2), rank=1))))[0]
    assert (found.rule, found.seconds) == ("ranks-differ", 2.0)
    assert found.what == "rank 1 compiled for 3.0 s, rank 0 for 1.0 s"


def test_an_empty_folder_of_traces_says_that_nothing_was_compiled() -> None:
    assert rules(collected=False) == ["nothing-compiled"]


def test_a_function_that_another_use_compiled_is_no_finding() -> None:
    both = process(compiled(0))
    other = Region(id=2, function="forward", code=FORWARD, stack=(CALL,), calls=5)
    assert rules(Process(pid=1, regions=(*both.regions, other), compiles=both.compiles)) == []


def test_ranks_that_recompile_alike_have_one_finding() -> None:
    ranks = [process(*sizes(5), rank=rank) for rank in range(4)]
    (found,) = findings_of(Run(processes=tuple(ranks)))
    assert (found.rule, found.seconds) == ("recompiles", 5.0)
    assert found.evidence[-1] == "4 times, in functions or processes"


def test_a_first_compile_that_takes_most_of_the_run_gets_advice() -> None:
    slow = compiled(0, seconds=60.0, stages={"Dynamo": 55.0, "AOTAutograd": 45.0, "Inductor": 40.0}, caches=("miss",))
    (found,) = findings_of(Run(processes=(process(slow),), seconds=100.0))
    assert (found.rule, found.severity) == ("compile-time", "advice")
    assert found.what == "the first compile of forward took 60.0 s, 60% of the run"
    assert found.evidence == (
        "Dynamo 10.0 s, AOTAutograd 5.0 s, Inductor 40.0 s",
        "0 of 1 graphs came from Inductor's cache",
    )
    assert rules(process(slow), seconds=1000.0) == []


def test_two_recompiles_that_cost_much_get_advice() -> None:
    run = Run(processes=(process(*sizes(2)),), seconds=10.0)
    assert [found.rule for found in findings_of(run)] == []
    slow = [replace(item, seconds=4.0) for item in sizes(2)]
    (found,) = findings_of(Run(processes=(process(*slow),), seconds=20.0))
    assert (found.rule, found.severity, found.seconds) == ("recompiles", "advice", 8.0)
    assert rules(process(*slow), seconds=200.0) == []


def test_a_prompt_and_a_token_are_two_uses_and_no_cause() -> None:
    """Each call that recompiles fails ``len(kwargs)`` of the other use, and the size in its own use."""
    size, length = "0/{}: tensor 'x' size mismatch at index 1. expected {}, actual 9", "0/{}: len(kwargs) == 6"
    versions = [compiled(0), compiled(1, guards=(FailedCheck(length.format(0)),))]
    versions += [
        compiled(n, guards=(FailedCheck(length.format(n - 1)), FailedCheck(size.format(n - 2, n)))) for n in (2, 3)
    ]
    assert rules(process(*versions)) == []
    assert most_telling(versions[3].guards).what == "the size of x in dimension 1"


def test_worst_first() -> None:
    def finding(**about: Any) -> Finding:
        return Finding(**{"rule": "r", "severity": "fault", "what": ""} | about)

    advice, unknown, small, large = (
        finding(severity="advice", seconds=9.0),
        finding(),
        finding(seconds=1.0),
        finding(seconds=2.0),
    )
    assert worst_first([advice, unknown, small, large]) == [large, small, unknown, advice]
