"""Where things are: the project's root, its folders and its cache."""

import functools
import os
import re
from pathlib import Path

from compile_lessons.ground.errors import ProjectError as ProjectError
from compile_lessons.ground.reading import read_text

#: Environment variable that moves the cache out of the project.
CACHE_VARIABLE = "COMPILE_LESSONS_CACHE"
#: The authors' command, as messages name it.
COURSE = "python -m compile_lessons.course"


class Project:
    """The folder that holds ``mkdocs.yml``, ``docs/`` and ``snippets/``."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.docs = self.root / "docs"
        self.snippets = self.root / "snippets"
        # Not under .cache, which "zensical build --clean" empties.
        self.cache = Path(os.environ.get(CACHE_VARIABLE) or self.root / ".lessons-cache").absolute()

    @functools.cached_property
    def address(self) -> str | None:
        """The repository's address, ``repo_url`` of ``mkdocs.yml``; ``None`` if that names none."""
        named = re.search(r"^repo_url: *(\S+)", read_text(self.root / "mkdocs.yml"), re.M)
        return named[1] if named else None

    def menu(self) -> dict[str, int]:
        """Return the place of each page under ``nav`` in ``mkdocs.yml``, by its path: ``docs/index.md``."""
        _, _, nav = read_text(self.root / "mkdocs.yml").partition("\nnav:")
        return {f"docs/{page}": place for place, page in enumerate(re.findall(r"[\w/-]+\.md\b", nav))}

    def snippet_names(self) -> list[str]:
        """Every runnable snippet, as a path relative to ``snippets/``. Files that begin with ``_`` are helpers.

        Of a lab these are the stub, the solution and an explorer; the other file holds its checks.
        """
        names = sorted(
            path.relative_to(self.snippets).as_posix()
            for path in self.snippets.rglob("*.py")
            if not path.name.startswith("_") and "__pycache__" not in path.parts
        )
        of_labs = ("/stub.py", "/solution.py", "/explorer.py")
        return [name for name in names if not name.startswith("labs/") or name.endswith(of_labs)]


def find_project(start: Path | None = None) -> Project:
    """The project that ``start`` (the working directory, if not given) lies in.

    Raises ``ProjectError`` when no folder from there upwards holds a ``mkdocs.yml``, and where its cache is no folder.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / "mkdocs.yml").is_file():
            project = Project(folder)
            if project.cache.exists() and not project.cache.is_dir():
                raise ProjectError(f"the cache {project.cache} is no folder. Fix: set {CACHE_VARIABLE} to another path")
            return project
    raise ProjectError(f"no mkdocs.yml in {here} or above it: run this inside a checkout of the course")
