"""The reader's file: the function to explain, and the functions that return its arguments."""

import ast
import difflib
import importlib
import importlib.util
import inspect
import linecache
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from compile_lessons.facts import DEVICES
from compile_lessons.facts.source import is_user_file
from compile_lessons.gpu.tools import GpuToolsMissing, fix_without_gpu, require_triton
from compile_lessons.ground.arguments import Arguments, call_arguments, calls_and_steps
from compile_lessons.ground.reading import parse
from compile_lessons.ground.streams import LostReader, keep_streams
from compile_lessons.ground.words import shorten

_LONGEST_LINE = 100  # characters of the reader's code in a message


class ExplainError(Exception):
    """A file, a name or inputs that can't be used. The message is for the reader."""


class ProgramOver(SystemExit):
    """A command has done its work in the middle of the reader's program, and has no process of its own to end."""


@dataclass(frozen=True)
class Named:
    """``FILE.py:NAME`` as typed. ``path`` is absolute, because the reader's code may change the folder."""

    file: str
    name: str
    path: Path

    def __str__(self) -> str:
        return f"{self.file}:{self.name}"


_texts: dict[Path, bytes] = {}


def use_text(path: Path, text: str) -> None:
    """Have this process take a text for the file's, which an editor holds and nobody has saved.

    No bytecode is read or written for it: that of the file would be taken for it, or its for the file's.
    """
    data = _texts[path] = text.encode("utf-8", "surrogatepass")
    get_data, path_stats = SourceFileLoader.get_data, SourceFileLoader.path_stats

    def get_text(self: Any, name: str) -> bytes:
        return data if name == str(path) else get_data(self, name)

    def have_no_time(self: Any, name: str) -> Any:
        if name == str(path):
            raise OSError("this text is in no file")
        return path_stats(self, name)

    SourceFileLoader.get_data = get_text  # type: ignore[assignment,method-assign]
    SourceFileLoader.path_stats = have_no_time  # type: ignore[assignment,method-assign]
    # Without a time, linecache keeps it, whatever stands in the file.
    linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))


def source_of(path: Path) -> bytes:
    """Return the source of a file, or the text that stands in its place."""
    return _texts[path] if path in _texts else path.read_bytes()


def named(what: str, beside: Named | None = None) -> Named:
    """Read ``FILE.py:NAME``, or ``NAME`` alone for a function in the same file as ``beside``.

    Raises ``ExplainError`` for another form, and for a file that is not there.
    """
    file, name = _split(what)
    if name and not file and beside is not None:
        target = replace(beside, name=name)
        check(target)
        return target
    target = located(what, "FILE.py:NAME" if beside is None else "NAME or FILE.py:NAME")
    check(target)  # before torch is imported, which takes a second
    if not target.name:
        names = _callables(load(target))
        if not names:
            raise ExplainError(f"{target.file} defines no function, class or object that can be called")
        example = f"compile-lessons explain {target.file}:{names[0]}"
        raise ExplainError(f"{what!r} names no function\n  Fix: add one of {', '.join(names)}, as in: {example}")
    return target


def _split(what: str) -> tuple[str, str]:
    """Return the file and the name in ``FILE.py:NAME``, ``FILE.py`` or ``NAME``; what is missing is empty."""
    file, _, name = (f"{what}:" if what.endswith(".py") else what).rpartition(":")
    return file, name


def located(what: str, form: str) -> Named:
    """Read ``FILE.py`` or ``FILE.py:NAME``, but not the file. Raises ``ExplainError`` for another form, or no file."""
    file, name = _split(what)
    if file.endswith(".ipynb"):
        raise ExplainError(f"{file} is a notebook\n  Fix: export it with `jupyter nbconvert --to script {file}`")
    if not file.endswith(".py"):
        meant = f"\n  Fix: did you mean {file}.py:{name}?" if os.path.isfile(f"{file}.py") else ""
        raise ExplainError(f"{what!r} is not of the form {form}{meant}")
    path = Path(os.path.realpath(os.path.expanduser(file)))
    if os.path.exists(path) and not os.path.isfile(path):
        raise ExplainError(f"{file} is {'a folder' if os.path.isdir(path) else 'no regular file'}")
    if not os.path.isfile(path):
        raise ExplainError(f"there is no file {file}{_near(path)}")
    return Named(file, name, path)


