"""The notebook of a lab, made from its stub.

``python -m compile_lessons.course.notebook`` writes all of them into ``docs/labs``.
"""

import nbformat
from nbformat import NotebookNode

from compile_lessons.ground.project import find_project
from compile_lessons.ground.site import address
from compile_lessons.labs.lab import Lab, labs

_INSTALL = """\
# Installs the course's package, and only if it is missing. A torch that is there is kept.
import importlib.util

if importlib.util.find_spec("compile_lessons") is None:
    %pip install --quiet git+https://github.com/compile-lessons/compile-lessons"""

_CHECK = """\
from compile_lessons.labs import check

check("{slug}", "{slug}.py")"""


def lab_notebook(lab: Lab) -> str:
    """Return the notebook's file: install what is missing, write the stub, check it."""
    v4 = nbformat.v4
    facts = lab.facts
    head = f"# {lab.heading}\n\nAbout {facts.minutes} minutes. Hints and a solution: <{address(lab.page)}>"
    how = "Edit the next cell and run it: it writes your file. Then run the cell below it, which checks the file."
    cells = [
        v4.new_markdown_cell(head, id="title"),
        v4.new_code_cell(_INSTALL, id="install"),
        v4.new_markdown_cell(how, id="how"),
        v4.new_code_cell(f"%%writefile {lab.slug}.py\n{lab.stub.rstrip()}", id="answer"),
        v4.new_code_cell(_CHECK.format(slug=lab.slug), id="check"),
    ]
    return notebook_text(cells)


def notebook_text(cells: list[NotebookNode]) -> str:
    """Return the file of a notebook for Python that has these cells."""
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return str(nbformat.writes(nbformat.v4.new_notebook(cells=cells, metadata=kernel))) + "\n"


def main() -> None:
    folder = find_project().docs / "labs"
    for lab in labs():
        (folder / f"{lab.slug}.ipynb").write_text(lab_notebook(lab), encoding="utf-8")


if __name__ == "__main__":
    main()
