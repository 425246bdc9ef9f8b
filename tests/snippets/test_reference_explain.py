"""What the page on ``compile-lessons explain`` states and its snippets don't assert."""


def test_the_screen(record) -> None:
    text = record("reference/explain/step.py").text
    lines = [line for line in text.splitlines() if "https://" not in line]  # an address is whole
    assert len(text.splitlines()) <= 50 and max(map(len, lines)) <= 100
    blocks = (
        "matches eager mode",
        "break: ",
        "frame  ",
        "a change here",
        "model.temperature",
        "saved for backward: ",
        "compile time ",
    )
    places = [text.index(f"\n{block}") for block in blocks]
    assert places == sorted(places)


def test_the_break_and_its_fix(record) -> None:
    before, after = record("reference/explain/fixed.py").text.split("$ compile-lessons ")[1:]
    assert "if loss.isnan():" in before and after.endswith("no graph breaks\n")


def test_forms_and_calls(record) -> None:
    lines = record("reference/explain/forms.py").text.splitlines()
    cells = [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in lines[5:11]]
    assert [row[1] for row in cells] == [
        "float32[8], 3.0",
        "x=float32[8], scale=3.0",
        "float32[8], scale=3.0",
        "float32[8]",
        "float32[16]",
        "float32[24]",
    ]
    assert [row[2] for row in cells] == ["compile", "hit", "hit", "recompile", "recompile", "hit"]


def test_parts(record) -> None:
    text = record("reference/explain/parts.py").text
    assert "dynamo graph" in text and "cpp_fused_mul_sigmoid_0" in text
    assert "matches eager mode" not in text and "TENSOR_MATCH" not in text


def test_a_kernel_for_a_gpu(record) -> None:
    assert "triton_poi_fused_mul_sigmoid_0" in record("reference/explain/target.py").text


def test_a_difference_is_shown(record) -> None:
    assert "differs from eager mode in 1 of 1 value" in record("reference/explain/status.py").text


def test_what_is_kept(record) -> None:
    lines = record("reference/explain/kept.py").text.splitlines()
    assert lines[1:3] == [
        "embed is compiled with dynamic=False, backend='eager', as _service.py:10 does",
        "called in a new thread within inference_mode(), as _service.py:18 does",
    ]
    assert "recompile_limit is 64 in the thread that starts it and 8 in the new one" in lines[3]
    assert lines[-1] == "no graph breaks"


def test_where_a_wrong_result_begins(record) -> None:
    text = record("reference/explain/differs.py").text
    assert "gradient is compiled with backend='eager', as --compile says" in text
    assert "the first backend that differs is eager (Dynamo)" in text and "#dropped-backward" in text
