"""What docs/aot/decompositions.md states and its programs don't assert."""

import torch
from torch._decomp import get_decompositions
from torch._inductor.decomposition import select_decomp_table
from torch.fx.experimental.proxy_tensor import make_fx


def test_inductors_operators_of_gelu_are_pointwise_and_compute_gelu() -> None:
    x = torch.linspace(-2, 2, 5)
    traced = make_fx(torch.nn.GELU(), decomposition_table=select_decomp_table())(x)
    calls = [node for node in traced.graph.nodes if node.op == "call_function"]
    assert len(calls) == 5
    assert all(torch.Tag.pointwise in node.target.tags for node in calls)
    torch.testing.assert_close(traced(x), torch.nn.functional.gelu(x))


def test_a_decomposition_written_by_hand_is_traced_in_place_of_the_operator() -> None:
    def decomposed(x: torch.Tensor) -> torch.Tensor:
        return x * torch.clamp(x + 3, 0, 6) / 6

    x = torch.linspace(-4, 4, 9)
    table = {torch.ops.aten.hardswish.default: decomposed}
    traced = make_fx(torch.nn.Hardswish(), decomposition_table=table)(x)
    names = [node.target.__name__ for node in traced.graph.nodes if node.op == "call_function"]
    assert names == ["add.Tensor", "clamp.default", "mul.Tensor", "div.Tensor"]
    assert torch.ops.aten.gelu.default in get_decompositions([torch.ops.aten.gelu])


def test_the_backend_receives_the_decomposition_instead_of_the_operator(record) -> None:
    code = record("aot/decompositions/own.py").text
    assert "torch.ops.aten.clamp" in code
    assert "hardswish" not in code
