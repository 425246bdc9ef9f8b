"""Facts of docs/dynamo/graph-break-causes.md that its snippets don't assert."""

import contextlib
import copy
import random
import re

import numpy
import pytest
import torch

from compile_lessons import capture, count_breaks, count_graphs, keep_graphs

HERE = "dynamo/graph_break_causes/"


def test_the_log_names_the_skipped_function(record):
    text = record(HERE + "loop_log.py").text
    assert "Skipping the function and falling back to eager" in text
    assert "graph break in loop" in text


def test_eager_mode_catches_what_compiled_code_raises(record):
    caught = record(HERE + "except_error.py")
    assert "eager: (2, 4)" in caught.text
    assert "compiled: TorchRuntimeError" in caught.text


@pytest.mark.parametrize(
    ("function", "error"),
    [
        (lambda x: x[10], IndexError),
        (lambda x: x.view(7), torch._dynamo.exc.TorchRuntimeError),
        (lambda x: torch.stack([]), torch._dynamo.exc.TorchRuntimeError),
        (lambda x: torch.linalg.cholesky(-torch.eye(3)), torch.linalg.LinAlgError),
    ],
)
def test_an_except_that_is_not_reached(function, error):
    def guarded(x):
        try:
            return function(x)
        except Exception:
            return x * 2

    assert torch.equal(guarded(torch.ones(3)), torch.full((3,), 2.0))
    with pytest.raises(error):
        torch.compile(guarded, backend="eager")(torch.ones(3))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * copy.deepcopy([1, 2])[1],
        lambda x: x * len(re.match("a+", "aaa").group()),
        lambda x: x * random.randint(3, 3),
    ],
)
def test_listed_modules_with_functions_that_trace(function):
    x = torch.ones(3)
    assert torch.equal(torch.compile(function, backend="eager", fullgraph=True)(x), function(x))


def test_training_through_an_lstm_needs_an_input_with_a_gradient():
    lstm, x = torch.nn.LSTM(4, 4), torch.ones(3, 2, 4)
    with torch._dynamo.config.patch(allow_rnn=True):
        torch.compiler.reset()
        compiled = torch.compile(lambda x: lstm(x)[0].sum(), backend="aot_eager")
        with pytest.raises(AssertionError, match="expected all tensors_saved_with_vc_check"):
            compiled(x)
        torch.compiler.reset()
        compiled(x.requires_grad_()).backward()
    gradients = [parameter.grad.clone() for parameter in lstm.parameters()]
    lstm.zero_grad()
    lstm(x)[0].sum().backward()
    for parameter, gradient in zip(lstm.parameters(), gradients, strict=True):
        torch.testing.assert_close(parameter.grad, gradient)


@contextlib.contextmanager
def scope():
    yield


def enters_nothing(x):
    with contextlib.ExitStack():
        y = x + 1
    return y * 2


