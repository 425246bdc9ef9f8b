"""What a lesson of Learn gives to copy, the first block of Python in "In short", runs in an empty folder."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from test_order import LESSONS

from compile_lessons.course.records.snippet import load_snippet
from compile_lessons.course.site.pages import parse_embed
from compile_lessons.ground.project import Project

ROOT = Path(__file__).parents[2]
IN_SHORT = re.compile(r"^## In short\n(.*?)^## ", re.M | re.S)
#: An embedded program, or code that is written on the page.
BLOCK = re.compile(r'^( *)```python( exec="1")?\n(.*?)^\1```', re.M | re.S)


def first_block(page: str) -> str:
    """Return the code of the first block that a lesson gives to copy."""
    [in_short] = IN_SHORT.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))
    block = BLOCK.search(in_short)
    assert block, f"{page}: nothing to copy"
    if not block[2]:
        return block[3]
    embed = parse_embed(block[3].strip())
    snippet = load_snippet(Project(ROOT), embed.name)
    return snippet.region(embed.region)[0] if embed.region else snippet.program()


@pytest.mark.parametrize("page", LESSONS)
def test_the_first_block_runs_in_an_empty_folder(page: str, tmp_path: Path) -> None:
    (tmp_path / "copied.py").write_text(first_block(page), encoding="utf-8")
    ran = subprocess.run([sys.executable, "copied.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
