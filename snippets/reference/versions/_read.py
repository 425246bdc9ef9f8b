"""Read what the snippets do differently under a different torch; the programs next to this file show it."""

import json
import tomllib
from pathlib import Path

from compile_lessons import Listing

HERE = Path(__file__).parent
VERSIONS = ["2.11", "2.12", "2.14", "2.15"]


def read(version):
    """Return the comparison that "python -m compile_lessons.course versions" wrote for a version."""
    return json.loads((HERE / f"{version}.json").read_text(encoding="utf-8"))


def read_causes():
    """Return the causes of differences, each with its versions and snippets."""
    return tomllib.loads((HERE / "causes.toml").read_text(encoding="utf-8"))["cause"]


def list_differences(version):
    """Return a row for each snippet that differs under this version: what differs, and why."""
    differences = read(version)["differences"]
    causes = [cause for cause in read_causes() if version in cause["versions"]]
    rows = []
    for name, difference in sorted(differences.items(), key=lambda item: ("failure" not in item[1], item[0])):
        reasons = [cause["what"] for cause in causes if name in cause["snippets"]]
        rows.append([name, "; ".join(describe(difference)), " ".join(reasons)])
    lessons = {name: difference["page"] for name, difference in differences.items()}
    return Listing(["snippet", "what differs", "cause"], rows, lessons, f"{version}-")


def describe(difference):
    """Yield what differs: the failure, each value before and after, how many lines of output, and the first two."""
    if "failure" in difference:
        yield f"fails: {difference['failure']}"
    for name, (before, after) in difference.get("values", {}).items():
        yield f"{name}: {before} → {after}"
    if "lines" in difference:
        count = difference["lines"]
        yield f"{count} line{'s' if count > 1 else ''} of output, such as {'  '.join(difference['output'][:2])}"
