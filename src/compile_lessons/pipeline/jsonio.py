"""Dataclasses to JSON text and back. Nothing is evaluated: the types are the model's own annotations.

Bytes are base64 in the text.
"""

from __future__ import annotations

import base64
import dataclasses
import functools
import json
import types
import typing
from typing import Any, TypeVar

from compile_lessons.pipeline.model import SCHEMA

T = TypeVar("T")


def to_json(value: Any) -> str:
    """A dataclass of the model as JSON text that begins with the schema. Raises ``ValueError`` for NaN and infinity."""
    fields = {"schema": SCHEMA} | dataclasses.asdict(value)
    return json.dumps(fields, ensure_ascii=False, allow_nan=False, default=_binary)


def _binary(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def from_json(cls: type[T], text: str) -> T:
    """The ``cls`` in the text. Raises ``ValueError`` if it is not one, or of another schema."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError("this JSON is nested too deeply") from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        found = data.get("schema") if isinstance(data, dict) else None
        raise ValueError(f"this JSON has schema {found!r}; this version reads schema {SCHEMA}")
    if "schema" not in _hints(cls):
        del data["schema"]
    return _read(cls, data, cls.__name__)


def _read(kind: Any, data: Any, where: str) -> Any:
    if dataclasses.is_dataclass(kind):
        return _read_dataclass(kind, data, where)
    origin = typing.get_origin(kind)
    if origin is tuple:
        return _read_tuple(kind, data, where)
    if origin in (typing.Union, types.UnionType):
        return _read_union(kind, data, where)
    if origin is dict:
        return _read_dict(kind, data, where)
    if kind is float and type(data) is int:
        return float(data)
    if kind is bytes and type(data) is str:
        return base64.b64decode(data, validate=True)
    if type(data) is not kind:
        raise ValueError(f"{where}: expected {getattr(kind, '__name__', kind)}, found {type(data).__name__}")
    return data


def _read_dataclass(kind: Any, data: Any, where: str) -> Any:
    if not isinstance(data, dict):
        raise ValueError(f"{where}: expected the fields of {kind.__name__}, found {type(data).__name__}")
    hints = _hints(kind)
    if set(data) != set(hints):
        wrong = ", ".join(sorted(set(data) ^ set(hints)))
        raise ValueError(f"{where}: missing or unknown in {kind.__name__}: {wrong}")
    return kind(**{name: _read(hint, data[name], f"{where}.{name}") for name, hint in hints.items()})


def _read_tuple(kind: Any, data: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise ValueError(f"{where}: expected a list, found {type(data).__name__}")
    item = typing.get_args(kind)[0]
    return tuple(_read(item, value, f"{where}[{i}]") for i, value in enumerate(data))


def _read_dict(kind: Any, data: Any, where: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise ValueError(f"{where}: expected an object, found {type(data).__name__}")
    item = typing.get_args(kind)[1]
    return {name: _read(item, value, f"{where}[{name!r}]") for name, value in data.items()}


def _read_union(kind: Any, data: Any, where: str) -> Any:
    options = [option for option in typing.get_args(kind) if option is not types.NoneType]
    if data is None and len(options) < len(typing.get_args(kind)):
        return None
    if len(options) == 1:
        return _read(options[0], data, where)
    if type(data) in options:
        return data
    raise ValueError(f"{where}: expected {kind}, found {type(data).__name__}")


@functools.cache
def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)
