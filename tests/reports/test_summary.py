"""One screen about a compile: what it must have, and how large it may get."""

from collections import OrderedDict
from dataclasses import replace

import torch

from compile_lessons import capture, capture_calls
from compile_lessons.facts import Phase
from compile_lessons.reports.summary import calls, parts, summary

MOST_LINES, MOST_COLUMNS = 50, 100


class Block(torch.nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.expand = torch.nn.Linear(width, 2 * width)
        self.contract, self.norm = torch.nn.Linear(2 * width, width), torch.nn.LayerNorm(width)
        self.limit, self.kind = 3, "gelu"

    def forward(self, x):
        hidden = torch.nn.functional.gelu(self.expand(x)) if self.kind == "gelu" else x
        return x + self.norm(self.contract(hidden)).clamp(max=self.limit)


def three_breaks(x):
    print("first")
    x = torch.relu(x)
    print("second")
    if x.sum() > 0:
        x = x * 2
    return x


def doubled(x, scale=2.0):
    return x * scale


def rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in text.splitlines()]


def test_a_deep_model_fits_on_a_screen():
    model = torch.nn.Sequential(*(Block(4) for _ in range(12)))
    pipeline = capture(model, until="dynamo")(torch.ones(2, 4))
    text = summary(pipeline)
    lines = [line for line in text.splitlines() if "https://" not in line]
    assert len(text.splitlines()) <= MOST_LINES and max(map(len, lines)) <= MOST_COLUMNS
    assert len(str(pipeline).splitlines()) > 2 * MOST_LINES
    assert "compiled into 1 graph, no graph breaks" in text
    assert "72 on parameters and buffers" in text and f"{len(pipeline.guards)} guards" in text


def test_the_guards_on_values_of_the_user_s_are_listed_once_for_all_modules():
    model = torch.nn.Sequential(Block(4), Block(4))
    table = rows(summary(capture(model, until="dynamo")(torch.ones(2, 4))))
    settings = {row[0]: row[1] for row in table if len(row) == 3 and row[2].startswith("test_summary.py:")}
    own = {name.rpartition(".")[2]: value for name, value in settings.items() if name != "args[0]"}
    assert own == {"kind and 1 more": "'gelu'", "limit and 1 more": "3"}


class Counter:
    count = 0


counter = Counter()


def test_a_value_on_a_class_of_the_user_s_is_listed():
    def count(x):
        counter.count += 1
        return x * counter.count

    text = summary(capture(count, until="dynamo")(torch.ones(2)))
    assert ["counter.count", "0"] in [row[:2] for row in rows(text)]


def test_a_break_in_torch_s_own_code_is_not_the_user_s_to_remove():
    weight = torch.ones(2, requires_grad=True)
    weight.grad = torch.ones(2)
    optimizer = torch.optim.SGD([weight], lr=0.1)

    def step(x):
        y = x + 1
        optimizer.step()
        return y * 2

    def both(x):
        y = step(x)
        torch._dynamo.graph_break()
        return y + 1

    pipeline = capture(step, until="dynamo", backward=False)(torch.ones(2))
    for text in (summary(pipeline), parts(pipeline, ["breaks"])):
        assert "graph_break()" in text and ": torch itself breaks the graph here" in text
        assert " test_summary.py:" in text and ": optimizer.step()" in text and "Remove the" not in text
    assert "outside your code, in a function that it calls" in parts(pipeline, ["breaks"])
    text = summary(capture(both, until="dynamo", backward=False)(torch.ones(2)))
    assert text.count("Fix: torch itself breaks") == text.count("Fix: Remove the") == 1


def test_breaks_are_grouped_by_cause(capsys):
    pipeline = capture(three_breaks, until="dynamo")(torch.ones(4))
    text = summary(pipeline)
    assert len(pipeline.breaks) == 3 and text.count("break: ") == 2
    assert 'print("first")' in text and 'print("second")' in text and ": if x.sum() > 0:" in text
    assert "Fix: return what it prints" in text and "`torch.where`" in text
    assert "dynamo/first-graph-break/#fix-a-print-move-it-out-of-the-function" in text
    assert "Please report an issue" not in text


