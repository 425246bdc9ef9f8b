"""What docs/inductor/package-from-cpp.md states and its snippets don't assert."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn
from torch.export import export

from compile_lessons.course.records.snippet import load_snippet
from compile_lessons.ground.project import Project
from compile_lessons.runs.machine import cxx_compiler
from packages import compile_package

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "snippets/inductor/package_from_cpp"
needs_compiler = pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")


@pytest.mark.parametrize("snippet", ["score.py", "weights.py"])
def test_a_record_depends_on_the_sources_of_the_build(snippet: str) -> None:
    sources = {FOLDER / "CMakeLists.txt", *FOLDER.glob("*.cpp")}
    assert {
        FOLDER / name for name in load_snippet(Project(ROOT), f"inductor/package_from_cpp/{snippet}").declared.data
    } == sources


class Inputs(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.row = nn.Parameter(torch.zeros(1, 8))

    def forward(self, x: torch.Tensor, *, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        return x + 10 * a + 100 * b + self.row


@needs_compiler
def test_keywords_keep_the_order_of_the_export_and_a_parameter_of_two_dimensions_its_name(tmp_path: Path) -> None:
    one = torch.ones(8)
    # Three tensors: an export that gets one tensor three times takes the three inputs for one.
    program = export(Inputs(), (one,), {"b": one.clone(), "a": one.clone()})
    package = torch._inductor.aoti_load_package(compile_package(program, tmp_path))
    assert package.loader.run([one, 2 * one, 3 * one])[0].unique().tolist() == [1 + 30 + 200]
    assert package(one, a=2 * one, b=3 * one).unique().tolist() == [1 + 20 + 300]
    assert package.get_constant_fqns() == ["row"]


CALLED_WITHOUT_WEIGHTS = """
import sys
import torch

package = torch._inductor.aoti_load_package(sys.argv[1])
if sys.argv[2] == "load":
    package.load_constants({"weight": torch.ones(16, 16)}, check_full_update=True)
print(package(torch.ones(1, 16)).unique().tolist())
"""


@needs_compiler
def test_without_weights_in_the_package_a_call_needs_them_loaded(tmp_path: Path) -> None:
    program = export(nn.Linear(16, 16, bias=False), (torch.ones(1, 16),))
    path = compile_package(program, tmp_path, package_constants_in_so=False)
    command = [sys.executable, "-c", CALLED_WITHOUT_WEIGHTS, path]
    loaded = subprocess.run([*command, "load"], capture_output=True, text=True, check=True)
    assert loaded.stdout == "[16.0]\n"
    assert subprocess.run([*command, "skip"], capture_output=True).returncode != 0


def test_the_program_that_swaps_weights_loads_into_the_inactive_buffer() -> None:
    source = (FOLDER / "weights.cpp").read_text(encoding="utf-8")
    assert re.search(r"use_inactive = true.*load_constants\(weights, use_inactive.*swap_constant_buffer", source, re.S)
