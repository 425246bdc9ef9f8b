"""What docs/production/piecewise.md states and its programs don't assert."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch._dynamo.utils import counters
from torch._inductor.utils import fresh_cache

from compile_lessons import capture, keep_graphs
from compile_lessons.runs.machine import cxx_compiler


def no_guards() -> dict[str, Any]:
    """Return new options: ``torch.compile`` takes the filter out of a dict."""
    return {"guard_filter_fn": torch.compiler.skip_all_guards_unsafe}


@pytest.fixture
def piecewise(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """The modules of the decoder and of the backend."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "snippets/production/piecewise"))
    import _backend
    import _decoder

    yield _decoder, _backend
    for name in ("_backend", "_decoder"):
        del sys.modules[name]


def test_a_scale_in_a_tensor_keeps_the_pieces_of_layers_equal(piecewise: tuple[Any, Any]) -> None:
    """As Python floats, three scales make three pieces that differ: ``split.py`` asserts that."""
    decoder, backend = piecewise
    counters.clear()
    model = decoder.Decoder(3, [torch.tensor(scale) for scale in (0.5, 0.6, 0.7)])
    decoder.new_requests(3, [3, 1, 2])
    compiled = torch.compile(model, backend=backend.Piecewise(decoder.ATTENTION), fullgraph=True)
    with fresh_cache(), torch.inference_mode():
        compiled(decoder.next_tokens(3))
    hits = counters["aot_autograd"]["autograd_cache_hit"]
    assert (counters["aot_autograd"]["autograd_cache_miss"], hits) == (3, 1)


def test_without_cuda_graphs_inductor_splits_nothing() -> None:
    pytest.importorskip("triton")

    @torch.library.custom_op("test_piecewise::tagged", mutates_args=(), tags=(torch.Tag.cudagraph_unsafe,))
    def tagged(x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    tagged.register_fake(torch.empty_like)

    def code(options: dict[str, Any] | None) -> str:
        capturing = capture(lambda x: tagged(x * 2) * 3, target="h200", machine_code=False, options=options)
        return capturing(torch.ones(8)).graphs[0].inductor[0].output_code

    assert code({"triton.cudagraphs": True}).count("def partition_") == 2
    assert "def partition_" not in code(None)


def test_mark_unbacked_finds_a_branch_on_the_size_only_with_fullgraph() -> None:
    def branch(x):
        return x / 4 if len(x) > 8 else x / 1

    x = torch.arange(4)
    torch._dynamo.decorators.mark_unbacked(x, 0)
    with pytest.raises(torch._dynamo.exc.UserError, match="u0 > 8"):
        torch.compile(branch, backend="eager", fullgraph=True)(x)
    assert torch.equal(torch.compile(branch, backend="eager")(x), branch(x))


def test_mark_unbacked_is_an_error_at_a_batch_norm_and_at_attention_over_the_dimension() -> None:
    norm = nn.BatchNorm2d(4)
    attend = lambda q: nn.functional.scaled_dot_product_attention(q, q, q)  # noqa: E731
    for function, dimension in ((norm, 0), (norm.eval(), 0), (attend, 2)):
        x = torch.ones(3, 4, 5, 6)
        torch._dynamo.decorators.mark_unbacked(x, dimension)
        torch.compiler.reset()
        with pytest.raises(torch._dynamo.exc.UserError, match="u0"):
            torch.compile(function, backend="eager", fullgraph=True)(x)


@pytest.mark.nightly
@pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
def test_mark_unbacked_is_an_error_at_a_convolution_on_a_cpu_with_inductor() -> None:
    x = torch.ones(3, 3, 6, 6)
    torch._dynamo.decorators.mark_unbacked(x, 0)
    with pytest.raises(AssertionError, match="stride"), torch.no_grad():
        torch.compile(nn.Conv2d(3, 4, 3), fullgraph=True)(x)


@pytest.mark.parametrize("change", ["in place", "a new parameter"])
def test_new_weights_are_used_although_no_guard_runs(change: str) -> None:
    model = nn.Linear(4, 4)
    compiled = torch.compile(model, backend="eager", options=no_guards())
    x = torch.ones(2, 4)
    with torch.no_grad():
        compiled(x)
        if change == "in place":
            model.weight.mul_(2)
        else:
            model.weight = nn.Parameter(model.weight * 3)
        assert torch.equal(compiled(x), model(x))


@pytest.mark.parametrize("setting", [torch.no_grad, torch.inference_mode, partial(torch.autocast, "cpu")])
def test_no_guard_on_torchs_own_state_is_left(setting: Callable[[], AbstractContextManager[Any]]) -> None:
    kept = keep_graphs()
    compiled = torch.compile(torch.sin, backend=kept, options=no_guards())
    compiled(torch.ones(2))
    with setting():
        compiled(torch.ones(2))
    assert len(kept.graphs) == 1


def test_other_state_of_the_model_stays_as_it_was_traced() -> None:
    class Scaled(nn.Module):
        scale = 2.0

        def forward(self, x):
            return x * self.scale

    model = Scaled()
    kept = keep_graphs()
    compiled = torch.compile(model, backend=kept, options=no_guards())
    compiled(torch.ones(1))
    model.scale = 3.0
    assert compiled(torch.ones(1)).item() == 2.0
    assert len(kept.graphs) == 1