def check(target: Named) -> ast.Module:
    """Return the file's syntax tree. Raises ``ExplainError`` for what is no program, and for a misspelled name."""
    with _running(target):
        tree = parse(source_of(target.path), str(target.path))
    if target.name:
        _check_spelling(target, tree)
    return tree


def _check_spelling(target: Named, tree: ast.Module) -> None:
    """Raise ``ExplainError`` for a name that isn't in the file.

    This is before torch is imported, which takes a second. Names that only a run of the file makes are left to it.
    """
    first, names, used = target.name.partition(".")[0], set[str](), set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Name):
            (names if isinstance(node.ctx, ast.Store) else used).add(node.id)
    by_a_run = (names | used) & {"globals", "exec", "setattr", "__getattr__", "*"}
    if first not in names and not by_a_run:
        raise ExplainError(f"{target.file} has no {first!r}; {_suggestion(first, names, _defined(tree))}")


def to_explain(target: Named) -> Callable[..., Any]:
    """Return the callable that ``target`` names, compiled or not.

    An ``nn.Module`` class that needs no arguments is instantiated. Raises ``ExplainError`` for what can't be compiled.
    """
    import torch  # here, as importing torch takes a second, and wrong options are refused without it

    from compile_lessons.pipeline.checks import CaptureError, check_callable
    from compile_lessons.pipeline.compiled import without_compile

    value = find(target)
    if inspect.isclass(value):
        fix = f"\n  Fix: create an instance in {target.file}, and name that instance"
        if not issubclass(value, torch.nn.Module):
            raise ExplainError(f"{target.name} is a class{fix}")
        with _running(target, fix):
            value = value()
    if not callable(value):
        raise ExplainError(f"{target} is not callable: its type is {type(value).__name__}")
    try:
        check_callable(without_compile(value), observe=True)
    except CaptureError as error:
        raise ExplainError(str(error)) from None
    torch.compiler.reset()  # what the file compiled while it ran would be called, and not captured
    return value


def options_of(text: str) -> dict[str, Any]:
    """Read options of ``torch.compile`` that were typed: ``dynamic=False``. Raises ``ExplainError``."""
    try:
        call = parse(f"compile({text})", mode="eval").body
        if isinstance(call, ast.Call) and not call.args and all(keyword.arg for keyword in call.keywords):
            return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError):
        pass
    example = "--compile 'dynamic=False, mode=\"max-autotune\"'"
    raise ExplainError(f"--compile {text!r} is not understood\n  Fix: write options of torch.compile, as in {example}")


def inputs_of(target: Named, fn: Callable[..., Any], inputs: Named | None) -> Arguments:
    """Return the arguments of one call of ``fn``, in the forms that ``call_arguments`` reads.

    They come from the function ``inputs``, or else from ``make_inputs`` in the file of ``target``; where that is
    missing too, there are none. Raises ``ExplainError`` for arguments that don't fit the signature.
    """
    if inputs is None and has_make_inputs(target):
        inputs = replace(target, name="make_inputs")
    if inputs is None:
        return _fitting(fn, ((), {}), "Fix: name a function with --inputs, or add a function make_inputs to the file")
    return _fitting(fn, _arguments(_returned(inputs), str(inputs)), f"the arguments come from {inputs}")


def has_make_inputs(target: Named) -> bool:
    """Return whether the file of ``target`` defines ``make_inputs``, which ``explain`` calls without ``--inputs``."""
    return "make_inputs" in vars(load(target))


def needs_none(target: Named) -> bool:
    """Return whether the file of ``target`` has a function of this name that is called without arguments."""
    value = vars(load(target)).get(target.name)
    return callable(value) and not inspect.isclass(value) and not _needs_arguments(value)


