"""What the page *Gallery* says about each function is what its compile did."""

import re
from pathlib import Path

import pytest

from compile_lessons.explorer import Explorer
from compile_lessons.explorer.sheet import Sheet

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (ROOT / "snippets" / "gallery").glob("*.py"))
FLOAT = 4


@pytest.fixture(scope="module")
def shown(record):
    def find(name: str) -> dict[str, Sheet]:
        (output,) = record(f"gallery/{name}.py").outputs
        return Explorer.from_json(output.rich[Explorer.MIME]).variants

    return find


def row(sheet: Sheet, name: str) -> str:
    return next(row.value for row in sheet.rows if row.name == name)


def before_and_after(sheet: Sheet, name: str) -> tuple[int, int]:
    before, after = re.findall(r"\d[\d,]*", row(sheet, name))
    return int(before.replace(",", "")), int(after.replace(",", ""))


def launches(sheet: Sheet) -> tuple[int, int]:
    return before_and_after(sheet, "launches")


def moved(sheet: Sheet) -> tuple[int, int]:
    return before_and_after(sheet, "bytes read and written, estimated")


def text(sheet: Sheet, pane: str) -> str:
    return "\n".join(line.text for one in sheet.panes if one.name == pane for part in one.parts for line in part.lines)


def parts(sheet: Sheet, pane: str) -> list[str]:
    return [part.title for one in sheet.panes if one.name == pane for part in one.parts]


def lit(sheet: Sheet, python: str, pane: str) -> list[str]:
    """The lines of a pane that come from the line of Python with this text."""
    below: dict[int, list[int]] = {}
    for above, under in zip(sheet.pairs[::2], sheet.pairs[1::2], strict=True):
        below.setdefault(above, []).append(under)
    (first,) = [pane for pane in sheet.panes if pane.name == "python"]
    seen = {link for part in first.parts for line in part.lines if python in line.text for link in line.links}
    todo = list(seen)
    while todo:
        new = set(below.get(todo.pop(), ())) - seen
        seen |= new
        todo += new
    lines = [line for one in sheet.panes if one.name == pane for part in one.parts for line in part.lines]
    return [line.text.strip() for line in lines if seen & set(line.links)]


