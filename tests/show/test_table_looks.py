"""How wide the columns of a table are, and which look like code or numbers."""

import re

import pytest

from compile_lessons import Table


def test_a_short_name_stays_in_one_line_and_a_sentence_wraps() -> None:
    shown = Table(["mode", "what"], [["reduce-overhead", "a sentence of several words"]])._repr_html_()
    assert '<td class="short">reduce-overhead</td>' in shown and "<td>a sentence" in shown


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("TENSOR_MATCH", True),
        ("L['x']", True),
        ("model.py:12", True),
        ("arg0_1, buf2", True),
        ("torch.compile", True),
        ("float32", False),
        ("1.5x", False),
        ("3, 4", False),
        ("about. a_name", False),
        ("None", True),
        ("n = y.sum()", True),
        ("if x.sum() > 0:", True),
        ("(fn, *, x=1)", True),
        ("calls f(x)", False),
        ("(see below)", False),
    ],
)
def test_names_in_code_look_like_code(cell: str, code: bool) -> None:
    shown = Table(["name"], [[cell]])._repr_html_()
    assert (' class="short code"' in shown) is code


def test_a_column_has_one_font_but_for_words() -> None:
    rows = [["aten.mul", "graph.py:3"], ["aten.add", "the wrapper"], ["add", "x"], ["a sum, or 2", "y"], ["a.b", "z"]]
    shown = Table(["operator", "from"], rows)._repr_html_()
    assert re.findall(r'<td class="short code">([^<]*)', shown) == ["aten.mul", "aten.add", "add", "a.b"]


@pytest.mark.parametrize(
    ("names", "begin"),
    [
        (["MLP", "MLP", "CNN", "CNN"], [True, False, True, False]),
        (["MLP", "", "CNN", ""], [True, False, True, False]),
        (["MLP", "", "CNN"], []),
        (["1", "2", "1", "2"], []),
        (["1", "2", "3"], []),
        (["1", "1"], []),
    ],
)
def test_rows_that_begin_alike_are_groups(names: list[str], begin: list[bool]) -> None:
    shown = Table(["model", "what"], [[name, "sentence"] for name in names])._repr_html_()
    groups = [row == "<tr class=" for row in re.findall("<tr>|<tr class=", shown)[1:]]
    assert groups == (begin or [False] * len(names))


def test_the_name_of_a_mode_breaks_nowhere_above_numbers() -> None:
    shown = Table(["batch", "reduce-overhead, µs"], [["1", "80"]])._repr_html_()
    assert '<span class="whole">reduce-overhead</span>, µs</th>' in shown


def test_a_column_of_numbers_may_have_blank_cells() -> None:
    table = Table(["n", "gain", "none", "of"], [[1, "never", "", "3 of 4"], [2, "1.5x", "", "half"]])
    shown = table._repr_html_()
    right = re.findall(r'<t[dh] style="text-align: right"[^>]*>([^<]*)', shown)
    assert right == ["n", "gain", "1", "never", "2", "1.5x"]


def test_hashes_and_truth_values_are_names_and_lists_are_not_numbers() -> None:
    table = Table(["equal", "hash", "n", "sizes"], [[True, "8aec09f1", -3, "2 8"], [False, "0c3d21ab", 4, "2 8 64"]])
    shown = table._repr_html_()
    assert re.findall(r'<td class="short code">([^<]*)', shown) == ["True", "8aec09f1", "False", "0c3d21ab"]
    assert re.findall(r'<td style="text-align: right">([^<]*)', shown) == ["-3", "4"]
    assert re.findall(r'<td class="short">([^<]*)', shown) == ["2 8", "2 8 64"]


def test_a_kind_that_is_given() -> None:
    table = Table(
        ["form", "time"], [["x if y() else z", 0.0031], ["eager", 2.0]], kinds={"form": "code", "time": "seconds"}
    )
    assert "3.1 ms" in str(table) and "2 s" in str(table)
    assert '<td class="short code">x if y() else z</td>' in table._repr_html_()
    assert '<td style="text-align: right">3.1 ms</td>' in table._repr_html_()
    with pytest.raises(ValueError, match="no column 'n'; the columns are form, time"):
        Table(["form", "time"], [], kinds={"n": "number"})


def test_a_table_read_from_its_data_is_shown_the_same() -> None:
    table = Table(
        ["form", "n", ""], [["a_b.c/d_e_f_and_so_on_and_on", 1, None], ["'x'", 2.5, True]], kinds={"": "words"}
    )
    again = Table.from_json(table.to_json())
    assert (str(again), again._repr_html_()) == (str(table), table._repr_html_())
    assert "d_<wbr>e_<wbr>f" in again.html(breaks=True) and "<wbr>" not in table._repr_html_()
