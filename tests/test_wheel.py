"""The wheel, built from an sdist and installed where there is no checkout: commands, labs and the plugin of pytest."""

import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OF_THE_SITE = ("bs4", "markdown", "markdown_exec", "matplotlib", "mkdocs", "PIL", "pymdownx")
PROGRAM = """
import torch

def doubled(x):
    return x * 2

def inputs():
    return torch.ones(3)
"""
#: The plugin of pytest, which each run of pytest in the environment loads.
TESTS = """
import sys

def test_it_imports_nothing_unless_it_is_used():
    assert not {"torch", "compile_lessons.api", "typer"} & sys.modules.keys()

def test_a_function(compile_health):
    import program
    compile_health(program.doubled, [program.inputs()], package="program")
"""


@pytest.mark.skipif(os.name != "posix", reason="names the folders of an environment as Linux and macOS do")
def test_the_wheel_explains_a_file_outside_the_repository(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    offline = ["--quiet", "--no-deps", "--no-index"]
    source = tmp_path / "source"  # a build leaves a folder "build" where it is made
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copytree(ROOT / "snippets" / "labs", source / "snippets" / "labs")
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    sdist = "from setuptools import build_meta; build_meta.build_sdist('..')"
    subprocess.run([sys.executable, "-c", sdist], cwd=source, check=True, capture_output=True)
    [archive] = tmp_path.glob("*.tar.gz")
    build = [*pip, "wheel", *offline, "--no-build-isolation", "--wheel-dir", tmp_path / "wheels", archive]
    subprocess.run(build, check=True, capture_output=True)
    [wheel] = (tmp_path / "wheels").glob("*.whl")

    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    [packages] = venv.glob("lib/python*/site-packages")
    # torch and the like; the .pth file there, which names the checkout, is not followed from here
    (packages / "outer.pth").write_text("\n".join(site.getsitepackages()))
    # but not what only the site needs, which a user lacks
    (packages / "without.pth").write_text(f"import sys; sys.modules.update(dict.fromkeys({OF_THE_SITE}))")
    subprocess.run([*pip, "--python", venv / "bin" / "python", "install", *offline, wheel], check=True)

    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def output(*command: str) -> str:
        result = subprocess.run(
            [venv / "bin" / command[0], *command[1:]], cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert result.returncode == 0, result.stderr
        return result.stdout

    place = Path(output("python", "-c", "import compile_lessons; print(compile_lessons.__file__)").strip())
    assert place.is_relative_to(venv)
    live = {path.name for path in (place.parent / "explorer" / "live").iterdir()}
    of_explore = {"editor.js", "editor.licenses.txt", "example.txt", "live.css", "live.html", "live.js"}
    assert of_explore <= live and "web" not in live
    assert not (place.parent / "course").exists()
    assert (place.parent / "py.typed").is_file()
    assert re.match(r"compile-lessons \S+, torch \S+, ", output("compile-lessons", "--version"))
    (tmp_path / "test_program.py").write_text(TESTS)
    assert "2 passed" in output("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_program.py")
    explained = output("compile-lessons", "explain", "program.py:doubled", "--inputs", "inputs", "--only", "graphs")
    assert "aten.mul.Tensor" in explained and "program.py:5" in explained
    output("compile-lessons", "diagnose", "--html", "report.html", "--", "python", "-c", "pass")
    assert "no process was seen" in (tmp_path / "report.html").read_text()
    assert "wrote labs/predict_the_graph.py" in output("compile-lessons", "lab", "start", "predict_the_graph")
    assert "Predict the graph: not done yet" in output("python", "labs/predict_the_graph.py")
