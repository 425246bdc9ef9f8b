"""The notebooks of the labs as pages: mkdocs-jupyter renders them, and this module gives them the site's looks.

Readers download ``docs/labs/shapes.ipynb``, a static file for MkDocs and Zensical alike. mkdocs-jupyter turns each
file that it is to render into a page, which can't be downloaded any more. It therefore gets a copy.
"""

import re
import shutil
from pathlib import Path

from bs4 import BeautifulSoup
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from compile_lessons.ground.site import SITE

#: Where the pages are, below the site, and the copies below their folder; ``mkdocs.yml`` names it, too.
PAGES = "labs/notebooks"
_COPIES = ".cache/notebooks"

# ", or [download it](shapes.ipynb)"
_DOWNLOAD = re.compile(r", or\s+\[download it\]\((\w+\.ipynb)\)")
# 'href="https://…/labs/predict-the-graph/"'
_ON_THE_SITE = re.compile(rf'href="{re.escape(SITE)}(?P<page>[\w/-]+)/"')


def is_rendered(file: File) -> bool:
    """Whether mkdocs-jupyter renders this file."""
    return file.src_uri.startswith(f"{PAGES}/")


def add_copies(files: Files, config: MkDocsConfig) -> None:
    """Add a file to be rendered for each notebook that is to be downloaded."""
    folder = Path(config.config_file_path).parent / _COPIES
    for file in [file for file in files if re.fullmatch(r"labs/\w+\.ipynb", file.src_uri)]:
        assert file.abs_src_path
        (folder / PAGES).mkdir(parents=True, exist_ok=True)
        shutil.copy2(file.abs_src_path, folder / PAGES)  # a server renders what is newer than its page
        page = f"{PAGES}/{file.name}.ipynb"
        files.append(File(page, str(folder), config.site_dir, config.use_directory_urls))


def prepare(page: Page, files: Files) -> None:
    """Give a notebook's page the place of its lab in the navigation. Searches find the lab's own page instead."""
    lab = files.get_file_from_path(f"labs/{page.file.name.replace('_', '-')}.md")
    assert lab
    assert lab.page
    page.parent = lab.page.parent
    page.edit_url = None  # of the copy
    page.meta.update({"search": {"exclude": True}, "twin": False})


def link_to_pages(markdown: str) -> str:
    """Offer a notebook to be read, too, where the Markdown of a page offers it to be downloaded."""
    return _DOWNLOAD.sub(r", [read it](notebooks/\1), or [download it](\1)", markdown)


def with_own_looks(html: str, file: File, files: Files) -> str:
    """Return the cells of a rendered notebook as text and code of the theme, without JupyterLab's 600 kB of styles."""

    def address(path: str) -> str:
        target = files.get_file_from_path(path)
        assert target, path
        return target.url_relative_to(file)

    cells = BeautifulSoup(html, "html.parser").select(".jp-MarkdownOutput, .highlight-ipynb pre")
    code = '<div class="highlight"><pre><code>{}</code></pre></div>'
    parts = [(code if cell.name == "pre" else "{}").format(cell.decode_contents()) for cell in cells]
    download = f'<a href="{address(f"labs/{file.name}.ipynb")}" download>Download the notebook</a>'
    facts = f'<p class="lesson-facts">{download} for Jupyter, VS Code or Colab</p>'
    body = "\n".join(parts).replace("</h1>", f"</h1>\n{facts}", 1)
    body = _ON_THE_SITE.sub(lambda link: f'href="{address(link["page"] + ".md")}"', body)
    return f'<div class="notebook">{body.replace("anchor-link", "headerlink")}</div>'
