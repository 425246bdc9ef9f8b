"""The reader's file is run as for ``python FILE.py``, and what goes wrong in it is told with its line."""

import errno
import importlib
import pathlib
import sys
from types import ModuleType

import pytest

from compile_lessons.loading import ExplainError, calls_of, find, inputs_of, load, named


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a file, and return its path; what is imported meanwhile is forgotten in the end."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    importlib.import_module("compile_lessons.pipeline.capture")  # with torch, which can't be imported twice
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


def test_no_bytecode_is_left_beside_a_script(write, tmp_path):
    load(in_file(write("script.py", "")))
    assert not (tmp_path / "__pycache__").exists()


def test_a_file_named_main_is_not_run_as_the_program(write):
    file = write("__main__.py", "ran = False\nif __name__ == '__main__':\n    ran = True\n")
    assert not load(in_file(file)).ran


@pytest.mark.parametrize("name", ["v1.0/train.py", "acme/my.train.py"])
def test_a_name_that_is_no_identifier_is_not_imported(write, name):
    write(f"{name.partition('/')[0]}/__init__.py", "")
    assert load(in_file(write(name, "def f():\n    return 3\n"))).f() == 3


def test_a_package_below_a_folder_that_is_no_identifier(write):
    write("v1.0/__init__.py", "")
    write("v1.0/inner/__init__.py", "")
    assert load(in_file(write("v1.0/inner/model.py", ""))).__name__ == "inner.model"


def test_a_package_without_init(write, tmp_path):
    write("lacking/util.py", "")
    relative = refused(load, in_file(write("lacking/relative.py", "from .util import h\n")))
    assert relative.endswith(
        f"at {tmp_path}/lacking/relative.py:1: from .util import h\n"
        f"  make {tmp_path}/lacking a package: put an __init__.py there, and into the folders above that belong to it"
    )
    absolute = refused(load, in_file(write("lacking/absolute.py", "from lacking.util import h\n")))
    assert f"\n  lacking is in {tmp_path}: set PYTHONPATH={tmp_path}, or add an __init__.py" in absolute
    missing = refused(load, in_file(write("lacking/missing.py", "import no_such_module\n")))
    assert missing.endswith("missing.py:1: import no_such_module")


def test_a_file_that_skips_as_a_test(write):
    file = write("skipping.py", "import pytest\n\npytest.importorskip('no_such_module')\n")
    assert refused(load, in_file(file)).startswith("Skipped: could not import 'no_such_module'")


def test_a_file_with_a_nul_byte(write):
    file = write("nul.py", "x = 1\0\n")
    message = refused(load, in_file(file))
    assert "null bytes" in message and "None" not in message and file in message


MEMBERS = """
import torch

class Model:
    @property
    def broken(self):
        raise RuntimeError("not ready")

    @property
    def missing(self):
        return self.no_such_attribute

    @staticmethod
    def double(x):
        return x * 2

class Inheriting(Model):
    pass

model = Model()

def __getattr__(name):
    if name == "lazy":
        raise ImportError("lazy needs another library")
    raise AttributeError(name)

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = torch.nn.Linear(3, 3)

    def helper(self, x):
        return x

class Sub(Net):
    pass

net = Sub()
linear = torch.nn.Linear(3, 3)
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("model.broken", "RuntimeError: not ready\n  at {file}:7: raise RuntimeError"),
        ("model.missing", "no attribute 'no_such_attribute'\n  at {file}:11: return self.no_such_attribute"),
        ("lazy", "ImportError: lazy needs another library\n  at {file}:"),
        ("net.encodr", "did you mean encoder?"),
        ("net.helpr", "did you mean helper?"),
        ("net.zzz", "it has: encoder, forward, helper"),
        ("Sub.helpr", "did you mean helper?"),
        ("linear.forwrd", "did you mean forward?"),
    ],
)
def test_members_that_can_t_be_had(write, name, message):
    file = write("members.py", MEMBERS)
    assert message.format(file=file) in refused(find, in_file(file, name))


def test_an_inherited_static_method(write):
    assert find(in_file(write("members.py", MEMBERS), "Inheriting.double"))(3) == 6


@pytest.mark.parametrize("start", ["async def", "def"])
def test_inputs_of_a_function_that_returns_no_arguments(write, start):
    file = write("making.py", f"def f(x):\n    return x\n\n{start} make_inputs():\n    yield 3\n")
    message = refused(inputs_of, in_file(file), find(in_file(file)), None)
    assert message == f"{file}:make_inputs must be a plain function that returns the arguments: no async def, no yield"


def test_paths_that_can_t_be(tmp_path):
    loop = tmp_path / "loop.py"
    loop.symlink_to("loop.py")
    for file in str(loop), "~nosuchuser/f.py", "x" * 300 + ".py":
        assert refused(in_file, file).startswith(f"{file} can't be used: ")


def test_a_path_from_a_folder_that_is_gone(tmp_path, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert refused(in_file, "f.py") == "f.py can't be used: No such file or directory"


def test_a_path_without_permission(tmp_path, monkeypatch):
    def forbidden(*arguments, **options):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(pathlib.Path, "stat", forbidden)  # root may look anywhere
    assert refused(in_file, "no/f.py") == "no/f.py can't be used: Permission denied"


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
