"""A listing has an address for each row, and links to the lesson that shows it."""

from compile_lessons import Listing


def test_text_is_a_block_a_row() -> None:
    assert str(Listing(["id", "text", "hint"], [["GB1", "<why>", ""], ["GB2", "how", "so\nor so"]])) == (
        "GB1\n    <why>\n\nGB2\n    how\n    so\n    or so\n"
    )


def test_a_row_has_an_address_and_a_lesson() -> None:
    page = Listing(["id", "text"], [["GB1", "<why>"], ["GB1", "again"]], {"GB1": "dynamo/guards"})._repr_html_()
    assert "one<br>two" in Listing(["id", "text"], [["GB1", "one\ntwo"]])._repr_html_()
    assert page.count('id="gb1"') == 1 and page.count('href="#gb1"') == 2
    assert 'id="gb-gb1"' in Listing(["id"], [["GB1"]], prefix="gb-")._repr_html_()
    assert '<a data-lesson="dynamo/guards">lesson</a>' in page and "&lt;why&gt;" in page
