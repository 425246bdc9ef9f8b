"""Where the time went, from spans and compiles whose seconds are known."""

import dataclasses
import itertools

import pytest

from compile_lessons.facts.run import Interval, Process, Region
from compile_lessons.reports.report import PARTS
from compile_lessons.reports.timeline import even_pieces, phases, pieces
from facts_of_runs import compiled, span

#: Two seconds of imports, a step that compiles for 4 s, its backward pass for 1 s more, then 10 steps a second, half of
#: the time in compiled code, for 10 s; the last 2 s of them in eager mode.
PROCESS = Process(
    pid=1,
    start=100.0,
    end=120.0,
    regions=(Region(id=1, function="forward", calls=101),),
    compiles=(compiled(start=102.0, seconds=4.0), compiled(start=102.5)),
    intervals=(Interval(trigger="LAZY_BACKWARD", compile="0/0", start=106.5, seconds=1.0),),
    spans=(span(102.0, 106.5, 1, 4.5, 4.0), span(106.5, 116.0, 80, 4.0), span(116.0, 118.0, 20, 1.0, 0.0, 1.0)),
)


def test_phases_have_what_the_run_had() -> None:
    first, one, rest, last = phases(PROCESS, [])
    assert [phase.title for phase in (first, one, rest, last)] == [
        "before the first call",
        "call 1",
        "calls 2 to 101",
        "after the last call",
    ]
    assert first.piece.parts == (0, 0, 0, 2.0)
    assert one.piece.parts == pytest.approx((5.0, 0.5, 0.0, 0.5))  # compiles that overlap count once
    assert rest.piece.parts[1:3] == pytest.approx((4.0, 1.0))
    assert rest.a_call == pytest.approx(rest.piece.seconds / 100)
    assert last.piece.seconds == 2.0
    assert sum(phase.piece.seconds for phase in phases(PROCESS, [])) == pytest.approx(20.0)


def test_pieces_add_up_to_the_run_however_they_are_cut() -> None:
    for count in (1, 7, 200):
        found = even_pieces(PROCESS, count)
        sums = [sum(piece.parts[number] for piece in found) for number in range(len(PARTS))]
        assert sums == pytest.approx([5.0, 4.5, 1.0, 9.5])


def test_threads_that_run_at_once_count_once() -> None:
    both = dataclasses.replace(PROCESS, spans=(span(102.0, 103.0, 1, 1.0), span(102.0, 103.0, 1, 1.0)), compiles=())
    (piece,) = pieces(both, [102.0, 103.0])
    assert piece.parts == (0, 0, 1.0, 0)


def test_a_function_without_compiled_code_ran_in_eager_mode() -> None:
    skipped = dataclasses.replace(
        PROCESS, compiles=(compiled(start=102.0, seconds=0.0, outcome="skipped"),), intervals=()
    )
    (piece,) = even_pieces(skipped, 1)
    assert piece.parts[1:3] == pytest.approx((0.0, 5.5))


def test_many_changes_are_told_in_few_phases() -> None:
    ends = [100.0 + number for number in range(1, 41)]
    every_second = tuple(compiled(start=end - 1.0, seconds=0.9) for end in ends[::2])
    spans = tuple(span(end - 1.0, end, 1, 1.0, 0.9 if number % 2 == 0 else 0.0) for number, end in enumerate(ends))
    changing = dataclasses.replace(PROCESS, compiles=every_second, spans=spans, end=140.0, intervals=())
    found = phases(changing, [])
    assert len(found) == 5 and (found[0].first, found[-1].last) == (1, 40)
    assert all(later.first == earlier.last + 1 for earlier, later in itertools.pairwise(found))


def test_there_are_no_phases_without_calls() -> None:
    assert phases(dataclasses.replace(PROCESS, spans=(), regions=()), []) == []
