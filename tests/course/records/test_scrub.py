"""What belongs to one machine and one run goes; everything else stays."""

import os
import pwd
import sys
import sysconfig
from pathlib import Path

import pytest

from compile_lessons.course.records import scrub as module
from compile_lessons.course.records.scrub import machine_paths, scrub
from compile_lessons.runs.machine import user_name

ROOT, CACHE = Path("/data/course"), Path("/data/course/.lessons-cache/runs/tmpabcdefgh/tmp12345678/inductor")


def clean(text: str) -> str:
    return scrub(text, ROOT, CACHE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<object at 0x7f3a12bc4d50>", "<object at 0x…>"),
        ("pid 1234 and pid=77", "pid … and pid=…"),
        ("/tmp/tmpab12cd_9/x.cpp", "/tmp/tmp…/x.cpp"),
        (f'File "{ROOT}/snippets/a.py", line 3', 'File "snippets/a.py", line 3'),
        (f"in {ROOT}", "in ."),
        (f"{CACHE}/ab/cdef.py", "/tmp/torchinductor_user/ab/cdef.py"),
        (f"{sysconfig.get_path('purelib')}/torch/x.py", "…/site-packages/torch/x.py"),
        (f"{sysconfig.get_path('stdlib')}/ast.py", f"…/python{sys.version_info[0]}.{sys.version_info[1]}/ast.py"),
        (f"{Path.home()}/notes.txt", "~/notes.txt"),
        ("# data/course/snippets/a.py:10 in f", "# snippets/a.py:10 in f"),
        ("# course/snippets/a.py:10 in f", "# snippets/a.py:10 in f"),
        ("# ata/course/snippets/a.py:10 in f", "# snippets/a.py:10 in f"),
        ("V1121 05:30:12.123000 4242 torch/_dynamo/x.py:1] [0/0] hi", "V torch/_dynamo/x.py:1] [0/0] hi"),
        ("[rank0]:W1121 05:30:12.123000 4242 torch/x.py:1] hi", "W torch/x.py:1] hi"),
        ("___check_obj_id(G['torch'], 140434285589456), type", "___check_obj_id(G['torch'], …), type"),
    ],
)
def test_rule(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_user_in_inductors_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "user_name", lambda: "ada")
    assert clean("/tmp/torchinductor_ada/x") == "/tmp/torchinductor_user/x"
    assert clean("torchinductor_adam and ada") == "torchinductor_adam and ada"


def test_home_is_found_whole_only(monkeypatch: pytest.MonkeyPatch) -> None:
    module._places.cache_clear()
    monkeypatch.setenv("HOME", "/root")
    try:
        assert clean("/root/x and /root") == "~/x and ~"
        assert clean("the root /srv/root/x /roots a/root/b") == "the root /srv/root/x /roots a/root/b"
    finally:
        module._places.cache_clear()


@pytest.mark.parametrize("home", ["/", None])
def test_a_user_without_an_account(monkeypatch: pytest.MonkeyPatch, home: str | None) -> None:
    def no_entry(*_: object) -> None:
        raise KeyError("getpwuid(): uid not found: 4321")

    monkeypatch.setattr(pwd, "getpwuid", no_entry)
    monkeypatch.setattr(os, "getuid", lambda: 4321)
    for name in ("LOGNAME", "USER", "LNAME", "USERNAME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    if home:
        monkeypatch.setenv("HOME", home)
    module._places.cache_clear()
    user_name.cache_clear()
    try:
        assert clean("a / b, ~ and /opt/x, /tmp/torchinductor_uid_4321/ab") == (
            "a / b, ~ and /opt/x, /tmp/torchinductor_user/ab"
        )
        assert list(machine_paths("a / b, ~ and /opt/x", ROOT)) == []
    finally:
        module._places.cache_clear()
        user_name.cache_clear()


@pytest.mark.parametrize(
    "text",
    [
        "the root of the tree, root=1, sys.prefix",
        "0x10 0xff 0x7fff 0XFFFFFFFF",
        "1234 5678.9 140434285589456",
        "process 3 of 4, rapid 12",
        "/tmp/x tmp_buffer tmp0 /tmpfs/abcdefgh",
        "/data/courses/snippets/a.py /other/data/course/x",
        "V2 and E1121 is not a log line",
        "size 12:30:11.123",
        "___check_obj_id(x, 12)",
        '  File "snippets/a.py", line 3, in <module>\n    f()\n    ^^^\n',
    ],
)
def test_untouched(text: str) -> None:
    assert clean(text) == text


OWN = '  File "/x/compile_lessons/runs/child.py", line 9, in run\n    exec(code)\n    ^^^^^^^^^^\n'
FROZEN = '  File "<frozen runpy>", line 198, in _run_module_as_main\n'
READER = '  File "/data/course/snippets/a.py", line 3, in <module>\n    f()\n'


def test_own_frames() -> None:
    text = "Traceback (most recent call last):\n" + FROZEN + OWN + READER + "ValueError: x\n"
    kept = 'Traceback (most recent call last):\n  File "snippets/a.py", line 3, in <module>\n    f()\nValueError: x\n'
    assert clean(text) == kept


def test_own_frames_in_a_log() -> None:
    prefix = "V1121 05:30:12.123000 42 torch/x.py:1] [0/0] "
    lines = "".join(prefix + line + "\n" for line in (FROZEN + OWN + READER).splitlines())
    short = "V torch/x.py:1] [0/0] "
    assert clean(lines) == f'{short}  File "snippets/a.py", line 3, in <module>\n{short}    f()\n'


WRAPPED = """  File
    "/data/cou
    rse/snippets/a.py", line 3, in fixed
  File "/data/course/.lessons-cache/runs/tmpabcdefgh/tmp123456
    78/inductor/ab/c.py", line 4
"""


def test_wrapped_path() -> None:
    """Snippets wrap long lines before their output is scrubbed, a long path in the middle of a word."""
    kept = '  File\n    "snippets/a.py", line 3, in fixed\n  File "/tmp/torchinductor_user/ab/c.py", line 4\n'
    assert clean(WRAPPED) == kept


@pytest.mark.parametrize("text", ["/" + 500_000 * "\n", "/" + 500_000 * " ", 500_000 * " ", "x" + 500_000 * " " + "\n"])
def test_long_white_space(text: str) -> None:
    """A pattern that tries every way to divide the white space takes ten minutes or more for each of these."""
    assert clean(text) == text


def test_paths_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    module._places.cache_clear()
    monkeypatch.setenv("HOME", "/root")
    try:
        assert next(machine_paths(WRAPPED, ROOT)) == "/data/cou\n    rse/"
        assert list(machine_paths(f"{sys.prefix}/x, ~/y, /tmp/tmp12345678/z, /root/.cache", ROOT)) == [
            sys.prefix,
            "/root",
            "tmp12345678",
        ]
        assert list(machine_paths("snippets/a.py …/site-packages /tmp/x /tmp/torchinductor_user ~", ROOT)) == []
    finally:
        module._places.cache_clear()


def test_frames_of_the_rest_of_the_package_stay() -> None:
    text = '  File "…/compile_lessons/table.py", line 9, in f\n    g()\n'
    assert clean(text) == text
