"""The reader's file is run as for ``python FILE.py``, and what goes wrong in it is told with its line."""

import sys
from types import ModuleType

import pytest

from compile_lessons.loading import ExplainError, calls_of, find, inputs_of, load, named


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file, and return its path; what is imported meanwhile is forgotten in the end."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)

    def made(name: str, text: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    yield made
    for name in set(sys.modules) - before:
        del sys.modules[name]


def in_file(file: str, name: str = "f"):
    return named(f"{file}:{name}")


def refused(function, *arguments) -> str:
    with pytest.raises(ExplainError) as raised:
        function(*arguments)
    return str(raised.value)


def test_a_file_that_ends_the_program(write):
    file = write("ending.py", "import sys\nsys.exit(3)\n")
    assert refused(load, in_file(file)) == (
        f"{file} ended the program while it was loaded: SystemExit: 3\n"
        f"  at {file}:2: sys.exit(3)\n"
        '  put what only a run of the file should do under `if __name__ == "__main__":`'
    )


def test_a_file_sees_its_own_command_line(write, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["compile-lessons", "explain", "--epochs", "3"])
    file = write("parsing.py", "import argparse, sys\nargparse.ArgumentParser().parse_args()\nargv = sys.argv\n")
    assert load(in_file(file)).argv == [file]
    assert sys.argv == ["compile-lessons", "explain", "--epochs", "3"]


def test_inputs_that_end_the_program(write):
    file = write("inputs.py", "def f(x):\n    return x\n\ndef make_inputs():\n    raise SystemExit('no data')\n")
    message = refused(inputs_of, in_file(file), find(in_file(file)), None)
    assert message == (
        f"{file}:make_inputs ended the program: SystemExit: no data\n  at {file}:5: raise SystemExit('no data')"
    )


@pytest.mark.parametrize("importing", ["from .util import h", "from package.util import h", "from util import h"])
def test_a_file_in_a_package(write, importing):
    write("package/__init__.py", "")
    write("package/util.py", "def h(x):\n    return x * 2\n")
    file = write("package/model.py", f"{importing}\n\ndef f(x):\n    return h(x)\n")
    module = load(in_file(file))
    assert (module.__name__, module.f(3)) == ("package.model", 6)


def test_a_package_inside_a_package(write):
    file = write("outer/inner/__init__.py", "from ..util import h\n")
    write("outer/__init__.py", "")
    write("outer/util.py", "h = 1\n")
    assert (load(in_file(file)).__name__, load(in_file(file)).h) == ("outer.inner", 1)


def test_a_package_by_a_name_that_is_taken(write):
    sys.modules["taken"], sys.modules["taken.model"] = ModuleType("taken"), ModuleType("taken.model")
    sys.modules["taken.model"].__file__ = "/elsewhere/model.py"
    write("taken/__init__.py", "")
    file = write("taken/model.py", "")
    assert refused(load, in_file(file)) == f"{file} can't be imported: taken.model is already /elsewhere/model.py"


FORMS = {
    "3": ((3,), {}),
    "(3, 4)": ((3, 4), {}),
    "[3, 4]": (([3, 4],), {}),
    "{'x': 3}": ((), {"x": 3}),
    "((3,), {'y': 4})": ((3,), {"y": 4}),
    "([3], {'y': 4})": (([3], {"y": 4}), {}),
    "(None,)": ((None,), {}),
}


@pytest.mark.parametrize(("returned", "expected"), FORMS.items())
def test_forms_of_inputs_and_of_each_call(write, returned, expected):
    file = write("forms.py", f"def one():\n    return {returned}\n\ndef two():\n    return [1, {returned}]\n")

    def f(x, y=None):
        return x

    assert inputs_of(in_file(file), f, in_file(file, "one")) == expected
    assert calls_of(f, in_file(file, "two")) == [((1,), {}), expected]
