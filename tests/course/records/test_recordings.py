"""Recordings, with a GPU and peers that are only said to be there."""

from collections.abc import Callable

import pytest
import torch

from compile_lessons.course.records import recordings, sources
from compile_lessons.course.records.plan import find_record, package_changed, plan
from compile_lessons.course.records.recordings import record_snippets
from compile_lessons.course.records.runner import execute, run_snippets
from compile_lessons.course.records.store import Store
from compile_lessons.ground.project import Project, ProjectError
from compile_lessons.runs.machine import missing, processor

SNIPPET = '# /// lesson\n# needs = ["gpu"]\n# ///\n"""On a GPU."""\n\nprint("ran")\n'
PEERS = SNIPPET.replace("gpu", "peers").replace("a GPU", "a CPU, beside others")
FACTS = {"CUDA": "13.0", "driver": "1.2"}


@pytest.fixture
def with_gpu(monkeypatch):
    monkeypatch.setattr(
        recordings,
        "find_gpu",
        lambda count=1: recordings.Gpu(f"{count} × Test GPU" if count > 1 else "Test GPU", FACTS),
    )


def test_only_changed_snippets_are_recorded(make_project, with_gpu):
    project = make_project({"snippets/a.py": SNIPPET, "snippets/b.py": SNIPPET, "snippets/cpu.py": "print(1)\n"})
    names = project.snippet_names()
    assert sorted((o.name, o.how) for o in record_snippets(project, names)) == [("a.py", "fresh"), ("b.py", "fresh")]
    recording = Store(project).recording("a.py")
    assert (recording.device, recording.gpu, recording.text) == ("Test GPU", FACTS, "ran\n")

    assert {o.how for o in record_snippets(project, names)} == {"cached"}
    (project.snippets / "a.py").write_text(SNIPPET.replace("ran", "ran again"))
    assert {o.name: o.how for o in record_snippets(project, names)} == {"a.py": "fresh", "b.py": "cached"}
    assert {o.how for o in record_snippets(project, names, every=True)} == {"fresh"}


def test_a_recording_names_the_number_of_gpus(make_project, with_gpu):
    project = make_project({"snippets/a.py": SNIPPET.replace('# ///\n"', '# gpus = 2\n# ///\n"')})
    record_snippets(project, ["a.py"])
    assert Store(project).recording("a.py").device == "2 × Test GPU"


