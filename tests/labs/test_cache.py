"""Compiled code is kept in a folder of the user's own, and loaded from no other."""

import os
import stat
import sys
from pathlib import Path

import pytest

from compile_lessons.ground.project import CACHE_VARIABLE
from compile_lessons.labs import examiner
from compile_lessons.labs.examiner import Examiner, check, own_cache
from compile_lessons.labs.lab import LabError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (CACHE_VARIABLE, "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, ".cache/compile-lessons"),
        ("linux", {"XDG_CACHE_HOME": "{home}/caches"}, "caches/compile-lessons"),
        ("linux", {"XDG_CACHE_HOME": "caches"}, ".cache/compile-lessons"),
        ("darwin", {}, "Library/Caches/compile-lessons"),
        ("win32", {}, "AppData/Local/compile-lessons"),
        ("win32", {"LOCALAPPDATA": "{home}/Local"}, "Local/compile-lessons"),
        ("linux", {CACHE_VARIABLE: "{home}/mine"}, "mine"),
    ],
)
def test_where_it_is(
    home: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], folder: str
) -> None:
    monkeypatch.setattr(examiner.sys, "platform", platform)
    for name, value in variables.items():
        monkeypatch.setenv(name, value.format(home=home))
    assert own_cache() == home / folder and (home / folder).is_dir()


def test_a_relative_name_is_below_the_working_directory(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run changes its directory."""
    monkeypatch.chdir(home)
    monkeypatch.setenv(CACHE_VARIABLE, "mine")
    assert own_cache() == home / "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="its folders have no owner's mode")
def test_only_its_user_enters_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = own_cache()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.chmod(0o777)  # as an earlier version may have left it
    assert stat.S_IMODE(own_cache().stat().st_mode) == 0o700
    owner = os.getuid()
    monkeypatch.setattr(examiner.os, "getuid", lambda: owner + 1)
    with pytest.raises(LabError, match=rf"belongs to another user \(id {owner}\).* Fix: set {CACHE_VARIABLE} to"):
        Examiner()


def test_a_folder_that_cannot_be_made_ends_a_check_without_a_traceback(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / ".cache").write_text("")
    with pytest.raises(SystemExit) as ended:
        check("shapes", str(home / "shapes.py"))
    assert ended.value.code == 2 and f"Fix: set {CACHE_VARIABLE} to a folder" in capsys.readouterr().err
