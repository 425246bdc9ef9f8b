"""Facts of the page on times on a GPU, from the recordings on an H200."""

from __future__ import annotations


def test_compiled_small_layers_are_slower_than_eager_mode(recording):
    values = recording("gpu/h200_cuda_graphs.py").values
    assert values["graphs_us"] < values["eager_us"] < values["default_us"]


def test_the_record_names_the_processor_that_launches(recording):
    assert "launched from Intel" in recording("gpu/h200_cuda_graphs.py").text


def test_the_copy_is_below_the_data_sheets_bandwidth(recording):
    assert 2 < recording("gpu/h200_times.py").values["copy_tb"] < 4.8


def test_a_looped_norm_without_gelu_loses_nothing(recording):
    lines = [line.split() for line in recording("gpu/h200_reductions.py").text.splitlines()]
    shares = {tuple(line[:3]): int(line[-1].rstrip("%")) for line in lines[2:] if line}
    assert shares["layer_norm", "4096", "0"] > 95 > shares["norm", "4096", "0"]
