"""The reader's file runs as for ``python FILE.py``, and an error in it is reported with its line."""

import inspect
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

import pytest

from compile_lessons.commands import loading
from compile_lessons.commands.loading import (
    ExplainError,
    Named,
    as_script,
    calls_of,
    check,
    find,
    inputs_of,
    load,
    main_name,
    named,
    names_in,
    to_explain,
    use_text,
)
from compile_lessons.ground.arguments import call_arguments


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file and return its path. What is imported from such files is forgotten at the end of the test."""
    monkeypatch.setattr(sys, "path", list(sys.path))

    def write_file(name: str, text: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    yield write_file
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith((str(tmp_path), "/elsewhere")) or name == "taken":
            del sys.modules[name]


def in_file(file: str, name: str = "f"):
    return Named(file, name, Path(file))


def refusal(function, *arguments) -> str:
    with pytest.raises(ExplainError) as raised:
        function(*arguments)
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "line", "fix"),
    [
        ("import sys\nsys.exit(3)\n", ":2: sys.exit(3)", "__main__"),
        ("import argparse\nargparse.ArgumentParser().parse_args(['-x'])\n", ":2: argparse", "after --"),
        ("get_ipython().system('ls')\n", ":1: get_ipython", "notebook"),
        ("from .util import h\n", ":1: from .util", "__init__.py"),
        ("from lacking.util import h\n", ":1: from lacking.util", "PYTHONPATH="),
        ("import no_such_module\n", ":1: import no_such_module", ""),
        ("import json\njson.loads('{')\n", ":2: json.loads", "decoder.py"),
        ("def f(x)\n    return x\n", ":1: def f(x)", "SyntaxError"),
    ],
)
def test_an_error_in_the_file_names_the_reader_s_line_and_the_fix(write, text, line, fix):
    write("lacking/util.py", "")
    file = write("lacking/script.py", text)
    message = refusal(lambda: load(in_file(file)))
    assert f"{file}{line}" in message and fix in message


@pytest.mark.parametrize(
    "raised", ["AssertionError('Torch not compiled with CUDA enabled')", "SystemExit('no GPU: cuda')"]
)
def test_a_file_that_needs_a_gpu(write, monkeypatch, raised):
    file = write("gpu.py", f"raise {raised}\n")
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    assert refusal(load, in_file(file)).endswith(
        f"  at {file}:1: raise {raised}\n  Fix: add --target h200, which needs no GPU, or use tensors on the CPU"
    )
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert "--target" not in refusal(load, in_file(file))


def test_an_error_in_a_library_is_reported_at_the_reader_s_import(write):
    library = write("site-packages/library.py", "import sys\n\nraise RuntimeError('no driver')\n")
    sys.path.append(library.rpartition("/")[0])
    file = write("script.py", "x = 1\nimport library\n")
    message = refusal(load, in_file(file))
    assert message.splitlines()[1:] == [
        f"  at {file}:2: import library",
        f"  raised in {library}:3: raise RuntimeError('no driver')",
    ]


def test_an_interrupt_names_the_line(write):
    file = write("slow.py", "import signal\nsignal.raise_signal(signal.SIGINT)\n")
    with pytest.raises(KeyboardInterrupt, match=r"slow.py:2: signal.raise_signal"):
        load(in_file(file))


def test_the_command_line_of_a_script(write):
    file = write("parsing.py", "import sys\nargv = sys.argv\n")
    with as_script(file, ["--epochs", "3"]):
        assert load(in_file(file)).argv == [file, "--epochs", "3"]
    assert sys.argv != [file, "--epochs", "3"]


@pytest.mark.parametrize("line", ["from .util import h", "from package.util import h", "from util import h"])
def test_a_file_in_a_package(write, line):
    write("package/__init__.py", "")
    write("package/util.py", "def h(x):\n    return x * 2\n")
    module = load(in_file(write("package/model.py", f"{line}\n\ndef f(x):\n    return h(x)\n")))
    assert (module.__name__, module.f(3)) == ("package.model", 6)


@pytest.mark.parametrize(
    ("packages", "file", "name"),
    [
        (["outer", "outer/inner"], "outer/inner/__init__.py", "outer.inner"),
        (["v1.0"], "v1.0/train.py", "train"),
        (["acme"], "acme/my.train.py", "my.train"),
        (["v1.0", "v1.0/inner"], "v1.0/inner/model.py", "inner.model"),
        ([], "__main__.py", "__explained__"),
    ],
)
def test_the_name_of_a_file_as_a_module(write, packages, file, name):
    for package in packages:
        write(f"{package}/__init__.py", "")
    module = load(in_file(write(file, "if __name__ == '__main__':\n    raise SystemExit\n")))
    assert module.__name__ == name


def test_a_package_by_a_name_that_is_taken(write):
    sys.modules["taken"], sys.modules["taken.model"] = ModuleType("taken"), ModuleType("taken.model")
    sys.modules["taken.model"].__file__ = "/elsewhere/model.py"
    write("taken/__init__.py", "")
    file = write("taken/model.py", "")
    assert refusal(load, in_file(file)) == f"{file} can't be imported: taken.model is already /elsewhere/model.py"


MEMBERS = """
import torch

