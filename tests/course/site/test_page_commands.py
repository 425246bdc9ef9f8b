"""The commands of the pages run as they are copied, from an empty folder with what a page says to write into files."""

import itertools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch._logging._internal as logs

DOCS = Path(__file__).parents[3] / "docs"
FENCE = re.compile(r"^( *)```sh\n(.*?)^\1```", re.M | re.S)
FILE = re.compile(r'^```python title="([\w.]+)"\n(.*?)^```', re.M | re.S)
INSTALL = "pip install git+https://github.com/compile-lessons/compile-lessons"
#: What a test doesn't do: install, start a container or a server, wait for a learner, or print a list and stop.
APART = (
    r"(pip|uv|git|docker|make|source|mkdocs) |python -m venv|compile-lessons (?:lab watch|explore)|ssh "
    r"|TORCH_LOGS=help "
)
#: What other tests run in a clone of the repository, or on a program that fails (the minifier); ``service.py`` and
#: ``warm_up.py`` are a service's.
IN_CLONE = r"snippets/|benchmarks/|cmake|build/default|cd |cp -r|service\.py|warm_up\.py|minifier_launcher"
#: The reader's own files, by the names that commands give them.
PROGRAM = """import torch


def step(x):
    return torch.nn.functional.gelu(x) * 2


my_function = function = step


def make_inputs():
    return torch.randn(8, 128)


def my_calls():
    return [(torch.randn(8, 128),), (torch.randn(9, 128),)]


if __name__ == "__main__":
    torch.compile(step)(make_inputs())
"""
READERS = ("your_program.py", "your_file.py", "my_file.py", "train.py")
#: What runs in each suite; the others, most of which compile C++ or PTX in their empty folder, run at night.
BY_DAY = ("labs/index.md",)


@dataclass(frozen=True)
class Fence:
    page: str
    commands: tuple[str, ...]


def fences() -> Iterator[Fence]:
    for path in sorted(DOCS.rglob("*.md")):
        for _, body in FENCE.findall(path.read_text(encoding="utf-8")):
            lines = re.sub(r"\\\n\s*", "", re.sub(r"^ *#.*\n", "", body, flags=re.M)).splitlines()
            commands = tuple(line.strip() for line in lines if line.strip())
            yield Fence(path.relative_to(DOCS).as_posix(), commands)


def to_run(fence: Fence) -> list[str]:
    return [command for command in fence.commands if not re.search(f"^({APART})|{IN_CLONE}", command)]


def write_files(folder: Path, page: str) -> None:
    for name in READERS:
        (folder / name).write_text(PROGRAM, encoding="utf-8")
    for name, text in FILE.findall((DOCS / page).read_text(encoding="utf-8")):
        (folder / name).write_text(text, encoding="utf-8")


def run(fence: Fence, folder: Path) -> None:
    write_files(folder, fence.page)
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    script = "set -eu\n" + "\n".join(to_run(fence)).replace("/tmp/", f"{folder}/")
    ran = subprocess.run(["bash", "-c", script], cwd=folder, env=env, capture_output=True, text=True)
    # "explain" ends with 1 where results differ, and "grep" where the program has no break
    assert ran.returncode == 0 or ("| grep" in script and ran.returncode == 1), f"{script}\n{ran.stdout}{ran.stderr}"


def pages() -> Iterator[Fence]:
    """The commands of each page in one: later ones may need what earlier ones wrote."""
    for page, together in itertools.groupby(fences(), lambda fence: fence.page):
        yield Fence(page, tuple(command for fence in together for command in to_run(fence)))


RUNNABLE = [page for page in pages() if page.commands]
TESTED = [fence for fence in RUNNABLE if fence.page in BY_DAY]


def test_every_set_of_logs_is_one() -> None:
    """The names in ``TORCH_LOGS=…`` of all commands, without running these."""
    settings = {value for fence in fences() for value in re.findall(r"TORCH_LOGS=(\S+)", " ".join(fence.commands))}
    assert len(settings) > 10
    for setting in settings - {"help"}:
        logs._parse_log_settings(setting)
    with pytest.raises(ValueError, match="recompile_"):
        logs._parse_log_settings("recompile_")


def test_a_page_that_uses_the_package_says_how_to_install_it() -> None:
    installed: set[str] = set()
    lacking = []
    for fence in fences():
        for command in fence.commands:
            if command.startswith(INSTALL):
                installed.add(fence.page)
            elif command.startswith("compile-lessons explain") and fence.page not in installed:
                lacking.append(f"{fence.page}: {command}")
    assert lacking == [] and len(installed) >= 4


@pytest.mark.parametrize("fence", TESTED, ids=lambda fence: fence.page)
def test_a_command_runs_as_copied(fence: Fence, tmp_path: Path) -> None:
    run(fence, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("fence", [f for f in RUNNABLE if f not in TESTED], ids=lambda fence: fence.page)
def test_each_other_command_runs_as_copied(fence: Fence, tmp_path: Path, precompiled_header: None) -> None:
    run(fence, tmp_path)
