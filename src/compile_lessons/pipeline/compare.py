"""Run a callable with gradients, on copies or on the originals, and compare two runs."""

from __future__ import annotations

import copy
import enum
import functools
import itertools
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy
import torch
from torch.autograd.graph import GradientEdge, get_gradient_edge
from torch.utils._pytree import TreeSpec, tree_structure

from compile_lessons.pipeline import reach
from compile_lessons.pipeline.model import Compared
from compile_lessons.pipeline.reach import Snapshot
from compile_lessons.pipeline.rounding import ARRAYS, Rounding

#: By dtype, how far an element may be off, relative to itself plus to the typical element of its tensor: the order of
#: additions is free, so errors go with the size of what was added. In 16 bits Inductor rounds less often than eager;
#: these are 10 and 20 units in the last place.
TOLERANCES = {torch.float64: 1e-7, torch.float32: 1e-4, torch.float16: 2e-2, torch.bfloat16: 8e-2}

#: What was added is not always seen in a result (a sum that cancels, a gradient that is zero but for rounding). So many
#: eager runs, in which each operation is off by up to so much, show it, and so many times as far may a result be off.
ROUNDINGS, UNITS, FACTOR = 4, {dtype: tolerance / 10 for dtype, tolerance in TOLERANCES.items()}, 4

#: How far eager moves with ``ROUNDINGS``: the largest distance of each element, by kind and path of the value.
Noise = dict[tuple[str, str], torch.Tensor]


@dataclass(frozen=True)
class Outcome:
    """What a run left: values by path. ``state`` is what it changed in all that it reached but its arguments.

    ``structure`` is that of the containers in the result; ``notes`` say which gradients are missing, and why.
    """

    structure: TreeSpec
    outputs: dict[str, Any]
    gradients: dict[str, torch.Tensor]
    inputs: dict[str, Any]
    state: dict[str, Any]
    notes: tuple[str, ...]


def leaves(value: Any, path: str, seen: frozenset[int] = frozenset()) -> Iterator[tuple[str, Any]]:
    """The tensors and plain values in containers, closures and objects, each with its path. Modules are left out.

    A set is one value, as it has no order in which to name what it holds.
    """
    if isinstance(value, (torch.Tensor, numpy.ndarray, set, frozenset, *reach.ATOMS)):
        yield path, value
    elif not isinstance(value, torch.nn.Module) and id(value) not in seen:
        inside = list(reach.contents(value))
        if isinstance(value, FunctionType) or not (inside or isinstance(value, _CONTAINERS)):
            yield path, value
        for step, item in inside:
            yield from leaves(item, path + step, seen | {id(value)})


_CONTAINERS = (dict, tuple, list)


def _arrays(value: Any, path: str) -> dict[str, Any]:
    """The tensors and arrays in ``value``, and the gradients that were left on them."""
    found = {name: leaf for name, leaf in leaves(value, path) if isinstance(leaf, (torch.Tensor, numpy.ndarray))}
    tensors = {name: leaf for name, leaf in found.items() if isinstance(leaf, torch.Tensor) and leaf.is_leaf}
    return found | {f"{name}.grad": tensor.grad for name, tensor in tensors.items() if tensor.grad is not None}


def copied(args: tuple, kwargs: dict[str, Any], shared: Any) -> tuple[tuple, dict[str, Any]]:
    """Deep copies, in which what was shared stays shared, and what is in ``shared`` is not copied.

    Results of earlier operations, which ``deepcopy`` refuses, become results of nothing but a copy.
    """
    memo: dict[int, Any] = {}
    for tensor in _arrays((args, kwargs), "").values():
        if isinstance(tensor, torch.Tensor) and tensor.grad_fn is not None:
            memo[id(tensor)] = tensor.detach().requires_grad_().clone()
    memo |= {id(value): value for value in shared}
    return copy.deepcopy((args, kwargs), memo)