def calls_of(fn: Callable[..., Any], calls: Named) -> list[Any]:
    """Return the items of the list that the function ``calls`` returns: the arguments of a call of ``fn``, or what runs
    before the next call.
    """
    items = _returned(calls)
    if not isinstance(items, list) or not items:
        what = "an empty list" if items == [] else type(items).__name__
        fix = "return a list with the arguments of each call, or name the function with --inputs for one call"
        raise ExplainError(f"{calls} returned {what}\n  Fix: {fix}")
    given, _ = calls_and_steps(items)
    if not given:
        raise ExplainError(f"{calls} returned functions alone\n  Fix: add the arguments of each call")
    arguments = [_arguments(item, f"call {i} of {calls}") for i, item in enumerate(given)]
    for i, each in enumerate(arguments):
        _fitting(fn, each, f"the arguments are those of call {i} of {calls}")
    return items


def _returned(maker: Named) -> Any:
    function = find(maker)
    if not callable(function):
        raise ExplainError(f"{maker} is not a function: its type is {type(function).__name__}")
    with _running(maker):
        return function()


def _arguments(value: Any, source: str) -> Arguments:
    if value is None:
        raise ExplainError(f"{source} is None\n  Fix: add a return; to pass None as an argument, return (None,)")
    if inspect.iscoroutine(value) or inspect.isgenerator(value) or inspect.isasyncgen(value):
        raise ExplainError(f"{source} is a {type(value).__name__}\n  Fix: use return, not yield or async")
    return call_arguments(value)


def _fitting(fn: Callable[..., Any], arguments: Arguments, source: str) -> Arguments:
    from compile_lessons.pipeline.checks import CaptureError, check_inputs  # here, as it imports torch

    try:
        check_inputs(fn, *arguments)
    except CaptureError as error:
        raise ExplainError(f"{error}\n  {source}") from None
    return arguments


@contextmanager
def as_on(target: str) -> Iterator[None]:
    """With a GPU as target, the reader's file may name CUDA devices. Raises ``ExplainError`` if there is no triton."""
    if target == "cpu":
        yield
        return
    from compile_lessons.gpu.on_cpu import cuda_on_cpu  # here, as it imports torch

    try:
        require_triton()
    except GpuToolsMissing as error:
        raise ExplainError(str(error)) from error
    with cuda_on_cpu(DEVICES[target]):
        yield


def names_in(target: Named, tree: ast.Module) -> list[str]:
    """Return the names of what can be explained in the file, in the order of its text; imports come last."""
    order = {name: number for number, name in enumerate(_defined(tree))}
    found = _callables(load(target))
    return sorted(found, key=lambda name: order.get(name, len(order)))


def _defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a file defines or assigns at its top, as they come."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement.name
        else:
            nodes = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
            yield from (node.id for node in nodes if isinstance(node.ctx, ast.Store))


def main_name(target: Named, tree: ast.Module) -> str:
    """Return the name to explain if the reader gives none: the last function or module that the file itself defines and
    that takes arguments. Raises ``ExplainError`` for a file that defines nothing that can be called.
    """
    members = vars(load(target))
    own = set(_defined(tree))
    names = [name for name in names_in(target, tree) if name in own]
    if not names:
        raise ExplainError(f"{target.file} defines no function, class or object that can be called")
    taking = [name for name in names if not inspect.isclass(members[name]) and _needs_arguments(members[name])]
    return (taking or names)[-1]


def find(target: Named) -> Any:
    """Return the object that ``target`` names, where the name may be dotted. Raises ``ExplainError`` without one."""
    value, owner, part = load(target), None, ""
    for part in target.name.split("."):
        owner = value
        with _running(target):  # a property, or __getattr__
            try:
                value = getattr(owner, part)
            except AttributeError:
                if inspect.getattr_static(owner, part, None) is not None:
                    raise  # by the code of a property
                near = _suggestion(part, dir(owner), _callables(owner))
                raise ExplainError(f"{target.file} has no {target.name!r}; {near}") from None
    if inspect.isclass(owner) and inspect.isfunction(inspect.getattr_static(owner, part, None)):
        raise ExplainError(
            f"{target.name} is a method of a class\n"
            f"  Fix: create an instance in {target.file}, and name that instance's method"
        )
    return value


