"""The record of a run: what a snippet put out, and where that is from."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any

#: Raised with every change of the fields or of their meaning: records of another schema are run again.
SCHEMA = 2


class InvalidRecord(ValueError):
    """Text that is not a record of this schema; the message says what is wrong."""


@dataclass(frozen=True)
class Output:
    """A stretch of output in order: plain text, or the text form of a rich result with its other forms by MIME type."""

    text: str
    rich: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Failure:
    """Why a run does not count: ``line`` of the snippet (``None`` if unknown), what happened, what to do."""

    line: int | None
    message: str
    remedy: str


@dataclass(frozen=True)
class Record:
    """One run of one snippet.

    ``duration`` is in seconds of wall time, ``peak_memory`` in bytes of resident memory. ``device`` is ``cpu`` or the
    GPU's name. ``raised`` is the exception the snippet ended with, ``type: message``, where one was expected.
    ``gpu`` holds driver, CUDA version and clocks as they were found (``None`` for a CPU run).
    ``caches`` says how the compiler's caches stood at the start. ``verified``: a second run put out the same.
    """

    snippet: str
    title: str
    key: str
    sources: dict[str, str]
    command: str
    torch: str
    triton: str | None
    python: str
    device: str
    isa: str
    cores: int
    caches: str
    date: str
    duration: float
    peak_memory: int
    outputs: list[Output]
    values: dict[str, Any]
    warnings: list[str]
    varies: bool = False
    verified: bool = False
    raised: str | None = None
    failure: Failure | None = None
    gpu: dict[str, str] | None = None
    schema: int = SCHEMA

    @property
    def status(self) -> str:
        return "failed" if self.failure else "ok"

    @property
    def text(self) -> str:
        """All output as a terminal shows it."""
        return "".join(output.text for output in self.outputs)

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Raises ``InvalidRecord`` for anything but a complete record of this schema."""
        try:
            data = json.loads(text)
        except ValueError as error:
            raise InvalidRecord(f"not JSON: {error}") from None
        if not isinstance(data, dict) or data.get("schema") != SCHEMA:
            raise InvalidRecord(f"not a record of schema {SCHEMA}")
        if missing := {f.name for f in fields(cls)} ^ set(data):
            raise InvalidRecord(f"missing or unknown fields: {', '.join(sorted(missing))}")
        for name, kind in _KINDS.items():
            if type(data[name]) not in kind:
                raise InvalidRecord(f"{name} is {type(data[name]).__name__}")
        try:
            data["outputs"] = [Output(**output) for output in data["outputs"]]
            data["failure"] = Failure(**data["failure"]) if data["failure"] else None
        except TypeError as error:
            raise InvalidRecord(str(error)) from None
        record = cls(**data)
        _check_parts(record)
        return record


#: The types of a record's fields, as JSON has them.
_KINDS: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("snippet", "title", "key", "command", "torch", "python", "device", "isa", "caches", "date"), (str,)
    ),
    **dict.fromkeys(("sources", "values"), (dict,)),
    **dict.fromkeys(("outputs", "warnings"), (list,)),
    **dict.fromkeys(("cores", "peak_memory"), (int,)),
    **dict.fromkeys(("triton", "raised"), (str, type(None))),
    "duration": (int, float),
    **dict.fromkeys(("varies", "verified"), (bool,)),
    **dict.fromkeys(("failure", "gpu"), (dict, type(None))),
}


def _check_parts(record: Record) -> None:
    """Raises ``InvalidRecord`` for something of another type within a field."""

    def need(what: str, kinds: tuple[type, ...], items: Iterable[Any]) -> None:
        for item in items:
            if type(item) not in kinds:
                raise InvalidRecord(f"{what} holds {type(item).__name__}")

    need("sources", (str,), record.sources.values())
    need("values", (int, float, bool, str), record.values.values())
    need("warnings", (str,), record.warnings)
    for output in record.outputs:
        need("outputs", (str,), [output.text])
        need("outputs", (dict,), [output.rich])
        need("outputs", (str,), output.rich.values())
    if record.failure:
        need("failure", (str,), [record.failure.message, record.failure.remedy])
        need("failure", (int, type(None)), [record.failure.line])
