"""What docs/gpu/cuda-graph-trees.md says, from the recordings on a GPU and from the installed torch."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch._inductor import config, cudagraph_trees
from torch._inductor.cudagraph_trees import is_cudagraph_capture_sizes

Recording = Callable[[str], Any]


def last_column(text: str) -> dict[str, int]:
    """Return the number at the end of each line, by the text before it."""
    return {name.strip(): int(number) for name, number in re.findall(r"^(.*\S)  +(\d+)(?: µs)?$", text, re.M)}


def test_each_function_warms_up_records_and_then_replays_in_silence(recording: Recording) -> None:
    steps = re.split(r"^step \d$", recording("gpu/cuda_graph_trees/h200_walk.py").text, flags=re.M)[1:]
    assert [step.count("Running warmup function") for step in steps] == [2, 0, 0, 0]
    assert [step.count("Recording function") for step in steps] == [0, 2, 0, 0]
    assert steps[2].strip() == steps[3].strip() == ""


def test_branches_share_memory_and_a_known_order_records_nothing(recording: Recording) -> None:
    rows = re.findall(r"^(\w.*\S)  +(\d) +(\d+) MiB$", recording("gpu/cuda_graph_trees/h200_tree.py").text, re.M)
    assert [int(recordings) for _, recordings, _ in rows] == [2, 3, 4, 4]
    assert len({mib for *_, mib in rows}) == 1


def test_an_output_that_is_alive_makes_one_more_recording(recording: Recording) -> None:
    text = recording("gpu/cuda_graph_trees/h200_alive.py").text
    assert re.findall(r"^(deleted|alive) +(\d)$", text, re.M)[3:] == [("alive", "1"), ("deleted", "0"), ("alive", "0")]


def test_only_an_argument_is_copied(recording: Recording) -> None:
    times = last_column(recording("gpu/cuda_graph_trees/h200_inputs.py").text)
    argument, marked, small, output = times.values()
    assert argument > 100 and marked == 0 and small <= 2 and output <= 2


def test_what_splits_a_graph(recording: Recording) -> None:
    graphs = last_column(recording("gpu/cuda_graph_trees/h200_splits.py").text)
    assert graphs["a custom operator"] == 1 and graphs["the same with cudagraph_unsafe"] == 2
    assert graphs["two of them"] == 3 and graphs["addition on the CPU"] == 2
    assert graphs["x[x > 0]"] == 1 and graphs["torch.cond"] == 0


def test_the_list_of_sizes_works_in_the_config_and_not_in_options(recording: Recording) -> None:
    text = recording("gpu/cuda_graph_trees/h200_sizes.py").text
    rows = {name: launches.split() for name, launches in re.findall(r"^(\S.*?)  +((?:\d +){3}\d)$", text, re.M)}
    assert rows["in torch._inductor.config"] == ["0", "1", "0", "1"]
    assert rows["in torch._inductor.config, padded"] == rows["in options"] == ["1"] * 4


def test_the_installed_torch_reads_the_list_when_it_is_called_and_compares_tuples_for_several_sizes() -> None:
    assert is_cudagraph_capture_sizes(300)
    with config.patch({"triton.cudagraph_capture_sizes": (256, (512, 64))}):
        assert is_cudagraph_capture_sizes(256) and is_cudagraph_capture_sizes((512, 64))
        assert not is_cudagraph_capture_sizes(300) and not is_cudagraph_capture_sizes((512, 32))
    assert "cudagraph_capture_sizes" not in dir(torch.compiler)


def test_a_graph_without_a_dynamic_size_is_not_recorded_if_there_is_a_list_of_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recorded = []
    model = lambda inputs: inputs[-1]  # noqa: E731

    def record(model: Any, inputs: list[Any], *rest: Any, **options: Any) -> tuple[Any, Any]:
        recorded.append(inputs[0])
        return model, model(inputs)

    monkeypatch.setattr(cudagraph_trees, "cudagraphify", record)
    x = torch.ones(256)
    static, dynamic = (cudagraph_trees.cudagraphify_impl(model, inputs, ()) for inputs in ([x], [256, x]))
    with config.patch({"triton.cudagraph_capture_sizes": (256,)}):
        assert static([x]) is x and not recorded
        assert dynamic([256, x]) is x and recorded == [256]
