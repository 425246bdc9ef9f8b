"""The base of all data that ``capture`` returns, and its forms: text, HTML and JSON.

``text`` and ``html`` are generic functions. ``forms`` registers the forms of the parts, and ``explorer`` the HTML of a
whole pipeline. Whoever imports ``capture`` or a part from the package has them registered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import singledispatch
from html import escape
from typing import Any, Self, SupportsIndex, TypeVar, overload

import msgspec

from compile_lessons.ground.reading import read_json

#: Version of the JSON form. It changes when a field is added, removed, renamed or changes its meaning.
SCHEMA = 9

T = TypeVar("T")


@singledispatch
def text(part: Any) -> str:
    """Return the text form of a part for a width of 100 columns. Raises ``TypeError`` for anything else."""
    raise TypeError(f"no text form for {type(part).__name__}")


@singledispatch
def html(part: Any) -> str:
    """Return the HTML form of a part. A part without a form of its own shows its text."""
    return f"<pre>{escape(text(part))}</pre>"


@dataclass(frozen=True, kw_only=True)
class Part:
    """Base of all parts, which are frozen dataclasses with keyword-only fields."""

    def __str__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return html(self)

    def to_json(self) -> str:
        """Return the part as JSON text with the schema's version. Bytes become base64.

        Raises ``ValueError`` for NaN and infinity, which JSON does not have.
        """
        data = {"schema": SCHEMA} | msgspec.to_builtins(self)
        return json.dumps(data, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the part that ``to_json`` wrote.

        Raises ``ValueError`` for another schema, for a missing or unknown field, and for a value of another type; the
        message says where it stands (``$.frames[0].line``).
        """
        try:
            data = read_json(text)
            schema = data.pop("schema", None) if isinstance(data, dict) else None
            if schema != SCHEMA:
                raise ValueError(f"this JSON has schema {schema!r}; this version reads schema {SCHEMA}")
            part = msgspec.convert(data, cls)
            wrong = next(_wrong_fields(data, part, "$"), None)
        except msgspec.ValidationError as error:
            raise ValueError(f"this JSON is not a {cls.__name__}: {error}") from None
        if wrong is not None:
            raise ValueError(f"this JSON is not a {cls.__name__}: missing or unknown field `{wrong}`")
        return part


def _wrong_fields(given: Any, part: Any, where: str) -> Iterator[str]:
    """Yield the fields that only JSON data or only the part read from it has, which msgspec allows in dataclasses."""
    if isinstance(part, tuple):
        for i, (item, value) in enumerate(zip(given, part, strict=True)):
            yield from _wrong_fields(item, value, f"{where}[{i}]")
    elif isinstance(part, Part):
        names = {field.name for field in fields(part)}
        yield from sorted(f"{where}.{name}" for name in given.keys() ^ names)
        for name in given.keys() & names:
            yield from _wrong_fields(given[name], getattr(part, name), f"{where}.{name}")


class Parts(tuple[T, ...]):
    """Several parts of one kind: a tuple that prints as a table, or as the parts one after the other.

    Slices are ``Parts`` too; ``Parts(guard for guard in pipeline.guards if …)`` is a selection.
    """

    def __str__(self) -> str:
        return text(self)

    def _repr_html_(self) -> str:
        return html(self)

    @overload
    def __getitem__(self, index: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Parts[T]: ...
    def __getitem__(self, index: Any) -> Any:
        item = super().__getitem__(index)
        return Parts(item) if isinstance(index, slice) else item
