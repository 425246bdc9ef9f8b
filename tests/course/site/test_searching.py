"""The two files of the search's index, and what is replaced of the theme's search."""

import json
import shutil
from pathlib import Path

import material
import pytest
from mkdocs.exceptions import PluginError

from compile_lessons.course.site.searching import FILE_WORKER, replace_search, write_index

PROGRAM = "<pre><code>torch._dynamo.mark_dynamic(x, 0)\nfake: FakeTensor = convert(x)</code></pre>"
ENTRIES = [
    {"location": "guards/", "title": "Guards &amp; checks", "text": "<p>A guard is a check.</p>", "tags": ["guard"]},
    {
        "location": "guards/#late",
        "title": "Late",
        "text": f"<p>{'Dynamo compares sizes. ' * 12}Strides matter last.</p> <table>row</table> {PROGRAM}",
        "tags": ["guard"],
        "boost": 2,
    },
]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site whose index the theme's plugin has just written."""
    index = {"config": {"lang": ["en"], "separator": " "}, "docs": ENTRIES}
    (tmp_path / "search").mkdir()
    (tmp_path / "search" / "search_index.json").write_text(json.dumps(index))
    return tmp_path


def read(site: Path) -> dict:
    return json.loads((site / "search" / "search_index.json").read_bytes())


def test_the_first_file_has_what_most_questions_need(site: Path) -> None:
    write_index(site)
    page, section = read(site)["docs"]
    assert page == {
        "location": "guards/",
        "title": "Guards & checks",
        "text": "A guard is a check.",
        "tags": ["guard"],
    }
    assert section.keys() == {"location", "title", "text", "names"}  # keywords and weight are the page's
    assert section["names"] == "FakeTensor mark_dynamic"
    assert section["text"].startswith("Dynamo compares sizes.") and section["text"].endswith(" …")
    assert len(section["text"]) <= 202


def test_the_second_file_has_each_other_word_once(site: Path) -> None:
    write_index(site)
    address = read(site)["config"]["rest"]
    assert (site / "assets" / "javascripts" / "workers" / address).resolve().parent == site / "search"
    rest = json.loads((site / "search" / address.rsplit("/", 1)[1]).read_bytes())
    assert rest[0] == ""
    assert sorted(rest[1].split()) == sorted(
        {"strides", "matter", "last", "row", "torch", "_dynamo", "fake", "convert"}
    )


def test_the_name_of_the_second_file_changes_with_the_words_alone(site: Path) -> None:
    before = (site / "search" / "search_index.json").read_bytes()
    write_index(site)
    names = [read(site)["config"]["rest"]]
    for text in (before, before.replace(b"Strides", b"Offsets")):
        (site / "search" / "search_index.json").write_bytes(text)
        write_index(site)
        names.append(read(site)["config"]["rest"])
    assert names[0] == names[1] != names[2]
    assert len(list(site.glob("search/rest.*.json"))) == 1


def test_a_site_that_is_read_from_files_has_one_file(site: Path) -> None:
    write_index(site, reads_files=True)
    assert "strides" in read(site)["config"]["rest"][1]
    assert read(site)["config"]["separator"] == " "  # the theme marks words on a page by it
    assert list(site.glob("search/rest.*")) == []


def test_the_themes_search_is_replaced_once_and_not_silently(tmp_path: Path) -> None:
    scripts = Path(material.__file__).parent / "templates" / "assets" / "javascripts"
    shutil.copytree(scripts, tmp_path / "assets" / "javascripts")
    replace_search(tmp_path)
    [worker] = tmp_path.glob("assets/javascripts/workers/search.*.js")
    [bundle] = tmp_path.glob("assets/javascripts/bundle.*.js")
    assert "MiniSearch" in worker.read_text() and "lunr" not in worker.read_text()
    assert (tmp_path / FILE_WORKER).is_file()
    replaced = bundle.read_text()
    assert 'location.protocol!=="file:"' not in replaced and '"search.highlight")?' not in replaced
    replace_search(tmp_path)  # a server builds again
    assert bundle.read_text() == replaced
    bundle.write_text("of another theme")
    with pytest.raises(PluginError, match="when does this theme load"):
        replace_search(tmp_path)
