"""A record survives being written and read; anything else is no record."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compile_lessons.course.records.record import Record, SnippetFailure, checksum
from projects import RECORD


@pytest.mark.parametrize(
    "record",
    [
        RECORD,
        replace(RECORD, triton="3.6", raised="ValueError: x", verified=True, varies=True),
        replace(RECORD, failure=SnippetFailure(line=3, message="raised", remedy="correct it")),
        replace(RECORD, failure=SnippetFailure(message="raised"), duration=2),
    ],
)
def test_round_trip(record: Record) -> None:
    assert Record.from_json(record.to_json()) == record


def test_text() -> None:
    assert RECORD.text == "text é\ntable"


def test_values_that_json_lacks_survive() -> None:
    values = Record.from_json(replace(RECORD, values={"nan": math.nan, "inf": math.inf}).to_json()).values
    assert math.isnan(values["nan"]) and values["inf"] == math.inf


@pytest.mark.parametrize("path", sorted((Path(__file__).parents[3] / "snippets").rglob("*.recording.json")))
def test_committed_recordings_are_read_and_written_as_they_are(path: Path) -> None:
    assert Record.from_json(path.read_text()).to_json() + "\n" == path.read_text()


def test_packages_are_kept_where_there_are_some() -> None:
    assert "packages" not in json.loads(RECORD.to_json())
    beside = replace(RECORD, packages={"jax": "1.2.3"})
    assert Record.from_json(beside.to_json()) == beside


def _changed(**changes: Any) -> str:
    """The file of a record with other fields."""
    fields = json.loads(RECORD.to_json()) | changes
    del fields["checksum"]
    return json.dumps({**fields, "checksum": checksum(fields)})


def test_a_record_that_was_changed_is_none() -> None:
    """By hand, say, or by a disk. How it is laid out is no matter, and neither are fields of another schema."""
    text = RECORD.to_json()
    for old, new in (("table", "tabel"), ("<table>", "<td>"), ('"i": 1', '"i": 2'), ("x86-64", "arm64")):
        assert old in text
        with pytest.raises(ValueError, match="not what was recorded"):
            Record.from_json(text.replace(old, new))
    without = json.loads(text)
    del without["checksum"]
    with pytest.raises(ValueError, match="not what was recorded"):
        Record.from_json(json.dumps(without))
    assert Record.from_json(json.dumps(json.loads(text), indent=4)) == RECORD
    with pytest.raises(ValueError, match=r"at `\$\.schema`|at `\$\.outputs"):
        Record.from_json(_changed(schema=3, outputs=[{"new": "form"}]))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"schema": 0}, "schema"),
        ({"cores": True}, "cores"),
        ({"values": {"a": None}}, "values"),
        ({"outputs": [{"rich": {}}]}, "outputs"),
        ({"failure": {"line": "3", "message": "", "remedy": ""}}, "failure"),
    ],
)
def test_a_wrong_field_is_named(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ValueError, match=rf"at `\$\.{field}"):
        Record.from_json(_changed(**changes))


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "null", '"x"', "[" * 100_000, RECORD.to_json()[:-5]])
def test_not_a_record(text: str) -> None:
    with pytest.raises(ValueError):
        Record.from_json(text)
