"""What docs/dynamo/guards.md states and its snippets don't assert themselves."""

import enum
import re
from pathlib import Path

import pytest
import torch
from torch._dynamo.testing import CompileCounter

Mode = enum.Enum("Mode", ["SUM", "MAX"])
PAGE = Path(__file__).parents[2] / "docs/dynamo/guards.md"


def test_types_named_on_the_page_are_made(record):
    text = "".join(record(f"dynamo/guards/{name}.py").text for name in ("causes", "kinds", "objects"))
    kinds = re.findall(r"`([A-Z]+(?:_[A-Z]+)+)`", PAGE.read_text(encoding="utf-8"))
    assert len(kinds) >= 7 and [kind for kind in kinds if kind not in text] == []


def test_the_log_names_the_lines(record):
    text = record("dynamo/guards/log.py").text
    assert "L['factor'] == 2" in text and "y = x * factor * gain" in text


@pytest.mark.parametrize(
    ("is_sum", "right"),
    [
        (lambda mode: mode == Mode.SUM, True),
        (lambda mode: mode is Mode.SUM, True),
        (lambda mode: mode in [Mode.SUM], True),
        (lambda mode: mode in (Mode.SUM,), True),
        (lambda mode: mode in {Mode.SUM}, False),
        (lambda mode: mode in {Mode.SUM: 1}, False),
    ],
)
def test_the_members_of_an_enum_that_are_told_apart(is_sum, right):
    torch.compiler.reset()
    compiled = torch.compile(lambda x, mode: x.sum() if is_sum(mode) else x.amax(), backend="eager")
    x = torch.arange(4.0)
    assert compiled(x, Mode.SUM) == 6
    assert (compiled(x, Mode.MAX) == 3) == right


def test_a_test_of_the_type_of_a_float_guards_its_value():
    torch.compiler.reset()
    counter = CompileCounter()
    compiled = torch.compile(lambda x, n: x * 2 if isinstance(n, float) else x, backend=counter)
    for n in (1.5, 2.5, 3.5):
        compiled(torch.ones(3), n)
    assert counter.frame_count == 2


def test_an_attribute_that_is_added_later_is_seen_by_hasattr_only():
    for reads, seen in (lambda c: "scale" in vars(c), False), (lambda c: hasattr(c, "scale"), True):
        torch.compiler.reset()
        config = type("Config", (), {})()
        compiled = torch.compile(lambda x, config, reads=reads: x * 2 if reads(config) else x * 1, backend="eager")
        compiled(torch.ones(1), config)
        config.scale = 2
        assert (compiled(torch.ones(1), config) == 2) == seen


def test_a_filter_leaves_the_options():
    options = {"guard_filter_fn": torch.compiler.skip_guard_on_globals_unsafe}
    torch.compile(lambda x: x, options=options)
    assert options == {}
