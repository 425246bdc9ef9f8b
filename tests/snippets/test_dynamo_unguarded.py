"""What docs/dynamo/unguarded.md states and its snippets don't assert themselves."""

import enum
import os

import pytest
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

Mode = enum.Enum("Mode", ["SUM", "MAX"])
reductions = {Mode.SUM: torch.sum, Mode.MAX: torch.amax}
reductions_by_name = {"SUM": torch.sum, "MAX": torch.amax}
start = torch.ones(4)
x = torch.arange(4.0)


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
    compiled = torch.compile(lambda x, mode: x.sum() if is_sum(mode) else x.amax(), backend="eager")
    x = torch.arange(4.0)
    assert compiled(x, Mode.SUM) == 6
    assert (compiled(x, Mode.MAX) == 3) == right


class Holder:
    def __init__(self):
        self.mode = Mode.SUM


class Reducing(torch.nn.Module):
    def __init__(self, reduce):
        super().__init__()
        self.reduce = reduce
        self.holder = Holder()
        self.modes = [Mode.SUM]

    def forward(self, x):
        return self.reduce(self)(x)


@pytest.mark.parametrize(
    ("reduce", "right"),
    [
        (lambda module: reductions[module.holder.mode], False),
        (lambda module: reductions[module.modes[0]], False),
        (lambda module: reductions_by_name[module.holder.mode.name], True),
    ],
)
def test_a_member_is_stale_by_any_path_and_its_name_is_not(reduce, right):
    module = Reducing(reduce)
    compiled = torch.compile(module, backend="eager")
    assert compiled(x) == 6
    module.holder.mode = module.modes[0] = Mode.MAX
    assert (compiled(x) == 3) == right


def test_an_attribute_that_is_added_later_is_seen_by_hasattr_only():
    for reads, seen in (lambda c: "scale" in vars(c), False), (lambda c: hasattr(c, "scale"), True):
        torch.compiler.reset()
        config = type("Config", (), {})()
        compiled = torch.compile(lambda x, config, reads=reads: x * 2 if reads(config) else x * 1, backend="eager")
        compiled(torch.ones(1), config)
        config.scale = 2
        assert (compiled(torch.ones(1), config) == 2) == seen


def test_an_object_that_is_compared_with_a_global_is_not_told_apart():
    compiled = torch.compile(lambda x, now: x + (now is start), backend="eager")
    assert torch.equal(compiled(x, start), x + 1)
    assert torch.equal(compiled(x, torch.zeros(4)), x + 1)  # eager mode adds nothing


def test_a_variable_that_is_removed_and_set_again_keeps_the_default(monkeypatch):
    compiled = torch.compile(lambda x: x * float(os.environ.get("SCALE", "1")), backend="eager")
    results = []
    for scale in ("2", None, "3"):
        if scale is None:
            monkeypatch.delenv("SCALE")
        else:
            monkeypatch.setenv("SCALE", scale)
        results.append(compiled(torch.ones(1)).item())
    assert results == [2, 1, 1]


def test_a_test_for_a_variable_has_no_guard(monkeypatch):
    monkeypatch.delenv("SCALE", raising=False)
    present = torch.compile(lambda x: x + ("SCALE" in os.environ), backend="eager")
    absent = present(torch.ones(1)).item()
    monkeypatch.setenv("SCALE", "1")
    assert absent == present(torch.ones(1)).item() == 1  # stale too


def test_attention_keeps_the_kernel_that_was_allowed_in_the_first_call():
    """Neither the end of ``sdpa_kernel`` nor a setting of torch.backends changes it."""
    q = torch.randn(1, 2, 8, 16)
    compiled = torch.compile(lambda q: F.scaled_dot_product_attention(q, q, q), backend="aot_eager")
    with sdpa_kernel(SDPBackend.MATH):
        compiled(q)
    assert not uses_flash(compiled, q)
    torch.backends.cuda.enable_flash_sdp(False)
    try:
        assert not uses_flash(compiled, q)
    finally:
        torch.backends.cuda.enable_flash_sdp(True)


def uses_flash(function, q):
    with torch.profiler.profile() as profile:
        function(q)
    return any("flash" in event.key for event in profile.key_averages())


class Plain:
    k = 2.0

    def scale(self, x):
        return x + 1


class Derived(Plain):
    pass


plain = Plain()
derived = Derived()


@pytest.mark.parametrize(
    ("function", "owner", "name", "value"),
    [
        pytest.param(torch.nn.Linear(4, 4), torch.nn.Linear, "forward", lambda self, x: x + 9, id="forward of Linear"),
        pytest.param(lambda x: plain.scale(x), Plain, "scale", lambda self, x: x + 9, id="a method of a plain class"),
        pytest.param(lambda x: x * derived.k, Derived, "k", 9.0, id="an attribute that a subclass overrides"),
    ],
)
def test_a_patch_of_a_class_is_not_noticed(function, owner, name, value, monkeypatch):
    compiled = torch.compile(function, backend="eager")
    before = compiled(x)
    monkeypatch.setattr(owner, name, value, raising=False)
    assert torch.equal(compiled(x), before)
    assert not torch.equal(function(x), before)


def test_a_filter_leaves_the_options():
    options = {"guard_filter_fn": torch.compiler.skip_guard_on_globals_unsafe}
    torch.compile(lambda x: x, options=options)
    assert options == {}


def test_the_filters_of_torch_end_in_unsafe():
    names = [name for name in dir(torch.compiler) if "skip_guard" in name or "keep_" in name]
    assert names and all(name.endswith("unsafe") for name in names)
