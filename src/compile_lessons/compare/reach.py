"""What a call can reach (arguments, modules, optimizers, globals), and what it changes there."""

from __future__ import annotations

import functools
import inspect
import sys
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy
import torch

from compile_lessons.pipeline.leaves import ATOMS, Step, contents
from compile_lessons.pipeline.running import Place, place_of

#: Attributes of every module that say nothing while they are empty.
_MODULE = vars(torch.nn.Module()).keys() - {"_parameters", "_buffers", "_modules"}

#: Objects looked at in one walk, nearest first. What is further away is not compared.
LIMIT = 20_000


class Before:
    """The tensors and arrays that a call can reach, before the call: their names, numbers and places in autograd."""

    def __init__(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._roots = _arguments(fn, args, kwargs) | {"": fn}
        #: The paths of what stands in the arguments themselves.
        self._given = set(_walk(self._roots, lambda value: () if value is fn else contents(value)))
        self.objects = reached(self._roots)
        self._numbers = {path: clone(value) for path, value in _with_numbers(self.objects).items()}
        tensors = {path: value for path, value in self.objects.items() if isinstance(value, torch.Tensor)}
        self.names: dict[Place, str] = {place_of(value): path for path, value in tensors.items() if value.requires_grad}

    def with_numbers(self) -> dict[str, Any]:
        """Return the tensors and arrays themselves, by path."""
        return {path: self.objects[path] for path in self._numbers}

    def changed(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the tensors and arrays that are new or not as they were: those of the arguments, and all others."""
        given: dict[str, Any] = {}
        others: dict[str, Any] = {}
        for path, value in _with_numbers(reached(self._roots)).items():
            if path not in self._numbers or not is_same(value, self._numbers[path]):
                (given if path.removesuffix(".grad") in self._given else others)[path] = value
        return given, others


def _arguments(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The arguments by the names of the parameters, where the callable has a signature."""
    try:
        bound = inspect.signature(fn.forward if isinstance(fn, torch.nn.Module) else fn).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return {f"argument {name}": value for name, value in (*enumerate(args), *kwargs.items())}
    return dict(bound.arguments)


def reached(roots: dict[str, Any]) -> dict[str, Any]:
    """Return every object that a call can reach from ``roots``, by path, each once."""
    return _walk(roots, _inside)


def _walk(roots: dict[str, Any], inside: Callable[[Any], Any]) -> dict[str, Any]:
    objects: dict[str, Any] = {}
    waiting, seen = deque(roots.items()), set()
    while waiting and len(objects) < LIMIT:
        path, value = waiting.popleft()
        if isinstance(value, ATOMS) or id(value) in seen:
            continue
        seen.add(id(value))
        # A step may have no name (from a method to its object), and two variables may have the same.
        objects[path if path not in objects else f"{path} ({len(objects)})"] = value
        waiting.extend((path + step if path else step.removeprefix("."), part) for step, part in inside(value))
    return objects


def _inside(value: Any) -> Iterator[Step]:
    if isinstance(value, torch.Tensor):
        if value.is_leaf and value.grad is not None:
            yield ".grad", value.grad
    elif isinstance(value, FunctionType):
        yield from contents(value)
        for name, item in _named_globals(value).items():
            yield f".{name}", item
            yield from ((f".{name}.{part}", member) for part, member in _named_members(value, item))
        yield from ((".defaults", value.__defaults__), (".defaults", value.__kwdefaults__))
        yield ".attributes", vars(value)  # __wrapped__ is there
    elif isinstance(value, torch.nn.Module):
        named = (*value.named_parameters(), *value.named_buffers(), *value.named_children())
        yield from ((f".{name}", item) for name, item in named)
        # Most of a module's attributes are torch's own, hooks that nobody registered.
        yield from ((f".{name}", item) for name, item in vars(value).items() if name not in _MODULE or item)
        yield from _of_class(type(value))
    elif _is_open(type(value)):
        yield from contents(value)
        yield from _of_class(type(value))


def _is_open(cls: type) -> bool:
    """Whether to look into objects of a class: not into a lock, a logger, an array or a torch object without state."""
    container = cls in (MethodType, functools.partial, deque) or issubclass(cls, (dict, tuple, list, set, frozenset))
    return container or hasattr(cls, "state_dict") or not _is_foreign(str(cls.__module__))


def _of_class(cls: type) -> Iterator[Step]:
    """The functions of the user's classes, whose globals and closures a call can reach; class attributes."""
    for base in cls.__mro__:
        if not _is_installed(str(base.__module__)):
            for name, member in vars(base).items():
                yield f".{name}", getattr(member, "__func__", None) or getattr(member, "fget", None) or member


def _named_globals(function: FunctionType) -> dict[str, Any]:
    """The globals that a user's function names."""
    if _is_installed(str(function.__globals__.get("__name__"))):
        return {}
    names = _names(function.__code__)
    return {name: function.__globals__[name] for name in names if name in function.__globals__}


def _named_members(function: FunctionType, module: Any) -> Iterator[Step]:
    """What a function that names a module of the user's names in it: ``helpers.model``."""
    if isinstance(module, ModuleType) and not _is_installed(module.__name__):
        names = _names(function.__code__)
        yield from ((name, vars(module)[name]) for name in names if name in vars(module))


@functools.cache
def _names(code: CodeType) -> tuple[str, ...]:
    nested = [_names(const) for const in code.co_consts if isinstance(const, CodeType)]
    return tuple(dict.fromkeys([*code.co_names, *(name for names in nested for name in names)]))


@functools.cache
def _is_foreign(module: str) -> bool:
    return module.partition(".")[0] in {"torch", "numpy", *sys.stdlib_module_names}


@functools.cache
def _is_installed(module: str) -> bool:
    """Whether a module is a library's, whose globals are not the user's state."""
    file = getattr(sys.modules.get(module.partition(".")[0]), "__file__", None) or ""
    return _is_foreign(module) or bool({"site-packages", "dist-packages"} & set(Path(file).parts))


def _with_numbers(objects: dict[str, Any]) -> dict[str, Any]:
    """The tensors and arrays that hold numbers."""
    return {
        path: value
        for path, value in objects.items()
        if isinstance(value, numpy.ndarray) or (isinstance(value, torch.Tensor) and not _is_empty(value))
    }


def _is_empty(tensor: torch.Tensor) -> bool:
    """On the ``meta`` device, or the parameter of a lazy module before its first call."""
    return tensor.is_meta or torch.nn.parameter.is_lazy(tensor)


def clone(value: Any) -> Any:
    """Return a copy of the numbers of a tensor or an array."""
    return value.detach().clone() if isinstance(value, torch.Tensor) else value.copy()


def is_same(left: Any, right: Any) -> bool:
    """Whether two tensors or two arrays are alike to the last bit (NaN is like NaN)."""
    if isinstance(left, numpy.ndarray) or isinstance(right, numpy.ndarray):
        return type(left) is type(right) and left.dtype == right.dtype and left.tobytes() == right.tobytes()
    if (left.dtype, left.layout, left.dim()) != (right.dtype, right.layout, right.dim()):
        return False
    pairs = zip(dense(left), dense(right), strict=False)
    return all(torch.equal(*pair) or _is_same_but_for_nan(*pair) for pair in pairs)


def _is_same_but_for_nan(left: torch.Tensor, right: torch.Tensor) -> bool:
    return left.shape == right.shape and bool(((left == right) | ((left != left) & (right != right))).all())


def dense(value: Any) -> list[torch.Tensor]:
    """Return the numbers of a tensor or an array as dense tensors: one, those of a nested tensor, none on ``meta``."""
    if isinstance(value, numpy.ndarray):
        return [torch.from_numpy(numpy.ascontiguousarray(value))]
    value = value.detach()
    if value.is_meta:
        return []
    if value.is_nested:
        return list(value.unbind())
    if value.is_quantized:
        return [value.dequantize()]
    return [value if value.layout is torch.strided else value.to_dense()]
