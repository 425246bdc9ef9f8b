"""The built site in a real browser: it navigates, searches, switches, copies, and asks no other host for anything."""

import gzip
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_site import small_site

from accessible import AXE
from compile_lessons.course.site.pages import Embed, InlineValue, Use, read_pages
from compile_lessons.ground.project import CACHE_VARIABLE, Project

pytestmark = pytest.mark.browser


#: Looked at with every commit; all others at night.
ALWAYS = ("index.md", "pipeline/one-function.md", "reference/torch-compile.md")
DOCS = Path(__file__).parents[3] / "docs"
PAGES = [
    pytest.param(f"docs/{name}", marks=() if name in ALWAYS else pytest.mark.nightly, id=name.removesuffix(".md"))
    for name in sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
]
NOTEBOOKS = [
    pytest.param(f"docs/labs/notebooks/{name}.md", marks=() if name == "shapes" else pytest.mark.nightly, id=name)
    for name in sorted(path.stem for path in DOCS.glob("labs/*.ipynb"))
]


@pytest.mark.parametrize("name", PAGES + NOTEBOOKS)
def test_a_page_is_accessible_in_both_schemes(page, name: str) -> None:
    page.goto(address_of(name))
    page.evaluate(AXE)
    assert violations(page, "") == []
    page.evaluate("document.body.setAttribute('data-md-color-scheme', 'slate')")
    # A color that is inherited begins to fade when its parent's has ended.
    for _ in range(5):
        page.evaluate("document.getAnimations().forEach((fade) => fade.finish())")
    assert violations(page, "runOnly: ['color-contrast']") == []


def violations(page, options: str) -> list[str]:
    """The rules that axe finds broken, each with the first element that breaks it."""
    broken = page.evaluate(f"axe.run(document, {{resultTypes: ['violations'], {options}}})")["violations"]
    return [f"{rule['id']}: {rule['nodes'][0]['html'][:160]}" for rule in broken]


#: Where the page paints first, in ms, and how far its content moves afterwards.
PAINT = """() => new Promise((resolve, reject) => {
  let moved = 0;
  const each = (type, use) =>
    new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({type, buffered: true});
  each("layout-shift", (entry) => { moved += entry.value; });
  each("paint", (entry) => {
    if (entry.name === "first-contentful-paint") setTimeout(() => resolve([entry.startTime, moved]), 500);
  });
  setTimeout(() => reject(new Error("nothing was painted in 20 seconds")), 20000);
})"""


@pytest.mark.parametrize("width", [1440, pytest.param(375, marks=pytest.mark.nightly)])
def test_pages_paint_soon_and_stay_where_they_are(browser, address: str, site: Path, width: int) -> None:
    """Best of three, and on a busy machine beside a page that has next to nothing to paint."""
    (site / "nothing.html").write_text("<!doctype html><title>Nothing</title><p>Nothing.")

    def load(name: str) -> tuple[float, float]:
        context = browser.new_context(base_url=address, viewport={"width": width, "height": 900})
        page = context.new_page()
        page.goto(f"/{name}")
        paint, moved = page.evaluate(PAINT)
        context.close()
        return paint, moved

    for name in ("", "measure/models/", "reference/inductor-options/"):
        loads = []
        for _ in range(3):
            loads.append(load(name))
            if loads[-1][0] <= 1000 and loads[-1][1] <= 0.02:
                break
        paints, moves = zip(*loads, strict=True)
        assert min(moves) <= 0.02, name
        assert min(paints) <= 1000 or min(paints) <= 4 * load("nothing.html")[0], name


#: How far a page is wider than the screen, and the words of its titles that go on in the next line.
ON_A_PHONE = r"""() => {
  const broken = [];
  for (const title of document.querySelectorAll("article :is(h1, h2, h3)")) {
    const texts = document.createTreeWalker(title, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
      for (const word of text.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word[0]);
      }
    }
  }
  return [document.documentElement.scrollWidth - innerWidth, broken];
}"""


