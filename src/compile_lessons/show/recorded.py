"""Tables and charts that are recorded as data, by MIME type: the page draws them when it is built."""

from collections.abc import Mapping

from compile_lessons.show.charts import Bars, Plot, StackedBars, Timeline
from compile_lessons.show.listing import Listing
from compile_lessons.show.table import Table

_TABLES = {kind.MIME: kind for kind in (Table, Listing)}
_CHARTS = {kind.MIME: kind for kind in (Bars, StackedBars, Timeline, Plot)}


def drawn(rich: Mapping[str, str]) -> str | None:
    """Return the HTML of a result that was recorded as data; ``None`` for any other.

    Raises ``ValueError`` for data that its class did not write.
    """
    for mime, data in rich.items():
        if mime in _TABLES:
            return _TABLES[mime].from_json(data).html(breaks=True)
        if mime in _CHARTS:
            return _CHARTS[mime].from_json(data)._repr_html_()
    return rich.get("text/html")
