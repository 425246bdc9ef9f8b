"""What ``show`` takes: captures as an explorer, on a page, in a notebook or as a few lines in a terminal."""

from collections.abc import Collection, Iterator, Mapping
from html import escape
from typing import ClassVar, Self

import msgspec

from compile_lessons.explorer.page import Address, Opens, page_of
from compile_lessons.explorer.sheet import Sheet, sheet
from compile_lessons.explorer.strip import in_words
from compile_lessons.facts import Pipeline
from compile_lessons.facts.part import html
from compile_lessons.ground import site
from compile_lessons.ground.words import join

#: What a notebook shows where it is printed, or where frames are taken out of it, as GitHub does.
_IN_PRINT = (
    "<style>.compile-lessons-in-print { display: none } @media print { .compile-lessons-explorer { display: none } "
    ".compile-lessons-in-print { display: block } }</style>"
)


class Explorer:
    """Every stage of a compile as linked panes: ``show(Explorer(capture(f)(x)))``.

    Several captures are variants, by their names, which readers switch between, and compare line by line with the
    first: ``Explorer({"CPU": capture(f)(x), "H200": capture(f, target="h200")(x)})``. ``panes`` names the panes that
    are open at first, such as ``"python"``, ``"guards"`` and ``"kernels"``.

    On a page and in a notebook it is what ``compile-lessons explain --html`` writes. A notebook shows it for a single
    ``Pipeline`` too, so ``show(capture(f)(x))`` is enough there. In a terminal it prints what the
    compile came to: graphs, kernels, launches, bytes.
    """

    MIME: ClassVar[str] = "application/vnd.compile-lessons.explorer+json"

    def __init__(self, captures: Pipeline | Mapping[str, Pipeline], *, panes: Collection[str] = ()) -> None:
        named = {"": captures} if isinstance(captures, Pipeline) else captures
        if not named:
            raise ValueError("an explorer needs at least one capture")
        everywhere = {name: sheet(pipeline) for name, pipeline in named.items()}
        known = {pane.name for shown in everywhere.values() for pane in shown.panes}
        if unknown := sorted(set(panes) - known):
            raise ValueError(f"no pane {unknown[0]!r}; there are {', '.join(sorted(known))}")
        self.variants = {name: shown.opening(panes) if panes else shown for name, shown in everywhere.items()}

    def __str__(self) -> str:
        return join(
            f"{shown.function}{f', {name}' if name else ''}\n{in_words(shown.rows)}"
            for name, shown in self.variants.items()
        )

    def html(self, address: Address = site.address, *, opens: Opens = "_top", own_fonts: bool = True) -> str:
        """Return the explorer as an HTML file.

        ``address`` returns the address of a lesson, ``dynamo/guards``. ``opens`` says where its links open: in place of
        the page that holds the explorer, or in a tab of their own. With ``own_fonts`` the file has
        the site's fonts in it, 60 KB.
        """
        return page_of(self.variants, address, opens, own_fonts)

    def _repr_html_(self) -> str:
        """Return a frame that needs no server and can't reach the notebook, and for paper the panes that are open."""
        functions = ", ".join(dict.fromkeys(shown.function for shown in self.variants.values()))
        return (
            f'{_IN_PRINT}<iframe class="compile-lessons-explorer" title="Explorer: {escape(functions)}" '
            'sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" allow="clipboard-write" '
            'width="100%" height="760" style="border: 0; max-width: 100%" '
            f'srcdoc="{escape(self.html(opens="_blank", own_fonts=False))}"></iframe>'
            f'<div class="compile-lessons-in-print">{"".join(self._in_print())}</div>'
        )

    def _in_print(self) -> Iterator[str]:
        for name, shown in self.variants.items():
            yield f"<p><strong>{escape(f'{shown.function}, {name}' if name else shown.function)}</strong></p>"
            yield f"<pre>{escape(join([in_words(shown.rows), *shown.failures]))}</pre>"
            for pane in shown.panes:
                if pane.opened:
                    for part in pane.parts:
                        lines = "\n".join(line.text for line in part.lines)
                        yield f"<p>{escape(f'{pane.title}: {part.title}')}</p><pre>{escape(lines)}</pre>"

    def to_json(self) -> str:
        """Return what it shows as JSON, which ``from_json`` reads, without the times of this one run."""
        recorded = {name: shown.without_what_varies() for name, shown in self.variants.items()}
        return msgspec.json.encode(recorded).decode()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Raise ``ValueError`` for anything that ``to_json`` did not write."""
        explorer = cls.__new__(cls)
        explorer.variants = msgspec.json.decode(text, type=dict[str, Sheet])
        return explorer


@html.register
def _(pipeline: Pipeline) -> str:
    return Explorer(pipeline)._repr_html_()
