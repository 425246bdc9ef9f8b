"""Searches in the built site, asked of its worker in a browser."""

import gzip
import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

#: Symbols of torch that a lesson uses.
SYMBOLS = """
    recompile_limit WeakDep mark_dynamic set_stance allow_in_graph fullgraph GB0170 nonstrict_trace bisector while_loop
    custom_op is_compiling substitute_in_graph suppress_errors reduce-overhead max-autotune aot_function
    min_cut_rematerialization_partition activation_memory_budget guard_filter_fn shapes_spec nonzero
    reorderable_logging_functions nested_graph_breaks FakeTensor VariableTracker cudagraphs list_backends
    isolate_recompiles allow_unspec_int_on_nn_module trace_autograd_ops compiled_autograd do_bench multi_kernel
    SHAPE_ENV TENSOR_MATCH opcheck functionalization capture_scalar_outputs error_on_graph_break recompiles
"""

#: What readers type or paste, and the pages or sections for it, of which one comes first.
SEARCHES: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("searches.toml").read_text(encoding="utf-8")
)
PHRASES, QUESTIONS, OPENED, PASTED = (SEARCHES[name] for name in ("phrases", "questions", "opened", "pasted"))

#: Whole words, and what one types before them.
WORDS = ["call", "run", "runtime", "line", "linear", "gb", *"abcdefghijklmnopqrstuvwxyz0123456789"]

ASK = """async ([worker, queries]) => {
  const index = await (await fetch("/search/search_index.json")).json();
  const search = new Worker(worker);
  const ask = (message, type) => new Promise((resolve) => {
    search.onmessage = ({data}) => { if (data.type === type && !data.data?.more) resolve(data.data); };
    search.postMessage(message);
  });
  await ask({type: 0, data: {config: index.config, docs: index.docs, options: {suggest: false}}}, 1);
  const first = {};
  for (const query of queries) {
    const {items} = await ask({type: 2, data: query}, 3);
    first[query] = items.length ? items[0][0].location.split("#")[0] : null;
  }
  return first;
}"""


@pytest.fixture(scope="module")
def first(browser, address: str, site: Path) -> dict[str, str | None]:
    """The page that each query leads to first; none where nothing is found."""
    [worker] = site.glob("assets/javascripts/workers/search.*.js")
    page = browser.new_page(base_url=address)
    page.goto("/")
    queries = [*SYMBOLS.split(), *PHRASES, *QUESTIONS, *WORDS]
    answers = page.evaluate(ASK, [f"/{worker.relative_to(site).as_posix()}", queries])
    page.close()
    return answers


#: The row that the header's search shows for each text, and the one of the field on "It crashes".
PASTE = """async (texts) => {
  const header = document.querySelector(".md-search input");
  const table = document.querySelector("[data-messages] .table-filter");
  const ask = (field, place, text) => {
    field.value = text;
    field.dispatchEvent(new Event("input"));
    return document.querySelector(`${place} .search-row`)?.href.split("/").slice(3).join("/");
  };
  const loaded = new Promise((resolve) => addEventListener("messages", resolve));
  table.dispatchEvent(new Event("focus"));
  await loaded;
  return texts.map((text) => [ask(header, ".md-search", text), ask(table, "[data-messages]", text)]);
}"""


def test_what_is_pasted_leads_to_its_row_from_both_fields(page) -> None:
    page.goto("/reference/messages/")
    found = dict(zip(PASTED, page.evaluate(PASTE, [*PASTED]), strict=True))
    assert [text for text, (header, table) in found.items() if header != table] == []
    right = [text for text, (header, _) in found.items() if header and header.startswith(PASTED[text])]
    wrong = {text: header for text, (header, _) in found.items() if text not in right}
    assert len(PASTED) == 40 and len(right) >= 36, wrong


