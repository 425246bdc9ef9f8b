"""A small site with the course's own settings, and its snippets run."""

import html
import re
import shutil
from pathlib import Path

from compile_lessons.ground.project import Project
from projects import write_project

ROOT = Path(__file__).parents[3]

SNIPPETS = {
    "snippets/part/all.py": '# /// lesson\n# timeout = 60\n# ///\n"""All of it."""\n\n'
    "from compile_lessons import Table, show\n\n# region body\ncount = 3\n# endregion\n"
    'print("first <line>")\nprint("second")\nshow(Table(["n"], [[count]]))\nratio = 2.345\nword = "a<b"\n',
    "snippets/part/prints_traceback.py": "import traceback\n\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n"
    "    traceback.print_exc()\n",
    "snippets/part/raises.py": '# /// lesson\n# raises = {type = "ValueError"}\n# ///\nraise ValueError("declared")\n',
    "snippets/part/silent.py": "x = 1\n",
    "snippets/part/checked.py": '"""Checked."""\n\ntotal = 3\n\n'
    "# region checks\nassert total == 3\nassert total > 0\n# endregion\n",
}
FAILS = {"snippets/part/fails.py": 'print("so far")\nraise RuntimeError("broken")\n'}


def embed(call: str) -> str:
    return f'```python exec="1"\n{call}\n```\n\n'


PAGES = {
    "docs/index.md": "# Home\n\nThe value is `#!value part/all.py:ratio:.1f`.\n\n" + embed('snippet("part/all.py")'),
    "docs/part/more.md": "# More\n\n"
    + embed('snippet("part/all.py", show="tabs", highlight="8")')
    + embed('snippet("part/all.py", region="body", show="source")')
    + embed('snippet("part/all.py", show="output", collapsed=True, lines="2")')
    + embed('snippet("part/prints_traceback.py")')
    + embed('snippet("part/raises.py")')
    + embed('snippet("part/silent.py")')
    + embed('snippet("part/checked.py")'),
}
FAILING_PAGE = {"docs/part/failing.md": "# Failing\n\nText.\n\n" + embed('snippet("part/fails.py")') + "After.\n"}


def small_site(root: Path, files: dict[str, str] | None = None) -> Project:
    settings = (ROOT / "mkdocs.yml").read_text().split("\nnav:")[0] + "\n"
    settings = re.sub(r"^site_url: .*\n", "", settings, flags=re.M)  # its path would be that of each served page
    settings = re.sub(r"^  - mkdocs-jupyter:.*\n(?:   .*\n)*", "", settings, flags=re.M)  # a second for each build
    settings = re.sub(r"^      moved:.*\n(?:        .*\n)*", "", settings, flags=re.M)  # it has none of these pages
    shutil.copytree(ROOT / "docs" / ".theme", root / "docs" / ".theme")
    shutil.copytree(ROOT / "docs" / "assets", root / "docs" / "assets")
    return write_project(root, {"mkdocs.yml": settings, **SNIPPETS, **PAGES, **(files or {})})


def text_of(markup: str) -> str:
    """What a reader sees of it."""
    return html.unescape(re.sub(r"<[^>]+>", "", markup))
