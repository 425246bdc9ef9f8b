"""What docs/dynamo/guards.md and docs/reference/guards.md state and their snippets don't assert themselves."""

import math
import re
from pathlib import Path

import numpy
import pytest
import torch

from compile_lessons import count_recompiles, keep_graphs

DOCS = Path(__file__).parents[2] / "docs"
PAGES = (DOCS / "dynamo/guards.md", DOCS / "reference/guards.md")


def test_types_named_on_the_pages_are_made(record):
    text = "".join(record(f"dynamo/guards/{name}.py").text for name in ("causes", "kinds", "objects"))
    kinds = [kind for page in PAGES for kind in re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", page.read_text(encoding="utf-8"))]
    assert len(kinds) >= 6 and [kind for kind in kinds if kind not in text] == []


def test_the_log_names_the_lines(record):
    text = record("dynamo/guards/log.py").text
    assert "L['factor'] == 2" in text and "y = x * factor * gain" in text


def test_a_test_of_the_type_of_a_float_guards_its_value():
    kept = keep_graphs()
    compiled = torch.compile(lambda x, n: x * 2 if isinstance(n, float) else x, backend=kept)
    for n in (1.5, 2.5, 3.5):
        compiled(torch.ones(3), n)
    assert len(kept.graphs) == 2


x = torch.ones(4)


def test_the_elements_of_a_list_whose_length_is_read_are_not_guarded():
    assert count_recompiles(lambda x, v: x + len(v))([(x, [1]), (x, ["a"])]) == 0


def test_a_comparison_with_none_guards_the_value_of_a_string():
    assert count_recompiles(lambda x, v: x + (v is None))([(x, "a"), (x, "b")]) == 1


class Size:
    size = 2.5


def helper(x):
    return x + 1


def helper_of_two(x):
    return x + 2


plain = Size()


@pytest.mark.parametrize(
    ("function", "owner", "name", "value"),
    [
        pytest.param(lambda x: helper(x), helper, "__code__", helper_of_two.__code__, id="the code of a function"),
        pytest.param(lambda x: x + math.sqrt(4), None, "math", numpy, id="a module"),
        pytest.param(lambda x: x + isinstance(plain, Size), None, "Size", dict, id="a class"),
        pytest.param(lambda x: x * plain.size, plain, "size", 3.0, id="an attribute"),
        pytest.param(lambda x: x + hasattr(plain, "note"), plain, "note", 1, id="an attribute that is added"),
    ],
)
def test_what_code_names_is_guarded(function, owner, name, value, monkeypatch):
    kept = keep_graphs()
    compiled = torch.compile(function, backend=kept)
    compiled(x)
    if owner is None:
        monkeypatch.setitem(globals(), name, value)
    else:
        monkeypatch.setattr(owner, name, value, raising=False)
    compiled(x)
    assert len(kept.graphs) == 2


def count_graphs_in(*contexts):
    torch.compiler.reset()
    kept = keep_graphs()
    compiled = torch.compile(lambda x: x + 1, backend=kept)
    for context in contexts:
        with context:
            compiled(x)
    return len(kept.graphs)


def test_the_dtype_of_autocast_counts_while_autocast_is_on():
    assert count_graphs_in(torch.autocast("cpu", torch.bfloat16), torch.autocast("cpu", torch.half)) == 2


def test_training_no_grad_and_inference_mode_need_a_version_each():
    contexts = (torch.enable_grad(), torch.no_grad(), torch.inference_mode(), torch.enable_grad())
    assert count_graphs_in(*contexts) == 3


@pytest.mark.parametrize(("name", "value"), [("benchmark", True), ("allow_tf32", False)])
def test_settings_of_cudnn_are_not_guarded(name, value):
    kept = keep_graphs()
    compiled = torch.compile(lambda x: x + 1, backend=kept)
    compiled(x)
    with torch.backends.cudnn.flags(**{name: value}):  # also after torch.testing, which forbids to set them
        assert getattr(torch.backends.cudnn, name) == value
        compiled(x)
    assert len(kept.graphs) == 1


def test_high_and_medium_precision_of_matmuls_share_a_version():
    usual = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    kept = keep_graphs()
    compiled = torch.compile(lambda x: x + 1, backend=kept)
    try:
        compiled(x)
        torch.set_float32_matmul_precision("medium")
        compiled(x)
    finally:
        torch.set_float32_matmul_precision(usual)
    assert len(kept.graphs) == 1