class Model:
    @property
    def broken(self):
        raise RuntimeError("not ready")

    @staticmethod
    def double(x):
        return x * 2

    def __call__(self, x):
        return x

class Inheriting(Model):
    pass

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.encoder(x)

class Sized(torch.nn.Module):
    def __init__(self, size):
        super().__init__()

model, net, number = Model(), Net(), 3

def f(x, y=None):
    return x

def no_return():
    pass

def generator():
    yield 3
"""


@pytest.mark.parametrize(
    ("function", "name", "message"),
    [
        (find, "model.broken", "RuntimeError: not ready\n  at {file}:7: raise RuntimeError"),
        (find, "net.encodr", "did you mean encoder?"),
        (find, "net.zzz", "it has: "),
        (find, "Net.forward", "Net.forward is a method of a class\n  Fix: create an instance"),
        (to_explain, "Model", "Model is a class\n  Fix: create an instance"),
        (to_explain, "Sized", "missing 1 required positional argument: 'size'"),
        (to_explain, "Sized", "Fix: create an instance"),
        (to_explain, "number", "is not callable: its type is int"),
    ],
)
def test_names_that_can_t_be_compiled(write, function, name, message):
    file = write("members.py", MEMBERS)
    assert message.format(file=file) in refusal(function, in_file(file, name))


def test_what_can_be_compiled(write):
    file = write("members.py", MEMBERS)
    assert find(in_file(file, "Inheriting.double"))(3) == 6
    assert type(to_explain(in_file(file, "Net"))).__name__ == "Net"
    assert to_explain(in_file(file, "net.encoder")).in_features == 3


def test_what_is_compiled_already_stays_compiled(write):
    file = write("compiled.py", "import torch\n\n@torch.compile\ndef f(x):\n    return x\n")
    assert to_explain(in_file(file)) is find(in_file(file))


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("mine", "is not of the form FILE.py:NAME"),
        ("{file}x.py:f", "Fix: did you mean members.py?"),
        ("x" * 300 + ".py:f", "there is no file"),
        ("{stem}:f", "Fix: did you mean"),
        ("{file}:Modl.forward", "has no 'Modl'; did you mean Model"),
        ("{file}:numberz", "has no 'numberz'; did you mean number?"),
        ("{file}:zzz", "has no 'zzz'; it has: Model, Inheriting, Net, Sized, model, net, number, f, no_return, gen"),
        ("a.ipynb:f", "jupyter nbconvert --to script a.ipynb"),
        ("{file}", "Fix: add one of f, model, net, generator, "),
        ("{file}:", "as in: compile-lessons explain {file}:f"),
    ],
)
def test_forms_of_a_name_that_are_refused(write, typed, message):
    file = write("members.py", MEMBERS)
    assert message.format(file=file) in refusal(named, typed.format(file=file, stem=file.removesuffix(".py")))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, ((3,), {})),
        ((3, 4), ((3, 4), {})),
        ([3, 4], (([3, 4],), {})),
        ({"x": 3}, ((), {"x": 3})),
        (((3,), {"y": 4}), ((3,), {"y": 4})),
        (([3], {"y": 4}), (([3], {"y": 4}), {})),
        (({"x": 3},), (({"x": 3},), {})),
        ((None,), ((None,), {})),
    ],
)
def test_forms_of_arguments(value, expected):
    assert call_arguments(value) == expected


@pytest.mark.parametrize(
    ("name", "of_inputs", "of_calls"),
    [
        ("no_return", "no_return is None\n  Fix: add a return", "no_return returned NoneType\n  Fix: return a list"),
        ("generator", "is a generator\n  Fix: use return", "returned generator"),
        ("number", "is not a function: its type is int", "is not a function"),
    ],
)
def test_functions_that_return_no_arguments(write, name, of_inputs, of_calls):
    file = write("members.py", MEMBERS)
    target, maker = in_file(file), in_file(file, name)
    assert of_inputs in refusal(inputs_of, target, find(target), maker)
    assert of_calls in refusal(calls_of, find(target), maker)


def test_inputs_that_are_not_there(write):
    file = write("inputs.py", f"{MEMBERS}\nmake_inputs = lambda: 1\nfrom json import load\n")
    assert "it has: Model, " in refusal(named, "xyz", in_file(file))


def test_arguments_that_do_not_fit(write):
    file = write(
        "fitting.py",
        "def f(x):\n    return x\n\ndef two():\n    return [1, (1, 2), None]\n\nmake_inputs = lambda: (1, 2)\n",
    )
    target, function = in_file(file), find(in_file(file))
    assert "too many positional arguments" in refusal(inputs_of, target, function, None)
    assert refusal(calls_of, function, in_file(file, "two")).startswith(f"call 2 of {file}:two is None")


@pytest.mark.parametrize("package", ["", "package/"])
def test_a_text_stands_in_place_of_its_file_and_leaves_no_bytecode(write, monkeypatch, package):
    """Also of one in a package, which Python's own importer reads."""
    for name in ("get_data", "path_stats"):
        monkeypatch.setattr(SourceFileLoader, name, getattr(SourceFileLoader, name))  # put back at the end
    monkeypatch.setattr(loading, "_texts", {})
    if package:
        write(f"{package}__init__.py", "")
    write(f"{package}beside.py", "number = 2\n")
    path = Path(write(f"{package}text_{len(package)}.py", "def f():\n    return 1\n"))
    imported = "from .beside import number" if package else "from beside import number"
    text = f"{imported}\n\n\ndef f():\n    return number\n"
    use_text(path, text)
    target = named(f"{path}:f")
    assert load(target).f() == 2 and inspect.getsource(load(target).f) == text.split("\n\n\n")[1]
    assert path.read_text() == "def f():\n    return 1\n"
    assert not list(path.parent.glob(f"__pycache__/{path.stem}.*"))


