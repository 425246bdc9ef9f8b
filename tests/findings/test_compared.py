"""Where the values of two runs begin to differ."""

import math

import pytest

from compile_lessons.facts.run import Process, Run, Sample, Samples
from compile_lessons.findings.compared import first_difference, given_other_values, is_half

SAMPLE = Sample("output", "float32[2]", 0, (1.0, -3.0), (1.0, 3.0))


def run_of(*samples: Sample, when: str = "returned", call: int = 1) -> Run:
    return Run(processes=(Process(pid=1, samples=(Samples(1, call, when, samples),)),))  # type: ignore[arg-type]


def changed(**fields: object) -> Sample:
    return SAMPLE._replace(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sample", "share"),
    [
        (SAMPLE, None),
        (changed(sums=(1.00001, -3.0)), None),
        (changed(sums=(1.01, -3.0)), 0.01 / 1.5),
        (changed(type="float32[2], requires_grad"), math.inf),
        (changed(not_finite=1), math.inf),
        (changed(sums=(1.0,), sizes=(1.0,)), math.inf),
    ],
)
def test_a_value_differs_if_rounding_does_not_explain_it(sample: Sample, share: float | None) -> None:
    found = first_difference(run_of(sample), run_of(SAMPLE))
    assert (found and found.share) == (share and pytest.approx(share, rel=1e-3))


def test_half_precision_may_be_off_by_more() -> None:
    half = changed(type="bfloat16[2]")
    assert is_half(run_of(half)) and not is_half(run_of(SAMPLE))
    assert first_difference(run_of(half._replace(sums=(1.01, -3.0))), run_of(half)) is None


def test_what_moved_inputs_move_as_far_is_rounding() -> None:
    compiled, eager = run_of(changed(sums=(1.01, -3.0))), run_of(SAMPLE)
    assert first_difference(compiled, eager, run_of(changed(sums=(1.005, -3.0)))) is None
    found = first_difference(compiled, eager, run_of(changed(sums=(1.001, -3.0))))
    assert found and found.moved == pytest.approx(0.001 / 1.5, rel=1e-3)


def test_a_number_that_differs_from_run_to_run_is_no_error() -> None:
    def clock(value: float) -> Run:
        return run_of(Sample("started", "float", 0, (value,), (value,)), when="changed")

    assert first_difference(clock(5.0), clock(9.0)) is not None
    assert first_difference(clock(5.0), clock(9.0), clock(9.1)) is None


def test_calls_that_are_given_other_values_are_not_compared() -> None:
    compiled, eager = (
        Run(
            processes=(
                Process(
                    pid=1,
                    samples=(
                        Samples(1, 1, "given", (changed(sums=(given, 0.0)),)),
                        Samples(1, 1, "returned", (changed(sums=(given, 1.0)),)),
                    ),
                ),
            )
        )
        for given in (1.0, 2.0)
    )
    assert first_difference(compiled, eager) is None
    where = given_other_values(compiled, eager)
    assert where and where.call == 1


def test_no_gradient_is_a_gradient_of_zeros() -> None:
    zeros = changed(sums=(0.0, 0.0), sizes=(0.0, 0.0))
    assert first_difference(run_of(when="gradient"), run_of(zeros, when="gradient")) is None
    assert first_difference(run_of(when="gradient"), run_of(SAMPLE, when="gradient")) is not None
    assert first_difference(run_of(zeros, when="returned"), run_of(when="returned")) is not None


def test_calls_are_compared_by_their_numbers() -> None:
    assert first_difference(run_of(SAMPLE, call=2), run_of(changed(sums=(9.0, 9.0)), call=1)) is None
