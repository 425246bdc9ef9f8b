"""What docs/dynamo/recompile-limit.md states and its snippets don't assert themselves."""

import pytest
import torch
from torch._dynamo.testing import CompileCounterWithBackend

from compile_lessons import keep_graphs
from training import assert_trains_like_eager


def test_the_warning_comes_before_the_first_call_in_eager_mode(record):
    text = record("dynamo/recompile_limit/limit.py").text
    assert text.index("torch._dynamo hit config.recompile_limit (2)") < text.index("-> abcd: eager mode")


def test_defaults_of_the_limits():
    from torch._dynamo import config

    assert config.cache_size_limit == config.recompile_limit == 8
    assert config.accumulated_recompile_limit > 8 and config.fail_on_recompile_limit_hit is False


def test_blocks_that_get_their_entry_share_a_version():
    class Block(torch.nn.Linear):
        def forward(self, x, scale):
            return super().forward(x) * scale

    kept = keep_graphs()
    blocks = [Block(8, 8) for _ in range(12)]
    for i, block in enumerate(blocks):
        block.key = f"blocks.{i}"
        block.compile(backend=kept)
        block(torch.ones(2, 8), torch.ones(8))
    assert len(kept.graphs) == 1 and len(kept.runs) == 12


@pytest.mark.parametrize(("padded", "graphs"), [(False, 5), (True, 1)])
def test_adapters_that_are_padded_with_zeros_share_a_version(padded, graphs):
    """The padding must not change the result."""

    class Slot(torch.nn.Module):
        def forward(self, x):
            return x @ self.down @ self.up

    model, x = Slot(), torch.randn(2, 8)
    kept = keep_graphs()
    compiled = torch.compile(model, backend=kept)
    for rank in range(2, 7):
        down, up = torch.randn(8, rank), torch.randn(rank, 8)
        expected = x @ down @ up
        if padded:
            down = torch.nn.functional.pad(down, (0, 6 - rank))
            up = torch.nn.functional.pad(up, (0, 0, 0, 6 - rank))
        model.down, model.up = torch.nn.Parameter(down), torch.nn.Parameter(up)
        with torch.no_grad():
            torch.testing.assert_close(compiled(x), expected)
    assert len(kept.graphs) == graphs


@pytest.mark.parametrize(("by_index", "compiles", "compiled_blocks"), [(True, 8, 8), (False, 1, 24)])
def test_with_the_setting_an_index_into_a_list_still_needs_the_number(by_index, compiles, compiled_blocks):
    """Passing the entry instead of the list gives one version."""

    class Block(torch.nn.Linear):
        def forward(self, x, cache):
            return x + super().forward(x) + (cache[self.layer_idx] if by_index else cache)

    kept = keep_graphs()
    cache = [torch.ones(8)] * 24
    blocks = [Block(8, 8) for _ in range(24)]
    with torch.compiler.config.patch(allow_unspec_int_on_nn_module=True):
        for i, block in enumerate(blocks):
            block.layer_idx = i
            block.compile(backend=kept)
            block(torch.ones(2, 8), cache if by_index else cache[i])
    assert len(kept.graphs) == compiles and len(kept.runs) == compiled_blocks


class Adapted(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.base = torch.nn.Linear(4, 4)
        self.adapters = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(3))
        self.adapter = self.adapters[0]
        self.step = 0

    def forward(self, x):
        return self.base(x) + self.adapter(x)


def use_the_next_adapter(model):
    model.step += 1
    model.adapter = model.adapters[model.step % 3]


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, scale):
        return x + self.linear(x) * scale


class Blocks(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Scaled() for _ in range(3))
        self.scales = torch.nn.ParameterDict({str(i): torch.ones(4) for i in range(3)})

    def forward(self, x):
        for i, block in enumerate(self.blocks):
            x = block(x, self.scales[str(i)])
        return x


def compile_each_block(model):
    for block in model.blocks:
        block.compile(backend="aot_eager")
    return model


def test_each_adapter_in_one_place_trains_like_eager():
    batches = [(torch.randn(rows, 4),) for rows in (2, 3, 5, 4)]
    assert_trains_like_eager(
        Adapted, batches, lambda model: torch.compile(model, backend="aot_eager"), before=use_the_next_adapter
    )


def test_blocks_that_get_their_entries_train_like_eager():
    assert_trains_like_eager(Blocks, [(torch.randn(rows, 4),) for rows in (2, 3, 5)], compile_each_block)


def test_in_a_call_in_eager_mode_only_functions_that_are_compiled_themselves_get_versions():
    outer, inner = CompileCounterWithBackend("eager"), CompileCounterWithBackend("eager")
    compiled_inner = torch.compile(lambda x, name: x * len(name), backend=inner)

    def plain(x, name):
        return x + len(name)

    def both(x, name):
        torch._dynamo.graph_break()
        return compiled_inner(plain(x, name), name)

    torch.compiler.reset()
    compiled = torch.compile(both, backend=outer, recompile_limit=2)
    for name in ("a", "ab", "abc", "abcd"):
        compiled(torch.ones(2), name)
    assert (outer.frame_count, inner.frame_count) == (2, 2)
