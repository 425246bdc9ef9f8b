"""What docs/production/diagnose.md says of the reports, beyond what its programs assert."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/production/diagnose.md"
SHOWN = re.findall(r'snippet\("([^"]+)", show="output", lines="(\d+)-(\d+)"', PAGE.read_text(encoding="utf-8"))
#: The first and the last line of each part of an output, which the page picks by number.
ENDS = [
    ("$ compile-lessons diagnose --quick --json before.json", "   Fix: count outside of the compiled function"),
    ("$ compile-lessons diagnose --quick --json after.json", "This run can't tell whether eager mode"),
    ("$ compile-lessons diff before.json after.json", "seconds tracing"),
    ("$ compile-lessons diagnose --quick --fail-if 'limits>0'", "--fail-if: limits>0 is true"),
    ("$ compile-lessons diagnose --quick --fail-if 'limits>0'", "no findings in what was looked at"),
]


def test_the_parts_of_the_page_are_whole_reports(record):
    assert len(SHOWN) == len(ENDS)
    for (name, first, last), (begins, ends) in zip(SHOWN, ENDS, strict=True):
        lines = record(name).text.splitlines()
        assert lines[int(first) - 1].startswith(begins), name
        assert lines[int(last) - 1].startswith(ends), name


def test_the_trace_names_the_line_that_the_run_names(record):
    place = r"^   train\.py:13: self\.steps \+= 1 "
    for name in ("train", "cluster"):
        assert re.search(place, record(f"production/diagnose/{name}.py").text, re.M), name


def test_the_timeline_shows_the_limit_of_the_training_loop(record):
    """Compiles end with the last version, call 8, or with call 9, which finds no room for one more."""
    timeline, bars = record("production/diagnose/timeline.py").text.split("share of the time")
    rows = timeline.splitlines()
    assert re.match(r"calls 1 to [89] ", rows[4])
    assert rows[-1].split()[-4:] == ["-", "-", "-", "100%"]
    drawn = [re.split(r" {2,}", row.strip()) for row in bars.splitlines()[2:]]
    assert [row[0] for row in drawn] == [row[:21].strip() for row in rows[3:]]
    assert drawn[-1][1:] == ["0%", "0%", "0%", "100%"]


@pytest.mark.parametrize("name", ["train", "serve"])
def test_the_page_names_the_change_that_the_program_makes(record, name):
    values = record(f"production/diagnose/{name}.py").values
    assert f"eplace `{values['before']}` by `{values['after']}`" in PAGE.read_text(encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize(("backend", "found"), [("aot_eager", True), ("eager", False)])
def test_quick_finds_the_betas_of_a_compiled_optimizer(monkeypatch, backend, found):
    """The backend ``eager`` would miss them, which is why ``--quick`` takes the other one."""
    program = str(ROOT / "tests/programs/sick/onecycle.py")
    quick = ["--quick"] if backend == "aot_eager" else []
    monkeypatch.setenv("TORCH_COMPILE_OVERRIDE_BACKENDS", ">=0:eager")
    command = [sys.executable, "-m", "compile_lessons", "diagnose", *quick, program]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert ("betas of the optimizer" in report) == found
    assert ("\nno findings in what was looked at\n" in report) == (not found)
