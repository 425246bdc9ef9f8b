"""What docs/production/determinism.md states and its snippets don't assert themselves."""

import copy
from functools import partial

import pytest
import torch
from torch.utils.checkpoint import checkpoint

from table_rows import rows_by_name


def test_masks_survive_a_checkpoint_and_a_saved_generator() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.GELU(), torch.nn.Dropout(0.3), torch.nn.Linear(32, 4))
    x, gradients = torch.randn(32, 16), []

    def plain(x: torch.Tensor) -> torch.Tensor:
        return model(x)  # type: ignore[no-any-return]

    def checkpointed(x: torch.Tensor) -> torch.Tensor:
        return checkpoint(model, x, use_reentrant=False)  # type: ignore[no-any-return]

    for function in (plain, checkpointed):
        torch.manual_seed(0)
        model.zero_grad()
        compiled = torch.compile(function)
        compiled(x).square().sum().backward()
        gradients.append(torch.cat([weight.grad.flatten() for weight in model.parameters() if weight.grad is not None]))
    assert torch.equal(*gradients)
    state = torch.get_rng_state()
    first, second = compiled(x), compiled(x)
    torch.set_rng_state(state)
    assert torch.equal(first, compiled(x)) and torch.equal(second, compiled(x)) and not torch.equal(first, second)


def test_the_flag_is_guarded_and_checked_before_the_backward_pass() -> None:
    compiled, x = torch.compile(lambda x: (x * x).sin(), backend="aot_eager"), torch.randn(4, requires_grad=True)
    loss = compiled(x).sum()
    try:
        torch.use_deterministic_algorithms(True)
        with pytest.raises(RuntimeError, match="This compiled backward function is being run with"):
            loss.backward()
        with (
            torch.compiler.set_stance("fail_on_recompile"),
            pytest.raises(RuntimeError, match="deterministic_algorithms"),
        ):
            compiled(x)
        loss = compiled(x).sum()
        torch.use_deterministic_algorithms(False)
        loss.backward()
    finally:
        torch.use_deterministic_algorithms(False)
        torch.compiler.reset()


def test_the_number_of_threads_changes_sums() -> None:
    torch.manual_seed(0)
    rows, threads, compiled, sums = torch.randn(8, 1 << 20), torch.get_num_threads(), torch.compile(torch.sum), {}
    try:
        for count in (1, 3):
            torch.set_num_threads(count)
            sums[count] = [compiled(row).item() for row in rows], [row.sum().item() for row in rows]
    finally:
        torch.set_num_threads(threads)
    assert sums[1][0] != sums[3][0] and sums[1][1] != sums[3][1]


def test_a_version_for_more_rows_keeps_the_bits_of_each_row() -> None:
    torch.manual_seed(0)
    compiled = torch.compile(lambda signals: torch.nn.functional.layer_norm(signals, signals.shape[-1:]))
    signals, more = torch.randn(4, 1000), torch.randn(8, 1000)
    first = compiled(signals)
    compiled(more)
    assert torch.equal(first, compiled(signals))


def test_hooks_that_keep_outputs_change_no_bits_and_break_no_graph() -> None:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.LayerNorm(128), torch.nn.Linear(128, 512), torch.nn.GELU())
    hooked, kept = copy.deepcopy(model), {}

    def keep(name: str, module: torch.nn.Module, args: object, output: torch.Tensor) -> None:
        kept[name] = output.detach().clone()

    for name, module in hooked.named_modules():
        module.register_forward_hook(partial(keep, name))
    x = torch.randn(8, 128)
    assert torch.equal(torch.compile(hooked, fullgraph=True)(x), torch.compile(model)(x))
    assert len(kept) == 4


def test_max_autotune_and_the_mlp_lose_the_bits_of_a_row_on_a_gpu(recording) -> None:
    cells = rows_by_name(recording("production/determinism/h100_batch_invariance.py"))
    every = "2 8 64 512"
    assert [eager for eager, *_ in cells.values()] == [every] * 5
    compiled, dynamic, tuned = cells["linear"][1:]
    assert compiled == dynamic == every != tuned
    compiled, dynamic, tuned = cells["MLP"][1:]
    assert "512" not in compiled + dynamic
    assert tuned != every
