"""In a browser: variants, side by side; boilerplate; findings; a page inside another; and a long pipeline."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

import programs
from accessible import looks
from compile_lessons.explorer import Explorer
from compile_lessons.explorer.differences import differences
from compile_lessons.explorer.sheet import sheet
from compile_lessons.facts import Pipeline

pytestmark = pytest.mark.browser

#: The places of the lines that are marked as different, each with its pane and variant.
DIFFERS = """() => [...document.querySelectorAll("main section")].flatMap((pane) =>
  [...pane.querySelectorAll(".l")].flatMap((line, at) =>
    (line.matches(".differs") ? [[pane.dataset.pane, Number(pane.parentElement.dataset.variant), at]] : [])))"""


@pytest.fixture(scope="module")
def address(step: Pipeline, on_gpu: Pipeline, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("variants") / "step.html"
    file.write_text(Explorer({"CPU": step, "H200": on_gpu}).html(), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def page(browser, address: str) -> Iterator[object]:
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert wrong == []


def test_the_file_has_the_fonts_of_the_site(page) -> None:
    loaded = "document.fonts.ready.then((fonts) => [...fonts].map((font) => [font.family, font.status, font.display]))"
    assert page.evaluate(loaded) == [["Inter", "loaded", "block"], ["JetBrains Mono", "loaded", "block"]]


def expected(one: Pipeline, other: Pipeline, both: bool) -> set[tuple[str, int, int]]:
    """The lines that differ, by the pane and the place in it."""
    found = set()
    for variant, (shown, places) in enumerate(
        zip((sheet(one), sheet(other)), differences(sheet(one), sheet(other)), strict=True)
    ):
        for name, part, at in places if both or variant else ():
            (pane,) = [pane for pane in shown.panes if pane.name == name]
            found.add((name, variant, at + sum(len(before.lines) for before in pane.parts[:part])))
    return found


def test_a_variant_is_chosen_and_what_differs_is_marked(page, step: Pipeline, on_gpu: Pipeline) -> None:
    assert page.evaluate(DIFFERS) == [] and page.locator("#beside").is_disabled()
    assert page.locator("#kernels").is_visible() and not page.locator("#kernels-1").is_visible()
    page.get_by_role("radio", name="H200").check()
    assert page.locator("#kernels-1").is_visible() and not page.locator("#kernels").is_visible()
    assert set(map(tuple, page.evaluate(DIFFERS))) == expected(step, on_gpu, both=False)
    page.get_by_label("beside CPU").check()
    assert set(map(tuple, page.evaluate(DIFFERS))) == expected(step, on_gpu, both=True)
    tops = [page.locator(f"#{name}").bounding_box() for name in ("dynamo", "dynamo-1")]
    assert tops[0]["y"] == tops[1]["y"] and tops[0]["x"] < tops[1]["x"]
    # Not by color alone.
    sign = "line => getComputedStyle(line, '::before').content"
    assert "≠" in page.locator("#kernels-1 .differs").first.evaluate(sign)
    link = page.url
    page.get_by_role("radio", name="CPU").check()
    assert page.evaluate(DIFFERS) == []
    page.goto("about:blank")
    page.goto(link)
    assert set(map(tuple, page.evaluate(DIFFERS))) == expected(step, on_gpu, both=True)


def test_a_line_of_python_lights_both_and_a_kernel_its_own(page) -> None:
    page.get_by_role("radio", name="H200").check()
    page.get_by_label("beside CPU").check()
    number = programs.line(programs.step, "relu")
    page.locator(f"#python [data-n='{number}']").click()
    assert page.locator("#dynamo .lit").count() == page.locator("#dynamo-1 .lit").count() > 0
    page.locator("#unpin").click()
    page.locator("#kernels-1 .l[data-a]").last.click()
    assert page.locator("[data-variant='0'] .lit:not(#python *)").count() == 0
    assert page.locator("#python .lit").count() == page.locator("#python-1 .lit").count() > 0


def test_boilerplate_is_folded_until_a_search_finds_something_in_it(page) -> None:
    assert not page.get_by_text("import tempfile").first.is_visible()
    page.locator("#search").fill("import tempfile")
    assert page.locator("#status").text_content() == "2 lines with import tempfile"
    page.locator("#search").press("Enter")
    assert page.get_by_text("import tempfile").first.is_visible()


def test_axe_finds_nothing_with_two_variants(page) -> None:
    page.get_by_role("radio", name="H200").check()
    page.get_by_label("beside CPU").check()
    for _ in looks(page, (1400, 320)):
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


def test_a_finding_leads_to_its_line(browser, broken: Pipeline, tmp_path: Path) -> None:
    (tmp_path / "broken.html").write_text(Explorer(broken).html(), encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "broken.html").as_uri())
    page.get_by_text("1 finding").click()
    page.locator(".place").click()
    line = programs.line(programs.with_a_break, "graph_break()")
    assert page.locator(".from").get_attribute("data-n") == str(line)
    assert "GB0025" in page.locator("#python .note").first.text_content()
    page.close()


def test_inside_a_page_it_takes_the_color_scheme_of_the_page(browser, on_gpu: Pipeline, tmp_path: Path) -> None:
    """Both ways to have it in a page: a file of its own, also where files are strangers to each other, and srcdoc."""
    (tmp_path / "own.html").write_text(Explorer(on_gpu).html(), encoding="utf-8")
    frames = '<iframe src="own.html" width=900 height=700></iframe>' + Explorer(on_gpu)._repr_html_()
    (tmp_path / "page.html").write_text(frames, encoding="utf-8")
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto((tmp_path / "page.html").as_uri())
    page.evaluate("[...document.querySelectorAll('iframe')].map((f) => f.contentWindow.postMessage('dark', '*'))")
    for frame in page.frames[1:]:
        frame.wait_for_selector("html.inside[data-scheme=dark]", state="attached")
        frame.locator("#python .l").nth(1).click()
        assert frame.locator("#dynamo .lit").count() > 0
        assert not frame.locator(".choice").evaluate("choice => choice.open")
    assert wrong == [] and len(page.frames) == 3
    page.close()


def long(pipeline: Pipeline, times: int) -> Pipeline:
    """The same with the source of each kernel so many times as long, all of it from one line of Python."""
    (frame,) = pipeline.frames
    lowered = tuple(
        dataclasses.replace(
            part,
            kernels=tuple(dataclasses.replace(one, source=one.source and one.source * times) for one in part.kernels),
        )
        for part in frame.graph.inductor
    )
    graph = dataclasses.replace(frame.graph, inductor=lowered)
    return dataclasses.replace(pipeline, frames=(dataclasses.replace(frame, graph=graph),))


def test_of_many_lines_those_in_sight_light_up_first(browser, step: Pipeline, tmp_path: Path) -> None:
    pipeline = long(step, 400)
    (tmp_path / "long.html").write_text(Explorer(pipeline).html(), encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "long.html").as_uri())
    assert page.locator(".l").count() > 20_000
    page.locator("#kernels .chunk").first.scroll_into_view_if_needed()
    number = programs.line(programs.step, "mean()")
    at_once = page.evaluate(
        """async (number) => {
          // The browser tells once in a frame what is in sight.
          for (let i = 0; i < 3; i++) await new Promise((done) => requestAnimationFrame(done));
          const line = document.querySelector(`#python [data-n="${number}"]`);
          line.dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse"}));
          const box = document.querySelector("#kernels .scroll").getBoundingClientRect();
          const seen = [...document.querySelectorAll("#kernels .l[data-a]")].filter((line) => {
            const own = line.getBoundingClientRect();
            return own.bottom > box.top && own.top < box.bottom;
          });
          const lit = document.querySelectorAll("#kernels .lit").length;
          return {lit, seen: seen.length, seenLit: seen.filter((line) => line.matches(".lit")).length,
                  busy: document.documentElement.hasAttribute("data-busy")};
        }""",
        number,
    )
    assert at_once["busy"] and at_once["seen"] == at_once["seenLit"] > 5
    page.wait_for_selector("html:not([data-busy])", state="attached")
    every = page.locator("#kernels .lit").count()
    assert every > 10_000 > at_once["lit"]
    page.close()
