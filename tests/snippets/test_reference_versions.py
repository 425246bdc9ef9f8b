"""The committed comparisons of torch versions name snippets that exist, and each failure has a cause."""

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from compile_lessons.ground.project import Project

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "snippets" / "reference" / "versions"
PROJECT = Project(ROOT)
CAUSES = tomllib.loads((FOLDER / "causes.toml").read_text(encoding="utf-8"))["cause"]
COMPARISONS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.json"))}
sys.path.insert(0, str(FOLDER))
from _read import VERSIONS, describe, list_differences  # noqa: E402  (a helper beside the snippets, which is no package)


def test_the_versions_that_the_package_supports() -> None:
    assert list(COMPARISONS) == VERSIONS
    pinned = re.search(r"^torch==(\S+)$", (ROOT / "constraints.txt").read_text(), re.M)
    assert pinned is not None
    assert all(comparison["before"].startswith(pinned[1]) for comparison in COMPARISONS.values())


@pytest.mark.parametrize("version", COMPARISONS)
def test_a_comparison_names_snippets_and_pages_that_exist(version: str) -> None:
    comparison = COMPARISONS[version]
    assert comparison["torch"].startswith(version)
    assert {*comparison["differences"], *comparison["missing"]} <= set(PROJECT.snippet_names())
    for difference in comparison["differences"].values():
        assert (ROOT / "docs" / f"{difference['page']}.md").is_file()


@pytest.mark.parametrize("version", COMPARISONS)
def test_each_failure_has_a_cause(version: str) -> None:
    explained = {name for cause in CAUSES if version in cause["versions"] for name in cause["snippets"]}
    differences = COMPARISONS[version]["differences"]
    assert not {name for name, difference in differences.items() if "failure" in difference} - explained


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause["what"][:40])
def test_a_cause_is_seen_in_each_version_that_it_names(cause: dict[str, list[str]]) -> None:
    for version in cause["versions"]:
        assert set(cause["snippets"]) & set(COMPARISONS[version]["differences"]), version


def test_the_page_shows_each_version() -> None:
    page = (ROOT / "docs" / "reference" / "versions.md").read_text(encoding="utf-8")
    for version in VERSIONS:
        assert f'snippet("reference/versions/torch_{version.replace(".", "_")}.py", show="output"' in page


def test_a_row_for_each_difference() -> None:
    difference = {"failure": "raised X", "values": {"n": [1, 2]}, "lines": 2, "output": ["-a", "+b"]}
    assert list(describe(difference)) == ["fails: raised X", "n: 1 → 2", "2 lines of output, such as -a  +b"]
    rows = list_differences("2.15").rows
    assert len(rows) == len(COMPARISONS["2.15"]["differences"]) and rows[0][1].startswith("fails: ")