def test_searches_of_people_with_a_problem_open_the_right_section(page) -> None:
    page.goto("/", wait_until="networkidle")
    field = page.locator("input.md-search__input")
    with page.expect_response("**/rest.*.json"):
        field.fill("zzqx")
    opened = {}
    for query in OPENED:
        field.fill(query)
        page.wait_for_timeout(1000)  # the worker answers by the headings, then by all words
        # The row of a message, if there is one, stands above the results.
        address = page.locator(":is(.search-row, .md-search-result__link)").first.get_attribute("href")
        opened[query] = re.sub(r"\?[^#]*", "", address).split("/", 3)[3]
    wrong = {query: place for query, place in opened.items() if place not in OPENED[query].split()}
    assert len(OPENED) == 14 and len(wrong) <= 1, wrong


@pytest.mark.parametrize("symbol", SYMBOLS.split())
def test_a_symbol_leads_first_to_a_lesson_that_shows_it(symbol: str, first: dict[str, str], site: Path) -> None:
    location = first[symbol]
    assert location.split("/")[0] not in ("", "reference")
    text = re.sub("<[^>]+>", "", (site / location / "index.html").read_text(encoding="utf-8"))
    assert symbol.lower() in text.lower()


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_phrase_leads_first_to_the_page_for_it(phrase: str, first: dict[str, str]) -> None:
    assert first[phrase].rstrip("/") in PHRASES[phrase].split()


def test_there_are_60_questions() -> None:
    assert len(QUESTIONS) == 60


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_leads_first_to_the_page_for_it(question: str, first: dict[str, str]) -> None:
    assert first[question].rstrip("/") in QUESTIONS[question].split()


def test_what_a_reader_loads_first_is_small(site: Path) -> None:
    files = [site / "search" / "search_index.json", site / "messages.json"]
    assert sum(len(gzip.compress(file.read_bytes())) for file in files) <= 250 * 1024


def test_no_list_of_links_is_found(site: Path) -> None:
    entries = json.loads((site / "search" / "search_index.json").read_bytes())["docs"]
    assert len(entries) > 1000 and not any(entry["location"].endswith("#where-to-go-next") for entry in entries)


def test_the_index_is_loaded_when_the_search_is_opened_and_the_rest_when_it_is_needed(page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[1].split(".")[0]))
    page.goto("/", wait_until="networkidle")
    assert not {"search_index", "messages", "rest"} & set(asked)
    field = page.locator("input.md-search__input")
    field.fill("guards")
    page.locator(".md-search-result__link", has_text="Guards").first.wait_for()
    assert {"search_index", "messages"} <= set(asked) and "rest" not in asked
    with page.expect_request("**/rest.*.json"):
        field.fill("guards interdigitate zzqx")  # no page has all the words
    page.locator(".md-search-result__link", has_text="Guards").first.wait_for()


def test_a_word_of_a_body_is_found(browser, address: str, site: Path) -> None:
    """A word that only the text of one page has, far from its headings."""
    index = json.loads((site / "search" / "search_index.json").read_bytes())
    [rest] = site.glob("search/rest.*.json")
    words = [
        (word, entry["location"])
        for entry, words in zip(index["docs"], json.loads(rest.read_bytes()), strict=True)
        for word in words.split()
    ]
    known = " ".join(f"{entry['title']} {entry['text']} {entry.get('names', '')}" for entry in index["docs"]).lower()
    counts = Counter(word for word, _ in words)
    word, location = next(
        (word, where)
        for word, where in words
        if counts[word] == 1 and len(word) > 9 and word.isalpha() and word[:6] not in known
    )
    [worker] = site.glob("assets/javascripts/workers/search.*.js")
    page = browser.new_page(base_url=address)
    page.goto("/")
    found = page.evaluate(ASK, [f"/{worker.relative_to(site).as_posix()}", [word]])
    page.close()
    assert found == {word: location.split("#")[0]}


@pytest.mark.parametrize("word", WORDS)
def test_a_common_word_finds_something(word: str, first: dict[str, str | None]) -> None:
    assert first[word] is not None
