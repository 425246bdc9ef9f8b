"""What docs/inductor/pre-grad-passes.md says, for dynamic sizes, in training, and for subgraphs."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

from compile_lessons.runs.machine import cxx_compiler
from from_file import load_module

pytestmark = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
SNIPPETS = Path(__file__).parents[2] / "snippets"
FLOATS = torch.linspace(-1, 1, 8)
BYTES = FLOATS.view(torch.uint8)


@pytest.fixture(autouse=True)
def no_caches() -> Iterator[None]:
    with torch.compiler.config.patch(force_disable_caches=True):
        yield


class Seen:
    """A pass that changes nothing and notes the calls of each graph."""

    def __init__(self) -> None:
        self.graphs: list[list[str]] = []

    def __call__(self, graph: torch.fx.Graph) -> None:
        calls = [node for node in graph.nodes if node.op.startswith("call_")]
        self.graphs.append([getattr(node.target, "__name__", str(node.target)) for node in calls])


def read(first: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    return torch.cat([first, last]).view(torch.float32).relu()


def view_first(first: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    return torch.cat([first.view(torch.float32), last.view(torch.float32)]).relu()


@pytest.mark.parametrize(
    ("function", "settings", "right"),
    [
        (read, {"dynamic": True}, False),
        (view_first, {}, True),
        (read, {"options": {"use_pre_grad_passes": False}}, True),
    ],
)
def test_bytes_are_read_as_floats(function: Callable[..., Any], settings: dict[str, Any], right: bool) -> None:
    assert torch.equal(torch.compile(function, **settings)(BYTES, BYTES), read(BYTES, BYTES)) is right


def test_tanh_of_float32_joined_with_float64_has_the_precision_of_float32() -> None:
    def join(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.cat([x, y]).tanh()

    x, y = torch.linspace(0.1, 1, 8), torch.linspace(0.1, 1, 8, dtype=torch.float64)
    difference = (torch.compile(join)(x, y) - join(x, y)).abs()
    assert difference[:8].max() > 1e-10 and difference[8:].max() < 1e-14


def test_torch_calls_a_pass_for_subgraphs_first() -> None:
    seen = Seen()
    linear = nn.Linear(8, 8)

    def block(x: torch.Tensor) -> torch.Tensor:
        return checkpoint(lambda x: linear(x).relu(), x, use_reentrant=False)

    torch.compile(block, options={"pre_grad_custom_pass": seen})(torch.randn(4, 8, requires_grad=True))
    assert seen.graphs[0] == ["linear", "relu"] and "tag_activation_checkpoint" in seen.graphs[1]
    branches = Seen()
    torch.compiler.reset()
    torch.compile(
        lambda x: torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,)), options={"pre_grad_custom_pass": branches}
    )(FLOATS)
    assert branches.graphs[:2] == [["sin"], ["cos"]]


def test_a_node_names_its_module_and_a_frozen_batch_norm_is_not_folded_here() -> None:
    seen = Seen()
    modules = []

    def note(graph: torch.fx.Graph) -> None:
        seen(graph)
        modules.extend(str(node.meta.get("nn_module_stack")) for node in graph.nodes if node.op == "call_function")

    model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8)).eval()
    with torch.no_grad(), torch._inductor.config.patch(freezing=True, pre_grad_custom_pass=note):
        torch.compile(model)(torch.randn(1, 3, 8, 8))
    assert seen.graphs == [["conv2d", "batch_norm"]]
    assert "BatchNorm2d" in modules[-1]


def test_split_cat_needs_the_normalization_before_it() -> None:
    counts = []
    for names in (["split_cat_pass"], ["normalization_pass", "split_cat_pass"]):
        torch.compiler.reset()
        seen = Seen()
        options = {"pre_grad_fusion_options": {name: {} for name in names}, "pre_grad_custom_pass": seen}
        x = torch.randn(6, 4)
        compiled = torch.compile(lambda x: torch.cat(torch.split(x, 2, dim=0), dim=0) + 1, options=options)
        torch.testing.assert_close(compiled(x), x + 1)
        counts.append(len(seen.graphs[0]))
    assert counts[1] < counts[0]


@pytest.mark.parametrize(("layers", "merged"), [(4, False), (5, True)])
def test_batch_linear_merges_five_layers_of_dynamic_size(layers: int, merged: bool) -> None:
    linears = nn.ModuleList(nn.Linear(16, 16) for _ in range(layers))
    seen = Seen()
    options = {"pre_grad_fusion_options": {"batch_linear": {}}, "pre_grad_custom_pass": seen}

    def all_layers(x: torch.Tensor) -> torch.Tensor:
        return torch.stack([linear(x) for linear in linears])

    x = torch.randn(8, 16)
    torch.testing.assert_close(torch.compile(all_layers, options=options, dynamic=True)(x), all_layers(x))
    assert ("baddbmm" in seen.graphs[0]) is merged


def test_a_convolution_with_padding_by_keyword_does_not_compile() -> None:
    norm = nn.BatchNorm2d(8).eval()
    weight = torch.randn(8, 3, 3, 3)

    def block(image: torch.Tensor) -> torch.Tensor:
        return norm(F.conv2d(image, weight, padding=1)) + image[:, :1]

    options = {"efficient_conv_bn_eval_fx_passes": True}
    with pytest.raises(Exception, match=r"must match the size|broadcast"):
        torch.compile(block, options=options)(torch.randn(2, 3, 8, 8))


@pytest.fixture(scope="module")
def own() -> Any:
    return load_module("own_pre_grad", SNIPPETS / "inductor/pre_grad_passes/own.py")


def test_the_pass_replaces_norms_of_dynamic_size_and_leaves_others(own: Any) -> None:
    model = nn.Sequential(nn.RMSNorm(8, eps=1e-6), nn.RMSNorm(8), nn.RMSNorm(8, eps=1e-6, elementwise_affine=False))
    graphs = []
    use = own.UseRmsNorm()

    def replace(graph: torch.fx.Graph) -> None:
        use(graph)
        graphs.append(
            [node.target is torch.ops.lesson.rms_norm.default for node in graph.nodes if node.op == "call_function"]
        )

    x = torch.randn(2, 4, 8, requires_grad=True)
    compiled = torch.compile(model, options={"pre_grad_custom_pass": replace}, dynamic=True)
    [expected] = torch.autograd.grad(model(x).square().sum(), x)
    [actual] = torch.autograd.grad(compiled(x).square().sum(), x)
    torch.testing.assert_close(actual, expected, rtol=1e-4, atol=1e-5)
    # in the first of two traces, each epsilon is an input of the graph
    assert graphs == [[False, False, False], [True, False, False]]


@pytest.mark.parametrize("shape", [(8,), (3, 8), (2, 4, 8)])
def test_the_operator_has_the_gradients_of_the_norm_for_any_number_of_dimensions(own: Any, shape: tuple[int]) -> None:
    x = torch.randn(shape, requires_grad=True)
    weight = torch.rand(8, requires_grad=True)
    expected = torch.autograd.grad(torch.rms_norm(x, (8,), weight, 1e-6).sin().sum(), (x, weight))
    actual = torch.autograd.grad(own.rms_norm(x, weight).sin().sum(), (x, weight))
    torch.testing.assert_close(actual, expected, rtol=1e-4, atol=1e-5)
