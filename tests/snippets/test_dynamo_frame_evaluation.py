"""What docs/dynamo/frame-evaluation.md states and its snippets don't assert themselves."""

import io

import pytest
import torch
import torch._dynamo.config
from torch._dynamo import bytecode_debugger

from compile_lessons import keep_graphs


def test_the_resume_function_is_named_after_the_line(record):
    assert "torch_dynamo_resume_in_step_at_13" in record("dynamo/frame_evaluation/break_frames.py").text


def test_the_original_function_and_a_second_call_compile_nothing(record):
    lines = record("dynamo/frame_evaluation/frames.py").text.splitlines()
    assert [line.count("'step'") for line in lines] == [0, 1, 1, 1, 2]


def drop_path(x, training):
    return x * 2 if training else x


def calls_that_run_compiled(**options):
    """Compile ``drop_path``, and return for a training, an evaluation and a training call whether a graph ran."""
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(drop_path, backend=kept, **options)
    ran = []
    for training in (True, False, True):
        before = len(kept.runs)
        compiled(torch.ones(4), training)
        ran.append(len(kept.runs) > before)
    return ran


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [True, False, False]),
        ({"isolate_recompiles": True}, [True, False, False]),
        ({"fullgraph": True}, [True, True, True]),
    ],
    ids=["default", "isolate_recompiles", "fullgraph"],
)
def test_one_evaluation_call_turns_off_the_version_of_the_first_call(options, expected):
    assert calls_that_run_compiled(**options) == expected


@pytest.mark.parametrize(("allowed", "expected"), [(False, [True, False, False]), (True, [True, True, True])])
def test_empty_graphs_keep_the_versions_of_a_module_that_returned_its_input(allowed, expected):
    with torch._dynamo.config.patch(allow_empty_graphs=allowed):
        assert calls_that_run_compiled() == expected


def test_fail_on_recompile_does_not_notice_a_function_that_is_skipped():
    kept = keep_graphs()
    compiled = torch.compile(drop_path, backend=kept)
    compiled(torch.ones(4), True)
    compiled(torch.ones(4), False)
    runs = len(kept.runs)
    with torch.compiler.set_stance("fail_on_recompile"):
        compiled(torch.ones(4), True)
    assert len(kept.runs) == runs


class Block(torch.nn.Module):
    """A residual block with timm's way to drop a path: the rate is a number for ``bernoulli_``."""

    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, x):
        return x + x.new_empty(len(x), 1).bernoulli_(1 - self.rate)


@pytest.mark.parametrize(("isolate", "compiled"), [(False, 8), (True, 12)])
def test_twelve_rates_need_twelve_versions_unless_each_block_is_isolated(isolate, compiled):
    kept = keep_graphs()
    for number in range(12):
        block = Block(number / 20)
        block.compile(backend=kept, isolate_recompiles=isolate)
        block(torch.ones(8, 4))
    assert len(kept.runs) == compiled


def test_twelve_rates_in_a_compiled_model_need_one_version():
    kept = keep_graphs()
    model = torch.nn.Sequential(*[Block(number / 20) for number in range(12)])
    torch.compile(model, backend=kept)(torch.ones(8, 4))
    assert len(kept.runs) == 1


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
