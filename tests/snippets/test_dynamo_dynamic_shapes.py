"""What docs/dynamo/dynamic-shapes.md, and docs/fix of its snippets, states and the snippets don't assert."""

import pytest
import torch
import torch._dynamo.config
from torch._dynamo.testing import CompileCounter

from compile_lessons import keep_graphs
from training import assert_trains_like_eager


def test_a_dynamic_graph_takes_the_size(record):
    assert "Sym(s" in record("dynamo/dynamic_shapes/graphs.py").text


def test_the_log_shows_questions_and_replacements(record):
    text = record("dynamo/dynamic_shapes/symbolic.py").text
    assert ">= 16 [guard added]" in text and "range_refined_to_singleton" in text


def test_the_size_of_a_parameter_is_dynamic_if_a_setting_allows_it():
    class Layer(torch.nn.Module):
        pass

    module = Layer()
    for forced, dynamic, count in (True, None, 4), (True, True, 4), (False, None, 1):
        with torch._dynamo.config.patch(force_parameter_static_shapes=forced):
            torch.compiler.reset()
            counter = CompileCounter()
            compiled = torch.compile(lambda module: module.weight * 2, backend=counter, dynamic=dynamic)
            for size in (4, 5, 6, 7):
                module.weight = torch.nn.Parameter(torch.ones(size))
                torch._dynamo.maybe_mark_dynamic(module.weight, 0)
                compiled(module)
            assert counter.frame_count == count


def test_static_sizes_compile_up_to_the_limit():
    counter = CompileCounter()
    compiled = torch.compile(lambda x: x * 2, backend=counter, dynamic=False)
    for size in range(2, 16):
        compiled(torch.ones(size))
    assert counter.frame_count == 8


@pytest.mark.parametrize(("dynamic", "mark", "compiles"), [(True, False, 2), (None, False, 2), (None, True, 1)])
def test_equal_sizes_share_a_symbol_with_dynamic_true_only(dynamic, mark, compiles):
    kept = keep_graphs()
    compiled = torch.compile(lambda a, b: a.sum() + b.sum(), backend=kept, dynamic=dynamic)
    for sizes in (4, 4), (7, 7), (4, 5), (6, 6):
        a, b = map(torch.ones, sizes)
        if mark:
            torch._dynamo.mark_dynamic(a, 0)
            torch._dynamo.mark_dynamic(b, 0)
        compiled(a, b)
    assert len(kept.graphs) == compiles
    graph = kept.graphs[-1 if dynamic is None else 0]
    inputs = graph.graph.find_nodes(op="placeholder")
    symbols = sum(isinstance(node.meta["example_value"], torch.SymInt) for node in inputs)
    assert symbols == (1 if dynamic else 2)


@pytest.mark.parametrize("sizes", [[4, 3, 5, 6, 2], [5, 6, 3, 4]])
def test_a_range_of_sizes_accepts_a_mark_on_any_size(sizes):
    def head(x):
        return x + 1 if x.shape[0] <= 4 else x * 2

    kept = keep_graphs()
    compiled = torch.compile(head, backend=kept)
    for size in sizes:
        x = torch.ones(size)
        torch._dynamo.mark_dynamic(x, 0)
        assert torch.equal(compiled(x), head(x))
    assert len(kept.graphs) == 2


def test_maybe_mark_dynamic_raises_no_error_and_the_first_version_is_for_one_size():
    kept = keep_graphs()
    compiled = torch.compile(lambda x: x + 1 if x.shape[0] == 4 else x * 2, backend=kept)
    first = torch.ones(4)
    torch._dynamo.maybe_mark_dynamic(first, 0)
    for x in (first, torch.ones(5), torch.ones(6)):
        compiled(x)
    shapes = [graph.graph.find_nodes(op="placeholder")[-1].meta["example_value"].shape for graph in kept.graphs]
    assert list(shapes[0]) == [4]
    assert len(shapes) == 2


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda x: (x * 2, f"{x.shape[0]}"), id="f-string"),
        pytest.param(lambda x: x * {4: 1}.get(x.shape[0], 2), id="key of a dictionary"),
    ],
)
def test_a_size_that_python_needs_as_a_number_stays_static(function):
    kept = keep_graphs()
    compiled = torch.compile(function, backend=kept)
    for size in (4, 5, 6, 7):
        compiled(torch.ones(size))
    assert len(kept.graphs) == 4


@pytest.mark.parametrize(("buffer", "compiles"), [(True, 4), (False, 2)])
def test_a_tensor_that_is_replaced_on_a_module_is_dynamic_only_as_a_plain_attribute(buffer, compiles):
    class Cache(torch.nn.Module):
        pass

    module = Cache()
    if buffer:
        module.register_buffer("cache", None)
    kept = keep_graphs()
    compiled = torch.compile(lambda module: module.cache * 2, backend=kept)
    for size in (4, 5, 6, 7):
        module.cache = torch.ones(size)
        compiled(module)
    assert ("cache" in module._buffers) == buffer
    assert len(kept.graphs) == compiles


class Pooled(torch.nn.Module):
    """Has the operators that fix a size, and what the page writes instead."""

    def __init__(self):
        super().__init__()
        self.convolution = torch.nn.Conv1d(3, 4, 3, padding=1)

    def forward(self, x):
        h = self.convolution(x)
        return torch.nn.functional.max_pool1d(h, 2), h.sum(2, keepdim=x.shape[2] > 8)

    def of_any_length(self, x):
        h = self.convolution(x)
        pooled = torch.nn.functional.max_pool2d(h[:, :, None], (1, 2))[:, :, 0]
        return pooled, h.sum(2, keepdim=True if x.shape[2] > 8 else False)  # noqa: SIM210


def test_what_accepts_a_mark_trains_like_what_does_not():
    def compiled(model):
        function = torch.compile(model.of_any_length, backend="aot_eager", fullgraph=True)

        def call(x):
            if x.shape[2] == 6:
                torch._dynamo.mark_dynamic(x, 2)
            return function(x)

        return call

    assert_trains_like_eager(Pooled, [(torch.randn(2, 3, length),) for length in (6, 7, 10)], compiled)