def test_there_are_twelve_and_the_page_shows_each() -> None:
    page = (ROOT / "docs" / "start" / "gallery.md").read_text(encoding="utf-8")
    assert len(NAMES) == 12
    assert sorted(re.findall(r'^ *snippet\("gallery/(\w+)\.py"', page, re.M)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_each_is_one_graph_for_both_and_links_python_to_code(shown, name: str) -> None:
    variants = shown(name)
    assert list(variants) == ["CPU", "H200"]
    for sheet in variants.values():
        assert (row(sheet, "graphs"), row(sheet, "graph breaks")) == ("1", "0")
        assert not sheet.failures and not sheet.notes
        assert text(sheet, "python") and text(sheet, "forward") and text(sheet, "code")
        before, after = moved(sheet)
        assert after <= before
    if name != "attention":  # nothing but a call of a library
        assert "st.global" in text(variants["H200"], "ptx") and "STG" in text(variants["H200"], "sass")


def test_gelu_mlp(shown) -> None:
    for sheet in shown("gelu_mlp").values():
        assert launches(sheet) == (3, 3) and row(sheet, "kernels").startswith("2 library calls, 1 ")
        operators = [line for line in lit(sheet, "F.gelu", "forward") if "torch.ops.aten" in line]
        assert [re.search(r"aten\.(\w+)", line)[1] for line in operators] == ["mm", "mul", "mul", "erf", "add", "mul"]


def test_softmax(shown) -> None:
    variants, whole = shown("softmax"), 64 * 1024 * FLOAT
    assert {name: launches(sheet) for name, sheet in variants.items()} == {"CPU": (4, 1), "H200": (3, 1)}
    assert all(moved(sheet)[1] == 2 * whole for sheet in variants.values())
    assert "prepare_softmax_online" in text(variants["H200"], "post-grad")
    assert "prepare_softmax_online" not in text(variants["CPU"], "post-grad")


def test_layer_norm(shown) -> None:
    variants = shown("layer_norm")
    kernels = {name: [title.split()[1] for title in parts(sheet, "kernels")] for name, sheet in variants.items()}
    assert kernels == {"CPU": ["forward:", "backward:"], "H200": ["forward:", "backward:", "backward:"]}
    for sheet in variants.values():
        (signature,) = [line for line in text(sheet, "backward").splitlines() if "def forward(" in line]
        assert signature.count('"f32[64, 1]"') == 2 and "rsqrt" in signature
        assert {"[1], True", "[0]"} <= set(
            re.findall(r"sum\.dim_IntList\(\w+, (\[1\], True|\[0\])", text(sheet, "backward"))
        )


def test_rms_norm(shown) -> None:
    for sheet in shown("rms_norm").values():
        assert launches(sheet) == (2, 1)
        before, after = moved(sheet)
        assert after == (2 * 64 * 1024 + 1024) * 2 and 0.32 < (before - after) / before < 0.34
        assert any(line.startswith("x32") for line in lit(sheet, "x.float()", "dynamo"))
    triton = text(shown("rms_norm")["H200"], "kernels")
    assert "'*bf16'" in triton and "'*fp32'" not in triton and ".to(tl.float32)" in triton


def test_attention(shown) -> None:
    for sheet in shown("attention").values():
        assert row(sheet, "kernels") == "1 library call" and launches(sheet) == (1, 1)
        assert len(re.findall(r" @ |torch\.softmax\(", text(sheet, "dynamo").partition("scores =")[2])) >= 2
        assert len(re.findall(r"aten\._scaled_dot_product_\w+\.default\(", text(sheet, "forward"))) == 1
        assert "mm" not in text(sheet, "forward") and "No stacktrace found" in text(sheet, "forward")
        for line in ("scores =", "weights = "):
            assert lit(sheet, line, "dynamo") and not lit(sheet, line, "forward")


def test_rotary(shown) -> None:
    variants = shown("rotary")
    assert {name: launches(sheet) for name, sheet in variants.items()} == {"CPU": (3, 1), "H200": (1, 1)}
    assert moved(variants["CPU"])[1] > 2 * moved(variants["H200"])[1]
    assert "tl.where" in text(variants["H200"], "kernels") and "ConcatKernel" in text(variants["CPU"], "ir")


def test_swiglu(shown) -> None:
    for sheet in shown("swiglu").values():
        assert launches(sheet) == (4, 4) and row(sheet, "kernels").startswith("3 library calls, 1 ")
        calls = [line for line in lit(sheet, "F.silu", "code") if "mm(" in line or "fused_mul_silu" in line]
        assert len(calls) == 4
    assert text(shown("swiglu")["H200"], "kernels").count("tl.load(") == 2


def test_cross_entropy(shown) -> None:
    variants = shown("cross_entropy")
    assert [row(sheet, "kernels") for sheet in variants.values()] == ["2 C++", "3 Triton"]
    for sheet in variants.values():
        (signature,) = [line for line in text(sheet, "backward").splitlines() if "def forward(" in line]
        assert signature.count('"f32[64, 1000]"') == 1 and signature.count('"f32[64, 1]"') == 2
        # The logits are read twice and their gradient is written. Picking one number of each row reads no more of it.
        assert 3 < moved(sheet)[1] / (64 * 1000 * FLOAT) < 3.02
        assert "aten.eq.Tensor" in text(sheet, "backward") and "scatter" not in text(sheet, "backward")


def test_conv_bn_relu(shown) -> None:
    variants = shown("conv_bn_relu")
    for sheet in variants.values():
        assert "1 library call" in row(sheet, "kernels")
        calls = [
            line for line in text(sheet, "code").splitlines() if re.search(r"^\s+\S*(fused_|buf\d+ = extern)", line)
        ]
        assert "convolution(" in calls[-2] and "batch_norm_legit_no_training_relu" in calls[-1] and len(calls) >= 3
        assert "fused_convolution" in calls[0]
    most = {name: int(row(shown(name)["CPU"], "guards")) for name in NAMES}
    assert max(most, key=most.get) == "conv_bn_relu"


def test_dropout(shown) -> None:
    for name, sheet in shown("dropout").items():
        forward, *_ = parts(sheet, "kernels")
        assert "forward" in forward and row(sheet, "kernels").startswith("1 library call, 2 ")
        (signature,) = [line for line in text(sheet, "backward").splitlines() if "def forward(" in line]
        assert re.findall(r'(\w+): "([^"]+)"', signature) == [("gt", "b8[64, 1024]"), ("tangents_1", "f32[64, 1024]")]
        assert ("rand4x" if name == "H200" else "normalized_rand_cpu") in text(sheet, "kernels")
        assert "3 operations fused" in text(sheet, "ir")


def test_embedding_bag(shown) -> None:
    for sheet in shown("embedding_bag").values():
        assert launches(sheet) == (2, 2) and "1 library call" in row(sheet, "kernels")
        assert "aten._embedding_bag_forward_only" in text(sheet, "code")
        assert '"i64[32]" = torch.ops.prims.iota' in text(sheet, "forward")


def test_adam(shown) -> None:
    for sheet in shown("adam").values():
        assert launches(sheet) == (6, 1)
        before, after = moved(sheet)
        assert after == 7 * 256 * 256 * FLOAT and before > 2 * after
        assert text(sheet, "forward").count("aten.copy_.default") == 3
    triton = text(shown("adam")["H200"], "kernels")
    assert (triton.count("tl.load("), triton.count("tl.store(")) == (4, 3)
