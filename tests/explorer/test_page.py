"""The page is one file that runs no code but its own, whatever the reader's code holds."""

import base64
import dataclasses
import gzip
import hashlib
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import programs
from compile_lessons import explorer
from compile_lessons.explorer.highlight import highlighted
from compile_lessons.explorer.page import page_of
from compile_lessons.explorer.panes import panes
from compile_lessons.explorer.sheet import Sheet, SheetLine, SheetPane, SheetPart
from compile_lessons.facts import Pipeline
from elements import Elements

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&"
ROOM = Path(explorer.__file__).parent


def evil(pipeline: Pipeline) -> Pipeline:
    """The pipeline with HTML in every string that names or words something of the user's."""
    (frame, *others) = pipeline.frames
    bad_break = dataclasses.replace(frame.breaks[0], gb_type=EVIL, explanation=EVIL, hints=(EVIL,))
    bad_guard = dataclasses.replace(frame.guards[0], source=f"L['{EVIL}']", words=EVIL)
    graph = frame.graph
    lowered = graph.inductor[0]
    code = dataclasses.replace(lowered, output_code=lowered.output_code + f"# {EVIL}\n")
    bad_graph = dataclasses.replace(
        graph,
        dynamo=dataclasses.replace(graph.dynamo, code=graph.dynamo.code + f"# {EVIL}"),
        inductor=(code, *graph.inductor[1:]),
    )
    bad = dataclasses.replace(frame, function=EVIL, breaks=(bad_break,), guards=(bad_guard,), graph=bad_graph)
    lines = tuple(
        dataclasses.replace(line, file=f"/{EVIL}.py", text=EVIL, line=number)
        for number, line in enumerate(pipeline.lines.lines, 1)
    )
    return dataclasses.replace(
        pipeline,
        function=EVIL,
        target=EVIL,
        frames=(bad, *others),
        lines=dataclasses.replace(pipeline.lines, lines=lines),
    )


def test_html_in_names_and_source_stays_text(broken: Pipeline) -> None:
    page = Elements(explorer.page(evil(broken)))
    tags = [tag for tag, _ in page.elements]
    assert tags.count("script") == 2 and "img" not in tags and "b" not in tags
    assert "alert" not in "".join(page.texts["script"])
    assert sum("alert(1)" in text for text in page.texts["pre"]) >= 5
    docstring = [line for line in Elements(explorer.page(broken)).texts["pre"] if "</script><b>HTML</b>" in line]
    assert len(docstring) == 1


def test_the_policy_allows_the_pages_own_script_and_style_alone(broken: Pipeline) -> None:
    page = Elements(explorer.page(broken))
    (policy,) = [a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy"]
    hashes = [
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in (page.texts["script"][-1], *page.texts["style"])
    ]
    script, style = hashes
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    for tag, attributes in page.elements:
        assert not {"src", "style"} & attributes.keys(), tag
        assert "href" not in attributes or tag == "a", tag  # a reader follows a link, a page does not
        assert not [name for name in attributes if name.startswith("on")], tag


def test_panes_hold_the_facts_word_for_word(step: Pipeline) -> None:
    page = Elements(explorer.page(step))
    shown = "\n".join(page.texts["pre"])
    graph = step.graphs[0]
    for text in (graph.dynamo.code, graph.joint.code, graph.forward.code, graph.backward.code, step.kernels[1].source):
        assert text.strip("\n") in shown
    # The sources of kernels are in their own pane, and not again in the output code.
    assert shown.count("#include <torch/csrc/inductor/cpp_prefix.h>") == 2
    assert {pane.name for pane in panes(step)} == {
        "python", "bytecode", "guards", "dynamo", "joint", "forward", "backward", "post-grad", "ir", "code", "kernels",
    }  # fmt: skip


def test_a_kernel_in_quotes_is_colored_as_code() -> None:
    lines = ["async_compile.triton('relu', '''", "def relu(x):", "''', device_str='cuda')"]
    part = SheetPart("", "python", tuple(SheetLine(number, text) for number, text in enumerate(lines, 1)))
    shown = Sheet("f", (), (), (), (SheetPane("kernels", "Triton", True, (part,)),), ())
    page = page_of({"": shown})
    assert "<i class=k>def</i> <i class=f>relu</i>" in page


def test_source_that_changed_since_is_not_shown(broken: Pipeline) -> None:
    """The file's line is no longer the one that was compiled: the facts' own lines are all that is known."""
    moved = tuple(dataclasses.replace(line, text=f"{line.text}  # before") for line in broken.lines.lines)
    python = panes(dataclasses.replace(broken, lines=dataclasses.replace(broken.lines, lines=moved)))[0]
    assert {line.text for part in python.parts for line in part.lines if line.number} == {line.text for line in moved}
    whole = panes(broken)[0].parts[0]
    assert [line.text for line in whole.lines][1].strip() == programs.with_a_break.__doc__.join(['"""'] * 2)


@pytest.mark.parametrize(
    ("lexer", "lines"),
    [
        ("python", ["x = '''", "<b>", "'''"]),
        ("cpp", ["", "int a;\rint b;", ""]),
        ("python", ["a\x0cb", "\ud800", "  "]),
        ("", ["<"]),
    ],
)
def test_highlighting_keeps_every_line(lexer: str, lines: list[str]) -> None:
    assert [unescape(re.sub(r"</?i[^>]*>", "", line)) for line in highlighted(lexer, lines)] == lines


def test_sizes(step: Pipeline, on_gpu: Pipeline) -> None:
    assert len(gzip.compress((ROOM / "explorer.js").read_bytes())) <= 15_000
    for pipeline in (step, on_gpu):
        assert len(gzip.compress(explorer.page(pipeline).encode())) <= 150_000


def test_the_page_needs_no_torch(step: Pipeline, tmp_path: Path) -> None:
    (tmp_path / "step.json").write_text(step.to_json(), encoding="utf-8")
    program = (
        "import sys; from compile_lessons.facts import Pipeline; from compile_lessons.explorer import page;"
        "print(len(page(Pipeline.from_json(open(sys.argv[1], encoding='utf-8').read()))), 'torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "step.json")], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(len(explorer.page(step))), "False"]
