"""Facts of docs/dynamo/inside-a-break.md that its snippets don't assert."""

import pytest
import torch

from compile_lessons import capture
from training import assert_trains_like_eager

HERE = "dynamo/inside_a_break/"


def test_the_value_that_changed_is_named(record):
    assert "scale['factor'] == 2.0" in record(HERE + "guards.py").text


class Quiet(torch.nn.Module):
    def forward(self, x):
        x = x + 1
        print(end="")
        return x * 2


quiet = Quiet()
blocks = torch.nn.Sequential(quiet, quiet)


def call(x):
    return quiet(x - 1) / 3


def call_in_a_loop(x):
    x = x - 1
    for _ in range(3):
        x = quiet(x)
    return x / 3


def call_in_a_try(x):
    try:
        return quiet(x - 1) / 3
    except ValueError:
        return x


def call_through_sequential(x):
    return blocks(x - 1)


@pytest.mark.parametrize(
    ("caller", "has_an_effect"),
    [(call, True), (call_in_a_loop, False), (call_in_a_try, False), (call_through_sequential, False)],
)
def test_nested_graph_breaks_has_an_effect_on_a_plain_call_alone(caller, has_an_effect):
    counts = []
    for setting in (False, True):
        torch.compiler.reset()
        with torch._dynamo.config.patch(nested_graph_breaks=setting):
            counts.append(len(capture(caller, until="dynamo")(torch.ones(3)).graphs))
    assert (counts[0] != counts[1]) is has_an_effect


class Verbose(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.register_buffer("calls", torch.zeros(()))

    def helper(self, x):
        self.calls = self.calls + 1
        y = torch.relu(x) * self.calls
        print("halfway")
        return y * y

    def forward(self, x):
        h = self.linear(x).sigmoid()
        return self.helper(h) * h


def test_nested_graph_breaks_train_like_eager():
    batches = [(torch.randn(rows, 4),) for rows in (2, 3, 5)]
    with torch._dynamo.config.patch(nested_graph_breaks=True):
        assert_trains_like_eager(Verbose, batches, lambda model: torch.compile(model, backend="aot_eager"))
