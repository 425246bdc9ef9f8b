"""The reader's file: the function to explain, and the arguments that other functions there make for it."""

from __future__ import annotations

import difflib
import importlib
import importlib.machinery
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

#: The arguments and the keywords of one call.
Arguments = tuple[tuple, dict[str, Any]]

_RETURN_NO_ARGUMENTS = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)


class ExplainError(Exception):
    """A file, a name or inputs that can't be used; the message is for the reader."""


@dataclass(frozen=True)
class Named:
    """``FILE.py:NAME`` as typed, and the file that it meant then: the reader's code may go to another folder."""

    file: str
    name: str
    path: Path

    def __str__(self) -> str:
        return f"{self.file}:{self.name}"


def named(what: str, beside: Named | None = None) -> Named:
    """What ``FILE.py:NAME`` means; ``NAME`` alone is in the same file as ``beside``."""
    file, colon, name = what.rpartition(":")
    if not colon and beside is not None and name and not name.endswith(".py"):
        return replace(beside, name=name)
    if file.endswith(".py") and name:
        return _in_file(file, name)
    form = "FILE.py:NAME" if beside is None else "NAME or FILE.py:NAME"
    only_file = what.removesuffix(":")
    holder = _in_file(only_file, "") if only_file.endswith(".py") else beside
    listed = f"; {holder.file} has: {_all(load(holder))}" if holder else ""
    raise ExplainError(f"{what!r} is not of the form {form}{listed}")


def _in_file(file: str, name: str) -> Named:
    path = place(file)
    if not path.is_file():
        raise ExplainError(f"there is no file {file}")
    return Named(file, name, path)


def place(typed: str) -> Path:
    """The absolute path of a file that need not exist."""
    try:
        path = Path(typed).expanduser().resolve()
        with suppress(FileNotFoundError, NotADirectoryError):
            path.stat()
    except (OSError, RuntimeError) as error:  # a loop of links, a name too long, no permission; no such user
        raise ExplainError(f"{typed} can't be used: {getattr(error, 'strerror', None) or error}") from None
    return path


def to_compile(what: Named) -> Callable[..., Any]:
    """What ``FILE.py:NAME`` names; an ``nn.Module`` class is instantiated if it needs no arguments."""
    import torch

    from compile_lessons.pipeline.checks import AlreadyCompiled, CaptureError, check_callable

    found = find(what)
    if inspect.isclass(found):
        remedy = f"{what.name} is a class: make an instance in {what.file}, and name it"
        if not issubclass(found, torch.nn.Module):
            raise ExplainError(remedy)
        try:
            return _call(found, what)
        except ExplainError as error:
            raise ExplainError(f"{error}\n  {remedy}") from None
    if not callable(found):
        raise ExplainError(
            f"{what} is not callable, its type is {_type(found)}: name a function, a method or an nn.Module"
        )
    try:
        check_callable(found)
    except AlreadyCompiled as error:
        remedy = f"in {what.file}, take torch.compile away, or name what was given to it"
        raise ExplainError(f"{error}\n  {remedy}") from None
    except CaptureError as error:
        raise ExplainError(str(error)) from None
    return found


def inputs_of(what: Named, fn: Callable[..., Any], inputs: Named | None) -> Arguments:
    """What the function of inputs returned for ``fn``; nothing if none is given and the file has no ``make_inputs``."""
    if inputs is not None:
        maker = inputs
        remedy = f"the arguments are those that {maker} returned"
    elif "make_inputs" in vars(load(what)):
        maker = replace(what, name="make_inputs")
        remedy = f"the arguments are those that make_inputs of {what.file} returned; --inputs names another function"
    else:
        remedy = "give arguments with --inputs, or with a function make_inputs in the same file"
        return _fitting(fn, ((), {}), remedy)
    made = _made_by(maker)
    if made is None:
        raise ExplainError(f"{maker} returned None: does it lack a return? (None,) gives None as an argument")
    return _fitting(fn, _arguments(made), remedy)


