"""What docs/gpu/low-precision.md says about the times of int8 on an H100, from the recording."""

from collections.abc import Callable

import pytest

from compile_lessons.course.records.record import Record
from table_rows import rows_by_name

Times = dict[str, list[float]]


@pytest.fixture
def times(recording: Callable[[str], Record]) -> Times:
    """Return the times in µs for 1, 16, 256 and 1024 rows."""
    rows = rows_by_name(recording("gpu/low_precision/h100_int8.py"))
    return {name: [float(us.replace(",", "")) for us in cells] for name, cells in rows.items()}


def test_there_are_seven_cases(times: Times) -> None:
    assert len(times) == 7


def test_with_the_default_options_int8_is_slower_and_eager_mode_is_slower_still(times: Times) -> None:
    for plain, compiled, eager in zip(
        times["bfloat16, eager"], times["int8, compiled"], times["int8, eager"], strict=True
    ):
        assert plain < compiled < eager


def test_coordinate_descent_tuning_changes_nothing_for_more_than_one_row(times: Times) -> None:
    one, *more = times["int8, coordinate_descent_tuning"]
    compiled_one, *compiled = times["int8, compiled"]
    assert one < 0.5 * compiled_one
    assert more == pytest.approx(compiled, rel=0.05)


def test_max_autotune_is_the_fastest_for_a_few_rows_only(times: Times) -> None:
    tuned = times["int8, max_autotune"]
    assert tuned[1] == min(column[1] for column in times.values())
    assert tuned[0] > times["int8, coordinate_descent_tuning"][0]
    assert tuned[2] > times["bfloat16, eager"][2]
    assert tuned[3] > times["bfloat16, eager"][3]


def test_in_the_order_of_a_linear_layer_max_autotune_fuses_nothing(times: Times) -> None:
    assert times["F.linear(x, codes.to(x.dtype)), max_autotune"] == pytest.approx(times["int8, compiled"], rel=0.05)
    assert times["x @ codes.t().to(x.dtype), max_autotune"][3] > 500 * times["bfloat16, eager"][3]
