"""The Docker images, as far as that goes without a Docker engine. Lint has hadolint; CI builds and runs them."""

import fnmatch
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCKERFILES = sorted((ROOT / "docker").glob("*.Dockerfile"))


def steps(path: Path) -> list[tuple[str, str]]:
    """Instructions and their arguments, in order, with continued lines joined and comments left out."""
    lines = [line for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines()]


def arguments(path: Path, instruction: str) -> list[str]:
    return [rest for name, rest in steps(path) if name == instruction]


@pytest.fixture(params=DOCKERFILES, ids=lambda path: path.name)
def dockerfile(request: pytest.FixtureRequest) -> Path:
    return request.param


def tool(name: str) -> str:
    """A command of the ``test`` extra: beside the interpreter, or on the path."""
    path = shutil.which(name, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    return path or pytest.skip(f"{name} is not installed: pip install -e '.[test]'")


def test_the_compose_file_fits_its_schema() -> None:
    command = [tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", ROOT / "docker" / "compose.yaml"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_what_the_compose_file_names_is_there() -> None:
    services = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text())["services"]
    assert set(services) == {"lessons", "site"}
    for service in services.values():
        context = (ROOT / "docker" / service["build"]["context"]).resolve()
        assert context == ROOT
        assert (context / service["build"]["dockerfile"]).is_file()
    (mounted,) = services["lessons"]["volumes"]
    source, target = mounted.split(":")
    assert (ROOT / "docker" / source).is_dir()
    assert target.startswith(arguments(ROOT / "docker" / "cuda.Dockerfile", "WORKDIR")[0])
    (device,) = services["lessons"]["deploy"]["resources"]["reservations"]["devices"]
    assert device["capabilities"] == ["gpu"]


def test_the_base_is_pinned(dockerfile: Path) -> None:
    (base,) = arguments(dockerfile, "FROM")
    assert re.fullmatch(r"[\w/]+:\d+\.\d+\.\d+-[\w.-]+", base)


def test_torch_is_the_pinned_version(dockerfile: Path) -> None:
    (pinned,) = re.findall(r"^torch==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert re.findall(r"torch==(\S+)", dockerfile.read_text()) == [pinned]


def test_torch_has_bytecode(dockerfile: Path) -> None:
    """The image's user can't write any beside it, and each process would parse torch: pip writes it, uv if asked."""
    commands = [part.split() for rest in arguments(dockerfile, "RUN") for part in rest.split("&&")]
    (install,) = (words for words in commands if words[-1].startswith("torch=="))
    assert ("--compile-bytecode" in install) if install[0] == "uv" else ("--no-compile" not in install)


def test_it_does_not_run_as_root(dockerfile: Path) -> None:
    names = [name for name, _ in steps(dockerfile)]
    (user,) = arguments(dockerfile, "USER")
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)
    assert "RUN" not in names[names.index("USER") :]
    assert f"--uid {user.partition(':')[0]} " in dockerfile.read_text()


def test_what_changes_often_is_copied_last(dockerfile: Path) -> None:
    """An edited lesson must not install torch again."""
    names = [name for name, _ in steps(dockerfile)]
    last_run = len(names) - 1 - names[::-1].index("RUN")
    (everything,) = (i for i, (name, rest) in enumerate(steps(dockerfile)) if name == "COPY" and rest.endswith(". ."))
    assert everything > last_run


def ignored(path: str) -> bool:
    patterns = (ROOT / ".dockerignore").read_text().split()
    parts = path.split("/")
    tails = ["/".join(parts[i:]) for i in range(len(parts))]
    return any(
        fnmatch.fnmatch(tail, pattern.removeprefix("**/")) or tail.startswith(pattern.removeprefix("**/") + "/")
        for pattern in patterns
        for tail in (tails if pattern.startswith("**/") else [path])
    )


@pytest.mark.parametrize(
    "path", [".git/config", ".venv/bin/python", ".venv-2.15.0/bin/python", "site/index.html", "src/a/__pycache__/a.pyc"]
)
def test_what_is_not_sent(path: str) -> None:
    assert ignored(path)
