"""The record of a run: what a snippet put out, and where that is from."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from compile_lessons.ground.reading import read_json

#: Raised with every change of the fields or of their meaning: records of another schema are run again.
SCHEMA: Final = 2
#: The key, beside the fields, under which a file has their checksum.
_CHECKSUM = "checksum"


@dataclass(frozen=True)
class Output:
    """A stretch of output in order: plain text, or the text form of a rich result with its other forms by MIME type."""

    text: str
    rich: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class SnippetFailure:
    """Why a run does not count: what happened, the line of the snippet (``None`` if unknown), and what to do."""

    message: str
    line: int | None = None
    remedy: str = ""


@dataclass(frozen=True, kw_only=True)
class Unfinished(SnippetFailure):
    """The failure of a run that a limit, a signal or a full disk ended.

    The same run may succeed on another day, so it leaves no record: the next command runs the snippet again.
    """


@dataclass(frozen=True, kw_only=True)
class Record:
    """One run of one snippet.

    ``duration`` is in seconds of wall time, ``peak_memory`` in bytes of resident memory. ``device`` is ``cpu``; for
    a recording it is the GPU's name, or ``a CPU`` and what it is. ``raised`` is the exception the snippet ended with,
    ``type: message``, where one was expected.
    ``packages`` holds the versions of the peers that the run imported; the file of a run that imported none leaves it
    out.
    ``gpu`` holds driver, CUDA version and clocks right after the run (``None`` for a CPU run).
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
    values: dict[str, int | float | bool | str]
    warnings: list[str]
    varies: bool
    verified: bool
    raised: str | None
    failure: SnippetFailure | None
    gpu: dict[str, str] | None
    packages: dict[str, str] = field(default_factory=dict)
    schema: Literal[2]

    @property
    def text(self) -> str:
        """All output as a terminal shows it."""
        return "".join(output.text for output in self.outputs)

    @property
    def recorded(self) -> bool:
        """Whether it is a recording: made on a machine that has what the snippet needs, and committed."""
        return self.device != "cpu"

    def to_json(self) -> str:
        # Written by json: a value may be NaN, which msgspec writes as null.
        fields = {name: value for name, value in msgspec.to_builtins(self).items() if name != "packages" or value}
        return json.dumps({**fields, _CHECKSUM: checksum(fields)}, indent=1, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Record:
        """Raise ``ValueError``, which names the field, for anything but a complete record of this schema, as it was
        written."""
        data = read_json(text)
        if isinstance(data, dict) and data.pop(_CHECKSUM, None) != checksum(data):
            raise ValueError("its content is not what was recorded: the checksum is another")
        return msgspec.convert(data, cls)


def checksum(fields: dict[str, Any]) -> str:
    """Return the SHA-256 of the fields of a record, whichever they are, as JSON without spaces and in order."""
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
