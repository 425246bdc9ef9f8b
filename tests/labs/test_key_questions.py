"""What the labs' key questions and hints say beyond the labs' own checks: the counterexamples that narrowed them."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from functorch.compile import make_boxed_func
from torch._dynamo.backends.common import aot_autograd

from compile_lessons import capture, capture_calls, count_recompiles, keep_graphs


def test_lab_1_the_first_backward_compiles_the_backward_graph() -> None:
    compiled: list[str] = []

    def compiler(name: str) -> Callable[..., Any]:
        def compile_graph(graph_module: torch.fx.GraphModule, inputs: list[Any]) -> Any:
            compiled.append(name)
            return make_boxed_func(graph_module.forward)

        return compile_graph

    backend = aot_autograd(fw_compiler=compiler("forward"), bw_compiler=compiler("backward"))
    loss = torch.compile(torch.nn.Linear(4, 4), backend=backend)(torch.ones(8, 4)).sum()
    assert compiled == ["forward"]
    loss.backward()
    assert compiled == ["forward", "backward"]


def test_lab_2_a_dynamic_size_leaves_its_arithmetic() -> None:
    def on_sizes(x: torch.Tensor) -> torch.Tensor:
        return x * (x.shape[-1] // 2 + 4)

    kept = keep_graphs()
    compiled = torch.compile(on_sizes, backend=kept)
    compiled(torch.ones(8))
    compiled(torch.ones(10))
    names = [[node.target.__name__ for node in g.graph.nodes if node.op == "call_function"] for g in kept.graphs]
    assert names == [["mul"], ["floordiv", "add", "mul"]]


def test_lab_3_overlapping_views_pass_the_guards() -> None:
    def add_to_first(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x.add_(1)
        return x + y

    base = torch.ones(8)
    calls = [(torch.ones(4), torch.ones(4)), (base[:4], base[2:6])]
    assert count_recompiles(add_to_first)(calls) == 0


def test_lab_4_mark_dynamic_is_stricter_than_the_second_size() -> None:
    def branch(x: torch.Tensor) -> torch.Tensor:
        return x + 1 if x.shape[0] == 8 else x * 2

    calls = capture_calls(branch, backend="eager")([(torch.ones(n),) for n in (8, 16, 32)])
    assert [call.outcome for call in calls.calls] == ["compile", "recompile", "hit"]
    x = torch.ones(8)
    torch._dynamo.mark_dynamic(x, 0)
    with pytest.raises(torch.fx.experimental.symbolic_shapes.ConstraintViolationError):
        torch.compile(branch, backend="eager")(x)


def test_lab_5_a_counter_on_a_plain_object_needs_two_compiles() -> None:
    class Steps:
        def __init__(self) -> None:
            self.count = 3

    def step(steps: Steps, x: torch.Tensor) -> torch.Tensor:
        steps.count += 1
        return x * 2

    steps, kept = Steps(), keep_graphs()
    compiled = torch.compile(step, backend=kept)
    for _ in range(5):
        compiled(steps, torch.ones(2))
    assert (len(kept.graphs), steps.count) == (2, 8)


@pytest.mark.parametrize(
    ("use", "values", "recompiles"),
    [
        (lambda x, n: x * n, (3, 4, 5, 1, 0, 7), 1),
        (lambda x, n: x[:n] * 2, (3, 4, 5, 1, 7), 2),
        (F.dropout, (0.1, 0.2, 0.3, 0.4), 3),
    ],
    ids=["factor", "slice", "dropout"],
)
def test_lab_6_the_use_decides_whether_later_values_compile(
    use: Callable[..., Any], values: tuple[float, ...], recompiles: int
) -> None:
    assert count_recompiles(use)([(torch.ones(8), value) for value in values]) == recompiles


def test_lab_7_a_value_without_nan_can_have_a_gradient_with_nan() -> None:
    x = torch.tensor([0.0, 4.0], requires_grad=True)
    result = torch.where(x > 0, x.sqrt(), 0.0)
    result.sum().backward()
    assert result.tolist() == [0, 2]
    assert x.grad.isnan().tolist() == [True, False]


@pytest.mark.parametrize(("operator", "kept"), [(torch.neg, 0), (torch.sigmoid, 8)])
def test_lab_8_a_chain_keeps_memory_unless_its_derivative_is_constant(operator: Any, kept: int) -> None:
    storages: set[int] = set()

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storages.add(tensor.untyped_storage().data_ptr())
        return tensor

    x = torch.ones(4, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        for _ in range(8):
            x = operator(x)
    assert len(storages) == kept


def test_lab_16_a_changed_argument_is_written_at_the_end() -> None:
    def update(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x.add_(y)
        return x * 2

    [graph] = capture(update, until="aot")(torch.ones(4), torch.ones(4)).graphs
    assert [node.target for node in graph.forward.nodes if node.op == "call_function"][-1] == "aten.copy_.default"


def test_lab_17_fullgraph_stops_at_the_recompile_limit() -> None:
    class Counter(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.count = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.count += 1
            return x * self.count

    compiled = torch.compile(Counter(), backend="eager", fullgraph=True)
    for _ in range(8):
        compiled(torch.ones(2))
    with pytest.raises(torch._dynamo.exc.FailOnRecompileLimitHit):
        compiled(torch.ones(2))
