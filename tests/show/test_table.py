"""A table is aligned in a terminal and escaped in HTML."""

import pytest

from compile_lessons import Table


def test_text() -> None:
    table = Table(["name", "calls", "time"], [["first", 1, "12.0 ms"], ["later", 100, "3.5 ms"]])
    assert str(table).splitlines() == [
        "name   calls     time",
        "-----  -----  -------",
        "first      1  12.0 ms",
        "later    100   3.5 ms",
    ]


def test_no_rows() -> None:
    assert str(Table(["a", "b"], [])) == "a  b\n-  -"
    html = Table(["a"], [])._repr_html_()
    assert html == '<table><thead><tr><th class="short">a</th>\n</tr>\n</thead><tbody></tbody></table>'


def test_html_is_escaped_and_aligned() -> None:
    html = Table(["<a>", "n"], [["x & y", 1]])._repr_html_()
    assert '<th class="short">&lt;a&gt;</th>' in html
    assert '<td class="short">x &amp; y</td>' in html
    assert '<td style="text-align: right">1</td>' in html


def test_row_of_another_length() -> None:
    with pytest.raises(ValueError, match="this row has 1 cells under 2 columns"):
        Table(["a", "b"], [[1]])
