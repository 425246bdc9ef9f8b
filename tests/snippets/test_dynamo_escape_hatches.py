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


@torch.library.custom_op("test::by_number", mutates_args=())
def by_number(x: torch.Tensor) -> torch.Tensor:
    return x * number


number = 1.0
by_number.register_fake(torch.empty_like)


def test_an_operator_sees_a_number_that_was_set_before_the_call_but_not_in_it():
    def setting(x):
        global number
        number = 7.0
        return by_number(x)

    def reading(x):
        return by_number(x)

    global number
    torch.compiler.reset()
    for value in (1.0, 2.0):
        number = value
        assert torch.compile(reading, backend="eager")(torch.ones(1)) == value
    number = 1.0
    assert torch.compile(setting, backend="eager")(torch.ones(1)) == 1 and number == 7
