"""Show the figures as tables and write them as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from measure import Figure, Part

from compile_lessons import Table
from compile_lessons.runs.machine import Machine

_COLUMNS = ("what", "median", "min", "max", "runs", "target", "met")


def table(part: Part) -> str:
    rows = [
        (
            figure.name,
            *(_number(value, figure.unit) for value in _summary(figure)),
            len(figure.values),
            *_target(figure),
        )
        for figure in part.figures
    ]
    notes = "".join(f"\n{note}" for note in part.notes)
    return f"\n{part.title}\n\n{Table(_COLUMNS, rows)}\n{notes}"


def _summary(figure: Figure) -> tuple[float, float, float]:
    return figure.median, min(figure.values), max(figure.values)


def _number(value: float, unit: str) -> str:
    digits = 0 if unit == "MiB" else 2
    return f"{value:.{digits}f} {unit}"


def _target(figure: Figure) -> tuple[str, str]:
    if figure.target is None:
        return "", ""
    return f"≤ {figure.target:.2f}", "yes" if figure.met else "NO"


def missed(parts: list[Part]) -> list[str]:
    """A line for every target that was not met."""
    return [
        f"missed: {part.title}: {figure.name}: {figure.median:.3f}, target {figure.target:.2f}"
        for part in parts
        for figure in part.figures
        if figure.met is False
    ]


def machine_line(machine: Machine) -> str:
    cores = f"{machine.cores} core{'s' if machine.cores != 1 else ''}"
    return f"{cores}, {machine.isa}, torch {machine.torch}, Python {machine.python}"


def write(path: Path, machine: Machine, parts: list[Part]) -> None:
    """All values, not only their medians."""
    data = {
        "machine": asdict(machine),
        "parts": [
            {
                "title": part.title,
                "notes": part.notes,
                "facts": part.facts,
                "figures": [{**asdict(figure), "median": figure.median, "met": figure.met} for figure in part.figures],
            }
            for part in parts
        ],
    }
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
