"""Trains a compiled module beside an eager one: what a remedy must pass before a page or the catalogue gives it."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn
from torch.utils import _pytree as pytree


def assert_trains_like_eager(
    make: Callable[[], nn.Module],
    batches: Sequence[tuple[Any, ...]],
    compiled: Callable[[nn.Module], Callable[..., Any]] = torch.compile,
    *,
    before: Callable[[nn.Module], object] = lambda model: None,
    **tolerances: float,
) -> None:
    """Take an optimizer step for each batch, compiled and in eager mode from the same start, and compare all of it.

    Outputs, gradients, parameters and buffers have to be equal after each step. ``before(model)`` is what the caller
    does before each call, such as counting. At least two batches are needed: many bugs show in the second step.
    """
    assert len(batches) > 1
    torch.compiler.reset()
    torch.manual_seed(0)
    model = make().train()
    twin = copy.deepcopy(model)
    expected = train(model, model, batches, before)
    actual = train(twin, compiled(twin), batches, before)
    for step, (states, wanted) in enumerate(zip(actual, expected, strict=True)):
        for name, value in wanted.items():
            torch.testing.assert_close(
                states[name], value, msg=lambda text, name=name, step=step: f"step {step}, {name}: {text}", **tolerances
            )


def train(
    model: nn.Module,
    call: Callable[..., Any],
    batches: Sequence[tuple[Any, ...]],
    before: Callable[[nn.Module], object] = lambda model: None,
) -> list[dict[str, Any]]:
    """Take an optimizer step for each batch, and return what each step computed and changed, by name."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    states = []
    for number, batch in enumerate(batches):
        torch.manual_seed(number)  # for dropout
        before(model)
        optimizer.zero_grad()
        output = call(*pytree.tree_map_only(torch.Tensor, torch.clone, batch))
        leaves = [leaf for leaf in pytree.tree_leaves(output) if isinstance(leaf, torch.Tensor)]
        sum(leaf.square().mean() for leaf in leaves if leaf.requires_grad).backward()
        gradients = {f"gradient of {name}": each.grad for name, each in model.named_parameters()}
        assert any(gradient is not None and gradient.any() for gradient in gradients.values()), "nothing is trained"
        optimizer.step()
        state = {"output": leaves, **gradients, **dict(model.named_parameters()), **dict(model.named_buffers())}
        states.append(pytree.tree_map_only(torch.Tensor, lambda each: each.detach().clone(), state))
    return states
