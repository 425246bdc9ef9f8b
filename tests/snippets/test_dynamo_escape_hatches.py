"""Facts of docs/dynamo/escape-hatches.md that its snippets don't assert."""

import torch

HERE = "dynamo/escape_hatches/"


def test_python_runs_the_disabled_function(record):
    assert "compiling? False" in record(HERE + "disable.py").text


def test_the_branch_for_eager_mode_runs_once(record):
    assert record(HERE + "is_compiling.py").text.count("checking") == 1


def test_the_swallowed_error(record):
    lines = record(HERE + "suppress.py").text.splitlines()
    assert "BackendCompilerFailed" in lines[0]
    assert "tensor([2., 2., 2.])" in lines[1]


def test_is_compiling_in_a_skipped_function_and_under_export():
    states = []

    def skipped(x):
        for _ in range(2):
            x = x + 1
            print(end="")
        states.append(torch.compiler.is_compiling())
        return x

    class Model(torch.nn.Module):
        def forward(self, x):
            return x + 1 if torch.compiler.is_compiling() else x - 1

    torch.compiler.reset()
    x = torch.ones(3)
    torch.compile(skipped, backend="eager")(x)
    assert states == [False]
    assert torch.equal(torch.export.export(Model(), (x,)).module()(x), x + 1)