@pytest.mark.nightly
@pytest.mark.parametrize("width", [375, 320])
def test_pages_fit_a_phone(page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in sorted(DOCS.rglob("*.md")):
        name = path.relative_to(DOCS).as_posix()
        page.goto(address_of(f"docs/{name}"))
        assert page.evaluate(ON_A_PHONE) == [0, []], name


@pytest.mark.parametrize("width", [1440, 375])
def test_the_button_to_the_top_is_a_button_in_the_corner(page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(address_of("docs/pipeline/one-function.md"))
    page.mouse.move(width // 2, 400)
    page.mouse.wheel(0, 3000)
    page.wait_for_function("scrollY > 1000")
    page.mouse.wheel(0, -400)
    page.wait_for_selector(".md-top:not([hidden])")
    box = page.locator(".md-top").bounding_box()
    assert box["height"] < 60 and box["y"] > 700 and box["x"] > width / 2


#: How far the names of the columns are below the top of their table, and where they are once its middle is reached.
HEADS = """() => [...document.querySelectorAll("table[data-filter]")].map((table) => {
  const [head, rows] = [table.querySelector("th"), [...table.querySelectorAll("tbody tr:not([hidden])")]];
  window.scrollTo(0, 0);
  const below = Math.round(head.getBoundingClientRect().top - table.getBoundingClientRect().top);
  window.scrollTo(0, rows[rows.length >> 1].getBoundingClientRect().top - 300);
  return [below, head.getBoundingClientRect().top > 40 && head.getBoundingClientRect().top < 300];
})"""


def test_the_names_of_columns_stay_in_sight_and_cover_no_row(page) -> None:
    page.goto("/reference/torch-compile/")
    assert_that_heads_stay(page)


def assert_that_heads_stay(page) -> None:
    for width in (768, 1280, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        assert {tuple(head) for head in page.evaluate(HEADS)} == {(0, True)}, width


#: Pixels between the name of a column and the text of its cell, for each cell.
GAPS_AFTER_LABELS = """cells => cells.map((cell) => {
  const label = getComputedStyle(cell, "::before");
  const drawn = document.createElement("canvas").getContext("2d");
  drawn.font = label.font;
  const longest = Math.max(...cell.dataset.column.split(" ").map((word) => drawn.measureText(word).width));
  return parseFloat(label.width) + parseFloat(label.marginRight) - longest;
})"""


def test_the_names_of_columns_stand_beside_their_cells_on_a_phone(page) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    for path in ("/", "/dynamo/graph-break-causes/", "/production/wrong-results/"):
        page.goto(path)
        cells = page.locator('table[data-labels="beside"] td + td[data-column]:not([data-key], [data-short]):visible')
        gaps = cells.evaluate_all(GAPS_AFTER_LABELS)
        assert gaps and min(gaps) > 0, path


def test_the_cells_that_tell_rows_apart_are_their_title_on_a_phone(page) -> None:
    """Pairs of nodes have the first cell in common with others: both cells are the title. Short ones share a line."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/inductor/fusion/")
    row = page.locator(".snippet:has-text('decisions.py') table[data-stack] tbody tr").first
    assert row.locator("[data-key]").all_inner_texts() == ["op0", "op2"]
    assert row.locator("[data-short]").all_inner_texts() == ["yes", "yes"]
    first, second, fused, one_kernel, why = [row.locator("td").nth(column).bounding_box() for column in range(5)]
    assert first["y"] == second["y"] < fused["y"] == one_kernel["y"] < why["y"]


def test_a_command_is_seen_whole_on_a_phone_and_can_be_copied(browser, address: str) -> None:
    context = browser.new_context(
        base_url=address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    page.goto("/reference/explain/")
    commands = page.locator(".language-sh")
    assert commands.locator("code").evaluate_all("all => all.every((code) => code.scrollWidth <= code.clientWidth)")
    assert commands.first.locator("button").is_visible()
    context.close()


def test_a_task_is_read_in_paragraphs_on_a_phone(page) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto("/labs/read-the-guards/")
    lines = page.locator(".snippet-source").first.locator(".sd").all_inner_texts()
    assert any(line.startswith("1. Replace") and line.endswith("any numbers.") for line in lines)
    assert any(line.startswith("2. Write") for line in lines) and lines[-1] == '"""'


#: Whether the table of a box goes on beyond its edge, and whether the box says so.
GOES_ON = """boxes => boxes.filter((box) => box.querySelector("table")).map((box) => [
  box.scrollWidth > box.clientWidth, getComputedStyle(box, "::before").content !== "none"])"""


def test_a_table_that_goes_on_beyond_a_phone_says_so(page) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    for path in ("/gpu/times/", "/measure/models/"):
        page.goto(path)
        page.locator("[data-more]").first.wait_for()  # an observer sets it
        boxes = page.locator(".snippet-rich:visible").evaluate_all(GOES_ON)
        assert any(goes_on for goes_on, _ in boxes), path
        assert all(goes_on == says_so for goes_on, says_so in boxes), path
        page.set_viewport_size({"width": 700, "height": 375})  # turned, some of them fit
        boxes = f"({GOES_ON})([...document.querySelectorAll('.snippet-rich')])"
        page.wait_for_function(f"{boxes}.every(([goes_on, says_so]) => goes_on == says_so)")
        page.set_viewport_size({"width": 375, "height": 800})


#: What is cut or left out on paper: boxes that are wider than their place, and parts of folded boxes without a height.
LOST_IN_PRINT = """() => [
  ...[...document.querySelectorAll("article :is(pre > code, .snippet-rich, .md-typeset__scrollwrap)")].filter(
    (box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1),
  ...[...document.querySelectorAll(
    "article details:not(.snippet-checks, .snippet-provenance:not(.recorded)) > :not(summary)")].filter(
    (part) => !part.checkVisibility({contentVisibilityAuto: true}) || !part.getBoundingClientRect().height),
].map((box) => box.outerHTML.slice(0, 160))"""


def test_columns_keep_their_lines_on_a_phone(page) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto("/gpu/cuda-graphs/")
    wrapping = "blocks => blocks.map((block) => getComputedStyle(block).whiteSpace)"
    assert set(page.locator(".snippet-aligned > code").evaluate_all(wrapping)) == {"pre"}
    assert set(page.locator(".snippet-output pre:not([class]) > code").evaluate_all(wrapping)) == {"pre-wrap"}


#: The text of the first output whose lines wrap, and what is copied if all of it is selected.
COPIED = """() => {
  const code = document.querySelector('.snippet-output pre:not(.snippet-tree) > code:has([style^="--text"])');
  getSelection().selectAllChildren(code);
  return [code.textContent.trimEnd(), getSelection().toString().trimEnd()];
}"""


def test_a_message_that_wraps_is_copied_in_its_own_lines(page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/fix/breaks/")
    text, copied = page.evaluate(COPIED)
    assert copied == text and max(map(len, text.splitlines())) > 100


def test_paper_has_all_of_a_page_and_is_light(page) -> None:
    page.set_viewport_size({"width": 700, "height": 900})  # about A4 without its margins
    for path in ("/pipeline/one-function/", "/measure/models/"):
        page.goto(path)
        page.emulate_media(media="print")
        assert page.evaluate(LOST_IN_PRINT) == [], path
        paper = page.evaluate("getComputedStyle(document.querySelector('article code')).color")
        page.evaluate("document.body.setAttribute('data-md-color-scheme', 'slate')")
        settle(page)  # a color fades
        assert page.evaluate("getComputedStyle(document.querySelector('article code')).color") == paper
        page.emulate_media(media="screen")


def test_home_is_light(page) -> None:
    """All that the home page loads; the index of the search waits until that is opened."""
    sizes: dict[str, int] = {}
    page.on(
        "requestfinished", lambda request: sizes.update({request.url: len(gzip.compress(request.response().body()))})
    )
    page.goto("/", wait_until="networkidle")
    assert len(sizes) >= 7 and not any("/search/" in url for url in sizes)
    assert sum(sizes.values()) <= 250 * 1024
    fonts = page.evaluate("[...document.fonts].map((font) => [font.family, font.status])")
    assert fonts == [["Inter", "loaded"], ["JetBrains Mono", "loaded"]]


def test_what_is_marked_as_done_stays_until_forgotten(page) -> None:
    page.goto("/dynamo/guards/")
    marks = page.locator(".md-nav--primary .done-mark")
    assert marks.count() == 0 and page.locator(".progress").count() == 0
    box = page.locator(".lesson-done input")
    box.focus()
    page.keyboard.press("Space")
    assert marks.evaluate("mark => mark.parentElement.textContent.trim()").startswith("Guards")
    page.goto("/dynamo/recompiles/")
    assert marks.count() == 1 and page.locator(".progress").inner_text() == "1 done. Forget"
    page.goto("/")
    counted = page.locator(".progress").inner_text()
    assert re.fullmatch(r"1 of \d+ lessons done\. Continue with Recompiles\. Forget", counted)
    page.evaluate(AXE)
    assert violations(page, "") == []
    page.locator(".progress button").click()
    assert page.locator(".progress").inner_text() == "Forgotten."
    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('done'))") == []


def test_the_first_page_of_learn_has_a_box_for_each_lesson(page) -> None:
    page.goto("/learn/")
    boxes = page.locator(".steps input")
    assert boxes.count() == page.locator(".steps li > a:first-of-type").count() > 45
    assert page.locator(".steps :checked, .done-count:not(:empty)").count() == 0
    page.get_by_role("checkbox", name="Done: Guards").press("Space")
    page.get_by_role("checkbox", name="Done: Lab 6: Stop the recompiles").click()
    page.reload()
    assert page.locator(".steps :checked").count() == 2
    assert page.locator(".done-count:not(:empty)").all_inner_texts() == [" 2 of 15 done."]
    assert page.locator(".progress").inner_text() == "2 done. Continue with Backends. Forget"
    page.goto("/labs/stop-the-recompiles/")
    page.get_by_role("checkbox", name="I have done this lab").uncheck()
    page.go_back()
    page.wait_for_url("**/learn/")
    assert page.locator(".steps :checked").count() == 1


def test_a_page_says_which_kind_it_is(page) -> None:
    kinds = {
        "/dynamo/guards/": "Learn",
        "/dynamo/tracing/": "In depth",
        "/fix/recompiles/": "Fix",
        "/reference/guards/": "Reference",
    }
    for address, kind in kinds.items():
        page.goto(address)
        assert page.locator(".md-path__item").first.inner_text() == kind


def test_no_code_is_cut_on_a_wide_screen(page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/measure/decoding/")
    page.locator("pre > code.snippet-narrow").first.wait_for(state="attached")
    cut = (
        "[...document.querySelectorAll('article pre > code')].filter((code) => code.scrollWidth > code.clientWidth + 2)"
    )
    assert page.evaluate(f"{cut}.filter((code) => !code.closest('details:not([open])')).length") == 0


def test_without_storage_nothing_is_marked_and_nothing_breaks(page) -> None:
    page.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); }")
    page.goto("/dynamo/guards/")
    page.locator(".lesson-done input").click()
    assert page.locator(".lesson-done :checked, .done-mark").count() == 0


def test_a_site_without_a_server_is_read_from_its_files(browser, tmp_path: Path, small_site_cache: Path) -> None:
    project = small_site(tmp_path)
    env = {**os.environ, CACHE_VARIABLE: str(small_site_cache), "OFFLINE": "true"}
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "-q", "--strict"], cwd=project.root, env=env, check=True)
    page = browser.new_page()
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((project.root / "site" / "index.html").as_uri())
    page.locator("a.md-footer__link--next").press("Enter")  # unlike a click, it can't miss
    page.wait_for_url("**/part/more.html")
    assert "first <line>" in page.locator("article").inner_text()
    page.keyboard.press("Control+k")
    page.locator("input.md-search__input").fill("home")  # in one step: no row of "hom" is replaced under the click
    page.locator(".md-search-result__link", has_text="Home").first.click()
    page.wait_for_url("**/index.html*")
    assert asked and all(url.startswith(("file:", "data:", "blob:")) for url in asked)
    assert errors == []
    page.close()


def test_enter_opens_the_best_result_and_an_id_has_its_row(page) -> None:
    page.goto("/")
    field = page.locator("input.md-search__input")
    field.fill("recompile_limit")  # an event of input without a key, as after a paste
    page.wait_for_selector(".md-search-result__link")
    assert not page.locator(".search-row").is_visible()
    field.press("Enter")
    page.wait_for_url("**/dynamo/recompile-limit/**")
    field.fill("gb59")
    row = page.locator(".search-row")
    assert row.inner_text().startswith("GB0059 in the table of graph breaks")
    field.press("Enter")
    page.wait_for_url("**/reference/graph-breaks/#gb0059")
    field.fill("torch._dynamo.exc.Unsupported: Attempted to call function marked as skipped")
    page.locator(".search-row", has_text="GB0007").wait_for()
    field.fill("ERROR: No working C++ compiler found in torch._inductor.config")
    page.locator(".search-row", has_text="No working C++ compiler found").wait_for()
    field.fill("torch._inductor.config.fx_graph_cache = False")
    page.locator(".search-row", has_text="fx_graph_cache: Inductor options").wait_for()
    field.fill("backend inductor")  # no message, although a backend's name is in it
    page.wait_for_selector(".search-row", state="detached")
    field.fill("ERROR: No working C++ compiler found in torch._inductor.config")
    field.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/pipeline/backends/#fix-without-a-c-compiler")
    field.fill("zzqx")
    page.locator(".search-nothing a", has_text="symptoms").click()
    page.wait_for_url("**/fix/")


def test_ctrl_k_opens_the_search_which_finds_a_term_of_the_field(page) -> None:
    page.goto("/")
    page.keyboard.press("Control+k")
    page.keyboard.insert_text("graph break")  # in one step: no results of half a word
    hit = page.locator("a.md-search-result__link:visible", has_text="graph break").first
    with page.expect_navigation():
        hit.click()
    assert "graph break" in page.locator("article").inner_text().lower()


def test_tabs_show_the_source_then_the_output(page, course: Project) -> None:
    with_tabs = next(use for use in uses(course, Embed) if use.what.show == "tabs")
    page.goto(address_of(with_tabs.page))
    tabs = page.locator(".tabbed-set").first
    assert tabs.locator(".snippet-source").is_visible()
    assert not tabs.locator(".snippet-output").is_visible()
    tabs.locator("label", has_text="Output").click()
    tabs.locator(".snippet-output").wait_for(state="visible")
    assert not tabs.locator(".snippet-source").is_visible()


def test_copy_button_copies_the_source_without_line_numbers(page, course: Project) -> None:
    embed = next(use for use in uses(course, Embed) if use.what.show in ("both", "source"))
    page.goto(address_of(embed.page))
    block = page.locator(".snippet-source .highlight").first
    block.hover()
    block.locator("button[data-clipboard-target], button.md-clipboard, [data-md-type=copy]").first.click()
    copied = page.evaluate("navigator.clipboard.readText()")
    compile(copied, "copied from the page", "exec")
    shown = re.sub(r"\n{3,}", "\n\n", (course.snippets / embed.name).read_text())  # one empty line between functions
    assert copied.strip() in shown


def test_value_in_a_sentence_comes_from_the_record(page, course: Project) -> None:
    embed = next(uses(course, InlineValue))
    page.goto(address_of(embed.page))
    value = page.locator(".snippet-value").first
    assert value.inner_text() not in ("", "?", "…")
    assert value.get_attribute("title").startswith("snippets/")


def test_a_term_shows_its_definition_on_focus_and_leads_to_the_glossary(page) -> None:
    page.goto("/dynamo/guards/")
    term = page.locator('a.term[href$="#guard"]').first
    term.focus()
    page.locator(".md-tooltip2--active", has_text="A condition that must hold").wait_for()
    term.press("Enter")
    page.wait_for_url("**/reference/glossary/#guard")
    assert page.locator("dt#guard").is_visible()


def test_the_menu_of_a_phone_is_used_by_keyboard(page) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto("/pipeline/one-function/")
    menu = page.get_by_role("button", name="Menu", exact=True)
    for key in ("Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    assert menu.get_attribute("aria-expanded") == "true"
    settle(page)  # the panel slides in
    assert focused(page)[0] == "One function"
    page.evaluate(AXE)
    assert violations(page, "") == []
    seen = [focused(page, "Tab") for _ in range(17)]
    assert {name for name, _ in seen} >= {"Close the menu", "One evening", "Backends"}
    assert [name for name, hidden in seen if hidden] == []

    page.locator("button.md-nav__title", has_text="One evening").press("Enter")
    settle(page)
    assert focused(page)[0] == "One evening"
    assert focused(page, "Shift+Tab") == ["Gallery: twelve functions", False]
    page.locator("button.md-nav__link", has_text="One evening").press("Enter")
    page.locator("button.md-nav__link", has_text="One function").press("Enter")
    settle(page)
    assert focused(page)[0] == "In short"
    page.keyboard.press("Escape")
    assert menu.get_attribute("aria-expanded") == "false" and focused(page)[0] == "Menu"
    assert page.evaluate("document.querySelector('[inert]:not(.md-overlay)')") is None


def settle(page) -> None:
    """Wait until nothing slides or fades any more."""
    page.wait_for_function("document.getAnimations().every((each) => each.playState !== 'running')")


def focused(page, key: str | None = None) -> list[object]:
    """The name of what has the focus, after a key, and whether something else lies on all of it."""
    if key:
        page.keyboard.press(key)
    return page.evaluate("""() => {
      const element = document.activeElement;
      if (element === document.body) return ["the browser itself", false];
      const {left, top, right, bottom} = element.getBoundingClientRect();
      const points = [left + 2, right - 2].map((x) => document.elementFromPoint(x, (top + bottom) / 2));
      const name = element.getAttribute("aria-label") ?? element.textContent.trim();
      return [name, !points.some((point) => element.contains(point))];
    }""")


#: What has the focus and nothing that shows it: neither its own outline nor that of its label or its tab.
WITHOUT_A_RING = """() => {
  let element = document.activeElement;
  while (element.contentDocument) element = element.contentDocument.activeElement;  // in an explorer
  if (element.matches("body")) return null;
  const rings = [getComputedStyle(element)];
  if (element.matches(".md-option")) rings[0] = getComputedStyle(element.nextElementSibling);
  const tabs = element.parentElement.querySelector(":scope > .tabbed-labels");
  const frame = tabs && getComputedStyle(tabs, "::before");
  if (frame && frame.borderTopStyle === "solid" && frame.borderTopWidth !== "0px") return null;
  if (rings.some((style) => style.outlineStyle !== "none" && style.outlineWidth !== "0px")) return null;
  return element.outerHTML.slice(0, 120);
}"""


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [("", 1440, "light"), ("reference/corrections/", 375, "dark"), ("dynamo/guards/", 1440, "dark")],
)
def test_the_focus_is_seen(page, name: str, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"/{name}")
    unseen = []
    for _ in range(60):
        page.keyboard.press("Tab")
        unseen.append(page.evaluate(WITHOUT_A_RING))
    assert set(unseen) == {None}


BACKGROUND = "getComputedStyle(document.body).backgroundColor"


def test_the_scheme_follows_the_system_until_one_is_chosen(page) -> None:
    scheme, body = page.locator("input.md-option:checked"), page.locator("body")
    for system, background in (("dark", "slate"), ("light", "default"), ("dark", "slate")):  # also at a later visit
        page.emulate_media(color_scheme=system)
        page.goto("/compare/")
        assert page.title() == "How torch.compile compares - Inside torch.compile"
        assert scheme.get_attribute("aria-label") == "The system's color scheme"
        assert body.get_attribute("data-md-color-scheme") == background
    scheme.press("Space")
    assert scheme.get_attribute("aria-label") == "Light color scheme"
    assert body.get_attribute("data-md-color-scheme") == "default"
    settle(page)
    light = page.evaluate(BACKGROUND)
    scheme.press("Enter")
    assert body.get_attribute("data-md-color-scheme") == "slate"
    settle(page)
    assert page.evaluate(BACKGROUND) != light
    page.goto("/dynamo/guards/")
    assert scheme.get_attribute("aria-label") == "Dark color scheme"
    for background in ("slate", "default"):  # with the mouse: the system's, which is dark, and light
        page.locator("label[for^=__palette_]:visible").click()
        assert body.get_attribute("data-md-color-scheme") == background


def test_screen_readers_get_names_and_messages(page, site: Path) -> None:
    assert "<title>Page not found - Inside torch.compile</title>" in (site / "404.html").read_text(encoding="utf-8")
    page.goto("/aot/partition/")
    landmarks = page.get_by_role("navigation").evaluate_all("all => all.map(nav => nav.getAttribute('aria-label'))")
    assert "Train models pages" in landmarks and not [name for name in landmarks if "Code block" in name]
    drawings = page.locator("article svg[role=img]").evaluate_all(
        "all => all.map(svg => svg.getAttribute('aria-label'))"
    )
    assert drawings == [f"What crosses the cut under each partitioner, {number} of 2" for number in (1, 2)]
    assert page.locator(".md-dialog[role=status], .md-search-result__meta[role=status]").count() == 2
    current = page.locator("[aria-current=page]:visible")
    assert current.inner_text() == "Saved for backward"
    unnamed = page.locator("article :is(code, div)[tabindex='0']:not([role=group][aria-label]):visible")
    assert unnamed.count() == 0
    page.goto("/aot/joint-graph/")
    assert unnamed.count() == 0 and page.locator("article code[role=group]").count() > 0

    page.goto("/reference/torch-compile/")
    links = page.locator("a[data-lesson]").evaluate_all("all => all.map(link => link.getAttribute('aria-label'))")
    assert links and all(re.fullmatch(r"lesson: [a-z]+/[a-z-]+", link) for link in links)
    page.evaluate(AXE)
    assert violations(page, "runOnly: ['target-size']") == []


def test_a_tooltip_stays_under_the_pointer_until_escape(page) -> None:
    page.goto("/dynamo/guards/")
    term = page.locator("a.term").first
    tooltip = page.locator(".md-tooltip2--active > .md-tooltip2__inner")
    term.hover()
    tooltip.wait_for()
    settle(page)  # it slides into its place
    start, end = term.bounding_box(), tooltip.bounding_box()
    x = start["x"] + start["width"] / 2
    for y in range(int(start["y"] + start["height"] / 2), int(end["y"] + 10), 4):
        page.mouse.move(x, y)
        page.wait_for_timeout(50)
    page.wait_for_timeout(700)  # without a pointer on it, it would be gone
    assert tooltip.count() == 1
    page.keyboard.press("Escape")
    assert tooltip.count() == 0


def test_one_field_filters_all_corrections_on_a_phone_too(page) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto("/reference/corrections/")
    assert page.evaluate(ON_A_PHONE) == [0, []]
    rows = page.locator("tbody > tr:visible")
    total = rows.count()
    page.locator(".table-filter").fill("thread safe")
    assert total >= 40 and 1 <= rows.count() <= 3


def test_a_message_that_is_pasted_whole_finds_the_row_that_quotes_it(page) -> None:
    page.goto("/reference/messages/")
    table = page.locator("table", has_text="the message contains")
    rows = table.locator("tbody > tr:visible")
    table.locator("xpath=preceding::input[1]").fill("RuntimeError: Hard failure due to fullgraph=True")
    assert [row.split("\t")[0] for row in rows.all_inner_texts()] == ["Hard failure due to fullgraph=True"]
    page.locator("#classes").scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 2000)")
    assert page.locator(".table-filter").first.bounding_box()["y"] < 0  # it doesn't stay over what follows the table


