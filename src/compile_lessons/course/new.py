"""Start a lesson: a page with all parts of the template and its entry in the menu, three snippets that run, a test."""

import re
from pathlib import Path

from compile_lessons.ground.project import Project, ProjectError

#: A lesson called part/my-lesson, with the paths that it has in the project.
TEMPLATE = Path(__file__).with_name("template")


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
    names = {
        "part/my-lesson": page,
        "part/my_lesson": page.replace("-", "_"),
        "part_my_lesson": re.sub("[/-]", "_", page),
        "My lesson": title(page),
    }
    files = {}
    for path in sorted(TEMPLATE.rglob("*")):
        if path.suffix in (".md", ".py"):
            place = _renamed(path.relative_to(TEMPLATE).as_posix(), names)
            files[project.root / place] = _renamed(path.read_text(encoding="utf-8"), names)
    if there := [path for path in files if path.exists()]:
        raise ProjectError(f"{there[0].relative_to(project.root)} is already there. Fix: choose another name")
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [*files, *_add_to_menu(project, page)]


def _renamed(text: str, names: dict[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new)
    return text


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
