"""Facts of the page "Functionalization" that no program of it asserts."""

import pytest
import torch
from torch._inductor.utils import run_and_get_code

from training import assert_trains_like_eager

# library call: the in-place operator that becomes it
IN_PLACE = {
    "extern_kernels.addmm(": lambda x, y: x.addmm_(y, y),
    "torch.ops.aten.cumsum.default(": lambda x, y: x.cumsum_(0),
    "extern_kernels.mm(": lambda x, y: torch.mm(y, y, out=x),
}


@pytest.mark.nightly
@pytest.mark.parametrize("library_call", IN_PLACE)
def test_a_library_computes_into_a_new_buffer_which_is_copied_back(library_call):
    def function(x, y):
        IN_PLACE[library_call](x, y)
        return x + 1

    _, [code] = run_and_get_code(torch.compile(function), torch.ones(8, 8), torch.ones(8, 8))
    call = code.split("def call(")[1]
    assert "copy" in call[call.index(library_call) :].split("cpp_fused_")[1].split("(")[0]


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(4, 4)
        self.dropout = torch.nn.Dropout(0.1)

    def forward(self, x):
        features = self.project(x)
        hidden = self.dropout(features)
        hidden += 1
        return features, hidden


def test_without_aotautograd_an_in_place_operator_after_dropout_is_as_in_eager_mode():
    model = Encoder().eval()
    x = torch.ones(1, 4)
    features, _ = torch.compile(model, backend="eager")(x)
    assert torch.equal(features, model.project(x) + 1)


def test_in_training_eager_dropout_leaves_its_input_alone_too():
    model = Encoder().train()
    x = torch.ones(1, 4)
    features, _ = model(x)
    assert torch.equal(features, model.project(x))


@pytest.mark.parametrize(
    ("dropout", "returns_its_input"),
    [(torch.nn.Dropout(0.0), True), (torch.nn.Dropout(0.1).eval(), True), (torch.nn.Dropout(0.5), False)],
)
def test_compiled_dropout_returns_a_copy_where_eager_dropout_returns_its_input(dropout, returns_its_input):
    x = torch.ones(1, 4)
    assert (dropout(x).data_ptr() == x.data_ptr()) == returns_its_input
    assert torch.compile(dropout, backend="aot_eager")(x).data_ptr() != x.data_ptr()


def bump_then_double(a, b):
    a.add_(1)
    return b * 2


def separate():
    return torch.zeros(6)[:4], torch.full((6,), 5.0)[2:]


def overlapping():
    x = torch.zeros(6)
    return x[:4], x[2:]


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize(("first", "second"), [(separate, overlapping), (overlapping, separate)])
def test_a_graph_is_reused_for_arguments_that_overlap_differently(first, second, dynamic):
    compiled = torch.compile(bump_then_double, backend="aot_eager", dynamic=dynamic)
    compiled(*first())
    assert not torch.equal(compiled(*second()), bump_then_double(*second()))


def test_a_function_that_changes_one_of_two_arguments_returns_what_eager_mode_does():
    compiled = torch.compile(bump_then_double, backend="aot_eager")
    x = torch.zeros(2)
    assert compiled(x, torch.zeros(2)).tolist() == [0, 0]
    assert compiled(x, x).tolist() == [4, 4]


def test_a_change_through_a_view_reaches_the_whole_tensor():
    def raise_first_row(x):
        y = x * 1
        y[0].add_(5)
        return y

    compiled = torch.compile(raise_first_row, backend="aot_eager")
    assert compiled(torch.ones(3, 2)).tolist() == [[6, 6], [1, 1], [1, 1]]


class Positioned(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(4, 4)
        self.dropout = torch.nn.Dropout(0.0)
        self.position = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        features = self.project(x)
        hidden = self.dropout(features)
        hidden = hidden + self.position
        first, rest = hidden[:3], hidden[1:]  # one tensor, sliced inside
        first.add_(1)
        return features, rest * rest


def test_the_fixes_for_dropout_and_overlap_train_like_eager():
    batches = [(torch.randn(rows, 4),) for rows in (4, 5, 7)]
    assert_trains_like_eager(
        Positioned, batches, lambda model: torch.compile(model, backend="aot_eager", fullgraph=True)
    )
