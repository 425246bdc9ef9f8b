"""A Markdown extension: what a page names of torch leads on.

A file, such as ``torch/_dynamo/guards.py``, links to its source at the tag of the installed version, which is the one
that the page's programs ran with. The first setting, such as ``torch._dynamo.config.recompile_limit = 16``, has a
tooltip on threads, and links to the section about them.
"""

import posixpath
import re
from importlib.metadata import version
from typing import Any
from xml.etree import ElementTree

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.treeprocessors import Treeprocessor

from compile_lessons.course.site.glossary import page_of

#: '<code>torch/_dynamo/guards.py</code>' (file), but not in a link: '<a href="…"><code>torch/a.py</code>'
_FILE = re.compile(r'(?<!">)<code>(?P<file>torch/[\w/]+\.(?:py|h|cpp|json))</code>')
_SETTING = re.compile(r"torch\.(?:_\w+|compiler)\.config\.[\w.]+ = ")
_THREADS = "From torch 2.12 on, a setting applies only in the thread that sets it."
_PAGE_OF_THREADS = "production/serving.md"


class _Links(Postprocessor):
    def run(self, text: str) -> str:
        tag = f"v{version('torch').partition('+')[0]}"
        return _FILE.sub(rf'<a href="https://github.com/pytorch/pytorch/blob/{tag}/\g<file>">\g<0></a>', text)


class _FirstSetting(Treeprocessor):
    def run(self, root: ElementTree.Element) -> None:
        page = page_of(self.md)
        if page is None or page == _PAGE_OF_THREADS:
            return
        for parent in root.iter():
            for place, child in enumerate(parent):
                if parent.tag != "a" and child.tag == "code" and _SETTING.match(child.text or ""):
                    address = f"{posixpath.relpath(_PAGE_OF_THREADS, posixpath.dirname(page))}#settings"
                    link = ElementTree.Element("a", {"class": "term", "href": address, "title": _THREADS})
                    link.tail, child.tail = child.tail, None
                    parent[place] = link
                    link.append(child)
                    return


class TorchLinks(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.postprocessors.register(_Links(md), "torch_links", 0)  # last, when raw HTML is back in place
        md.treeprocessors.register(_FirstSetting(md), "torch_settings", 6)  # before MkDocs makes links relative (0)


def makeExtension(**settings: Any) -> TorchLinks:
    """Return the extension; Markdown calls this."""
    return TorchLinks(**settings)
