"""Every part of the model has a text for 100 columns, HTML, and JSON."""

import dataclasses
import json

import pytest
import torch
from torch import nn

from compile_lessons.pipeline import Pipeline, capture, capture_calls, model


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a_layer_with_quite_a_long_name_of_its_own = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1))
        self.options = {"scale": 2, "names": ["one", "two"]}

    def forward(self, x, by=None):
        y = self.a_layer_with_quite_a_long_name_of_its_own(x)
        print("between two graphs")
        if by is None and "scale" in self.options and not hasattr(self, "missing"):
            y = torch.cond(y.sum() > 0, lambda v: v.sin(), lambda v: v.cos(), (y,))
        return y * self.options["scale"]


def by_size(x, n):
    return x[:n] if n < 4 else x.nothing


@pytest.fixture(scope="module")
def pipeline():
    return capture(Block())(torch.randn(3, 8))


@pytest.fixture(scope="module")
def calls():
    return capture_calls(by_size, backend="eager")([(torch.ones(5), n) for n in (2, 3, 4)])


def parts(value):
    if isinstance(value, tuple):
        for item in value:
            yield from parts(item)
    elif dataclasses.is_dataclass(value):
        yield value
        for field in dataclasses.fields(value):
            yield from parts(getattr(value, field.name))


def kinds(of):
    """One part of each kind, and the widest text of that kind."""
    found = {}
    for part in parts(of):
        assert isinstance(part, model.Part), type(part)
        known = found.setdefault(type(part), part)
        if max(map(len, str(part).splitlines() or [""])) > max(map(len, str(known).splitlines() or [""])):
            found[type(part)] = part
    return found


def test_each_kind_has_all_forms(pipeline, calls):
    found = kinds(pipeline) | kinds(calls) | {model.Bytecode: pipeline.frames[0].bytecode}
    every = {kind for kind in vars(model).values() if isinstance(kind, type) and issubclass(kind, model.Part)}
    rare = {model.Reuse, model.Failure}
    assert every - found.keys() - {model.Part} <= rare | {model.FusionDecision, model.Skip, model.Missing}
    for kind, part in found.items():
        lines = str(part).splitlines()
        assert not str(part).startswith(f"{kind.__name__}("), kind
        assert all(len(line) <= 100 for line in lines), (kind, max(lines, key=len))
        assert part._repr_html_().startswith("<"), kind
        assert json.loads(part.to_json())["schema"] == model.SCHEMA
        assert kind.from_json(part.to_json()) == part


def test_rare_parts():
    here = model.Location("a/long/path/" + "x" * 90 + ".py", 12, "f", "y = " + "x + " * 40)
    for part in (
        model.Reuse("buf0", "buf1", "in place"),
        model.Failure("eager", "ValueError", "word " * 60 + "\n" + "line\n" * 30, here),
        model.FusionDecision("op0", "op1", False, "no shared data", ""),
        model.Skip("f" * 80, here.file, 12, "because\nFrame info: f"),
        model.Missing("joint", "no input requires a gradient"),
    ):
        assert all(len(line) <= 100 for line in str(part).splitlines())
        assert type(part).from_json(part.to_json()) == part
    assert "… 23 more lines" in str(model.Failure("eager", "ValueError", "line\n" * 31, here))


def test_html_is_not_cut_and_has_what_the_text_has(pipeline):
    html = pipeline._repr_html_()
    assert "bytecode after Dynamo" in html and "saved for backward" in html and "compile caches" in html
    assert "a_layer_with_quite_a_long_name_of_its_own" in html
    assert "…" not in html


def test_guards_in_words(pipeline):
    words = {(guard.kind, guard.words) for guard in pipeline.guards}
    assert ("NOT_PRESENT_IN_GENERIC_DICT", "the instance has no attribute forward") in words
    said = {text for _, text in words}
    assert {"has the key 'scale'", "has no attribute missing", "equal to 2", "no hooks are registered"} <= said


def test_the_same_check_of_several_values_is_one_row(pipeline):
    frame = max(pipeline.frames, key=lambda found: len(found.guards))
    hooks = [guard for guard in frame.guards if guard.words == "no hooks are registered"]
    rows = [line for line in str(frame).splitlines() if "no hooks are registered" in line]
    assert len(hooks) > 3 and len(rows) == 1
    assert f"  {len(hooks)} like …" in rows[0]


def test_what_the_table_of_calls_has_no_room_for(calls):
    assert calls.calls[2].error.location.text == "return x[:n] if n < 4 else x.nothing"
    assert "AttributeError: 'Tensor' object has no attribute 'nothing'" in str(calls)


def test_many_skipped_frames_do_not_hide_the_rest(pipeline):
    skips = tuple(model.Skip(f"f{i}", "file.py", i, "no tensors") for i in range(30))
    text = str(dataclasses.replace(pipeline, skips=skips))
    assert text.count("\nskipped ") == 9 and "skipped 22 more frames" in text


def test_json_is_strict():
    values = (model.Compared("output", "output", True, float("nan"), 1e-4),)
    with pytest.raises(ValueError, match="not JSON compliant"):
        model.Comparison("equal", "", values).to_json()
    with pytest.raises(ValueError, match="schema None"):
        Pipeline.from_json("{}")
