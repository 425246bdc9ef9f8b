"""Facts that the page "Compiled autograd" states."""

from pathlib import Path

from torch._dynamo import config, eval_frame

HERE = "aot/compiled_autograd/"


def test_the_option_is_off_and_read_in_eval_frame():
    assert config.compiled_autograd is False
    assert "config.compiled_autograd" in Path(eval_frame.__file__).read_text()


def test_it_records_autograd_nodes(record):
    lines = record(HERE + "nodes.py").text.split()
    assert lines[:3] == ["sum_backward0", "sin_backward0", "call_accumulate_grad"]


def test_one_backward_graph(record):
    graphs = record(HERE + "graphs.py")
    assert (graphs.values["without"], graphs.values["with_it"]) == (2, 1)
    on = next(line for line in graphs.text.splitlines() if line.startswith("on"))
    assert on.endswith("add new_empty_strided copy")


def test_the_hook_is_inside(record):
    off, on = record(HERE + "hook.py").text.splitlines()
    assert "clamp" not in off and "clamp" in on


def test_the_option_is_read_early(record):
    values = record(HERE + "forgotten.py").values
    assert [values[name] for name in ("late_graphs", "early_graphs", "enabled_graphs")] == [1, 2, 1]


def test_the_first_gradient(record):
    values = record(HERE + "first_grad.py").values
    assert (values["kept_graphs"], values["fresh_graphs"]) == (3, 2)