def enters_a_context_of_yours(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(scope())
        y = x + 1
    return y * 2


def enters_a_context_of_contextlib(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.nullcontext())
        y = x + 1
    return y * 2


@pytest.mark.parametrize(
    ("function", "graphs"), [(enters_nothing, 1), (enters_a_context_of_yours, 1), (enters_a_context_of_contextlib, 0)]
)
def test_an_exit_stack_is_traced_if_it_enters_only_your_context_managers(function, graphs):
    assert count_graphs(function)(torch.ones(8)) == graphs


def add_all(x, pairs):
    for pair in pairs:
        x = x + pair[0]
    return x


@pytest.mark.parametrize(
    ("make_pairs", "graphs"),
    [
        pytest.param(lambda: zip([1, 2], [3, 4], strict=True), 0, id="zip"),
        pytest.param(lambda: enumerate([5]), 0, id="enumerate"),
        pytest.param(lambda: {1: 2}.items(), 0, id="items of a dictionary"),
        pytest.param(lambda: list(zip([1, 2], [3, 4], strict=True)), 1, id="list of zip"),
    ],
)
def test_a_loop_over_an_iterator_that_is_passed_is_not_compiled(make_pairs, graphs):
    kept = keep_graphs()
    torch.compile(add_all, backend=kept)(torch.ones(2), make_pairs())
    assert len(kept.graphs) == graphs


def test_what_comes_before_a_loop_over_a_passed_iterator_is_compiled():
    def step(x, pairs):
        x = x.sin().cos()
        for pair in pairs:
            x = x + pair[0]
        return x.tan()

    assert count_graphs(step)(torch.ones(2), zip([1, 2], [3, 4], strict=True)) == 1


def prints_in_a_try(x, operations):
    for _ in range(operations):
        x = x.sin()
    try:
        print(end="")
        x = x + 1
    finally:
        x = x * 2
    return x


@pytest.mark.parametrize(("operations", "graphs"), [(0, 0), (1, 0), (2, 1)])
def test_before_a_try_with_a_break_two_operations_are_compiled(operations, graphs):
    assert count_graphs(prints_in_a_try)(torch.ones(8), operations) == graphs


def leaves_the_loop(x):
    for i in range(3):
        x = x + 1
        if i == 2:
            print(end="")
            return x * 3
    return x * 2


def prints_in_except(x):
    x = x + 1
    try:
        raise ValueError
    except ValueError:
        print(end="")
    return x * 2


@pytest.mark.parametrize(("function", "graphs"), [(leaves_the_loop, 2), (prints_in_except, 0)])
def test_a_break_before_return_leaves_the_loop_and_one_in_except_does_not(function, graphs):
    assert count_graphs(function)(torch.ones(8)) == graphs


class Tagger(torch.nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.embed = torch.nn.Linear(4, 4)
        self.recurrent = layer(4, 4)
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x):
        h = torch.relu(self.embed(x))
        h, _ = self.recurrent(h)
        return torch.sigmoid(self.head(h))


@pytest.mark.parametrize("layer", [torch.nn.GRU, torch.nn.RNN])
def test_other_recurrent_layers_end_the_graph_too(layer):
    [graph] = capture(Tagger(layer), until="dynamo")(torch.ones(3, 4)).graphs
    assert len(graph.dynamo.calls) == 2


@pytest.mark.parametrize(
    ("layer", "grad", "compiles"), [(torch.nn.GRU, True, 3), (torch.nn.LSTM, True, 3), (torch.nn.LSTM, False, 2)]
)
def test_each_length_needs_a_version_up_to_the_limit_except_of_an_lstm_without_gradients(layer, grad, compiles):
    model = Tagger(layer)
    kept = keep_graphs()
    model.compile(backend=kept)
    with torch._dynamo.config.patch(allow_rnn=True, recompile_limit=3), torch.set_grad_enabled(grad):
        for length in range(2, 6):
            model(torch.ones(length, 2, 4))
    assert len(kept.graphs) == compiles


def test_a_compiled_function_does_not_seed_numpy():
    def seed(x):
        numpy.random.seed(0)
        return x + 1

    numpy.random.seed(5)
    expected = numpy.random.rand()
    numpy.random.seed(5)
    torch.compile(seed, backend="aot_eager", fullgraph=True)(torch.ones(1))
    assert numpy.random.rand() == expected


def test_an_f_string_of_a_tensor_does_not_break_the_graph():
    pipeline = capture(lambda x: (x * 2, f"{x.sum()}"), until="dynamo")(torch.ones(2))
    assert len(pipeline.graphs) == 1
    assert not pipeline.breaks


@pytest.mark.parametrize(
    ("statement", "breaks"),
    [
        ("assert x.sum() > 0, 'not positive'", 0),
        ("assert x.sum() > 0, f'not positive: {x.shape}'", 1),
        ("assert (x > 0).all().item()", 1),
        ("x = torch.from_numpy(numpy.sin(x.numpy()))", 0),
    ],
)
def test_a_simple_assert_does_not_break_the_graph(statement, breaks):
    names = {"torch": torch, "numpy": numpy}
    exec(f"def step(x):\n    {statement}\n    return x * 2", names)  # pytest rewrites an assert in this file
    assert count_breaks(names["step"])(torch.ones(8)) == breaks


class CallsInOneLine(Tagger):
    def forward(self, x):
        h, _ = self.recurrent(torch.relu(self.embed(x)))
        return torch.sigmoid(self.head(h))


class ReadsTheSizeFirst(Tagger):
    def forward(self, x):
        hidden = torch.relu(self.embed(x)).view(-1, self.recurrent.hidden_size)
        h, _ = self.recurrent(hidden)
        return torch.sigmoid(self.head(h))


@pytest.mark.parametrize("tagger", [CallsInOneLine, ReadsTheSizeFirst])
def test_nothing_is_compiled_if_the_layer_is_on_the_stack_or_read_before(tagger):
    assert count_graphs(tagger(torch.nn.LSTM))(torch.ones(3, 4)) == 0