def _suggestion(name: str, names: Iterable[str], suggested: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(names))
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"it has: {', '.join(dict.fromkeys(suggested)) or 'no function'}"


def _near(path: Path) -> str:
    """Return the files beside ``path`` that may be meant, as a remedy, or nothing."""
    try:
        stems = [file.stem for file in path.parent.glob("*.py") if file.is_file()]
    except OSError:  # such as for a name that is too long
        return ""
    close = [f"{stem}.py" for stem in difflib.get_close_matches(path.stem, stems)]
    return f"\n  Fix: did you mean {' or '.join(close)}?" if close else ""


def _callables(owner: Any) -> list[str]:
    """Return the names of what a reader may want to explain in a module or an object: what can be called, but for
    ``make_inputs`` and what its class inherits.

    Functions that need arguments come first, because they are what readers compile. Then come other functions, classes
    and what the file imports.
    """

    def order(name: str) -> tuple[bool, bool, bool, str]:
        value = members[name]
        is_class = inspect.isclass(value)
        imported = (is_class or inspect.isroutine(value)) and getattr(value, "__module__", None) != members.get(
            "__name__"
        )
        return imported, is_class, not _needs_arguments(value), name

    members = getattr(owner, "__dict__", {})
    names = (name for name, value in members.items() if callable(value) and not name.startswith("_"))
    return sorted((name for name in names if name != "make_inputs"), key=order)


def _needs_arguments(value: Any) -> bool:
    """Return whether a call of ``value`` without arguments fails, as far as the signature tells."""
    if hasattr(value, "forward"):  # a module, whose signature takes any arguments
        return True
    try:
        inspect.signature(value).bind()
    except TypeError:
        return True
    except ValueError:  # some builtins have no signature
        pass
    return False


_modules: dict[Path, ModuleType] = {}


def load(target: Named) -> ModuleType:
    """Run the file of ``target`` once and return it as a module; its imports are found as for ``python FILE.py``.

    A file in a package is imported as ``package.module``, so that its relative imports work.
    Raises ``ExplainError`` for what the file raises.
    """
    path = target.path
    if path not in _modules:
        name, root = _full_name(path)
        sys.path.insert(0, str(root))
        from compile_lessons.pipeline.programs import recording  # here, as it imports torch

        with _running(target), recording():
            _modules[path] = _run(path) if root == path.parent else _import(path, name)
    return _modules[path]


def _full_name(path: Path) -> tuple[str, Path]:
    """``package.module``, and the folder to import it from."""
    names, folder = [] if path.stem == "__init__" else [path.stem], path.parent
    while path.stem.isidentifier() and folder.name.isidentifier() and (folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names), folder


def _run(path: Path) -> ModuleType:
    # The part of __main__.py for `__main__` is not run. Another module may have the name: one of the standard library,
    # or a second file of that name.
    name = "__explained__" if path.stem == "__main__" else path.stem
    while name in sys.modules:
        if getattr(sys.modules[name], "__file__", None) == str(path):
            return sys.modules[name]  # imported by another file
        name += "_"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None, path
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickles in the file look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextmanager
def as_main(target: Named, tree: ast.Module) -> Iterator[Callable[[], None]]:
    """Yield what runs the file of ``target`` as ``python FILE.py`` does, and as a part of its package if it is in one.

    Until the end the file is ``__main__``, and what ``load`` returns. Raises ``ExplainError`` for what the file raises.
    """
    from compile_lessons.pipeline.programs import recording  # here, as it imports torch

    path, own = target.path, sys.modules["__main__"]
    name, root = _full_name(path)
    main = ModuleType("__main__")
    vars(main).update(__file__=str(path), __package__=name.rpartition(".")[0] or None)
    _modules[path] = sys.modules["__main__"] = main
    sys.path[:0] = dict.fromkeys([str(path.parent), str(root)])

    def run() -> None:
        with _running(target), recording():
            try:
                exec(compile(tree, str(path), "exec", dont_inherit=True), vars(main))
            except SystemExit as error:
                if error.code:  # else the program ends here
                    raise

    try:
        yield run
    finally:
        sys.modules["__main__"] = own