def calls_of(fn: Callable[..., Any], maker: Named) -> list[Arguments]:
    """The calls of ``fn`` that the function ``maker`` returned, each of the same forms as one call's inputs."""
    made = _made_by(maker)
    if not isinstance(made, list):
        raise ExplainError(f"{maker} must return a list of calls' arguments, not {_type(made)}")
    if not made:
        raise ExplainError(f"{maker} returned an empty list: there is nothing to call")
    for i, call in enumerate(made):
        if call is None:
            raise ExplainError(f"call {i} of {maker} is None; (None,) gives None as an argument")
    return [_fitting(fn, _arguments(call), f"in call {i} of {maker}") for i, call in enumerate(made)]


def _arguments(made: Any) -> Arguments:
    """A dict is keywords, a tuple arguments, a pair of a tuple and a dict both; anything else is one argument."""
    if isinstance(made, dict):
        return (), made
    if isinstance(made, tuple) and len(made) == 2 and isinstance(made[0], tuple) and isinstance(made[1], dict):
        return made
    return (made if isinstance(made, tuple) else (made,)), {}


def _fitting(fn: Callable[..., Any], call: Arguments, remedy: str) -> Arguments:
    """The same arguments, if they fit the signature of ``fn``."""
    from compile_lessons.pipeline.checks import CaptureError, check_inputs

    args, kwargs = call
    try:
        check_inputs(fn, args, kwargs)
    except CaptureError as error:
        raise ExplainError(f"{error}\n  {remedy}") from None
    return call


def _made_by(maker: Named) -> Any:
    make = find(maker)
    if not callable(make):
        raise ExplainError(f"{maker} must be a function that returns the arguments; its type is {_type(make)}")
    if any(is_kind(make) for is_kind in _RETURN_NO_ARGUMENTS):
        raise ExplainError(f"{maker} must be a plain function that returns the arguments: no async def, no yield")
    return _call(make, maker)


def _call(make: Callable[[], Any], what: Named) -> Any:
    with _running(what.file, f"{what} ended the program"):
        return make()


def _type(value: Any) -> str:
    return type(value).__name__


def find(what: Named) -> Any:
    """The object named by ``FILE.py:NAME``, where ``NAME`` may be dotted."""
    owner, found = None, load(what)
    for part in what.name.split("."):
        owner, found = found, _member(what, found, part)
    if inspect.isclass(owner) and inspect.isfunction(inspect.getattr_static(owner, part)):
        raise ExplainError(f"{what.name} is a method: make an instance in {what.file}, and name the instance's method")
    return found


def _member(what: Named, owner: Any, name: str) -> Any:
    with _running(what.file, f"{what} ended the program"):  # properties, and __getattr__
        try:
            return getattr(owner, name)
        except AttributeError:
            if inspect.getattr_static(owner, name, None) is not None:
                raise  # by the code of a property
            raise ExplainError(f"{what.file} has no {what.name!r}; {_has(owner, name)}") from None


def _has(owner: Any, name: str) -> str:
    """What could have been meant: names like this one, or all that can be called."""
    close = difflib.get_close_matches(name, _callables(owner))
    return f"did you mean {' or '.join(close)}?" if close else f"it has: {_all(owner)}"


def _all(owner: Any) -> str:
    return ", ".join(_callables(owner)) or "nothing to call"


def _callables(owner: Any) -> list[str]:
    return sorted(key for key, value in _members(owner).items() if callable(value) and not key.startswith("_"))


def _members(owner: Any) -> dict[str, Any]:
    """What the reader's code put there, with its classes; of a module also its submodules and ``forward``."""
    import torch

    classes = owner.__mro__ if inspect.isclass(owner) else type(owner).__mro__
    users = [each for each in classes if each.__module__.partition(".")[0] not in ("builtins", "torch")]
    members = {name: value for each in users for name, value in vars(each).items()} | getattr(owner, "__dict__", {})
    if isinstance(owner, torch.nn.Module):
        members |= dict(owner.named_children()) | {"forward": owner.forward}
    return members


