"""Facts of the page "Tensor subclasses" that no program of it asserts."""

import sys
from pathlib import Path

import pytest
import torch

from compile_lessons import count_breaks
from compile_lessons.runs.machine import cxx_compiler

sys.path.append(str(Path(__file__).parents[2] / "snippets/aot/tensor_subclasses"))
from _wrapper import Wrapped, Wrapper


class Scaled(Wrapper):
    def __init__(self, inner, scale=None):
        self.inner, self.scale = inner, scale

    def __tensor_flatten__(self):
        return ["inner"], self.scale

    @classmethod
    def __tensor_unflatten__(cls, inner, metadata, outer_size, outer_stride):
        return cls(inner["inner"], metadata)

    def unwrap(self):
        return self.inner * self.scale


class Coerced(Wrapped):
    def __coerce_same_metadata_as_tangent__(self, metadata, expected_type=None):
        return self.inner

    def __repr__(self):  # pytest records debug logs, which print the tensors
        return "Coerced()"


class Length(torch.Tensor):
    unit = "m"


def test_a_tensor_in_the_metadata_is_an_error():
    with pytest.raises(AssertionError, match="Please convert all Tensors to FakeTensors first"):
        torch.compile(lambda x: x + 1, backend="aot_eager")(Scaled(torch.ones(3), torch.tensor(2.0)))


def test_coerce_turns_a_subclass_into_a_plain_gradient_but_not_the_other_way_round():
    square = torch.compile(lambda x: x * x, backend="aot_eager", fullgraph=True)
    plain = torch.ones(3, requires_grad=True)
    square(plain).backward(Coerced(torch.ones(3)))
    assert torch.equal(plain.grad, torch.full((3,), 2.0))
    torch.compiler.reset()
    with pytest.raises(RuntimeError, match="Expected a Coerced tangent but got a plain Tensor"):
        square(Coerced(torch.ones(3), requires_grad=True)).backward(torch.ones(3))


def test_reading_the_attribute_of_a_result_directly_breaks_the_graph():
    assert count_breaks(lambda x: (x + 1).unit == "m")(torch.ones(3).as_subclass(Length)) == 1


@pytest.fixture
def int8_layer():
    if cxx_compiler() is None:
        pytest.skip("needs a C++ compiler")
    from int8 import layer, scale  # the program of docs/aot/tensor-subclasses.md

    return layer, scale


def test_what_an_int8_weight_for_inference_does_not_handle(int8_layer):
    layer, scale = int8_layer
    weight = layer.weight
    assert torch.equal(torch.cat([weight, weight])[128:], weight.int8 * weight.scale)
    weight.mul_(2)
    assert torch.equal(weight.scale, scale)  # a temporary tensor was doubled
    layer.to(torch.bfloat16)
    assert (layer.weight.dtype, layer.weight.scale.dtype) == (torch.bfloat16, torch.float32)
