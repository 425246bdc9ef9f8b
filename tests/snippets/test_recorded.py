"""Every snippet that needs a GPU has a recording, made on an H200 or an H100; those beside other packages, on a CPU."""

import json
from pathlib import Path

import pytest

from compile_lessons.course.records.snippet import load_snippet
from compile_lessons.ground.project import Project

PROJECT = Project(Path(__file__).parents[2])
NEEDS = {name: load_snippet(PROJECT, name).declared.needs for name in PROJECT.snippet_names()}
NAMES = [name for name, needs in NEEDS.items() if "gpu" in needs]
ON_AN_H100 = ("build/gpu_backend.py", "dynamo/fake_tensors/gpu_saved.py", *(name for name in NAMES if "/h100_" in name))
BESIDE_PEERS = [name for name, needs in NEEDS.items() if "peers" in needs]


def test_some_snippets_need_a_gpu() -> None:
    assert len(NAMES) >= 29


@pytest.mark.parametrize("name", NAMES)
def test_recorded_on_the_gpu_that_its_page_names(recording, name):
    recorded = recording(name)
    gpus = load_snippet(PROJECT, name).declared.gpus
    gpu = "NVIDIA H100 80GB HBM3" if name in ON_AN_H100 else "NVIDIA H200"
    assert recorded.device == (f"{gpus} × {gpu}" if gpus > 1 else gpu)
    assert recorded.failure is None


@pytest.mark.parametrize("name", BESIDE_PEERS)
def test_recorded_on_a_cpu(recording, name):
    recorded = recording(name)
    assert recorded.device.startswith("a CPU (")
    assert recorded.failure is None


@pytest.mark.parametrize("name", [*NAMES, *BESIDE_PEERS])
def test_a_program_whose_lines_may_be_in_a_recording_is_known_by_its_bytes(recording, name):
    """All others are known by what they run, which a new layout leaves as it is."""
    text = json.dumps([[output.text, output.rich] for output in recording(name).outputs])
    text += f"{recording(name).raised} {recording(name).warnings} {recording(name).values}"
    programs = {path: sha for path, sha in recording(name).sources.items() if path.startswith("snippets/")}
    looks = any("linecache" in (PROJECT.root / path).read_text(encoding="utf-8") for path in programs)
    for path, sha in programs.items():
        by_bytes = looks or Path(path).name in text or not path.endswith(".py")
        assert sha.startswith("program ") != by_bytes, path
