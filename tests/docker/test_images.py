"""The Docker images, as far as that goes without a Docker engine: their steps taken as a script. Lint has hadolint."""

import fnmatch
import os
import re
import shutil
import site
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


def context() -> list[str]:
    """The files Docker would be sent: those under version control, as a fresh checkout has no others."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    return [path for path in tracked if path and not ignored(path) and (ROOT / path).is_file()]


@pytest.mark.parametrize(
    "path", [".git/config", ".venv/bin/python", ".venv-2.15.0/bin/python", "site/index.html", "src/a/__pycache__/a.pyc"]
)
def test_what_is_not_sent(path: str) -> None:
    assert ignored(path)


def copy(rest: str, folder: Path) -> None:
    *sources, target = [word for word in rest.split() if not word.startswith("--")]
    for source in sources:
        files = [path for path in context() if source in (".", path) or path.startswith(source + "/")]
        assert files, f"COPY {source}: there is no such file"
        for path in files:
            inside = path.removeprefix(source + "/") if (ROOT / source).is_dir() and source != "." else path
            place = folder / target / inside
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, place)


def run(rest: str, folder: Path, venv: Path) -> None:
    """A ``RUN`` step's commands, but for those that need root, in the environment that the tests run in."""
    for command in (part.strip() for part in rest.split("&&")):
        words = command.split()
        if words[0] in ("apt-get", "rm", "useradd", "chown", "uv") or words[-1].startswith("uv=="):
            continue
        if words[-2:] == ["venv", "/opt/venv"]:
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
            (lib,) = venv.glob("lib/python*/site-packages")
            (lib / "outer.pth").write_text("\n".join(site.getsitepackages()))
        elif words[:2] == ["pip", "install"]:
            offline = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
            assert (folder / words[words.index("-c") + 1]).is_file()
            pip = [sys.executable, "-m", "pip", "--python", venv / "bin" / "python", "install"]
            subprocess.run([*pip, *offline, "-e", words[-1].strip('"')], cwd=folder, check=True)
        else:
            pytest.fail(f"this test does not know the step {command!r}")


@pytest.mark.skipif(os.name != "posix" or not (ROOT / ".git").exists(), reason="needs a checkout on Linux or macOS")
@pytest.mark.nightly  # tests/test_wheel.py installs the package in a clean environment, too
def test_the_steps_of_the_cpu_image_on_a_clean_folder(tmp_path: Path) -> None:
    folder, venv = tmp_path / "lessons", tmp_path / "venv"
    folder.mkdir()
    for name, rest in steps(ROOT / "docker" / "cpu.Dockerfile"):
        if name == "COPY":
            copy(rest, folder)
        elif name == "RUN":
            run(rest, folder, venv)
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment |= {"PATH": f"{venv}/bin:{os.environ['PATH']}", "COMPILE_LESSONS_CACHE": str(tmp_path / "cache")}

    def output(*command: str) -> str:
        result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout + result.stderr

    place = output("python", "-c", "import compile_lessons; print(compile_lessons.__file__)").strip()
    assert Path(place).resolve().is_relative_to(folder.resolve())
    (server,) = (rest for name, rest in steps(ROOT / "docker" / "cpu.Dockerfile") if name == "CMD")
    assert server.startswith('["mkdocs"') and (folder / "mkdocs.yml").is_file()
    printed = output("python", "-m", "compile_lessons.course", "run", "snippets/dynamo/guards/kinds.py")
    assert ": 1 ran, 0 unchanged" in printed
