"""Take out of a text what belongs to one machine or run: paths, addresses, pids, user names, times of log lines."""

import functools
import os
import re
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

from compile_lessons.runs.machine import user_name

#: Where a reader's own run keeps Inductor's files (torch/_inductor/runtime/cache_dir_utils.py).
INDUCTOR_DEFAULT = "/tmp/torchinductor_user"

# "/tmp/tmpab12cd_9/x.cpp"
_TEMPORARY = re.compile(r"(?<=/)tmp[a-z0-9_]{8}\b")
_RULES = {
    _TEMPORARY: "tmp…",
    # "<object at 0x7f3a12bc4d50>"
    re.compile(r"\b0x[0-9a-f]{6,16}\b"): "0x…",
    # "___check_obj_id(G['torch'], 140434285589456)"
    re.compile(r"(___check_\w+_id\(.*?, )\d{6,}(?=\))"): r"\1…",
    # "pid 1234", "pid=77"
    re.compile(r"\b(pid[ =:]+)\d+"): r"\1…",
    # "[rank0]:V1121 05:30:12.123000 4242 torch/_dynamo/x.py:1] hi"
    re.compile(r"^(\[rank\d+\]:)?([VDIWEC])\d{4} \d\d:\d\d:\d\d\.\d+ \d+ ", re.M): r"\2 ",
}
# '  File "/home/ada/course/src/compile_lessons/runs/child.py", line 9, in run_job\n    exec(code)\n    ^^^^^^^^^^\n'
_OWN_FRAMES = re.compile(
    r"""^(?P<prefix>(?:.*?[^ \n])??)[ ]*
        File\ "(?:[^"\n]*compile_lessons/(?:runs|course/records|ground/processes)[/.][^"\n]*|<frozen\ runpy>)",
        \ line\ \d+,?.*\n
        (?:(?P=prefix)[ ]{4,}(?!File\ ").*\n){0,2}""",
    re.MULTILINE | re.VERBOSE,
)


def scrub(text: str, root: Path, inductor_cache: Path) -> str:
    """Return ``text`` as any machine would have printed it: ``root`` is the project's, ``inductor_cache`` the run's."""
    text = _OWN_FRAMES.sub("", text)
    text = _end_of_root(root).sub("", text)
    for place, name in _places(str(root), str(inductor_cache)):
        text = place.sub(name, text)
    text = re.sub(rf"torchinductor_{re.escape(user_name())}\b", "torchinductor_user", text)
    for pattern, replacement in _RULES.items():
        text = pattern.sub(replacement, text)
    return text


def machine_paths(text: str, root: Path) -> Iterator[str]:
    """Yield the paths of this machine in a text: below the project's root, the environment, the home, temp folders."""
    for place, name in _places(str(root), ""):
        yield from (match[0] for match in place.finditer(text) if match[0] != name)
        text = place.sub(name, text)  # a shorter path is not found in this one again
    yield from (match[0] for match in _TEMPORARY.finditer(text))


@functools.lru_cache
def _places(root: str, inductor_cache: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Folders and what stands for them; longer paths first, since one may lie within another.

    A path is whole: ``/root`` is found in ``/root/x``, not in ``/data/root`` or ``/roots``. The home of a user without
    an account is ``/``, which says nothing about the machine.
    """
    packages, library = sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")
    names = {
        inductor_cache: INDUCTOR_DEFAULT,
        packages: "…/site-packages",
        library: f"…/{Path(library).name}",
        root + "/": "",
        root: ".",
        os.path.expanduser("~"): "~",
        tempfile.gettempdir(): "/tmp",
    }
    if sys.prefix != sys.base_prefix:
        names[sys.prefix] = "…"
    longest_first = sorted(names.items(), key=lambda item: -len(item[0]))
    return tuple((_whole(place), name) for place, name in longest_first if place not in ("", "/"))


@functools.lru_cache
def _end_of_root(root: Path) -> re.Pattern[str]:
    """torch shortens paths to their last parts: ``checkouts/course/snippets/x.py``.

    Where nothing but ``/`` is common to the two paths it compares (torch/utils/_traceback.py, ``shorten_filename``), it
    also drops the first letter: ``ome/me/course/snippets/x.py``.
    """
    ends = [str(root)[2:], *("/".join(root.parts[i:]) for i in range(1, len(root.parts)))]
    return re.compile(rf"(?<![\w./-])(?:{'|'.join(map(_broken, ends))})/(?=snippets/)")


def _whole(place: str) -> re.Pattern[str]:
    end = "" if place.endswith("/") else r"(?![\w-])"
    return re.compile(rf"(?<![\w.…~-]){_broken(place)}{end}")


def _broken(path: str) -> str:
    """A pattern for a path, also where a snippet has wrapped its lines: ``/home/ada/cou\\n    rse/snippets/x.py``.

    One of a single name is matched as it is: ``/\\nroot`` may be a division.
    """
    between = r"(?:[^\S\n]*\n\s*)?" if path.strip("/").count("/") else ""
    return between.join(map(re.escape, path))
