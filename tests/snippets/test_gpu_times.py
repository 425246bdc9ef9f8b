"""Facts of the page on times on a GPU, from the recordings on an H200."""

from table_rows import rows_by_name, rows_of


def test_compiled_small_layers_are_slower_than_eager_mode(recording):
    values = recording("gpu/h200_cuda_graphs.py").values
    assert values["graphs_us"] < values["eager_us"] < values["default_us"]


def test_the_record_names_the_processor_that_launches(recording):
    assert "launched from Intel" in recording("gpu/h200_cuda_graphs.py").text


def test_the_copy_is_below_the_data_sheets_bandwidth(recording):
    assert 2 < recording("gpu/h200_times.py").values["copy_tb"] < 4.8


def test_a_looped_norm_without_gelu_loses_nothing(recording):
    shares = {tuple(row[:3]): int(row[-1].rstrip("%")) for row in rows_of(recording("gpu/h200_reductions.py"))}
    assert shares["layer_norm", "4096", "0"] > 95 > shares["norm", "4096", "0"]


def test_with_wide_layers_no_mode_is_faster_than_eager_mode(recording):
    rows = rows_of(recording("gpu/h200_cuda_graphs.py"))
    times = {mode: int(us.removesuffix(" µs").replace(",", "")) for width, mode, us, _ in rows if width == "2048"}
    eager, default, graphs = (times[mode] for mode in ("eager", "default", "reduce-overhead"))
    assert default > 0.99 * eager
    assert max(eager, default) < graphs < 1.05 * eager


def test_autotuning_pays_off_after_tens_of_thousands_of_calls(recording):
    """As docs/measure/break-even.md says; the second call of both modes records the CUDA graph."""
    rows = rows_by_name(recording("gpu/h200_first_calls.py"))
    calls = {mode: [float(cell.split()[0]) for cell in cells[:3]] for mode, cells in rows.items()}
    assert list(calls) == ["default", "reduce-overhead", "max-autotune"]
    graphs_s, graphs_second_ms, graphs_third_ms = calls["reduce-overhead"]
    tuned_s, tuned_second_ms, tuned_third_ms = calls["max-autotune"]
    assert graphs_second_ms > 10 * graphs_third_ms and tuned_second_ms > 10 * tuned_third_ms
    assert 10_000 < (tuned_s - graphs_s) / ((graphs_third_ms - tuned_third_ms) / 1e3) < 1_000_000
