"""The tables that a record shows."""

from compile_lessons.course.records.record import Record
from compile_lessons.show.table import Table


def rows_of(record: Record) -> list[list[str]]:
    """Return the rows of all tables of a record, each cell as text."""
    shown = [output.rich[Table.MIME] for output in record.outputs if Table.MIME in output.rich]
    return [[str(cell) for cell in row] for data in shown for row in Table.from_json(data).rows]


def rows_by_name(record: Record) -> dict[str, list[str]]:
    """Return the other cells of each row by its first one. Raises ``ValueError`` if two rows begin alike."""
    rows = rows_of(record)
    by_name = {name: cells for name, *cells in rows}
    if len(by_name) != len(rows):
        raise ValueError(f"{record.snippet} has rows that begin alike: {[name for name, *_ in rows]}")
    return by_name
