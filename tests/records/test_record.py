"""A record survives being written and read; anything else is no record."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from compile_lessons.records.record import Failure, InvalidRecord, Output, Record

RECORD = Record(
    snippet="a.py",
    title="A",
    key="k" * 64,
    sources={"snippets/a.py": "0" * 64},
    command="python snippets/a.py",
    torch="2.13.0",
    triton=None,
    python="3.12.1",
    device="cpu",
    isa="x86-64 AVX2",
    cores=2,
    caches="empty",
    date="2026-01-01T00:00:00+00:00",
    duration=1.5,
    peak_memory=10,
    outputs=[Output("text é\n"), Output("table", {"text/html": "<table>"})],
    values={"i": 1, "f": 0.5, "b": True, "s": "x"},
    warnings=["UserWarning: w"],
)


@pytest.mark.parametrize(
    "record",
    [
        RECORD,
        replace(RECORD, triton="3.6", raised="ValueError: x", verified=True, varies=True),
        replace(RECORD, failure=Failure(3, "raised", "mend it")),
        replace(RECORD, failure=Failure(None, "raised", ""), duration=2),
    ],
)
def test_round_trip(record: Record) -> None:
    assert Record.from_json(record.to_json()) == record


def test_text_and_status() -> None:
    assert RECORD.text == "text é\ntable"
    assert RECORD.status == "ok"
    assert replace(RECORD, failure=Failure(None, "", "")).status == "failed"


def _changed(**changes: Any) -> str:
    return json.dumps({**json.loads(RECORD.to_json()), **changes})


@pytest.mark.parametrize("name", [field.name for field in fields(Record)])
def test_every_field_is_needed(name: str) -> None:
    data = json.loads(RECORD.to_json())
    del data[name]
    with pytest.raises(InvalidRecord, match="schema" if name == "schema" else name):
        Record.from_json(json.dumps(data))


@pytest.mark.parametrize("name", [field.name for field in fields(Record)])
def test_every_field_has_its_type(name: str) -> None:
    wrong: Any = [["nested"]] if name not in ("outputs", "warnings") else {"a": 1}
    with pytest.raises(InvalidRecord):
        Record.from_json(_changed(**{name: wrong}))


@pytest.mark.parametrize(
    "changes",
    [
        {"unknown": 1},
        {"schema": 0},
        {"cores": True},
        {"cores": 2.0},
        {"verified": 1},
        {"sources": {"a": 1}},
        {"values": {"a": [1]}},
        {"values": {"a": None}},
        {"warnings": [1]},
        {"outputs": ["text"]},
        {"outputs": [{"rich": {}}]},
        {"outputs": [{"text": 1, "rich": {}}]},
        {"outputs": [{"text": "", "rich": []}]},
        {"outputs": [{"text": "", "rich": {"text/html": 1}}]},
        {"outputs": [{"text": "", "rich": {}, "more": 1}]},
        {"failure": {"line": "3", "message": "", "remedy": ""}},
        {"failure": {"line": 3, "message": ""}},
        {"failure": {"line": 3, "message": "", "remedy": None}},
    ],
)
def test_wrong_parts(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidRecord):
        Record.from_json(_changed(**changes))


@pytest.mark.parametrize("text", ["", "{", "[]", "1", "null", '"x"', RECORD.to_json()[:-5]])
def test_not_a_record(text: str) -> None:
    with pytest.raises(InvalidRecord):
        Record.from_json(text)
