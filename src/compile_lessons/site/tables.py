"""The tables of outputs as a page shows them: for screen readers, for the search, and with the looks of each column."""

from __future__ import annotations

import ast
import html
import itertools
import re

_TABLE = re.compile(r'<table(?: data-filter="rows")?><thead>.*?</table>', re.DOTALL)
_CELL = re.compile(r"<(t[dh])\b([^>]*)>(.*?)</t[dh]>", re.DOTALL)
_RIGHT, _SHORT = ' style="text-align: right"', ' class="short"'
#: Names in code: ``TENSOR_MATCH``, ``L['x']``, ``arg0_1, buf2``, ``model.py:12``.
_CODE = re.compile(r"(?![\d.])(?=.*\w[_.:\[(=]\S)\S+(, \S+)*")
#: What of Python stands in a cell: an expression or a statement, the head of a block, the signature of a function.
_PYTHON = ("{}", "{} pass", "def _{}: pass")
_MORE_THAN_WORDS = re.compile(r"(?!\d).*[=(\[{'\"]")
_SHORT_NAME = 20  # characters
_SHORT_HEADING = 15
_INSTEAD_OF_A_NUMBER = ("inf", "nan", "never", "-")
#: The hash of something, which may begin with a digit: ``8aec09f1``.
_HASH = re.compile(r"(?=.*[a-f])(?=.*\d)[\da-f]{6,}")
#: ``eager mode``; ``the same, width 1024``.
_WORDS = re.compile(r"[a-zA-Z]+(,? [\w-]+)+")
#: Several numbers: ``2 8 64``, ``1, 2``.
_LIST = re.compile(r"\d+(,? \d+)+")
#: A name that doesn't break at its hyphen: ``reduce-overhead``.
_HYPHENATED = re.compile(r"[a-z]+-[a-z]+")
#: The end of a cell or a row: ``</td>``.
_END_OF_CELL = re.compile(r"</t[dhr]>")


def readable(rich: str) -> str:
    """Return HTML of a snippet for screen readers and for the search: a heading without text is a plain cell, and the
    words of one cell don't run into those of the next. A short name stays in one line. A column of numbers is aligned
    right although some of its cells are blank, one of ``True`` and ``False``, of hashes or of lists is not. A column
    of names in code looks so, except for words such as "the same"."""
    rich = _TABLE.sub(_by_column, rich).replace("<th></th>", "<td></td>")
    return _END_OF_CELL.sub(r"\g<0>\n", rich)


def _by_column(table: re.Match[str]) -> str:
    head, *rows = [[text for *_, text in _CELL.findall(row)] for row in re.split(r"<tr\b", table[0])[1:]]
    columns = [[row[i] for row in rows if row[i]] for i in range(len(head))]
    listing = "data-filter" in table[0]
    column = itertools.cycle([(not listing and _are_numbers(cells), _are_code(cells)) for cells in columns])
    begins = iter([False] * len(rows) if listing else _begin_groups([row[0] for row in rows]))

    def cell(found: re.Match[str]) -> str:
        (tag, attributes, text), (numbers, code) = found.groups(), next(column)
        short = len(_text(text)) <= (_SHORT_HEADING if tag == "th" else _SHORT_NAME)
        if numbers:
            text = _HYPHENATED.sub(r'<span class="whole">\g<0></span>', text) if tag == "th" else text
            return f"<{tag}{_RIGHT}{_SHORT if tag == 'th' and short else ''}>{text}</{tag}>"
        if attributes not in ("", _RIGHT) or not text or "<" in text.replace("<wbr>", ""):
            return found[0]
        classes = []
        if short:
            classes.append("short")
        if code and tag == "td" and not _WORDS.fullmatch(text):
            classes.append("code")
            if not short:  # here, after the paths of this machine were taken out
                text = re.sub(r"/|(?<!_)_(?!_|<wbr>)", r"\g<0><wbr>", text)
        return f'<{tag} class="{" ".join(classes)}">{text}</{tag}>' if classes else f"<{tag}>{text}</{tag}>"

    top, body = _CELL.sub(cell, table[0]).split("<tbody>")
    return f"{top}<tbody>" + re.sub("<tr>", lambda row: '<tr class="group">' if next(begins) else row[0], body)


def _text(cell: str) -> str:
    """Return the text of a cell without elements."""
    return html.unescape(cell.replace("<wbr>", ""))


def _begin_groups(names: list[str]) -> list[bool]:
    """Whether each row begins a group: where rows that begin alike stand together, two and more on average."""
    begins = [name not in ("", before) for before, name in itertools.pairwise(["", *names])]
    groups = sum(begins)
    together = groups == len({name for name in names if name})
    return begins if together and 1 < groups <= len(names) / 2 else [False] * len(names)


def _are_numbers(cells: list[str]) -> bool:
    """Whether each cell begins with a number, or stands for one: ``3.1 ms``, ``-2``, ``inf``, ``never``."""
    numbers = [_is_number(cell) for cell in cells]
    return any(numbers) and all(
        number or cell in _INSTEAD_OF_A_NUMBER for number, cell in zip(numbers, cells, strict=True)
    )


def _is_number(cell: str) -> bool:
    return cell.removeprefix("-")[:1].isdigit() and not (_HASH.fullmatch(cell) or _LIST.fullmatch(cell))


def _are_code(cells: list[str]) -> bool:
    """Whether most cells of a column are code, but for those with a dash alone."""
    cells = [cell for cell in cells if cell != "-"]
    return 2 * sum(_is_code(_text(cell)) for cell in cells) > len(cells)


def _is_code(text: str) -> bool:
    """Whether a text is names of code, or Python with more than words."""
    if text in ("None", "True", "False") or _CODE.fullmatch(text) or _HASH.fullmatch(text):
        return True
    return _MORE_THAN_WORDS.match(text) is not None and any(_parses(form, text) for form in _PYTHON)


def _parses(form: str, text: str) -> bool:
    try:
        ast.parse(form.format(text))
    except (SyntaxError, ValueError):
        return False
    return True
