"""Run a callable with gradients, on copies or on the originals, and compare two runs."""

from __future__ import annotations

import copy
import dataclasses
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy
import torch

from compile_lessons.pipeline.model import Compared

#: Relative tolerance by dtype; the absolute one is the same times the largest value of the reference (at least 1).
TOLERANCES = {torch.float64: 1e-7, torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 2e-2}

_ATOMS = (str, bytes, int, float, complex, bool, type(None), torch.dtype, torch.device, type, ModuleType, FunctionType)


@dataclass(frozen=True)
class Outcome:
    """What a run left: values by path. ``state`` are the arguments and module tensors after it."""

    outputs: dict[str, Any]
    gradients: dict[str, torch.Tensor]
    inputs: dict[str, torch.Tensor]
    state: dict[str, torch.Tensor]


def leaves(value: Any, path: str, seen: set[int] | None = None) -> Iterator[tuple[str, Any]]:
    """The tensors and plain values in containers, dataclasses and objects, each with its path. Modules are left out."""
    seen = set() if seen is None else seen
    if isinstance(value, (torch.Tensor, *_ATOMS)):
        yield path, value
    elif isinstance(value, torch.nn.Module) or id(value) in seen:
        return
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}[{key!r}]", seen | {id(value)})
    elif isinstance(value, (tuple, list, set, frozenset)):
        for i, item in enumerate(value):
            yield from leaves(item, f"{path}[{i}]", seen | {id(value)})
    else:
        for name, item in _attributes(value).items():
            yield from leaves(item, f"{path}.{name}", seen | {id(value)})


def _attributes(value: Any) -> dict[str, Any]:
    if dataclasses.is_dataclass(value):
        return {found.name: getattr(value, found.name) for found in dataclasses.fields(value)}
    return getattr(value, "__dict__", {})


def _tensors(value: Any, path: str) -> dict[str, torch.Tensor]:
    return {name: leaf for name, leaf in leaves(value, path) if isinstance(leaf, torch.Tensor)}


