"""What docs/dynamo/dynamic-shapes.md states and its snippets don't assert themselves."""

import torch
import torch._dynamo.config
from torch._dynamo.testing import CompileCounter


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
    torch.compiler.reset()
    counter = CompileCounter()
    compiled = torch.compile(lambda x: x * 2, backend=counter, dynamic=False)
    for size in range(2, 16):
        compiled(torch.ones(size))
    assert counter.frame_count == 8
