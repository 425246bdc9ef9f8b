"""Recordings of GPU runs, with a GPU that is only said to be there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from compile_lessons.project import Project
from compile_lessons.records import recorder
from compile_lessons.records.plan import plan
from compile_lessons.records.runner import execute
from compile_lessons.records.store import Store

SNIPPET = '# /// lesson\n# needs = ["gpu"]\n# ///\n"""On a GPU."""\n\nprint("ran")\n'
FACTS = {"CUDA": "13.0", "driver": "1.2"}


@pytest.fixture
def with_gpu(monkeypatch):
    monkeypatch.setattr(
        recorder, "find_gpu", lambda count=1: recorder.Gpu(f"{count} × Test GPU" if count > 1 else "Test GPU", FACTS)
    )


def test_only_changed_snippets_are_recorded(make_project, with_gpu):
    project = make_project({"snippets/a.py": SNIPPET, "snippets/b.py": SNIPPET, "snippets/cpu.py": "print(1)\n"})
    names = project.snippet_names()
    assert sorted((o.name, o.how) for o in recorder.record(project, names)) == [("a.py", "fresh"), ("b.py", "fresh")]
    recording = Store(project).recording("a.py")
    assert (recording.device, recording.gpu, recording.text) == ("Test GPU", FACTS, "ran\n")

    assert {o.how for o in recorder.record(project, names)} == {"cached"}
    (project.snippets / "a.py").write_text(SNIPPET.replace("ran", "ran again"))
    assert {o.name: o.how for o in recorder.record(project, names)} == {"a.py": "fresh", "b.py": "cached"}
    assert {o.how for o in recorder.record(project, names, every=True)} == {"fresh"}


def test_a_recording_names_the_number_of_gpus(make_project, with_gpu):
    project = make_project({"snippets/a.py": SNIPPET.replace('# ///\n"', '# gpus = 2\n# ///\n"')})
    recorder.record(project, ["a.py"])
    assert Store(project).recording("a.py").device == "2 × Test GPU"


def test_too_few_gpus(make_project, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    project = make_project({"snippets/a.py": SNIPPET.replace('# ///\n"', '# gpus = 2\n# ///\n"')})
    with pytest.raises(recorder.NoGpu, match="2 GPUs are needed, and torch finds 1"):
        recorder.record(project, ["a.py"])


def test_a_failed_run_leaves_the_recording(make_project, with_gpu):
    project = make_project({"snippets/a.py": SNIPPET})
    recorder.record(project, ["a.py"])
    before = Store(project).recording("a.py")
    (project.snippets / "a.py").write_text(SNIPPET + "raise ValueError\n")
    (outcome,) = recorder.record(project, ["a.py"])
    assert (outcome.how, outcome.failure.line) == ("failed", 7)
    assert Store(project).recording("a.py") == before


def test_without_a_gpu(make_project, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    project = make_project({"snippets/a.py": SNIPPET})
    with pytest.raises(recorder.NoGpu, match=r"finds no GPU\. Fix: run 'compile-lessons record'"):
        recorder.record(project, ["a.py"])


def test_timed_snippets_do_not_overlap(make_project: Callable[..., Project]) -> None:
    """What is recorded is timed: one that runs beside another would slow it down."""
    source = "import time\n\nbegan = time.time()\ntime.sleep(0.5)\nended = time.time()\n"
    project = make_project({"snippets/a.py": source, "snippets/b.py": source})
    plans = [plan(project, name) for name in project.snippet_names()]
    first, second = execute(project, plans, False, False, lambda name: None, at_once=1)
    assert (first.failure, second.failure) == (None, None)
    assert first.values["ended"] < second.values["began"]
