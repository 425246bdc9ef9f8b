"""What ``show`` takes: recorded as data, drawn as one document; variants and what differs between them."""

import re

import pytest
import torch
from test_page import EVIL, evil

import programs
from compile_lessons import api
from compile_lessons.explorer import Explorer
from compile_lessons.explorer.differences import differences
from compile_lessons.explorer.page import page, page_of
from compile_lessons.explorer.sheet import Sheet, sheet
from compile_lessons.facts import Pipeline
from compile_lessons.show import mime_bundle
from elements import Elements


@pytest.fixture(scope="session")
def half() -> Pipeline:
    captured = api.capture(programs.step, machine_code=False, look_up=False)
    return captured(torch.randn(8, 16).bfloat16(), torch.randn(16, 16, dtype=torch.bfloat16, requires_grad=True))


def texts(shown: Sheet, pane: str) -> list[list[str]]:
    return [[line.text for line in part.lines] for one in shown.panes if one.name == pane for part in one.parts]


def test_it_is_recorded_as_data_and_drawn_the_same(step: Pipeline) -> None:
    ((mime, data),) = mime_bundle(Explorer(step)).items()
    assert mime == Explorer.MIME
    assert Explorer(step).html() == page(step)
    time = re.compile(r"<div><dt>compile time</dt><dd>.*?</dd></div>\n")
    assert Explorer.from_json(data).html() == time.sub("", page(step)) != page(step)
    with pytest.raises(ValueError, match="missing required field"):
        Explorer.from_json('{"": {}}')


def test_in_a_terminal_it_says_what_the_compile_came_to(step: Pipeline, on_gpu: Pipeline) -> None:
    text = str(Explorer({"CPU": step, "H200": on_gpu}))
    assert re.findall(r"^step, (\w+)$", text, re.M) == ["CPU", "H200"]
    assert re.findall(r"^kernels +(.+)$", text, re.M) == ["2 library calls, 2 C++", "2 library calls, 2 Triton"]


def test_in_a_notebook_it_is_the_document_and_a_pipeline_is_it(step: Pipeline) -> None:
    shown = Elements(step._repr_html_())
    (frame,) = [attributes for tag, attributes in shown.elements if tag == "iframe"]
    assert frame["srcdoc"] == Explorer(step).html(opens="_blank", own_fonts=False)
    assert "allow-same-origin" not in str(frame["sandbox"]).split()
    assert Explorer(step)._repr_html_() == step._repr_html_()


def test_for_paper_a_notebook_has_the_panes_that_are_open(step: Pipeline, broken: Pipeline) -> None:
    summary, *listings = Elements(Explorer({EVIL: step, "other": evil(broken)})._repr_html_()).texts["pre"]
    opened = [
        part
        for shown in (sheet(step), sheet(evil(broken)))
        for pane in shown.panes
        if pane.opened
        for part in pane.parts
    ]
    assert "launches" in summary and len(listings) == len(opened) + 1
    assert listings[0].splitlines() == [line.text for line in opened[0].lines]
    tags = [tag for tag, _ in Elements(Explorer({EVIL: step, "other": evil(broken)})._repr_html_()).elements]
    assert set(tags) == {"style", "iframe", "div", "p", "strong", "pre"}


def test_a_program_chooses_the_panes_that_are_open(step: Pipeline) -> None:
    elements = Elements(Explorer(step, panes=["python", "guards"]).html()).elements
    boxes = [attributes for tag, attributes in elements if tag == "input" and attributes.get("name") == "pane"]
    assert [box["value"] for box in boxes if "checked" in box] == ["python", "guards"]
    with pytest.raises(ValueError, match="no pane 'ptx'; there are backward, bytecode, code"):
        Explorer(step, panes=["ptx"])
    with pytest.raises(ValueError, match="at least one"):
        Explorer({})


def test_what_differs_between_two_dtypes(step: Pipeline, half: Pipeline) -> None:
    one, other = sheet(step), sheet(half)
    ours, theirs = differences(one, other)
    assert {place for place in ours if place[0] == "python"} == set()
    for shown, marked in ((one, ours), (other, theirs)):
        for at, text in enumerate(texts(shown, "dynamo")[0]):
            assert (("dynamo", 0, at) in marked) == ("f32" in text or "bf16" in text), text
    assert differences(one, one) == (set(), set())


def test_a_pane_of_one_variant_differs_as_a_whole(step: Pipeline, on_gpu: Pipeline) -> None:
    _, theirs = differences(sheet(step), sheet(on_gpu))
    lines = [line for part in texts(sheet(on_gpu), "ptx") for line in part]
    assert len({place for place in theirs if place[0] == "ptx"}) == len(lines)


def test_lines_of_python_are_the_same_place_in_all_variants(step: Pipeline, on_gpu: Pipeline) -> None:
    html = page_of({"CPU": sheet(step), "H200": sheet(on_gpu)})
    first, second = html.split('data-variant="1"')
    number = programs.line(programs.step, "relu")
    places = [
        re.findall(rf'data-n={number} data-a="(\d+)"', part.partition("</section>")[0]) for part in (first, second)
    ]
    assert places[0] == places[1] and len(places[0]) == 1
    numbers = [set(re.findall(r'data-a="([\d ]+)"', part)) for part in (first, second)]
    python = set(re.findall(r'data-a="([\d ]+)"', second.partition("</section>")[0]))
    assert numbers[0] & numbers[1] == python


def test_findings_stand_at_their_lines(broken: Pipeline) -> None:
    shown = sheet(broken)
    (note,) = shown.notes
    assert note.severity == "fault" and "GB0025" in note.text and note.lesson == "dynamo/fixing-breaks"
    (python,) = [pane.parts[0].lines for pane in shown.panes if pane.name == "python"]
    at = next(at for at, line in enumerate(python) if "graph_break()" in line.text)
    assert python[at + 1].note and python[at + 1].links == python[at].links == (note.link,)
    assert "GB0025" in python[at + 1].text and sum(line.note for line in python) >= 1
    assert "dynamo/fixing-breaks/" in page(broken)


def test_names_of_variants_and_findings_are_escaped(broken: Pipeline) -> None:
    html = Explorer({EVIL: evil(broken), "plain": broken}).html()
    tags = [tag for tag, _ in Elements(html).elements]
    assert tags.count("script") == 2 and "img" not in tags
    assert "alert" not in "".join(Elements(html).texts["script"])