def test_the_row_of_the_name_that_was_typed_comes_first(page) -> None:
    page.goto("/reference/inductor-options/")
    names = page.locator("tbody > tr:visible > td:first-child code")
    first = names.first.inner_text()
    page.locator(".table-filter").fill("max_autotune")
    assert names.count() > 3 and names.first.inner_text() == "max_autotune"
    page.locator(".table-filter").fill("")
    assert names.first.inner_text() == first


def test_a_filter_leaves_the_head_of_the_table_in_sight(page) -> None:
    page.goto("/reference/graph-breaks/")
    assert_that_heads_stay(page)
    page.set_viewport_size({"width": 1280, "height": 720})
    cells = "[...document.querySelectorAll('td:first-child')].filter((td) => td.scrollWidth > td.clientWidth).length"
    assert page.evaluate(cells) == 0, "an id and the link to its lesson run into the next column"
    page.evaluate("scrollBy(0, 9000)")
    page.locator(".table-filter").fill("gb59")
    field, head = page.locator(".table-filter").bounding_box(), page.locator("th", has_text="id").first.bounding_box()
    assert field["y"] > 0 and field["y"] + field["height"] <= head["y"] < 300


def test_a_long_table_fits_a_phone_and_begins_with_its_first_rows(page) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto("/reference/graph-breaks/")
    assert page.evaluate(ON_A_PHONE) == [0, []]
    rows = page.locator("tbody:has(tr[id]) > tr:visible")
    assert rows.count() == 20
    page.locator(".table-filter").fill("gb0170")
    assert rows.count() < 20
    page.locator(".table-filter").fill("")
    page.locator(".table-more").click()
    assert rows.count() > 500 and not page.locator(".table-more").is_visible()
    page.goto("about:blank")
    page.goto("/reference/graph-breaks/#gb0170")
    in_sight = "() => [...document.querySelectorAll('#gb0170')].some(({ offsetTop }) => offsetTop)"
    page.wait_for_function(in_sight)
    assert 0 < page.locator("#gb0170").bounding_box()["y"] < 800


def uses(course: Project, kind: type) -> Iterator[Use]:
    return (use for use in read_pages(course)[0] if isinstance(use.what, kind))


def address_of(page: str) -> str:
    """``docs/dynamo/guards.md`` as the built site names it."""
    return re.sub(r"/index/$", "/", f"/{page.removeprefix('docs/').removesuffix('.md')}/")