def _import(path: Path, name: str) -> ModuleType:
    sys.path.append(str(path.parent))  # a script in a package may import what is beside it
    module = importlib.import_module(name)
    if module.__file__ != str(path):
        raise ExplainError(f"{path} can't be imported: {name} is already {module.__file__}")
    return module


@contextmanager
def as_script(file: str, arguments: list[str]) -> Iterator[None]:
    """Set the command line to that of ``python FILE.py ARGUMENTS``.

    After it the command line, and the streams that the reader's code may have replaced or closed, are as before.
    """
    own = sys.argv
    sys.argv = [file, *arguments]
    try:
        with keep_streams():
            yield
    finally:
        sys.argv = own


@contextmanager
def _running(target: Named, fix: str = "") -> Iterator[None]:
    """Run code of the reader's. What it raises becomes an ``ExplainError`` with the reader's line.

    An interrupt stays a ``KeyboardInterrupt``, with a message that names the line.
    """
    try:
        yield
    except (ExplainError, LostReader, ProgramOver):
        raise
    except KeyboardInterrupt as error:
        raise KeyboardInterrupt(f"interrupted while {target.file} ran{_lines(error, target.path)}") from None
    except BaseException as error:  # SystemExit too, and what pytest.skip raises
        message = error.msg if isinstance(error, SyntaxError) else error
        text = f"{type(error).__name__}: {message}{_lines(error, target.path)}"
        raise ExplainError(text + (fix or _fix(target, error))) from error


def _fix(target: Named, error: BaseException) -> str:
    """What helps; empty where nothing is known to help."""
    folder = target.path.parent
    if isinstance(error, AssertionError | RuntimeError | SystemExit | ValueError) and (
        fix := fix_without_gpu(str(error))
    ):
        return f"\n  {fix}"
    if isinstance(error, SystemExit) and error.code == 2:  # argparse has printed what it misses
        return f"\n  Fix: pass the arguments of the script after --, as in `explain {target} -- --epochs 1`"
    if isinstance(error, SystemExit) and getattr(sys.modules["__main__"], "__file__", "") != str(target.path):
        return '\n  Fix: put code that should run only as a script under `if __name__ == "__main__":`'
    if isinstance(error, NameError) and error.name == "get_ipython":
        return "\n  Fix: delete the lines with get_ipython(); they come from a notebook's % and ! commands"
    if isinstance(error, ImportError) and "no known parent package" in str(error):
        return f"\n  Fix: put an __init__.py into {folder}, and into the folders above that belong to the package"
    if isinstance(error, ModuleNotFoundError) and error.name and "." not in error.name:
        for above in folder.parents:
            if (above / error.name).is_dir() or (above / f"{error.name}.py").is_file():
                return f"\n  Fix: set PYTHONPATH={above}, the folder that contains {error.name}"
    return ""


def _lines(error: BaseException, path: Path) -> str:
    """The innermost line of the reader's own code, then the line in a library that raised."""
    if isinstance(error, SyntaxError) and error.filename:
        line = linecache.getline(error.filename, error.lineno or 0)  # an editor's: Python reads the one on the disk
        return f"\n  at {error.filename}:{error.lineno}: {shorten(line or error.text or '', _LONGEST_LINE)}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith("<")]
    own = [frame for frame in frames if is_user_file(frame.filename)]
    if not own:
        return f"\n  in {path}"
    text = f"\n  at {own[-1].filename}:{own[-1].lineno}: {own[-1].line}"
    raised = frames[-1]
    if raised is own[-1] or isinstance(error, (SystemExit, KeyboardInterrupt)):
        return text  # a library that happened to run when the interrupt came has not raised it
    return f"{text}\n  raised in {raised.filename}:{raised.lineno}: {raised.line}"
