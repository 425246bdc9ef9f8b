"""What the pages of docs/compare say about the recordings beside other frameworks."""

import re
from pathlib import Path

import pytest

from compile_lessons.course.records.record import Record
from compile_lessons.course.records.snippet import load_snippet
from compile_lessons.ground.project import Project
from table_rows import rows_of

ROOT = Path(__file__).parents[2]
PROJECT = Project(ROOT)
NAMES = [name for name in PROJECT.snippet_names() if "peers" in load_snippet(PROJECT, name).declared.needs]
PINS = dict(re.findall(r"^(\S+)==(\S+)$", (ROOT / "constraints-peers.txt").read_text(), re.M))
#: Other distributions of the same package carry its version with a build.
TOOLS = {"jax": "jax", "mlx": "mlx", "onnx": "onnxruntime", "openvino": "openvino", "tensorflow": "tensorflow"}


def test_there_are_recordings_beside_each_framework() -> None:
    assert {name.removeprefix("compare/").split("_")[0] for name in NAMES} >= TOOLS.keys()


@pytest.mark.parametrize("name", NAMES)
def test_recorded_with_the_pinned_versions(recording, name):
    """Whoever installs the extra with its constraints gets the versions that the page names."""
    packages = recording(name).packages
    assert packages == {package: PINS[package] for package in packages}
    tool = TOOLS.get(name.removeprefix("compare/").split("_")[0].removesuffix(".py"))
    assert tool is None or tool in packages


def test_the_page_on_jax_shows_jaxpr_stablehlo_and_hlo(recording):
    """The line numbers of its three embeds."""
    lines = recording("compare/jax_ir.py").text.splitlines()
    page = (ROOT / "docs/compare/jax.md").read_text(encoding="utf-8")
    jaxpr, stablehlo, hlo = (
        lines[int(first) - 1 : int(last)]
        for first, last in re.findall(r'snippet\("compare/jax_ir.py", show="output", lines="(\d+)-(\d+)"', page)
    )
    assert jaxpr[0].startswith("{ lambda ; a:f32[64,128]. let") and jaxpr[-1].strip() == "in (h,) }"
    assert stablehlo[0].startswith("module @jit_softmax") and stablehlo[-1] == "}"
    assert "stablehlo.reduce" in stablehlo[3]
    assert hlo[0].startswith("%region") and hlo[-1] == lines[-1] == "}"


def test_xla_fuses_softmax_as_the_page_says(recording):
    """Maximum, subtraction and exponential together; the sum alone; a reciprocal for each row and a product."""
    bodies = re.findall(r"^%fused\S* .*?^}", recording("compare/jax_ir.py").text, re.M | re.S)
    assert len(bodies) == recording("compare/jax_ir.py").values["fusions"]
    operations = [re.findall(r" = f32\S* (\w+)\(", body) for body in bodies]
    assert ["parameter", "constant", "reduce", "broadcast", "subtract", "exponential"] in operations
    assert ["parameter", "constant", "reduce"] in operations
    assert sum("multiply" in body for body in operations) == sum("divide" in body for body in operations) == 1


def test_the_graphs_that_the_pages_describe(recording):
    assert "prim::If" in recording("compare/torchscript_branch.py").text
    assert "TracerWarning" in recording("compare/torchscript_branch.py").text
    assert "If (gt) <then_branch" in recording("compare/onnx_graphs.py").text
    assert re.search(r"Runtime: +Gemm QuickGelu Gemm\n", recording("compare/onnx_graphs.py").text)
    assert "ag__.if_stmt" in recording("compare/tensorflow_branch.py").text
    assert "StatelessIf" in recording("compare/tensorflow_branch.py").text
    assert re.search(r"jit_\w+\), for \S*Add,\S*Swish", recording("compare/openvino_model.py").text)
    assert recording("compare/mlx_shapeless.py").values["right"] is False


def test_the_times_hold_every_framework(recording):
    rows = rows_of(recording("compare/times.py"))
    assert [sum(row[0] == function for row in rows) for function in ("softmax", "mlp", "step")] == [9, 9, 6]


def test_the_times_are_what_the_page_says(recording):
    """Most tools run softmax faster than eager mode, and none gains much at the MLP."""
    later = _later_calls(recording("compare/times.py"))
    ratios = {
        function: [ratio for (name, _), ratio in later.items() if name == function] for function in ("softmax", "mlp")
    }
    assert sum(ratio < 1 for ratio in ratios["softmax"]) > 8 / 2
    assert min(ratios["mlp"]) > 0.8


def test_the_times_on_an_h200_are_what_the_page_says(recording):
    """JAX is faster at softmax, and as fast as torch.compile at the MLP and the training step."""
    later = _later_calls(recording("compare/h200_jax.py"))
    assert later["softmax", "JAX"] < later["softmax", "torch.compile"] < 1
    for function in ("mlp", "step"):
        assert later[function, "JAX"] == pytest.approx(later[function, "torch.compile"], rel=0.1)


def _later_calls(recorded: Record) -> dict[tuple[str, str], float]:
    """Return the ratio to eager mode in each row of a table of times, by function and tool."""
    return {(function, tool): float(later) for function, tool, _, later, _ in rows_of(recorded)}
