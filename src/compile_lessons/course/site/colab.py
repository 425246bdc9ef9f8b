"""A notebook for each snippet, to run it in Colab: ``python -m compile_lessons.course.site.colab FOLDER`` writes them.

Colab opens notebooks from a branch of a repository on GitHub, and from no other site. So CI publishes what this module
writes as a branch of its own, which no one clones: the notebooks repeat what the snippets say.
"""

import sys
from pathlib import Path

from compile_lessons.course.records.snippet import Snippet, load_snippet
from compile_lessons.ground.printing import say
from compile_lessons.ground.project import Project, find_project

#: The branch of the repository that holds the notebooks, each at the path of its snippet.
BRANCH = "notebooks"

_INSTALL = """\
# Copies the course and installs its package, if this is not a copy of it. A torch of version 2.11 to 2.15 is kept.
from pathlib import Path

if not Path("snippets").is_dir():
    !git clone --quiet --depth 1 {address} course
    %cd course
    %pip install --quiet ."""


def colab_address(address: str, name: str) -> str:
    """Return where Colab opens the notebook of a snippet of a repository on GitHub."""
    repository = address.removeprefix("https://github.com/")
    return f"https://colab.research.google.com/github/{repository}/blob/{BRANCH}/{notebook_path(name)}"


def notebook_path(name: str) -> str:
    """Return the path of a snippet's notebook: ``dynamo/guards.py`` has ``dynamo/guards.ipynb``."""
    return name.removesuffix(".py") + ".ipynb"


def notebook(snippet: Snippet, address: str) -> str:
    """Return the file: install what is missing, write the program, run it as the page does, in a process of its own."""
    from nbformat import v4  # takes a while, and pages need only the addresses

    from compile_lessons.course.notebook import notebook_text

    source = snippet.path.read_text(encoding="utf-8").rstrip()
    cells = [
        v4.new_markdown_cell(f"# {snippet.title}\n\n`snippets/{snippet.name}` of <{address}>", id="title"),
        v4.new_code_cell(_INSTALL.format(address=address), id="install"),
        v4.new_code_cell(f"%%writefile snippets/{snippet.name}\n{source}", id="program"),
        v4.new_code_cell(f"!{snippet.command}", id="run"),
    ]
    return notebook_text(cells)


def write_notebooks(project: Project, address: str, folder: Path) -> int:
    """Write the notebooks of all snippets that run on Colab's usual machine. Returns how many they are."""
    snippets = [snippet for name in project.snippet_names() if not (snippet := load_snippet(project, name)).recorded]
    for snippet in snippets:
        path = folder / notebook_path(snippet.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(notebook(snippet, address), encoding="utf-8")
    return len(snippets)


def main() -> None:
    project = find_project()
    if project.address is None:
        sys.exit(f"{project.root / 'mkdocs.yml'}: no repo_url. Fix: name the repository that the notebooks copy")
    say(f"{write_notebooks(project, project.address, Path(sys.argv[1]))} notebooks")


if __name__ == "__main__":
    main()