class Start:
    """The arguments, all else that can be reached, and the random generators before any run, so that several runs can
    begin alike.

    Raises whatever copying the arguments raises, and ``ValueError`` for a lazy module that has no parameters yet.
    """

    def __init__(self, roots: dict[str, Any], args: tuple, kwargs: dict[str, Any]) -> None:
        self.roots = roots
        self._snapshot = Snapshot(roots)
        lazy = [path for path, tensor in self._snapshot.tensors().items() if torch.nn.parameter.is_lazy(tensor)]
        if lazy:
            raise ValueError(f"{lazy[0]} is made by the first call of a lazy module, which can't be taken back")
        self._arguments = self._copied(args, kwargs)
        self._torch, self._python, self._numpy = torch.get_rng_state(), random.getstate(), numpy.random.get_state()

    def _copied(self, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        return copied(args, kwargs, self._snapshot.objects.values())

    @contextmanager
    def again(self, rounding: Rounding | None = None) -> Iterator[tuple[tuple, dict[str, Any]]]:
        """Fresh copies of the arguments. Within it all else is as at the start, after it as it was before it.

        ``rounding`` moves the numbers that the call will begin with.
        """
        now = Snapshot(self.roots)
        python, array = random.getstate(), numpy.random.get_state()
        self._snapshot.restore()
        try:
            with torch.random.fork_rng(devices=_cuda_devices()):
                torch.set_rng_state(self._torch)
                random.setstate(self._python)
                numpy.random.set_state(self._numpy)
                args, kwargs = self._copied(*self._arguments)
                if rounding is not None:
                    rounding.move([*_arrays((args, kwargs), "").values(), *self._snapshot.valued().values()])
                yield args, kwargs
        finally:
            random.setstate(python)
            numpy.random.set_state(array)
            now.restore()


def _cuda_devices() -> list[int]:
    return list(range(torch.cuda.device_count())) if torch.cuda.is_initialized() else []


def run(
    fn: Callable[..., Any],
    args: tuple,
    kwargs: dict[str, Any],
    backward: bool | str,
    roots: dict[str, Any],
    rounding: Rounding | None = None,
) -> Outcome:
    """Call ``fn``, and differentiate its outputs with fixed tangents with respect to every tensor they reach.

    ``backward``: ``"auto"`` differentiates if some output requires a gradient; ``True`` raises ``ValueError`` if none
    does. ``rounding`` moves the tangents and what both passes compute. Nothing is added to any ``.grad``. The
    graphs that led to tensors from before the call are not used up.
    """
    before = Snapshot(roots)
    named = before.tensors() | {f"input{path}": value for path, value in _arrays((args, kwargs), "").items()}
    named = {path: value for path, value in named.items() if isinstance(value, torch.Tensor)}
    # Taken before, as what is changed in place is the result of another operation after it.
    edges = {id(tensor): get_gradient_edge(tensor) for tensor in named.values() if tensor.requires_grad}
    with rounding or nullcontext():
        result = fn(*args, **kwargs)
    outputs = dict(leaves(result, "output"))
    gradients, notes = ({}, ()) if backward is False else _gradients(outputs, named, edges, backward, rounding)
    return Outcome(
        tree_structure(result),
        {path: _kept(value) for path, value in outputs.items()},
        gradients,
        {path: _kept(value) for path, value in _arrays((args, kwargs), "").items()},
        before.changed(),
        notes,
    )


def _kept(value: Any) -> Any:
    return reach.clone(value) if isinstance(value, (torch.Tensor, numpy.ndarray)) else value


def _gradients(
    outputs: dict[str, Any],
    named: dict[str, torch.Tensor],
    edges: dict[int, GradientEdge],
    backward: bool | str,
    rounding: Rounding | None,
) -> tuple[dict[str, torch.Tensor], tuple[str, ...]]:
    """Gradients by name, and notes. ``edges`` are where to differentiate, by the ``id`` of a tensor."""
    tensors = {path: value for path, value in outputs.items() if isinstance(value, torch.Tensor)}
    roots = {path: tensor for path, tensor in tensors.items() if tensor.grad_fn is not None}
    if not roots and backward is True:
        raise ValueError("backward=True, but no output requires a gradient")
    stop = {edge.node for edge in edges.values()}
    used = [path for path, root in roots.items() if any(map(_is_used, _behind([root.grad_fn], stop)))]
    roots = {path: root for path, root in roots.items() if path not in used}
    starts = [root.grad_fn for root in roots.values()]
    own = list(_behind(starts, stop))
    others = [node.variable for node in own if hasattr(node, "variable")]
    ends = [node for node in [*starts, *itertools.chain(*map(_next, own))] if node in stop]
    # A gradient for what led to one of the ends would use up the graph between them.
    earlier = set(_behind(itertools.chain(*map(_next, ends)), set()))
    wanted = {key: edge for key, edge in edges.items() if edge.node not in earlier}
    wanted |= {id(leaf): get_gradient_edge(leaf) for leaf in others}
    names = {id(tensor): name for name, tensor in named.items()}
    notes = [f"{path} is not differentiated: a backward pass in the function used its graph" for path in used]
    unwanted = [names[key] for key in edges if key not in wanted]
    notes += [f"{name} led to an earlier result that is used: its gradient is not compared" for name in unwanted]
    for leaf in others:
        if id(leaf) not in names:
            notes.append(f"no name reaches a tensor of shape {tuple(leaf.shape)}: its gradient is not compared")
    if not roots or not wanted:
        return {}, tuple(notes)
    tangents = [_tangent(root) for root in roots.values()]
    if rounding is not None:
        rounding.move(tangents)
    with rounding or nullcontext():
        found = torch.autograd.grad(list(roots.values()), list(wanted.values()), tangents, allow_unused=True)
    pairs = zip(wanted, found, strict=True)
    return {names[key]: grad for key, grad in pairs if grad is not None and key in names}, tuple(notes)


def _behind(starts: Iterable[Any], stop: set[Any]) -> Iterator[Any]:
    """``starts`` and the nodes behind them in autograd's graph, neither those in ``stop`` nor what is behind them."""
    waiting, seen = list(starts), set(stop)
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        yield node
        waiting += _next(node)


def _next(node: Any) -> list[Any]:
    return [following for following, _ in node.next_functions]


def _is_used(node: Any) -> bool:
    """Whether a backward pass went through: it frees the tensors that a node saved, and reading them raises."""
    for name in _saved(type(node)):
        try:
            getattr(node, name)
        except RuntimeError as error:
            if "already been freed" in str(error):
                return True
    return False


@functools.cache
def _saved(node_type: type) -> tuple[str, ...]:
    return tuple(name for name in dir(node_type) if name.startswith("_saved_") or name == "saved_tensors")


def _tangent(output: torch.Tensor) -> torch.Tensor:
    """Values that differ, so that no gradient cancels, and that draw no random numbers."""
    if output.is_nested or output.layout is not torch.strided:
        return torch.ones_like(output)
    steps = torch.arange(output.numel(), device=output.device, dtype=torch.float64)
    values = 0.5 + (steps * 0.618_033_988_749_895).frac()  # the golden ratio's fraction: neighbors differ much
    return values.reshape(output.shape).to(output.dtype)


def compared(
    expected: Outcome, found: Outcome, noise: Noise | None = None
) -> tuple[tuple[Compared, ...], tuple[str, ...]]:
    """Every value of both runs, and what could not be compared, and why. A value that only one run has is not equal."""
    values, notes = [], [*expected.notes, *found.notes]
    if expected.structure != found.structure:
        values.append(
            Compared(kind="output", path="containers of the output", equal=False, max_difference=None, tolerance=None)
        )
    for kind, path, left, right in _both(expected, found):
        if left is _Absent.ABSENT or right is _Absent.ABSENT:
            values.append(Compared(kind=kind, path=path, equal=False, max_difference=None, tolerance=None))
        elif _is_opaque(left, right):
            notes.append(f"{path} ({type(left).__name__}) can't be looked into")
        else:
            values.append(_compare(kind, path, left, right, (noise or {}).get((kind, path))))
    return tuple(values), tuple(dict.fromkeys(notes))


class _Absent(enum.Enum):
    """Stands for a value that only the other run has."""

    ABSENT = 0


def _both(expected: Outcome, found: Outcome) -> Iterator[tuple[str, str, Any, Any]]:
    """Kind, path and the values of two runs."""
    for kind in ("output", "gradient", "input", "state"):
        left, right = (getattr(outcome, _PARTS[kind]) for outcome in (expected, found))
        for path in dict.fromkeys([*left, *right]):
            yield kind, path, left.get(path, _Absent.ABSENT), right.get(path, _Absent.ABSENT)


_PARTS = {"output": "outputs", "gradient": "gradients", "input": "inputs", "state": "state"}


def measure_noise(
    fn: Callable[..., Any],
    start: Start,
    backward: bool | str,
    expected: Outcome,
    lowest: torch.dtype | None,
) -> Noise:
    """How far eager's results move where the numbers it begins with and each operation are rounded otherwise.

    ``lowest`` is the least precise dtype that is computed in, if less precise than the numbers themselves. What is
    another at each run anyway has no noise. Raises what ``fn`` raises on such numbers.
    """
    noise: Noise = {}
    changing: set[tuple[str, str]] = set()
    for seed in (None, *range(ROUNDINGS)):
        rounding = None if seed is None else Rounding(seed, UNITS, lowest)
        # Dynamo would skip what it meets within a dispatch mode, and for good: torch.cond compiles also in eager mode.
        with torch.compiler.set_stance("force_eager"), start.again(rounding) as (args, kwargs):
            moved = run(fn, args, kwargs, backward, start.roots, rounding)
        for kind, path, left, right in _both(expected, moved):
            numbers = _numbers(left, right)
            if numbers is None:
                continue
            distance = (numbers[0] - numbers[1]).abs().nan_to_num(posinf=0.0)
            if seed is None and distance.any():
                changing.add((kind, path))
            noise[kind, path] = torch.maximum(noise.get((kind, path), distance), distance)
    return {key: distance for key, distance in noise.items() if key not in changing}


def _is_opaque(left: Any, right: Any) -> bool:
    """Whether nothing tells two objects apart but that they are two: generators, coroutines, ``object()``.

    So it is with sets of such objects, and of tensors.
    """
    if isinstance(left, (set, frozenset)) and isinstance(right, (set, frozenset)):
        return not all(isinstance(item, (*reach.ATOMS, tuple)) for item in left | right)
    named = isinstance(left, (FunctionType, type)) or left is right
    # A generator may come out of compiled code as an iterator of another type.
    alike = type(left) is type(right) or (hasattr(left, "__next__") and hasattr(right, "__next__"))
    return not named and alike and type(left).__eq__ is object.__eq__


def _compare(kind: str, path: str, left: Any, right: Any, noise: torch.Tensor | None) -> Compared:
    numbers = _numbers(left, right)
    if numbers is not None:
        return _within(kind, path, *numbers, noise)
    if all(isinstance(value, (torch.Tensor, numpy.ndarray)) for value in (left, right)):
        return Compared(
            kind=kind,
            path=path,
            equal=_is_alike(left, right) and reach.is_same(left, right),
            max_difference=None,
            tolerance=None,
        )
    return Compared(kind=kind, path=path, equal=_is_same_value(left, right), max_difference=None, tolerance=None)


def _numbers(left: Any, right: Any) -> tuple[torch.Tensor, torch.Tensor, torch.dtype] | None:
    """The numbers of two values in rows of float64, and their dtype; ``None`` for what has to be the same exactly."""
    if type(left) is type(right) and isinstance(left, (float, complex, numpy.inexact)):
        wide = torch.complex128 if isinstance(left, (complex, numpy.complexfloating)) else torch.float64
        # It may be an item of a float32 tensor.
        return *(_flat([torch.tensor([value], dtype=wide)]) for value in (left, right)), torch.float32
    arrays = all(isinstance(value, (torch.Tensor, numpy.ndarray)) for value in (left, right))
    if not arrays or not _is_alike(left, right) or not _is_inexact(left):
        return None
    parts = reach.numbers(left)
    return (_flat(parts), _flat(reach.numbers(right)), parts[0].dtype.to_real()) if parts else None


def _is_same_value(left: Any, right: Any) -> bool:
    if isinstance(left, (FunctionType, type)) and isinstance(right, (FunctionType, type)):
        # One that is made in the function is another object at each call.
        return (left.__module__, left.__qualname__) == (right.__module__, right.__qualname__)
    return left is right or (type(left) is type(right) and bool(left == right))


def _is_alike(left: Any, right: Any) -> bool:
    if isinstance(left, numpy.ndarray) or isinstance(right, numpy.ndarray):
        return type(left) is type(right) and left.shape == right.shape and left.dtype == right.dtype
    shapes = [[part.shape for part in reach.numbers(value)] for value in (left, right)]
    same = left.is_nested or left.shape == right.shape
    return (
        same
        and shapes[0] == shapes[1]
        and (left.dtype, left.device, left.layout) == (right.dtype, right.device, right.layout)
    )


def _is_inexact(value: Any) -> bool:
    if isinstance(value, numpy.ndarray):
        return value.dtype in ARRAYS
    return value.is_floating_point() or value.is_complex()


def _flat(tensors: list[torch.Tensor]) -> torch.Tensor:
    """All numbers in one row of float64; a complex number is two."""
    real = [torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor for tensor in tensors]
    return torch.cat([tensor.double().reshape(-1) for tensor in real]) if real else torch.zeros(0)


def _within(
    kind: str, path: str, left: torch.Tensor, right: torch.Tensor, dtype: torch.dtype, noise: torch.Tensor | None
) -> Compared:
    """``|left - right| <= tolerance * (|left| + typical |left|)``, or as far as the noise; NaN and infinities are alike
    or not.

    The typical one is the median of those that are not zero, so that one huge element excuses no other.
    """
    tolerance = TOLERANCES.get(dtype, 1e-1)
    finite = left.isfinite() & right.isfinite()
    size, difference = left[finite].abs(), (left - right)[finite].abs().nan_to_num()
    allowed = tolerance * _typical(size)
    most = allowed + tolerance * size
    if noise is not None:
        allowed += FACTOR * _typical(noise[finite])
        most = torch.maximum(most, allowed + FACTOR * noise[finite])
    equal = reach.is_same(left[~finite], right[~finite]) and bool((difference <= most).all())
    return Compared(
        kind=kind,
        path=path,
        equal=equal,
        max_difference=difference.max().item() if difference.numel() else 0.0,
        tolerance=allowed,
    )


def _typical(sizes: torch.Tensor) -> float:
    return sizes[sizes > 0].median().item() if sizes.any() else 0.0
