"""What a call can reach besides its arguments (modules, optimizers, tensors, objects), and how to put it back."""

from __future__ import annotations

import enum
import functools
import random
import sys
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CellType, CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any

import numpy
import torch

#: Values with nothing inside to look at.
ATOMS = (str, bytes, int, float, complex, type(None), torch.dtype, torch.device, enum.Enum, type, ModuleType)

#: Attributes of every module that say nothing while they are empty.
_MODULE = vars(torch.nn.Module()).keys() - {"_parameters", "_buffers", "_modules"}

#: Objects looked at in one walk, nearest first; what is further away is left as a run left it.
LIMIT = 20_000


def contents(value: Any) -> Iterator[tuple[str, Any]]:
    """What a container, a closure, a method, a partial or an object holds, each with its step of a path."""
    if isinstance(value, dict):
        for i, (key, item) in enumerate(value.items()):
            yield f"[{key!r}]" if isinstance(key, ATOMS) else f"[{i}]", item
    elif isinstance(value, (tuple, list, set, frozenset, deque)):
        yield from ((f"[{i}]", item) for i, item in enumerate(value))
    elif isinstance(value, FunctionType):
        for name, cell in _cells(value):
            yield from ((f".{name}", item) for item in _content(cell).values())
    elif isinstance(value, MethodType):
        yield from (("", value.__self__), ("", value.__func__))
    elif isinstance(value, functools.partial):
        yield from (("", value.func), (".args", value.args), (".keywords", value.keywords))
    else:
        yield from ((f".{name}", item) for name, item in _attributes(value).items())


def _cells(function: FunctionType) -> Iterator[tuple[str, CellType]]:
    return zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)


def _attributes(value: Any) -> dict[str, Any]:
    slots = {name: getattr(value, name) for name in _slots(type(value)) if hasattr(value, name)}
    return slots | getattr(value, "__dict__", {})


@functools.cache
def _slots(cls: type) -> tuple[str, ...]:
    own = [vars(base) for base in cls.__mro__ if "__slots__" in vars(base)]
    return tuple(name for names in own for name in names if isinstance(names[name], MemberDescriptorType))


def stays(value: Any) -> bool:
    """Whether an argument is not copied for another run but put back after it: a function, or what has state."""
    return isinstance(value, FunctionType) or hasattr(type(value), "state_dict")