@pytest.mark.parametrize("text", ["x = 1\nreturn 2\n", "x = 1\ny = = 2\n", "x = 1\ndef f(:\n", "x = 1\nbreak\n"])
def test_an_error_in_a_text_quotes_the_text_and_not_its_file(write, monkeypatch, text):
    """Python's compiler reads the line of some errors from the file."""
    for name in ("get_data", "path_stats"):
        monkeypatch.setattr(SourceFileLoader, name, getattr(SourceFileLoader, name))  # put back at the end
    monkeypatch.setattr(loading, "_texts", {})
    path = Path(write(f"quoted_{len(text)}_{hash(text)}.py", "saved = 1\nsaved = 2\n"))
    use_text(path, text)
    message = refusal(lambda: load(named(f"{path}:x")))
    assert f"{path}:2: {text.splitlines()[1]}" in message and "saved" not in message


def test_names_stand_in_the_order_of_the_text_and_the_last_that_takes_arguments_is_the_main_one(write):
    file = write(
        "order.py",
        "from os.path import join\n\ndef b(x): ...\n\ndef a(x): ...\n\ndef make_inputs(): ...\n\ndef c(): ...\n",
    )
    target = named(f"{file}:a")
    assert names_in(target, check(target)) == ["b", "a", "c", "join"]
    assert main_name(target, check(target)) == "a"
    nothing = in_file(write("nothing.py", "x = 1"), "x")
    assert "defines no function" in refusal(main_name, nothing, check(nothing))