def copied(args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """Deep copies, in which what was shared stays shared; modules and functions are not copied.

    Results of earlier operations, which ``deepcopy`` refuses, become leaves that require a gradient.
    """
    memo: dict[int, Any] = {}
    for tensor in _tensors((args, kwargs), "").values():
        if tensor.grad_fn is not None:
            memo[id(tensor)] = tensor.detach().clone().requires_grad_(tensor.requires_grad)
    for module in _modules_in((args, kwargs)):
        memo[id(module)] = module
    return copy.deepcopy((args, kwargs), memo)


def _modules_in(value: Any) -> Iterator[torch.nn.Module]:
    if isinstance(value, torch.nn.Module):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _modules_in(item)
    elif isinstance(value, dict):
        yield from _modules_in(tuple(value.values()))


def modules_of(fn: Callable[..., Any], args: Any) -> dict[str, torch.nn.Module]:
    """The modules a call can reach without running it: itself, ``self``, closure cells, globals, arguments."""
    found: dict[str, Any] = {"self": fn, "args": None}
    function = fn
    if isinstance(fn, MethodType):
        found["self"], function = fn.__self__, fn.__func__
    if isinstance(function, FunctionType):
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        found |= {name: _cell(cell) for name, cell in cells}
        found |= {name: function.__globals__.get(name) for name in function.__code__.co_names}
    found |= {f"argument {i}": module for i, module in enumerate(_modules_in(args))}
    return {name: value for name, value in found.items() if isinstance(value, torch.nn.Module)}


def _cell(cell: Any) -> Any:
    """What a closure's cell holds; ``None`` for one that is not filled yet, which has no other test."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def module_tensors(modules: dict[str, torch.nn.Module]) -> dict[str, torch.Tensor]:
    """Parameters and buffers by path; a module's own begin with its attribute path."""
    found = {}
    for prefix, module in modules.items():
        start = "" if prefix == "self" else f"{prefix}."
        found |= {f"{start}{name}": tensor for name, tensor in module.named_parameters()}
        found |= {f"{start}{name}": tensor for name, tensor in module.named_buffers()}
    return found


class Snapshot:
    """Values of tensors, to be put back where they changed."""

    def __init__(self, tensors: dict[str, torch.Tensor]) -> None:
        self._tensors = {name: tensor for name, tensor in tensors.items() if not tensor.is_meta}
        self._values = {name: tensor.detach().clone() for name, tensor in self._tensors.items()}

    def changed(self) -> dict[str, torch.Tensor]:
        """Copies of the tensors that are not as they were."""
        return {
            name: tensor.detach().clone()
            for name, tensor in self._tensors.items()
            if not torch.equal(tensor, self._values[name])
        }

    def restore(self) -> None:
        with torch.no_grad():
            for name in self.changed():
                self._tensors[name].copy_(self._values[name])


class Start:
    """The arguments, module tensors and random generators before any run, so that several runs can begin alike.

    Raises ``TypeError``, ``RuntimeError`` or ``AttributeError`` if the arguments can't be copied.
    """

    def __init__(self, modules: dict[str, torch.nn.Module], args: tuple, kwargs: dict[str, Any]) -> None:
        self._modules = modules
        self._arguments = copied(args, kwargs)
        self._snapshot = Snapshot(module_tensors(modules))
        self._torch, self._python, self._numpy = torch.get_rng_state(), random.getstate(), numpy.random.get_state()

    @contextmanager
    def again(self) -> Iterator[tuple[tuple, dict[str, Any]]]:
        """Fresh copies of the arguments. Within it all else is as at the start, after it as it was before it."""
        now = Snapshot(module_tensors(self._modules))
        python, array = random.getstate(), numpy.random.get_state()
        self._snapshot.restore()
        try:
            with torch.random.fork_rng(devices=_cuda_devices()):
                torch.set_rng_state(self._torch)
                random.setstate(self._python)
                numpy.random.set_state(self._numpy)
                yield copied(*self._arguments)
        finally:
            random.setstate(python)
            numpy.random.set_state(array)
            now.restore()


def _cuda_devices() -> list[int]:
    return list(range(torch.cuda.device_count())) if torch.cuda.is_initialized() else []


def run(fn: Callable[..., Any], args: tuple, kwargs: dict[str, Any], backward: bool | str, state: Any) -> Outcome:
    """Call ``fn``, and differentiate its outputs with fixed tangents with respect to every leaf they reach.

    ``backward``: ``"auto"`` differentiates if some output requires a gradient; ``True`` raises ``ValueError`` if none
    does. Nothing is added to any ``.grad``.
    """
    inputs = _tensors((args, kwargs), "")
    named = module_tensors(state) | {f"input{path}": tensor for path, tensor in inputs.items()}
    snapshot = Snapshot(module_tensors(state))
    result = fn(*args, **kwargs)
    outputs = dict(leaves(result, "output"))
    gradients = {} if backward is False else _gradients(outputs, named, backward)
    return Outcome(
        {path: _detached(value) for path, value in outputs.items()},
        gradients,
        {path: _detached(tensor) for path, tensor in inputs.items()},
        snapshot.changed(),
    )


def _detached(value: Any) -> Any:
    return value.detach().clone() if isinstance(value, torch.Tensor) else value


def _gradients(outputs: dict[str, Any], named: dict[str, torch.Tensor], backward: bool | str) -> dict[str, Any]:
    roots = [value for value in outputs.values() if isinstance(value, torch.Tensor) and value.requires_grad]
    roots = [root for root in roots if root.grad_fn is not None]
    if not roots:
        if backward is True:
            raise ValueError("backward=True, but no output requires a gradient")
        return {}
    wanted = {name: tensor for name, tensor in named.items() if tensor.requires_grad}
    known = {id(tensor) for tensor in wanted.values()}
    for leaf in _reached(roots, {tensor.grad_fn for tensor in wanted.values()} - {None}):
        if id(leaf) not in known:
            wanted[f"captured tensor {tuple(leaf.shape)} at {id(leaf):#x}"] = leaf
    if not wanted:
        return {}
    tangents = [_tangent(root) for root in roots]
    found = torch.autograd.grad(roots, list(wanted.values()), tangents, allow_unused=True)
    return {name: grad for name, grad in zip(wanted, found, strict=True) if grad is not None}


def _tangent(output: torch.Tensor) -> torch.Tensor:
    """Values that differ, so that no gradient cancels, and that draw no random numbers."""
    values = torch.linspace(0.5, 1.5, output.numel(), device=output.device, dtype=torch.float64)
    return values.reshape(output.shape).to(output.dtype)


def _reached(roots: list[torch.Tensor], stop: set[Any]) -> Iterator[torch.Tensor]:
    """The leaf tensors behind ``roots``, not looking past the nodes in ``stop``."""
    waiting, seen = [root.grad_fn for root in roots], set(stop)
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            yield node.variable
        waiting += [following for following, _ in node.next_functions]


def compared(expected: Outcome, found: Outcome) -> tuple[Compared, ...]:
    """Every value of both runs; one that only one run has is not equal."""
    parts = (
        ("output", expected.outputs, found.outputs),
        ("gradient", expected.gradients, found.gradients),
        ("input", expected.inputs, found.inputs),
        ("state", expected.state, found.state),
    )
    return tuple(
        _compare(kind, path, left.get(path), right.get(path))
        for kind, left, right in parts
        for path in dict.fromkeys([*left, *right])
    )


def _compare(kind: str, path: str, left: Any, right: Any) -> Compared:
    if not isinstance(left, torch.Tensor) or not isinstance(right, torch.Tensor):
        return Compared(kind, path, type(left) is type(right) and left == right, None, None)
    if left.shape != right.shape or left.dtype != right.dtype or left.device != right.device:
        return Compared(kind, path, False, None, None)
    if not left.dtype.is_floating_point or left.numel() == 0:
        return Compared(kind, path, torch.equal(left, right), None, None)
    rtol = TOLERANCES.get(left.dtype, 1e-1)
    wide_left, wide_right = left.double(), right.double()
    finite = wide_left[wide_left.isfinite()]
    atol = rtol * max(1.0, finite.abs().max().item() if finite.numel() else 0.0)
    equal = torch.allclose(wide_left, wide_right, rtol=rtol, atol=atol, equal_nan=True)
    return Compared(kind, path, equal, (wide_left - wide_right).abs().max().item(), atol)
