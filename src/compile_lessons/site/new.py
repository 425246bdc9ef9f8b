"""Start a lesson: a page with all parts of the template and its entry in the menu, three snippets that run, a test."""

from __future__ import annotations

import re
from pathlib import Path

from compile_lessons.ground.project import Project, ProjectError

_PAGE = """\
# {title}

5 minutes · needs only PyTorch · builds on [One function](../pipeline/one-function.md)
{{ .lesson-facts }}

After this lesson you can …

## In short

```python exec="1"
snippet("{folder}/example.py", show="source", region="short")
```

- The conclusion, in at most five rules of thumb.

## What the example shows

```python exec="1"
snippet("{folder}/example.py", show="output")
```

## What goes wrong: a second graph

```python exec="1"
snippet("{folder}/wrong.py")
```

Fix: …

```python exec="1"
snippet("{folder}/fixed.py")
```

## Key question

??? question "Why …?"
    Because …

## How it works inside

- `torch/_dynamo/symbolic_convert.py`: `InstructionTranslator` traces the function.

Official documentation: [torch.compile](https://docs.pytorch.org/docs/stable/generated/torch.compile.html).

## Where to go next

- Try it: run `python snippets/{folder}/example.py` with another function.
- Which stage does what? → [One function](../pipeline/one-function.md)
- What breaks a graph? → [Your first graph break](../dynamo/first-graph-break.md)
"""

_SNIPPET = '''\
"""{title}."""

import torch

from compile_lessons import capture, show

# region short


def scaled(x):
{body}


breaks = capture(scaled, until="dynamo")(torch.ones(3)).breaks
show(breaks)
# endregion
# region checks
assert len(breaks) == {breaks}
# endregion
'''

_TEST = '''\
"""What docs/{page}.md states and its snippets don't assert themselves."""


def test_the_output_names_the_call_that_breaks_the_graph(record):
    assert "print" in record("{folder}/wrong.py").text
'''


def title(page: str) -> str:
    """Return the title of the lesson ``dynamo/my-lesson``: "My lesson"."""
    return page.partition("/")[2].replace("-", " ").capitalize()


def new_lesson(project: Project, page: str) -> list[Path]:
    """Write the files of the lesson ``dynamo/my-lesson``, add its page to the menu, and return the files' paths.

    Raises ``ProjectError`` for a name that is not ``part/name`` in lower case, for a part that is not there, and if a
    file already is.
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]*/[a-z][a-z0-9-]*", page):
        raise ProjectError(f"{page!r} is not the name of a lesson. Fix: part/name in lower case, like dynamo/my-lesson")
    part = page.partition("/")[0]
    if not (project.docs / part).is_dir():
        parts = ", ".join(sorted(path.name for path in project.docs.iterdir() if any(path.glob("*.md"))))
        raise ProjectError(
            f"there is no part {part!r}. Fix: name one of {parts}; for a new part, first create docs/{part}"
        )
    folder = page.replace("-", "_")
    bodies = {
        "example": ("An example", "    return x * 2", 0),
        "wrong": ("It breaks the graph", "    print(x.shape)\n    return x * 2", 1),
        "fixed": ("It no longer does", "    return x * 2", 0),
    }
    files = {
        project.docs / f"{page}.md": _PAGE.format(title=title(page), folder=folder),
        project.root / "tests" / "snippets" / f"test_{folder.replace('/', '_')}.py": _TEST.format(
            page=page, folder=folder
        ),
    }
    for name, (about, body, breaks) in bodies.items():
        path = project.snippets / folder / f"{name}.py"
        files[path] = _SNIPPET.format(title=about, body=body, breaks=breaks)
    if there := [path for path in files if path.exists()]:
        raise ProjectError(f"{there[0].relative_to(project.root)} is already there. Fix: choose another name")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [*files, *_add_to_menu(project, page)]


def _add_to_menu(project: Project, page: str) -> list[Path]:
    """Write the page into ``nav``, after the last one of its part. Returns the file, or nothing for a new part."""
    config = project.root / "mkdocs.yml"
    text = config.read_text(encoding="utf-8")
    # "          - Recompiles: dynamo/recompiles.md"
    entries = list(re.finditer(rf"^( *- ).*\b{page.partition('/')[0]}/[\w-]+\.md$", text, re.M))
    if not entries:
        return []
    last = entries[-1]
    entry = f"\n{last[1]}{title(page)}: {page}.md"
    config.write_text(text[: last.end()] + entry + text[last.end() :], encoding="utf-8")
    return [config]
