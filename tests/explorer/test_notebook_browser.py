"""A notebook that shows pipelines, as nbconvert renders it, in a browser: frames that need no server, and paper."""

from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter

import compile_lessons.explorer  # noqa: F401  registers what a notebook shows of a pipeline
import programs
from compile_lessons.facts import Pipeline

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser, broken: Pipeline, step: Pipeline, tmp_path: Path):
    cells = [
        nbformat.v4.new_code_cell(
            "show(pipeline)",
            outputs=[nbformat.v4.new_output("display_data", {"text/html": pipeline._repr_html_(), "text/plain": ""})],
        )
        for pipeline in (step, broken)
    ]
    html, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=cells))
    (tmp_path / "notebook.html").write_text(html, encoding="utf-8")
    page = browser.new_page()
    page.route(
        "http*://**", lambda route: route.abort()
    )  # nbconvert's page asks for MathJax; the frames ask for nothing
    page.goto((tmp_path / "notebook.html").as_uri())
    yield page
    page.close()


def test_each_frame_is_an_explorer_of_its_own(page) -> None:
    _, one, other = page.frames
    line = one.locator(f'#python [data-n="{programs.line(programs.step, "relu")}"]')
    line.hover()
    assert one.locator("#dynamo .lit").count() > 0
    assert other.locator(".lit").count() == 0
    line.click()
    assert "pinned" in one.locator("#status").text_content()
    other.get_by_text("1 finding").click()
    lesson = other.get_by_role("listitem").get_by_role("link", name="lesson")
    assert lesson.get_attribute("target") == "_blank"


def test_code_in_a_frame_cannot_reach_the_notebook(page) -> None:
    for frame in page.frames[1:]:
        assert (
            frame.evaluate("() => { try { return parent.document.title } catch (e) { return e.name } }")
            == "SecurityError"
        )


def test_paper_shows_the_panes_as_text(page) -> None:
    frame, text = page.locator("iframe").first, page.locator(".compile-lessons-in-print").first
    assert frame.is_visible() and not text.is_visible()
    page.emulate_media(media="print")
    assert text.is_visible() and not frame.is_visible()
    assert "relu" in text.inner_text() and "async_compile.cpp_pybinding" in text.inner_text()
