"""In a browser: what lights up is what the facts say, by mouse, keyboard and touch; nothing is asked of anybody."""

from collections.abc import Iterator

import pytest
from reach import Reach

import programs
from accessible import looks
from compile_lessons import explorer
from compile_lessons.explorer.links import links
from compile_lessons.explorer.panes import PaneLine, panes
from compile_lessons.facts import Pipeline

pytestmark = pytest.mark.browser

#: The lines that are lit, each with its pane and its place in it.
LIT = """() => [...document.querySelectorAll("main section")].flatMap((pane) =>
  [...pane.querySelectorAll(".l")].flatMap((line, at) => (line.matches(".lit") ? [[pane.id, at]] : [])))"""


@pytest.fixture(scope="module")
def address(on_gpu: Pipeline, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("explorer") / "step.html"
    file.write_text(explorer.page(on_gpu), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def opened(browser, address: str) -> Iterator[object]:
    """The page, loaded once; it must write no error and ask for nothing but itself."""
    context = browser.new_context(
        viewport={"width": 1400, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
    )
    page = context.new_page()
    wrong: list[str] = []
    page.on("request", lambda request: request.url.startswith(address) or wrong.append(request.url))
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(address)
    yield page
    context.close()
    assert wrong == []


@pytest.fixture
def page(opened):
    """The page as it is at first: nothing pinned, no search, and its own choice of panes."""
    opened.mouse.move(1, 1)
    opened.keyboard.press("Escape")
    opened.set_viewport_size({"width": 1400, "height": 900})
    return opened


def flat(pipeline: Pipeline) -> dict[tuple[str, int], PaneLine]:
    return {
        (pane.name, at): line
        for pane in panes(pipeline)
        for at, line in enumerate(line for part in pane.parts for line in part.lines)
    }


def expected(pipeline: Pipeline, pane: str, at: int) -> list[list[object]]:
    lines = flat(pipeline)
    # A line that stands for several nodes leads to what any of them leads to.
    found = Reach(links(pipeline)).of(lines[pane, at].links)
    return [[pane, at] for (pane, at), line in lines.items() if found & set(line.links)]


def lines_of(page, pane: str):
    return page.locator(f"#{pane} .l")


@pytest.mark.parametrize("pane", ["python", "dynamo", "forward", "kernels", "ptx"])
def test_pointing_lights_what_the_facts_link(page, on_gpu: Pipeline, pane: str) -> None:
    linked = {link for pair in links(on_gpu) for link in pair}
    places = [at for (name, at), line in flat(on_gpu).items() if name == pane and linked & set(line.links)]
    for at in (places[0], places[len(places) // 2], places[-1]):
        lines_of(page, pane).nth(at).hover()
        assert page.evaluate(LIT) == expected(on_gpu, pane, at)
    # Each pane that has a lit line shows one.
    assert page.evaluate("""() => [...document.querySelectorAll("main section:not([hidden])")].every((pane) => {
      const lit = [...pane.querySelectorAll(".lit")];
      const box = (element) => element.getBoundingClientRect();
      const all = box(pane.querySelector(".scroll"));
      return !lit.length || lit.some((line) => box(line).bottom > all.top && box(line).top < all.bottom);
    })""")


def test_a_line_is_pinned_and_the_address_brings_it_back(page, on_gpu: Pipeline, address: str) -> None:
    at = next(at for (pane, at), line in flat(on_gpu).items() if pane == "python" and "relu" in line.text)
    lines_of(page, "python").nth(at).click()
    pinned = page.evaluate(LIT)
    assert pinned == expected(on_gpu, "python", at)
    lines_of(page, "dynamo").last.hover()
    assert page.evaluate(LIT) == pinned
    assert page.locator("#status").text_content().startswith(f"Python {programs.line(programs.step, 'relu')}, pinned: ")
    page.locator("[value=sass]").check()
    link = page.url
    page.locator("[value=sass]").uncheck()
    page.keyboard.press("Escape")
    assert page.evaluate(LIT) == []
    page.goto(link)  # another fragment of the same document
    assert page.evaluate(LIT) == pinned and page.locator("#sass").is_visible()
    page.locator("[value=sass]").uncheck()
    page.locator("#unpin").click()
    assert page.evaluate(LIT) == []


def test_keys_do_what_the_mouse_does(page, on_gpu: Pipeline) -> None:
    page.locator("#python .copy").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    first, second = [at for (pane, at), line in flat(on_gpu).items() if pane == "python" and line.number][:2]
    assert page.evaluate(LIT) == expected(on_gpu, "python", second) and first == 0
    page.keyboard.press("Enter")
    pinned = page.evaluate(LIT)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.closest('section').id") == "dynamo"
    assert page.evaluate("document.activeElement.matches('.lit')")
    assert page.evaluate(LIT) == pinned
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('#forward .widen')")


def test_a_pane_is_widened_and_its_lines_wrap(page) -> None:
    pane, lines = page.locator("#forward"), page.locator("#forward pre").first
    before, long = pane.bounding_box()["width"], lines.bounding_box()["width"]
    pane.locator(".widen").click()
    assert pane.bounding_box()["width"] > 1.5 * before
    pane.locator(".widen").click()
    pane.locator(".wrap").click()
    assert pane.locator(".wrap").get_attribute("aria-pressed") == "true" and pane.bounding_box()["width"] == before
    assert lines.bounding_box()["width"] <= before < long
    pane.locator(".wrap").click()
    assert lines.bounding_box()["width"] == long
    assert pane.locator("i[title]").first.text_content().startswith("aten.")


def test_search_copy_and_lines_without_a_link(page, on_gpu: Pipeline) -> None:
    page.locator("#search").fill("TL.STORE")
    assert page.locator("#status").text_content() == "2 lines with TL.STORE"
    page.keyboard.press("Enter")
    assert "tl.store" in page.locator(".from").text_content()
    assert page.locator("#status").text_content().startswith("line 1 of 2 with TL.STORE. Triton ")
    page.locator("#search").fill("")
    page.keyboard.press("Escape")
    page.locator("#dynamo .copy").click()
    assert page.evaluate("navigator.clipboard.readText()").strip() == on_gpu.graphs[0].dynamo.code.strip()
    lines_of(page, "dynamo").first.click(force=True)
    assert page.locator("#status").text_content() == "Torch recorded no link for this line."


def test_nothing_keeps_people_from_reading_it(page) -> None:
    lines_of(page, "python").nth(1).click()
    for _ in looks(page, (1400, 320)):
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    # Not by color alone: a lit line has a sign before its number, which is transparent on all others.
    sign = "(line) => [getComputedStyle(line, '::after').content, getComputedStyle(line, '::after').color]"
    lit, other = (page.locator(f"#dynamo .l[data-a]{which}").first.evaluate(sign) for which in (".lit", ":not(.lit)"))
    assert lit[0] == other[0] == '"▸"' and other[1] == "rgba(0, 0, 0, 0)" != lit[1]
    # Where the system chooses the colors, the signs and edges of all other lines are as unseen.
    page.emulate_media(color_scheme="dark", forced_colors="active")
    seen = """(line) => {
      const back = getComputedStyle(document.body).backgroundColor;
      return [getComputedStyle(line, "::after").color, getComputedStyle(line).borderLeftColor].map((it) => it !== back);
    }"""
    lit, other = (page.locator(f"#dynamo .l[data-a]{which}").first.evaluate(seen) for which in (".lit", ":not(.lit)"))
    page.emulate_media(forced_colors="none")
    assert (lit, other) == ([True, True], [False, False])


def test_a_finger_pins_and_nothing_moves_away_under_it(browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(address)
    line = lines_of(page, "python").nth(1)
    before = line.bounding_box()
    line.tap()
    assert line.evaluate("line => line.matches('.pinned')")
    assert line.bounding_box() == before
    context.close()


def test_it_reads_without_javascript(browser, address: str, on_gpu: Pipeline) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(address)
    assert [page.locator(f"#{pane.name} .scroll > pre").first.is_visible() for pane in panes(on_gpu)] == [True] * 16
    assert not page.locator(".controls").is_visible() and not page.locator(".copy").first.is_visible()
    assert page.locator("#ptx").inner_text().count("st.global") >= 2
    context.close()