_loaded: dict[Path, ModuleType] = {}


def load(what: Named) -> ModuleType:
    """The module in a file, run once, with what it imports found as for ``python FILE.py`` or inside its package."""
    file, path = what.file, what.path
    if path in _loaded:
        return _loaded[path]
    name, root = _full_name(path)
    sys.path.insert(0, str(root))
    with _running(file, f"{file} ended the program while it was loaded", partial(_remedy, path)):
        _loaded[path] = _run(path) if root == path.parent else _run_in_package(path, name)
    return _loaded[path]


def _remedy(path: Path, error: BaseException) -> str:
    """What helps a file that ends the program, or one of a package that is not found."""
    if isinstance(error, SystemExit):
        return '\n  put what only a run of the file should do under `if __name__ == "__main__":`'
    if isinstance(error, ImportError) and "no known parent package" in str(error):
        return (
            f"\n  make {path.parent} a package: put an __init__.py there, and into the folders above that belong to it"
        )
    if isinstance(error, ModuleNotFoundError) and error.name and "." not in error.name:
        for folder in path.parents[1:-1]:
            if (folder / error.name).is_dir() or (folder / f"{error.name}.py").is_file():
                return f"\n  {error.name} is in {folder}: set PYTHONPATH={folder}, or add an __init__.py to each folder"
    return ""


def _full_name(path: Path) -> tuple[str, Path]:
    """``package.module`` and the folder to import it from."""
    names, folder = [] if path.stem == "__init__" else [path.stem], path.parent
    while path.stem.isidentifier() and folder.name.isidentifier() and (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names), folder


class _Script(importlib.machinery.SourceFileLoader):
    """Leaves no ``__pycache__``, as ``python FILE.py`` leaves none."""

    def set_data(self, path: str, data: bytes, *, _mode: int = 0o666) -> None:
        pass


def _run(path: Path) -> ModuleType:
    name = "__explained__" if path.stem == "__main__" else path.stem  # its part for `__main__` is not run
    spec = importlib.util.spec_from_file_location(name, path, loader=_Script(name, str(path)))
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)  # dataclasses and pickles in the file look their module up
    spec.loader.exec_module(module)
    return module


def _run_in_package(path: Path, name: str) -> ModuleType:
    sys.path.append(str(path.parent))  # a script that lies in a package may import what is beside it
    module = importlib.import_module(name)
    if module.__file__ != str(path):
        raise ExplainError(f"{path} can't be imported: {name} is already {module.__file__}")
    return module


@contextmanager
def as_script(file: str) -> Iterator[None]:
    """The command line that ``python FILE.py`` has."""
    own, sys.argv = sys.argv, [file]
    try:
        yield
    finally:
        sys.argv = own


@contextmanager
def _running(file: str, ended: str, remedy: Callable[[BaseException], str] = lambda error: "") -> Iterator[None]:
    """Run code of the reader's with the arguments of ``python FILE.py``; what it raises becomes a message."""
    try:
        with as_script(file):
            yield
    except (ExplainError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # SystemExit, and what pytest.skip raises
        said = f"{ended}: " if isinstance(error, SystemExit) else ""
        message = error.msg if isinstance(error, SyntaxError) else error
        raise ExplainError(f"{said}{_type(error)}: {message}{_place(error, file)}{remedy(error)}") from error


def _place(error: BaseException, file: str) -> str:
    """The reader's line, on a line of its own; the file if no line is known, as for a NUL byte."""
    from compile_lessons.pipeline.locations import from_traceback

    if isinstance(error, SyntaxError) and error.filename:
        return f"\n  at {error.filename}:{error.lineno}: {(error.text or '').strip()}"
    found = from_traceback(error.__traceback__)
    return f"\n  at {found.file}:{found.line}: {found.text}" if found else f"\n  in {file}"
