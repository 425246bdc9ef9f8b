"""A file is written whole or not at all."""

import errno
import os
from pathlib import Path

import pytest

from compile_lessons.ground.files import write_atomically


def test_new_and_replaced(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    write_atomically(file, b"one")
    file.chmod(0o640)
    write_atomically(file, b"two")
    assert file.read_bytes() == b"two"
    assert file.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["a.json"]


def test_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.json"
    write_atomically(file, b"one")

    def full(source: object, target: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(file, b"two")
    assert file.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["a.json"]


def test_device_is_written_in_place() -> None:
    write_atomically(Path(os.devnull), b"gone")
    assert not Path(os.devnull).is_file()


def test_folder(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        write_atomically(tmp_path, b"")
