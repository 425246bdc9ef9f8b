"""A Markdown extension: a file of torch that a page names, such as ``torch/_dynamo/guards.py``, links to its source.

The link leads to the tag of the installed version, which is the one that the page's programs ran with.
"""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor

#: '<code>torch/_dynamo/guards.py</code>' (file), but not in a link: '<a href="…"><code>torch/a.py</code>'
_FILE = re.compile(r'(?<!">)<code>(?P<file>torch/[\w/]+\.(?:py|h|cpp|json))</code>')


class _Links(Postprocessor):
    def run(self, text: str) -> str:
        tag = f"v{version('torch').partition('+')[0]}"
        return _FILE.sub(rf'<a href="https://github.com/pytorch/pytorch/blob/{tag}/\g<file>">\g<0></a>', text)


class TorchLinks(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.postprocessors.register(_Links(md), "torch_links", 0)  # last, when raw HTML is back in place


def makeExtension(**settings: Any) -> TorchLinks:
    """Return the extension; Markdown calls this."""
    return TorchLinks(**settings)
