"""The C++ program of docs/build/cpp.md: its size, its tests, and what its records depend on."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from compile_lessons.course.records.snippet import load_snippet
from compile_lessons.ground.project import Project
from compile_lessons.runs.machine import cxx_compiler

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "snippets/cpp"
SOURCES = sorted([*FOLDER.glob("*.cpp"), *FOLDER.glob("*.h")])


def test_the_program_can_be_read_in_one_sitting() -> None:
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES) <= 1000


@pytest.mark.parametrize("snippet", sorted(path.name for path in FOLDER.glob("show_*.py")))
def test_a_record_depends_on_all_sources(snippet: str) -> None:
    assert {FOLDER / name for name in load_snippet(Project(ROOT), f"cpp/{snippet}").declared.data} == set(SOURCES)


def test_the_page_names_the_number_of_operators_of_the_chain() -> None:
    source = (FOLDER / "main.cpp").read_text(encoding="utf-8")
    body = re.search(r"Values chain\(.*?return \{(.*?)\};", source, re.S)
    assert body and len(re.findall(r"relu| [-+*/] ", body[1])) == 8
    assert "`chain` has eight operators" in (ROOT / "docs/build/cpp.md").read_text(encoding="utf-8")


@pytest.mark.nightly  # CI has a job of its own for it, with two sanitizers
def test_the_program_builds_and_passes_its_tests(tmp_path: Path) -> None:
    cmake, compiler = shutil.which("cmake"), cxx_compiler()
    if not cmake or not compiler:
        pytest.skip("needs cmake and a C++ compiler")
    commands = (
        [cmake, "-S", FOLDER, "-B", tmp_path],
        [cmake, "--build", tmp_path, "--parallel", "2"],
        ["ctest", "--test-dir", tmp_path, "--parallel", "2", "--output-on-failure"],
    )
    # Without the flags that "make test" hands on, which the make of this build would warn about.
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")}
    for command in commands:
        result = subprocess.run(command, capture_output=True, text=True, env=environment | {"CXX": compiler})
        assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
        assert "warning:" not in result.stderr, result.stderr[-4000:]
    assert "100% tests passed" in result.stdout
