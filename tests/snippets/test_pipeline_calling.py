"""Facts of "Calling torch.compile" that no snippet asserts."""

import copy

import torch


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
