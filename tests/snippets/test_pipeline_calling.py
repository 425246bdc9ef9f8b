"""Facts of "Calling torch.compile" that no snippet asserts."""

import copy

import pytest
import torch

from compile_lessons import keep_graphs


def test_one_graph_for_model_and_loss_two_for_equal_blocks(record) -> None:
    rows = record("pipeline/calling/where.py").text.splitlines()[2:]
    assert [row.split("  ")[-1] for row in rows] == ["[36]", "[38]", "[38, 24]", "[3, 3]"]


def test_a_shared_limit_is_announced(record) -> None:
    assert "hit config.recompile_limit (1)" in record("pipeline/calling/isolated.py").text


def test_a_copy_without_the_stored_method_keeps_the_weight_it_was_copied_with() -> None:
    class Scale(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.full((1,), 3.0))

        def forward(self, x):
            return x * self.weight

    stored = Scale()
    stored.forward = torch.compile(stored.forward, backend="eager")
    copied = copy.deepcopy(stored)
    del copied.forward
    stored.weight.data.zero_()
    assert copied(torch.ones(1)).item() == 3
    assert stored(torch.ones(1)).item() == 0


class Encoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())

    def forward(self, x):
        return self.net(x)

    def calls_itself(self, x):
        return self(x) * 2

    def calls_forward(self, x):
        return self.forward(x) * 2

    def calls_a_part(self, x):
        return self.net(x) * 2


@pytest.mark.parametrize(("method", "graphs"), [("calls_itself", 1), ("calls_forward", 0), ("calls_a_part", 0)])
def test_a_model_compiled_in_place_compiles_a_method_only_where_it_calls_self(method, graphs) -> None:
    kept = keep_graphs()
    model = Encoder()
    model.compile(backend=kept)
    getattr(model, method)(torch.ones(2, 4))
    assert len(kept.graphs) == graphs


def test_an_old_checkpoint_loads_into_the_module_that_was_passed_and_not_into_what_torch_compile_returns() -> None:
    old = torch.nn.Linear(4, 4).state_dict()
    model = torch.nn.Linear(4, 4)
    compiled = torch.compile(model, backend="eager")
    assert list(compiled.state_dict()) == [f"_orig_mod.{name}" for name in old]
    with pytest.raises(RuntimeError, match="Missing key"):
        compiled.load_state_dict(old)
    model.load_state_dict(old)
    x = torch.ones(2, 4)
    assert torch.equal(compiled(x), torch.nn.functional.linear(x, old["weight"], old["bias"]))
