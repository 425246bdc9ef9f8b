"""Time whole processes, and sum up what was timed. Seconds of wall time, bytes of resident memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.progress import track

Value = TypeVar("Value")


class BenchError(Exception):
    """Something that was to be timed did not do its work; what it printed is in the message."""


@dataclass(frozen=True)
class Timed:
    """One process from its start to its end: ``seconds`` of wall time, ``cpu`` in seconds of processor time with those
    of its children, ``peak_memory`` in bytes, what it ``printed``."""

    seconds: float
    cpu: float
    peak_memory: int
    printed: str


def timed(command: Sequence[str | Path], folder: Path, env: dict[str, str]) -> Timed:
    """Run a command in ``folder``. Raises ``BenchError`` if it fails."""
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=env, stdout=output, stderr=output, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        printed = output.read().decode(errors="replace")
    if process.returncode:
        raise BenchError(f"{' '.join(map(str, command))} ended with status {process.returncode}:\n{printed[-4000:]}")
    return Timed(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, printed)


def alternating(repeat: int, *contenders: Callable[[], Value]) -> list[list[Value]]:
    """Call the contenders in turn, A B A B …, ``repeat`` times: a list of values for each, paired by position.

    A terminal shows a bar meanwhile.
    """
    values: list[list[Value]] = [[] for _ in contenders]
    turns = repeat * list(zip(values, contenders, strict=True))
    terminal = Console(stderr=True)
    hidden = not terminal.is_terminal
    for mine, contender in track(turns, "measuring", console=terminal, transient=True, disable=hidden):
        mine.append(contender())
    return values


@dataclass(frozen=True)
class Figure:
    """Repeated measurements of one thing. ``target`` is the most that its median may be; ``None`` if there is none."""

    name: str
    unit: str
    values: list[float]
    target: float | None = None

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def met(self) -> bool | None:
        return None if self.target is None else self.median <= self.target


def ratio(name: str, ours: list[float], theirs: list[float], target: float | None = None) -> Figure:
    """The ratios of values measured in pairs."""
    return Figure(name, "x", [a / b for a, b in zip(ours, theirs, strict=True)], target)


@dataclass
class Part:
    """A table of figures; ``notes`` are sentences under it, ``facts`` go only into the JSON file."""

    title: str
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, unit: str, values: list[float], target: float | None = None) -> Figure:
        self.figures.append(Figure(name, unit, values, target))
        return self.figures[-1]
