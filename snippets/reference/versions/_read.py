"""Read what the snippets do differently under a different torch."""

import json
import tomllib
from pathlib import Path

from compile_lessons import Listing

HERE = Path(__file__).parent
VERSIONS = ["2.11", "2.12", "2.14", "2.15"]


def read(version):
    """Return the comparison that ``compile_lessons.course versions`` wrote."""
    return json.loads((HERE / f"{version}.json").read_text(encoding="utf-8"))


def read_causes():
    """Return the causes of differences, each with its versions and snippets."""
    causes = tomllib.loads((HERE / "causes.toml").read_text(encoding="utf-8"))
    return causes["cause"]


def list_differences(version):
    """Return a row for each snippet that differs: what differs, and why."""
    differences = read(version)["differences"]
    causes = [cause for cause in read_causes() if version in cause["versions"]]
    failures = sorted(name for name in differences if "failure" in differences[name])
    others = sorted(name for name in differences if "failure" not in differences[name])
    rows = []
    for name in failures + others:
        reasons = [cause["what"] for cause in causes if name in cause["snippets"]]
        rows.append([name, "; ".join(describe(differences[name])), " ".join(reasons)])
    lessons = {name: difference["page"] for name, difference in differences.items()}
    return Listing(["snippet", "what differs", "cause"], rows, lessons, f"{version}-")


def describe(difference):
    """Yield the failure, each value before and after, and two lines of the output."""
    if "failure" in difference:
        yield f"fails: {difference['failure']}"
    for name, (before, after) in difference.get("values", {}).items():
        yield f"{name}: {before} → {after}"
    if "lines" in difference:
        count = difference["lines"]
        lines = f"{count} line{'s' if count > 1 else ''}"
        first_two = "  ".join(difference["output"][:2])
        yield f"{lines} of output, such as {first_two}"
