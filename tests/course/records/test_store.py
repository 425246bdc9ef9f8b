"""The store gives back what was put, and nothing that is damaged."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from compile_lessons.course.records.executor import scratch_folder
from compile_lessons.course.records.store import DamagedRecording, Store, StoreError
from compile_lessons.ground.project import Project
from projects import RECORD

KEY = RECORD.key


@pytest.fixture
def store(make_project: Callable[..., Project]) -> Store:
    return Store(make_project({}))


def test_put_and_get(store: Store) -> None:
    assert store.get(KEY) is None
    store.put(RECORD)
    assert store.get(KEY) == RECORD
    newer = replace(RECORD, verified=True)
    store.put(newer)
    assert store.get(KEY) == newer
    assert [path.name for path in store.path(KEY).parent.iterdir()] == [f"{KEY}.json"]


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"\xff\xfe", b"[]", b"[" * 100_000, RECORD.to_json().encode()[:200]),
        RECORD.to_json().replace("table", "tabel").encode(),
    ],
)
def test_damaged_file_is_a_miss(store: Store, content: bytes) -> None:
    store.put(RECORD)
    store.path(KEY).write_bytes(content)
    assert store.get(KEY) is None
    store.put(RECORD)
    assert store.get(KEY) == RECORD


def test_folder_in_its_place_is_a_miss(store: Store) -> None:
    store.path(KEY).mkdir(parents=True)
    assert store.get(KEY) is None
    with pytest.raises(StoreError, match="cannot write"):
        store.put(RECORD)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_folder_without_permission(store: Store) -> None:
    store.folder.mkdir(parents=True)
    store.folder.chmod(0o500)
    with pytest.raises(StoreError, match="Permission denied"):
        store.put(RECORD)


def test_below_a_file(make_project: Callable[..., Project], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    root = make_project({}).root
    monkeypatch.setenv("COMPILE_LESSONS_CACHE", str(tmp_path / "file"))
    store = Store(Project(root))
    assert store.get(KEY) is None
    with pytest.raises(
        StoreError, match=r"cannot write .*file.*: .*\. Fix: free space or permissions there, or set COMPILE"
    ):
        store.put(RECORD)


def test_prune_keeps_what_is_current_and_what_is_new(store: Store) -> None:
    """A run of another checkout may have made what is new, and show it next."""
    old, new = replace(RECORD, key="j" * 64), replace(RECORD, key="n" * 64)
    for record in (RECORD, old, new):
        store.put(record)
    stray = store.folder / "stray"
    stray.write_text("")
    for path in (store.path(KEY), store.path(old.key), stray):
        os.utime(path, (0, 0))
    assert store.prune({KEY}) == 2
    assert store.get(KEY) == RECORD
    assert store.get(old.key) is None
    assert store.get(new.key) == new


def test_prune_keeps_the_folder_of_a_server_that_waits(store: Store) -> None:
    with scratch_folder(store.project) as waits, scratch_folder(store.project) as cut_off:
        ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True)
        (cut_off / "owner").write_text(ended.stdout)
        (cut_off / "left").write_text("")
        for folder in (waits, cut_off):
            os.utime(folder, (0, 0))
        assert store.prune(set()) == 2
        assert (waits.exists(), cut_off.exists()) == (True, False)


def test_recording_lies_beside_its_snippet(store: Store) -> None:
    path = store.recording_path("part/gpu.py")
    assert path == store.project.snippets / "part/gpu.recording.json"
    assert store.recording("part/gpu.py") is None
    path.parent.mkdir()
    path.write_text(RECORD.to_json())
    assert store.recording("part/gpu.py") == RECORD
    path.write_text(RECORD.to_json().replace("table", "tabel"))
    named = r"^snippets/part/gpu\.recording\.json can't be used: its content is not what was recorded"
    with pytest.raises(DamagedRecording, match=named):
        store.recording("part/gpu.py")