def test_too_few_gpus(make_project, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    project = make_project({"snippets/a.py": SNIPPET.replace('# ///\n"', '# gpus = 2\n# ///\n"')})
    with pytest.raises(recordings.CannotRecord, match="2 GPUs are needed, and torch finds 1"):
        record_snippets(project, ["a.py"])


def test_a_failed_run_leaves_the_recording(make_project, with_gpu):
    project = make_project({"snippets/a.py": SNIPPET})
    record_snippets(project, ["a.py"])
    before = Store(project).recording("a.py")
    (project.snippets / "a.py").write_text(SNIPPET + "raise ValueError\n")
    (outcome,) = record_snippets(project, ["a.py"])
    assert (outcome.how, outcome.failure.line) == ("failed", 7)
    assert Store(project).recording("a.py") == before


def test_without_a_gpu(make_project, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    project = make_project({"snippets/a.py": SNIPPET})
    with pytest.raises(
        recordings.CannotRecord, match=r"finds no GPU\. Fix: run 'python -m compile_lessons.course record'"
    ):
        record_snippets(project, ["a.py"])


def test_snippets_that_need_no_gpu_are_not_recorded(make_project):
    project = make_project({"snippets/a.py": "x = 1\n"})
    with pytest.raises(ProjectError, match="none of these snippets needs a GPU"):
        record_snippets(project, ["a.py"])


@pytest.fixture
def jax_alone(monkeypatch, tmp_path):
    """The only peer is a package ``jax`` of version 1.2.3 that does nothing."""
    for path, text in {
        "jax/__init__.py": "",
        "jax-1.2.3.dist-info/METADATA": "Metadata-Version: 2.1\nName: jax\nVersion: 1.2.3\n",
    }.items():
        (tmp_path / "packages" / path).parent.mkdir(parents=True)
        (tmp_path / "packages" / path).write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
    monkeypatch.setattr(recordings, "missing_peers", lambda: [])


def test_a_recording_beside_other_packages(make_project, jax_alone):
    """It names the processor and the versions of what it imported, and is out of date after an edit."""
    project = make_project({"snippets/a.py": PEERS + "import jax\n", "snippets/b.py": PEERS})
    assert {o.how for o in record_snippets(project, project.snippet_names())} == {"fresh"}
    a, b = (Store(project).recording(name) for name in ("a.py", "b.py"))
    assert a.device == b.device == f"a CPU ({processor()}, {a.isa}, {a.cores} core{'s' if a.cores > 1 else ''})"
    assert (a.packages, b.packages, a.gpu) == ({"jax": "1.2.3"}, {}, None)

    (project.snippets / "a.py").write_text(PEERS)
    recording, failure = find_record(Store(project), plan(project, "a.py"))
    assert recording == a and failure.message == "its recording is older than its source"
    assert failure.remedy.endswith("record snippets/a.py' on a machine with the extra 'peers'")
    assert {o.name: o.how for o in record_snippets(project, ["a.py", "b.py"])} == {"a.py": "fresh", "b.py": "cached"}


def test_what_makes_a_recording_out_of_date(make_project, jax_alone, monkeypatch, tmp_path):
    """A change of the snippet or of what measures; a change elsewhere in the package makes none, and is said."""
    package = tmp_path / "src" / "compile_lessons"
    (package / "show").mkdir(parents=True)
    for name in ("__init__", "show/__init__", "show/layout", "show/table"):
        (package / f"{name}.py").write_text("x = 1\n")
    monkeypatch.setattr(sources, "_PACKAGE", package)
    monkeypatch.setattr(sources, "MEASURING", ("compile_lessons/show/layout.py",))
    imports = "import compile_lessons.show.layout\nimport compile_lessons.show.table\n"
    project = make_project({"snippets/a.py": PEERS + imports})
    record_snippets(project, ["a.py"])

    def state() -> tuple[bool, bool]:
        item = plan(project, "a.py")
        recording, failure = find_record(Store(project), item)
        return failure is not None, package_changed(recording, item)

    assert state() == (False, False)
    (package / "show/table.py").write_text("x = 22\n")
    assert state() == (False, True)
    (package / "show/table.py").write_text("x = 1\n")
    (package / "show/layout.py").write_text("x = 22\n")
    assert state() == (True, False)


PROGRAM = PEERS + 'import _helper\n\nsteps = _helper.double(3)\nprint("steps:", steps)\n'
HELPER = 'def double(count):\n    """Return twice as many."""\n    return 2 * count\n'


@pytest.fixture
def recorded(make_project, jax_alone) -> Project:
    """A project with a recording of a program and its helper."""
    project = make_project({"snippets/a.py": PROGRAM, "snippets/_helper.py": HELPER})
    (outcome,) = record_snippets(project, ["a.py"])
    assert outcome.how == "fresh"
    return project


def is_out_of_date(project: Project) -> bool:
    recording, failure = find_record(Store(project), plan(project, "a.py"))
    assert recording is not None
    return failure is not None


@pytest.mark.parametrize(
    ("path", "written", "edited"),
    [
        ("a.py", "_helper.double(3)", "_helper.double(\n    3,\n)"),
        ("a.py", "_helper.double(3)", "(_helper.double(3))  # twice three"),
        ("a.py", '"steps:"', "(\n    'st'\n    'eps:'\n)"),
        ("a.py", "import _helper\n", "\n\nimport _helper\n"),
        ("a.py", '"""On', '"""Beside'),
        ("_helper.py", "2 * count", "(\n        2 * count\n    )"),
        ("_helper.py", "as many", "the\n    number"),
    ],
)
def test_a_recording_outlives_a_new_layout_and_other_docstrings(recorded, path, written, edited):
    before = (recorded.snippets / path).read_text()
    (recorded.snippets / path).write_text(before.replace(written, edited))
    assert (recorded.snippets / path).read_text() != before
    assert not is_out_of_date(recorded)
    assert [outcome.how for outcome in record_snippets(recorded, ["a.py"])] == ["cached"]


@pytest.mark.parametrize(
    ("path", "written", "edited"),
    [
        ("a.py", "double(3)", "double(4)"),
        ("a.py", "double(3)", "double(3.0)"),
        ("a.py", '"steps:"', '"steps: "'),
        ("a.py", "steps = ", "count = steps = "),
        ("a.py", '# ///\n"', "# env = {A = '1'}\n# ///\n\""),
        ("_helper.py", "2 * count", "count * 2"),
        ("_helper.py", "2 * count", "2 * count)"),
    ],
)
def test_a_recording_does_not_outlive_a_change_of_what_a_program_runs(recorded, path, written, edited):
    before = (recorded.snippets / path).read_text()
    (recorded.snippets / path).write_text(before.replace(written, edited))
    assert (recorded.snippets / path).read_text() != before
    assert is_out_of_date(recorded)


def test_a_recording_that_names_a_line_does_not_outlive_a_new_layout(make_project, jax_alone):
    """Only the program that it names: a helper may still be laid out anew."""
    warns = "import warnings\n" + PROGRAM.removeprefix(PEERS) + 'warnings.warn("here")\n'
    project = make_project({"snippets/a.py": PEERS + warns, "snippets/_helper.py": HELPER})
    record_snippets(project, ["a.py"])
    assert "a.py:12: UserWarning: here" in Store(project).recording("a.py").text

    (project.snippets / "_helper.py").write_text("\n" + HELPER)
    assert not is_out_of_date(project)
    (project.snippets / "a.py").write_text(PEERS + "\n" + warns)
    assert is_out_of_date(project)


@pytest.mark.parametrize(
    "looks",
    [
        "import inspect\ninspect.getsource(_helper)\n",
        "import linecache\n",
        "print(len(_helper.double.__doc__))\n",
        "print(len(open(__file__).read()))\n",
    ],
)
def test_a_recording_of_a_program_that_looks_at_its_text_does_not_outlive_a_new_layout(make_project, jax_alone, looks):
    project = make_project({"snippets/a.py": PROGRAM + looks, "snippets/_helper.py": HELPER})
    record_snippets(project, ["a.py"])
    assert not is_out_of_date(project)
    (project.snippets / "_helper.py").write_text("\n" + HELPER)
    assert is_out_of_date(project)


def test_a_program_that_is_edited_while_it_runs_is_out_of_date(make_project, jax_alone):
    edits = "from pathlib import Path\nPath(__file__).write_text(Path(__file__).read_text() + '# edited')\n"
    project = make_project({"snippets/a.py": PEERS + edits})
    record_snippets(project, ["a.py"])
    assert is_out_of_date(project)


def test_a_build_does_not_run_what_is_recorded(make_project):
    project = make_project({"snippets/a.py": PEERS})
    (outcome,) = run_snippets(project, ["a.py"])
    assert (outcome.how, outcome.reason) == ("skipped", missing(("peers",)))
    assert "install the extra" in outcome.reason


def test_what_this_machine_lacks_is_skipped(make_project, monkeypatch, with_gpu):
    monkeypatch.setattr(recordings, "missing_peers", lambda: ["jax", "mlx"])
    project = make_project({"snippets/gpu.py": SNIPPET, "snippets/peers.py": PEERS})
    outcomes = {o.name: o for o in record_snippets(project, project.snippet_names())}
    assert {name: o.how for name, o in outcomes.items()} == {"gpu.py": "fresh", "peers.py": "skipped"}
    assert outcomes["peers.py"].reason.startswith("not installed: jax, mlx. Fix: pip install")
    with pytest.raises(recordings.CannotRecord, match="not installed: jax, mlx"):
        record_snippets(project, ["peers.py"])


def test_timed_snippets_do_not_overlap(make_project: Callable[..., Project]) -> None:
    """What is recorded is timed: one that runs beside another would slow it down."""
    source = "import time\n\nbegan = time.time()\ntime.sleep(0.5)\nended = time.time()\n"
    project = make_project({"snippets/a.py": source, "snippets/b.py": source})
    plans = [plan(project, name) for name in project.snippet_names()]
    first, second = execute(project, plans, fork=False, at_once=1)
    assert (first.failure, second.failure) == (None, None)
    assert first.values["ended"] < second.values["began"]
