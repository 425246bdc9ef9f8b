"""What the page on ``compile-lessons explain`` states."""

from __future__ import annotations


def test_everything(record) -> None:
    text = record("reference/explain/whole.py").text
    command, first, second, rest = text.split("\n", 3)
    assert command == "$ compile-lessons explain snippets/reference/explain/whole.py:scaled"
    assert first == second == "between two graphs"
    assert rest.startswith("scaled on cpu") and "\n\nequal to eager" in rest
    parts = (
        "frame 0/0 scaled",
        "break: ",
        "dynamo graph",
        "inference graph",
        "Inductor",
        "guard ",
        "phase ",
        "caches: ",
    )
    places = [rest.index(f"\n{part}") for part in parts]
    assert places == sorted(places)


def test_parts(record) -> None:
    text = record("reference/explain/parts.py").text
    assert "dynamo graph" in text and "cpp_fused_mul_sigmoid_0" in text
    assert "equal to eager" not in text and "TENSOR_MATCH" not in text


def test_forms_and_calls(record) -> None:
    rows = [line.split("  ") for line in record("reference/explain/forms.py").text.splitlines()[3:9]]
    found = [[cell.strip() for cell in row if cell.strip()] for row in rows]
    assert [row[1] for row in found[:4]] == [
        "float32[8], 3.0",
        "x=float32[8], scale=3.0",
        "float32[8], scale=3.0",
        "float32[8]",
    ]
    assert [row[2] for row in found] == ["compile", "hit", "hit", "recompile", "recompile", "hit"]
    assert "size mismatch" in found[4][3]


def test_json_has_what_only_leaves_out(record) -> None:
    assert record("reference/explain/as_json.py").text.endswith("no graph breaks\nscaled ['cpp_fused_mul_relu_0']\n")


def test_a_gpu_s_kernel(record) -> None:
    assert "triton_poi_fused_mul_sigmoid_0" in record("reference/explain/target.py").text


def test_exit_statuses(record) -> None:
    found = record("reference/explain/status.py")
    assert [found.values[name] for name in ("fine", "different", "wrong", "cut_off")] == [0, 1, 2, 130]
    assert "different from eager in " in found.text
