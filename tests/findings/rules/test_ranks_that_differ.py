"""What differs between ranks, on facts that are written down here: torch's trace and the collector give them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

import facts_of_runs
from compile_lessons.facts.run import Compile, FailedCheck, KernelSearch, Process, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.catalogue import fix
from compile_lessons.findings.finding import Finding
from compile_lessons.findings.rules.ranks import ranks_that_differ
from facts_of_runs import CALL, FORWARD

LOSS = Location(file="/work/train.py", line=20, function="loss")
SIZE = "0/{}: tensor 'x' size mismatch at index 0. expected {}, actual {}"
SWITCH = "0/0: self.robust == False"


def compiled(number: int, guard: str = "", **about: Any) -> Compile:
    guards = (FailedCheck(guard),) if guard else ()
    return facts_of_runs.compiled(number, **{"call": number + 1, "guards": guards} | about)


def sizes(count: int, **about: Any) -> list[Compile]:
    return [compiled(n, SIZE.format(n - 1, n, n + 1) if n else "", **about) for n in range(count + 1)]


def of_ranks(*ranks: Sequence[Compile]) -> list[Finding]:
    processes = [Process(pid=rank, rank=rank, compiles=tuple(items)) for rank, items in enumerate(ranks)]
    return list(ranks_that_differ(Run(processes=tuple(processes))))


def has_remedy(found: Finding, cause: str) -> bool:
    return (found.rule, found.remedy) == ("ranks-differ", fix("ranks-differ", cause).remedy)


def test_ranks_that_compile_alike_have_no_finding() -> None:
    assert of_ranks(*[sizes(3) for _ in range(4)]) == []
    later = [replace(item, start=item.start + 100) for item in sizes(3)]  # the clock of another machine
    assert of_ranks(sizes(3), later) == []
    assert of_ranks(sizes(3)) == []


def test_a_rank_that_compiles_more_is_named_with_the_size_that_changed() -> None:
    (found,) = of_ranks(sizes(0), sizes(0), sizes(2), sizes(0))
    assert found.what == (
        "version 2 of forward: rank 2 compiled it in call 2 (the size of x in dimension 0: 1 → 2), "
        "ranks 0-1, 3 didn't compile it"
    )
    assert has_remedy(found, "size")
    assert (found.seconds, found.where) == (2.0, (FORWARD,))
    assert "rank 2 compiled for 3.0 s, 3 versions" in found.evidence


def test_a_function_of_torch_is_found_at_the_user_s_call() -> None:
    wrapper = Location(
        file="/venv/lib/python3.12/site-packages/torch/_dynamo/external_utils.py", line=67, function="inner"
    )
    (found,) = of_ranks(sizes(0, code=wrapper), sizes(1, code=wrapper))
    assert found.where == (CALL,)


def test_modules_that_share_a_wrapper_of_torch_are_compared_one_by_one() -> None:
    """The second frame of rank 1 has another number, and no second version."""
    first = sizes(1)
    other = [replace(item, frame=1, id=f"1/{item.number}", start=item.start + 9) for item in first]
    moved = [replace(item, frame=5, id=f"5/{item.number}") for item in other]
    assert of_ranks([*first, *other], [*first, *moved]) == []
    (found,) = of_ranks([*first, *other], [*first, moved[0]])
    assert found.what.startswith("version 2 of forward: rank 0 compiled it in call 2")


def test_the_first_difference_is_named_and_what_follows_is_not() -> None:
    """Rank 1 sees the switch first, and compiles the loss again as a result: that comes a second later."""
    loss = [compiled(n, code=LOSS, name="loss", start=n + 1.5, guard=SIZE.format(0, 1, 2) * n) for n in range(2)]
    (found,) = of_ranks([compiled(0), loss[0]], [compiled(0), loss[0], compiled(1, SWITCH), loss[1]])
    assert found.what.startswith("version 2 of forward: rank 1 compiled it in call 2 (the attribute self.robust")
    assert has_remedy(found, "guard")
    assert "ranks differ later in loss" in found.evidence
    assert found.where == (FORWARD, LOSS)


@pytest.mark.parametrize(("guard", "cause"), [(SIZE.format(0, 4, 5), "size"), (SWITCH, "guard"), ("", "step")])
def test_long_compiles_at_other_calls_are_a_fault_and_short_ones_are_not(guard: str, cause: str) -> None:
    first = compiled(0)
    early, late = (compiled(1, guard, call=call, seconds=9.0) for call in (2, 7))
    (found,) = of_ranks([first, early], [first, late], [first, late])
    assert has_remedy(found, cause)
    assert "rank 0 compiled it in call 2" in found.what and "ranks 1-2 compiled it in call 7" in found.what
    assert found.seconds == 18.0
    short = [[replace(item, seconds=0.5) for item in items] for items in ([first, early], [first, late])]
    assert of_ranks(*short) == []


def test_ranks_that_compile_for_other_guards_in_one_call_wait_together() -> None:
    first = compiled(0)
    assert of_ranks([first, compiled(1, SWITCH)], [first, compiled(1, SIZE.format(0, 4, 5))]) == []


def test_a_trace_alone_says_that_calls_are_not_known() -> None:
    (found,) = of_ranks(sizes(0, call=None), sizes(1, call=None))
    assert found.what.startswith("version 2 of forward: rank 1 compiled it (the size")
    assert found.evidence[-1] == "a trace alone has no numbers of calls"


def test_stages_of_a_pipeline_are_no_difference() -> None:
    stages = [compiled(0, code=code, name=code.function) for code in (FORWARD, LOSS)]
    assert of_ranks(*([stage] for stage in stages)) == []
    assert has_remedy(of_ranks(stages, stages[:1])[0], "step")  # rank 0 has all functions


def test_a_rank_with_a_cold_cache_is_told_apart_from_warm_ones() -> None:
    warm, cold = (compiled(0, seconds=seconds, caches=(cache,)) for seconds, cache in ((1.0, "hit"), (9.0, "miss")))
    (found,) = of_ranks([warm], [cold], [warm])
    assert found.what == (
        "version 1 of forward: ranks 0, 2 got hit from Inductor's cache, rank 1 got miss from Inductor's cache"
    )
    assert has_remedy(found, "cache")
    assert found.seconds == 8.0
    assert found.evidence[-2:] == ("Inductor's cache, ranks 0, 2: hit", "Inductor's cache, rank 1: miss")
    (found,) = of_ranks([replace(warm, caches=())], [replace(cold, caches=())])
    assert (found.what, has_remedy(found, "time")) == (
        "rank 1 compiled for 9.0 s, 1 version, rank 0 compiled for 1.0 s, 1 version",
        True,
    )


REDUCE, GATHER = ("all_reduce", "0"), ("all_gather_into_tensor", "0")


def test_collectives_in_another_order_are_a_hang_to_come() -> None:
    here, there = compiled(0, collectives=((REDUCE, GATHER),)), compiled(0, collectives=((GATHER, REDUCE),))
    (found,) = of_ranks([here], [here], [there])
    assert found.what == (
        "version 1 of forward: ranks 0-1 got all_reduce as collective 1, "
        "rank 2 got all_gather_into_tensor as collective 1"
    )
    assert has_remedy(found, "collectives")
    (found,) = of_ranks([here], [compiled(0, collectives=((REDUCE,),))])
    assert found.what.endswith("rank 1 got no collective 2")


def test_collectives_of_other_groups_and_of_code_that_is_missing_are_not_compared() -> None:
    mine, theirs = (("all_reduce", name) for name in ("3", "4"))
    assert of_ranks([compiled(0, collectives=((REDUCE, mine),))], [compiled(0, collectives=((REDUCE, theirs),))]) == []
    backward = compiled(0, collectives=((REDUCE,), (GATHER,)))
    assert of_ranks([backward], [compiled(0, collectives=((REDUCE,),))], [compiled(0)]) == []


def test_kernels_for_which_ranks_chose_other_configurations_are_counted() -> None:
    def tuned(rank: int, *best: str) -> Process:
        kernels = [Location(file="/work/kernels.py", line=line, function="k") for line in range(len(best))]
        searches = [
            KernelSearch(kernel=f"k{line.line}", code=line, start=line.line, seconds=1.0, configurations=4, best=each)
            for line, each in zip(kernels, best, strict=True)
        ]
        return Process(pid=rank, rank=rank, compiles=(compiled(0),), searches=tuple(searches))

    alike = Run(processes=(tuned(0, "BLOCK: 64", "BLOCK: 64"), tuned(1, "BLOCK: 64", "BLOCK: 64")))
    assert list(ranks_that_differ(alike)) == []
    run = Run(processes=(tuned(0, "BLOCK: 64", "BLOCK: 64"), tuned(1, "BLOCK: 64", "BLOCK: 128")))
    (found,) = ranks_that_differ(run)
    assert (found.severity, has_remedy(found, "winners")) == ("advice", True)
    assert found.what.endswith("for k1, and in all 1 of 2 choices")
    assert found.evidence == ("rank 0: BLOCK: 64", "rank 1: BLOCK: 128")
