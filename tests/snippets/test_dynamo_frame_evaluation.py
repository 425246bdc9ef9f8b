"""What docs/dynamo/frame-evaluation.md states and its snippets don't assert themselves."""

import io

import torch
import torch._dynamo.config
from torch._dynamo import bytecode_debugger


def test_the_resume_function_is_named_after_the_line(record):
    assert "torch_dynamo_resume_in_step_at_14" in record("dynamo/frame_evaluation/break_frames.py").text


def test_empty_graphs_keep_the_versions_of_a_module_that_returned_its_input():
    def drop_path(x, training):
        return x * 2 if training else x

    def counting(graph_module, example_inputs):
        return lambda *inputs: runs.append(True) or graph_module(*inputs)

    for allowed, expected in (False, [True, False, False]), (True, [True, True, True]):
        torch.compiler.reset()
        ran, compiled = [], torch.compile(drop_path, backend=counting)
        with torch._dynamo.config.patch(allow_empty_graphs=allowed):
            for training in (True, False, True):
                runs = []
                compiled(torch.ones(4), training)
                ran.append(bool(runs))
        assert ran == expected


def test_the_debugger_stops_at_the_return_of_each_dynamo_frame_with_the_result_on_the_stack(monkeypatch, capsys):
    module = torch.nn.Linear(2, 2)

    def step(x, sizes):
        sizes.append(len(x))
        return module(x).relu()

    compiled, sizes = torch.compile(step, backend="eager"), []
    compiled(torch.ones(2, 2), [])
    monkeypatch.setattr("sys.stdin", io.StringIO("r\np __stack__[-1] is not None\np sizes\nc\n"))
    with bytecode_debugger.debug():
        result = compiled(torch.ones(2, 2), sizes)
    printed = capsys.readouterr().out
    assert "About to return from step" in printed and "True" in printed.split("About to return")[1]
    assert sizes == [2] and "[2]" in printed
    torch.testing.assert_close(result, step(torch.ones(2, 2), []))
