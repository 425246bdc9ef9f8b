"""What a call can reach: arguments, modules, optimizers, globals."""

import enum
import functools
import inspect
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import BuiltinMethodType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import torch

from compile_lessons.facts.source import package_of
from compile_lessons.ground.words import counted
from compile_lessons.pipeline.contents import ATOMS, Step, contents

#: Attributes of every module that say nothing while they are empty.
_MODULE = vars(torch.nn.Module()).keys()
#: Those that only torch changes.
_NOTES = _MODULE - {"training"}

#: What to look into of torch's, numpy's and Python's own, beside what has a state: not into a lock, a logger, an array.
_OPEN = (dict, tuple, list, set, frozenset, deque, functools.partial, MethodType, BuiltinMethodType)

_NOTHING = object()

#: Objects looked at in one walk, nearest first. What is further away is not compared.
LIMIT = 20_000

#: What a program counts with, and what it notes.
_PLAIN = (bool, int, float, complex, str, bytes, enum.Enum, torch.dtype, torch.device)
#: A container of more plain values is one value.
_MANY = 100


def arguments(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments by the names of the parameters, where the callable has a signature."""
    try:
        bound = inspect.signature(fn.forward if isinstance(fn, torch.nn.Module) else fn).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return {f"argument {name}": value for name, value in (*enumerate(args), *kwargs.items())}
    return dict(bound.arguments)


@dataclass(frozen=True)
class Reached:
    """What a call can reach, by path: each object once, and the plain values that the objects hold."""

    objects: dict[str, Any]
    plain: dict[str, Any]
    #: Whether there is nothing further away.
    complete: bool


def walk(roots: dict[str, Any], inside: Callable[[Any], Iterable[Step]]) -> Reached:
    """Return every object inside of ``roots``, nearest first, with plain values. A set is a plain value too."""
    objects: dict[str, Any] = {}
    plain: dict[str, Any] = {}
    waiting, seen = deque(roots.items()), set()
    while waiting and len(objects) < LIMIT:
        path, value = waiting.popleft()
        if isinstance(value, _PLAIN):
            plain.setdefault(path, value)
        if isinstance(value, ATOMS) or id(value) in seen:
            continue
        seen.add(id(value))
        # A step may have no name (from a method to its object), and two variables may have the same.
        objects[path if path not in objects else f"{path} ({len(objects)})"] = value
        if (items := _plain_items(value)) is not None:
            plain.setdefault(path, items)
            continue
        waiting.extend((path + step if path else step.removeprefix("."), part) for step, part in inside(value))
    return Reached(objects, plain, not waiting)


def _plain_items(value: Any) -> Any:
    """Return one value that stands for a set of plain values, or for a large container of them; ``None`` for others."""
    if isinstance(value, (set, frozenset)):
        return frozenset(value) if all(isinstance(item, ATOMS) for item in value) else None
    if isinstance(value, (list, tuple, deque)) and len(value) > _MANY:
        items = tuple(value)
    elif isinstance(value, dict) and len(value) > _MANY:
        items = (*value.keys(), *value.values())
    else:
        return None
    if not all(isinstance(item, ATOMS) for item in items):
        return None
    return f"{counted(len(value), 'item')}, hash {hash(items) & 0xFFFFFFFF:08x}"


def look(roots: dict[str, Any]) -> Reached:
    """Return all that a call can reach."""
    return walk(roots, inside)


def reached(roots: dict[str, Any]) -> dict[str, Any]:
    """Return every object that a call can reach, by path."""
    return look(roots).objects


def shared_state(roots: dict[str, Any], shared: set[int]) -> dict[str, Any]:
    """Return what the objects in ``shared``, and all classes, hold now, plain values too, by path."""
    state: dict[str, Any] = {}
    for path, value in reached(roots).items():
        steps = inside(value) if id(value) in shared else _of_class(type(value))
        state.update(((path + step).removeprefix("."), part) for step, part in steps)
    return state


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Yield the paths at which something else is held."""
    for path in dict.fromkeys([*before, *now]):
        old, new = before.get(path, _NOTHING), now.get(path, _NOTHING)
        is_equal = type(old) is type(new) and isinstance(old, (*ATOMS, frozenset)) and old == new
        if not (old is new or is_equal):
            yield path


def inside(value: Any) -> Iterator[Step]:
    """Yield what a call can reach through ``value``, except what torch and Python note."""
    is_foreign = _is_foreign(type(value).__module__)
    for step, part in _inside(value):
        private = (step.startswith("._") and is_foreign) or step.startswith("['_torch") or step[1:] in _NOTES
        if not (private and isinstance(part, _PLAIN)):
            yield step, part


def _inside(value: Any) -> Iterator[Step]:
    if isinstance(value, torch.Tensor):
        if value.is_leaf and value.grad is not None:
            yield ".grad", value.grad
    elif isinstance(value, FunctionType):
        yield from contents(value)
        yield from _globals(value)
        yield from ((".defaults", value.__defaults__), (".defaults", value.__kwdefaults__))
        yield ".attributes", vars(value)  # __wrapped__ is there
    elif type(value).__name__ == "OptimizedModule":
        yield "", value._orig_mod  # by the names that it has where nothing is compiled
    elif isinstance(value, torch.nn.Module):
        named = (*value.named_parameters(), *value.named_buffers(), *value.named_children())
        yield from ((f".{name}", item) for name, item in named)
        # Most of a module's attributes are torch's own, hooks that nobody registered.
        yield from ((f".{name}", item) for name, item in vars(value).items() if name not in _MODULE or item)
        yield from _of_class(type(value))
    elif isinstance(value, _OPEN) or hasattr(type(value), "state_dict") or not _is_foreign(type(value).__module__):
        yield from contents(value)
        yield from _of_class(type(value))


def _of_class(cls: type) -> Iterator[Step]:
    """The functions of the user's classes, whose globals and closures a call can reach; class attributes."""
    for base in cls.__mro__:
        if not _is_installed(str(base.__module__)):
            for name, member in vars(base).items():
                yield f".{name}", getattr(member, "__func__", None) or getattr(member, "fget", None) or member


def _globals(function: FunctionType) -> Iterator[Step]:
    """The globals that a user's function names, and what it names in modules of the user's: ``helpers.model``."""
    if _is_installed(str(function.__globals__.get("__name__"))):
        return
    names = _names(function.__code__)
    for name in names:
        item = function.__globals__.get(name)
        yield f".{name}", item
        if isinstance(item, type):
            yield from ((f".{name}{step}", part) for step, part in _of_class(item))
        if isinstance(item, ModuleType) and not _is_installed(item.__name__):
            yield from ((f".{name}.{part}", vars(item)[part]) for part in names if part in vars(item))


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
    return _is_foreign(module) or bool(package_of(file))