def test_a_module_s_class_stands_for_a_wrapper():
    layer = torch.nn.TransformerEncoderLayer(8, 2, 8, dropout=0.0, batch_first=True)
    text = summary(capture(layer, until="dynamo")(torch.ones(1, 2, 8)))
    assert ["0/0", "TransformerEncoderLayer"] in [row[:2] for row in rows(text)]


def test_the_end_of_a_long_name_is_kept():
    model = Block(4)
    for i in range(6):
        model = torch.nn.Sequential(OrderedDict([(f"a_rather_long_name_{i}", model)]))
    text = summary(capture(model, until="dynamo")(torch.ones(2, 4)))
    assert "…" in text and "long_name_0.limit" in text and "a_rather_long_name_5" not in text


def test_compile_times_add_up():
    whole, dynamo, aot, inductor, other = 8.0, 6.5, 4.0, 3.0, 2.0
    seconds = {
        "_compile.compile_inner": whole,
        "OutputGraph.call_user_compiler": dynamo,
        "create_aot_dispatcher_function": aot,
        "compile_fx.<locals>.fw_compiler_base": inductor,
        "inductor_codecache_torch_key": other,
    }
    phases = tuple(Phase(name=name, calls=1, seconds=time) for name, time in seconds.items())
    pipeline = capture(doubled, until="dynamo")(torch.ones(2))
    assert (
        "compile time 8.0 s: Dynamo 1.5 s, AOTAutograd 1.0 s, Inductor 3.0 s, other 2.5 s (2.0 s of it hashing torch's"
        in " ".join(summary(replace(pipeline, phases=phases)).split())
    )


def test_no_graph():
    assert "not compiled: Dynamo made no graph" in summary(capture(lambda: 3, until="dynamo")())


def test_a_call_that_fails_in_eager_mode_too_says_so_first():
    pipeline = capture(torch.matmul, compare=True)(torch.ones(3, 4), torch.ones(3, 4))
    assert summary(pipeline).splitlines()[1] == "The call fails without torch.compile too. Fix that first:"


def test_breaks_of_one_kind_are_counted_with_their_kinds():
    def f(x):
        print("one")
        x = x + 1
        print("two")
        torch._dynamo.graph_break()
        return x * 2

    words = summary(capture(f, until="dynamo")(torch.ones(2))).split()
    assert "3 graph breaks of 2 kinds" in " ".join(words)


def test_parts_in_full():
    pipeline = capture(Block(4), until="dynamo")(torch.ones(2, 4))
    assert parts(pipeline, ["breaks"]) == "no graph breaks"
    assert "TENSOR_MATCH" in parts(pipeline, ["breaks", "guards"])


def test_calls_begin_with_their_outcomes():
    result = capture_calls(doubled, backend="eager")([torch.ones(2), torch.ones(3), torch.ones(4)])
    assert calls(result).startswith("doubled, 3 calls: compile 1, recompile 1, hit 1\n")


def test_capture_calls_takes_a_dict_as_keywords():
    result = capture_calls(doubled, backend="eager")([{"x": torch.ones(2), "scale": 3.0}])
    assert result.calls[0].arguments == "x=float32[2], scale=3.0" and result.calls[0].outcome == "compile"


def test_breaks_of_a_script_s_setup_are_one_line_of_advice(capsys):
    def script(x):
        print("arguments")
        print("files")
        print("log")
        y = x.sin()
        torch._dynamo.graph_break()
        return y.cos()

    text = summary(capture(script, until="dynamo")(torch.ones(2)))
    assert text.count("break: ") == 1 and "break: Call to `torch._dynamo.graph_break()`" in text
    assert "… 1 more causes: --only breaks" in text
    assert "advice: 3 lines with a graph break separate no operations on tensors" in text and "training step" in text