def roots(fn: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Where a walk begins: the callable, and what stays in its arguments."""
    named = {f"argument {name}": value for name, value in (*enumerate(args), *kwargs.items())}
    inside = _walk(named, lambda value: () if stays(value) else contents(value))
    return {"": fn} | {path: value for path, value in inside.items() if stays(value)}


def reached(roots: dict[str, Any]) -> dict[str, Any]:
    """Every object that a call can reach from ``roots``, by path, each once."""
    return _walk(roots, _reachable)


def _walk(roots: dict[str, Any], inside: Callable[[Any], Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    waiting, seen = deque(roots.items()), set()
    while waiting and len(found) < LIMIT:
        path, value = waiting.popleft()
        if isinstance(value, ATOMS) or id(value) in seen:
            continue
        seen.add(id(value))
        # A step may have no name (from a method to its object), and two variables may have the same.
        found[path if path not in found else f"{path} ({len(found)})"] = value
        waiting.extend((path + step if path else step.removeprefix("."), part) for step, part in inside(value))
    return found


def _reachable(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, torch.Tensor):
        yield from ((f".{name}", item) for name, item in _content(value).items())
    elif isinstance(value, FunctionType):
        for name, cell in _cells(value):
            yield f".{name} (cell)", cell
            yield from ((f".{name}", item) for item in _content(cell).values())
        for name, item in _named_globals(value).items():
            yield f".{name}", item
            yield from ((f".{name}.{part}", found) for part, found in _named_members(value, item))
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
    known = cls in (MethodType, functools.partial, deque) or issubclass(cls, (dict, tuple, list, set, frozenset))
    return known or hasattr(cls, "state_dict") or not _is_foreign(str(cls.__module__))


def _of_class(cls: type) -> Iterator[tuple[str, Any]]:
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


def _named_members(function: FunctionType, module: Any) -> Iterator[tuple[str, Any]]:
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


def _content(value: Any) -> dict[Any, Any]:
    """What a run can rebind in an object: items, attributes, a cell's value, named globals, a tensor's gradient."""
    if isinstance(value, torch.Tensor):
        return {"grad": value.grad} if value.is_leaf and value.grad is not None else {}
    if isinstance(value, CellType):
        try:
            return {"": value.cell_contents}
        except ValueError:  # not filled yet; there is no other test
            return {}
    if isinstance(value, FunctionType):
        return _named_globals(value)
    if type(value) in (list, deque):
        return dict(enumerate(value))
    if type(value) in (dict, defaultdict, OrderedDict):
        return dict(value)
    if type(value) is set:
        return dict.fromkeys(value)
    return _attributes(value)


def _rebind(value: Any, content: dict[Any, Any]) -> None:
    """Make ``_content(value)`` what it was."""
    if isinstance(value, torch.Tensor):
        value.grad = content.get("grad")
    elif isinstance(value, CellType):
        if content:
            value.cell_contents = content[""]
        else:
            del value.cell_contents
    elif isinstance(value, FunctionType):
        value.__globals__.update(content)
    elif type(value) in (list, deque):
        value.clear()
        value.extend(content.values())
    elif type(value) in (dict, defaultdict, OrderedDict, set):
        value.clear()
        value.update(content)
    else:
        _rebind_attributes(value, content)


def _rebind_attributes(value: Any, content: dict[str, Any]) -> None:
    """Not through the object's own ``__setattr__``, which for a module registers parameters and submodules."""
    slots, own = _slots(type(value)), getattr(value, "__dict__", {})
    own.clear()
    own.update({name: item for name, item in content.items() if name not in slots})
    for name in slots:
        if name in content:
            object.__setattr__(value, name, content[name])
        elif hasattr(value, name):
            object.__delattr__(value, name)


def _is_same_content(left: dict[Any, Any], right: dict[Any, Any]) -> bool:
    return len(left) == len(right) and all(key in right and right[key] is item for key, item in left.items())


def clone(value: Any) -> Any:
    """A copy of the numbers of a tensor or an array."""
    return value.detach().clone() if isinstance(value, torch.Tensor) else value.copy()


def numbers(value: Any) -> list[torch.Tensor]:
    """The numbers of a tensor or an array as dense tensors: one, or those of a nested tensor; none on ``meta``."""
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


def is_same(left: Any, right: Any) -> bool:
    """Whether two tensors or two arrays are alike to the last bit (NaN is like NaN)."""
    if isinstance(left, numpy.ndarray):
        return left.dtype == right.dtype and numpy.array_equal(left, right, equal_nan=left.dtype.kind in "fc")
    if left.dtype != right.dtype or left.layout != right.layout:
        return False
    pairs = list(zip(numbers(left), numbers(right), strict=False))
    return left.dim() == right.dim() and all(_is_same_dense(*pair) for pair in pairs)


def _is_same_dense(left: torch.Tensor, right: torch.Tensor) -> bool:
    return torch.equal(left, right) or (
        left.shape == right.shape and bool(((left == right) | ((left != left) & (right != right))).all())
    )


class Snapshot:
    """All that can be reached, to tell what a run changed and to put it back."""

    def __init__(self, roots: dict[str, Any]) -> None:
        self._roots = roots
        #: What was reached, by path.
        self.objects = reached(roots)
        self._contents = [(value, _content(value)) for value in self.objects.values()]
        self._values = {path: clone(value) for path, value in _valued(self.objects).items()}
        self._generators = [put_back for value in self.objects.values() if (put_back := _generator_state(value))]

    def tensors(self) -> dict[str, torch.Tensor]:
        """The tensors that were reached."""
        return {path: value for path, value in self.objects.items() if isinstance(value, torch.Tensor)}

    def valued(self) -> dict[str, Any]:
        """The tensors and arrays that were reached and hold numbers."""
        return {path: self.objects[path] for path in self._values}

    def changed(self) -> dict[str, Any]:
        """Copies of the tensors and arrays that are new or not as they were."""
        now = _valued(reached(self._roots))
        return {
            path: clone(value)
            for path, value in now.items()
            if path not in self._values or not is_same(value, self._values[path])
        }

    def restore(self) -> None:
        """Put all back: what names and items stand for, the numbers in tensors and arrays, random generators."""
        for value, content in self._contents:
            if not _is_same_content(_content(value), content):
                _rebind(value, content)
        for path, value in self._values.items():
            if not is_same(self.objects[path], value):
                _refill(self.objects[path], value)
        for put_back in self._generators:
            put_back()


def _valued(objects: dict[str, Any]) -> dict[str, Any]:
    """The tensors and arrays that hold numbers."""
    return {
        path: value
        for path, value in objects.items()
        if isinstance(value, (torch.Tensor, numpy.ndarray)) and not _is_empty(value)
    }


def _is_empty(value: Any) -> bool:
    """On the ``meta`` device, or the parameter of a lazy module before its first call."""
    return isinstance(value, torch.Tensor) and (value.is_meta or torch.nn.parameter.is_lazy(value))


def _generator_state(value: Any) -> Callable[[], None] | None:
    """What puts a random generator back to the state that it is in now; ``None`` for anything else."""
    if isinstance(value, (torch.Generator, numpy.random.RandomState)):
        return functools.partial(value.set_state, value.get_state())
    if isinstance(value, random.Random):
        return functools.partial(value.setstate, value.getstate())
    if isinstance(value, numpy.random.Generator):
        return functools.partial(setattr, value.bit_generator, "state", value.bit_generator.state)
    return None


def _refill(target: Any, value: Any) -> None:
    if isinstance(target, numpy.ndarray):
        target[...] = value
        return
    with torch.no_grad(), torch.inference_mode(target.is_inference()):
        if target.shape == value.shape and target.dtype == value.dtype and target.layout == torch.strided:
            target.data.copy_(value)  # autograd need not know: the numbers are those it has seen
        else:
            target.data = value.clone()
