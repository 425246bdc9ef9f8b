"""Every part of the model has a text for 100 columns, HTML, and JSON."""

import dataclasses
import functools
import json
import subprocess
import sys

import pytest
import torch
from torch import nn

from compile_lessons import capture, capture_calls, facts
from compile_lessons.facts import Pipeline
from compile_lessons.facts.part import SCHEMA, Part, Parts


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
    return capture(Block(), compare=True)(torch.randn(3, 8))


@pytest.fixture(scope="module")
def calls():
    return capture_calls(by_size, backend="eager")([(torch.ones(5), n) for n in (2, 3, 4)])


#: Those of a GPU have their own tests, and ``Part`` is the base of all.
ELSEWHERE = ("gpu", "devices", "part")
KINDS = {
    kind
    for kind in vars(facts).values()
    if isinstance(kind, type) and issubclass(kind, Part) and kind.__module__.rpartition(".")[2] not in ELSEWHERE
}


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
    widest = {}
    for part in parts(of):
        assert isinstance(part, Part), type(part)
        so_far = widest.setdefault(type(part), part)
        if max(map(len, str(part).splitlines() or [""])) > max(map(len, str(so_far).splitlines() or [""])):
            widest[type(part)] = part
    return widest


def test_each_kind_has_all_forms(pipeline, calls):
    shown = kinds(pipeline) | kinds(calls)
    rare = {facts.Reuse, facts.StageFailure, facts.FusionDecision, facts.Skip, facts.Missing}
    rare |= {facts.Circumstance, facts.Origin}
    assert KINDS - shown.keys() <= rare
    for kind, part in shown.items():
        lines = str(part).splitlines()
        assert not str(part).startswith(f"{kind.__name__}("), kind
        assert all(len(line) <= 100 for line in lines), (kind, max(lines, key=len))
        assert part._repr_html_().startswith("<"), kind
        assert json.loads(part.to_json())["schema"] == SCHEMA
        assert kind.from_json(part.to_json()) == part


def test_facts_are_read_and_shown_without_torch(pipeline, calls, tmp_path):
    """What was saved is shown in a process that can't import torch."""
    (tmp_path / "pipeline.json").write_text(pipeline.to_json(), encoding="utf-8")
    (tmp_path / "calls.json").write_text(calls.to_json(), encoding="utf-8")
    program = """
import sys
sys.modules["torch"] = sys.modules["triton"] = None
from pathlib import Path
from compile_lessons import Calls, Pipeline
from compile_lessons.reports import summary
pipeline = Pipeline.from_json(Path("pipeline.json").read_text(encoding="utf-8"))
calls = Calls.from_json(Path("calls.json").read_text(encoding="utf-8"))
for shown in (pipeline, calls, pipeline.graphs, pipeline.guards, pipeline.kernels, pipeline.decisions, pipeline.breaks):
    print(shown)
    print(shown._repr_html_())
print(summary.summary(pipeline), summary.calls(calls))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert str(pipeline) in done.stdout and calls._repr_html_() in done.stdout


def test_rare_parts():
    here = facts.Location(file="a/long/path/" + "x" * 90 + ".py", line=12, function="f", text="y = " + "x + " * 40)
    for part in (
        facts.Reuse(old="buf0", new="buf1", kind="in place"),
        facts.StageFailure(
            stage="eager", type="ValueError", message="word " * 60 + "\n" + "line\n" * 30, location=here
        ),
        facts.FusionDecision(first="op0", second="op1", fused=False, reason="no shared data", kernel=""),
        facts.Skip(function="f" * 80, file=here.file, line=12, reason="because\nFrame info: f"),
        facts.Missing(stage="joint", reason="no input requires a gradient"),
        facts.Circumstance(what="it calls " + "step " * 40, location=here, kept=False),
        facts.Circumstance(what="called in a new thread", location=here),
        facts.Origin(backend="inductor", stage="Inductor", step="lowering " + "a " * 60, location=here),
        facts.Origin(backend="", stage="word " * 60, step="", location=None),
    ):
        assert all(len(line) <= 100 for line in str(part).splitlines())
        assert type(part).from_json(part.to_json()) == part
    assert "… 23 more lines" in str(
        facts.StageFailure(stage="eager", type="ValueError", message="line\n" * 31, location=here)
    )


def test_html_is_not_cut_and_has_what_the_text_has(pipeline):
    html = "".join(frame._repr_html_() for frame in pipeline.frames)
    assert "bytecode after Dynamo" in html and "saved for backward" in html
    assert "a_layer_with_quite_a_long_name_of_its_own" in html
    assert "…" not in html


def test_guards_in_words(pipeline):
    words = {(guard.kind, guard.words) for guard in pipeline.guards}
    assert ("NOT_PRESENT_IN_GENERIC_DICT", "the instance has no attribute forward") in words
    said = {text for _, text in words}
    assert {"has the key 'scale'", "has no attribute missing", "equal to 2", "no hooks are registered"} <= said


def test_the_same_check_of_several_values_is_one_row(pipeline):
    frame = max(pipeline.frames, key=lambda frame: len(frame.guards))
    hooks = [guard for guard in frame.guards if guard.words == "no hooks are registered"]
    rows = [line for line in str(frame).splitlines() if "no hooks are registered" in line]
    assert len(hooks) > 3 and len(rows) == 1
    assert f"  {len(hooks)} like …" in rows[0]


def test_what_the_table_of_calls_has_no_room_for(calls):
    assert calls.calls[2].error.location.text == "return x[:n] if n < 4 else x.nothing"
    assert "AttributeError: 'Tensor' object has no attribute 'nothing'" in str(calls)


def test_many_skipped_frames_do_not_hide_the_rest(pipeline):
    skips = tuple(facts.Skip(function=f"f{i}", file="file.py", line=i, reason="no tensors") for i in range(30))
    text = str(dataclasses.replace(pipeline, skips=skips))
    assert text.count("\nskipped ") == 9 and "skipped 22 more frames" in text


def test_several_parts_print_as_one_table(pipeline):
    assert str(pipeline.kernels).splitlines()[0].startswith("kernel")
    assert len(str(pipeline.graphs).splitlines()) == 2 + len(pipeline.graphs)
    first = pipeline.guards[:2]
    assert type(first) is Parts and str(first).count("\n") == 3
    assert first._repr_html_().count("<tr>") == 3
    assert str(pipeline.breaks) == str(pipeline.breaks[0]) and str(Parts()) == "none"


def test_parameters_are_shown_by_the_end_of_their_path(pipeline):
    rows = str(pipeline.graphs[0].dynamo).splitlines()
    assert any(row.startswith("…") and row.split()[0].endswith(".0.weight") for row in rows)
    assert any(".0.weight" in row for row in str(pipeline.guards).splitlines())


def test_json_names_the_field_that_is_wrong(pipeline):
    fields = json.loads(pipeline.to_json())
    for change, message in (
        ({"nothing": 1}, r"missing or unknown field `\$\.nothing`"),
        ({"target": None}, r"Expected `str`, got `null` - at `\$\.target`"),
        (
            {"caches": [fields["caches"][0] | {"state": "maybe"}]},
            r"Invalid enum value 'maybe' - at `\$\.caches\[0\]\.state`",
        ),
        ({"lines": fields["lines"] | {"more": []}}, r"missing or unknown field `\$\.lines\.more`"),
    ):
        with pytest.raises(ValueError, match=message):
            Pipeline.from_json(json.dumps(fields | change))
    del fields["gpu"]
    with pytest.raises(ValueError, match=r"missing or unknown field `\$\.gpu`"):
        Pipeline.from_json(json.dumps(fields))


def test_json_is_strict():
    values = (facts.Compared(kind="output", path="output", equal=True, max_difference=float("nan"), tolerance=1e-4),)
    with pytest.raises(ValueError, match="not JSON compliant"):
        facts.EagerComparison(status="equal", reason="", values=values).to_json()
    with pytest.raises(ValueError, match="schema None"):
        Pipeline.from_json("{}")


def decorated(forward):
    @functools.wraps(forward)
    def wrapper(self, *args, **kwargs):
        torch._dynamo.graph_break()
        return forward(self, *args, **kwargs)

    return wrapper


class Plain(nn.Module):
    def forward(self, x):
        return x.sin()


class Decorated(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Plain()

    @decorated
    def forward(self, x):
        return self.inner(x) + 1


def function(x):
    return x.cos()


def test_names_of_frames():
    names = [[frame.name for frame in capture(fn, until="dynamo")(torch.ones(3)).frames] for fn in (Plain(), function)]
    assert names == [["Plain.forward"], ["function"]]
    first = capture(Decorated(), until="dynamo")(torch.ones(3)).frames[0]
    assert (first.function, first.module, first.name) == ("wrapper", "Decorated", "Decorated")
    assert str(first).startswith("frame 0/0 Decorated (test_forms.py:")
