"""These tests make code for GPUs, which needs triton; they skip without it."""

from pathlib import Path

import pytest

from compile_lessons.gpu.tools import why_no_triton
from compile_lessons.ground.project import Project
from compile_lessons.runs import compiler_cache


@pytest.fixture(scope="session")
def caches(course: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what these tests compile, with what the course has compiled for the CPU."""
    folder = tmp_path_factory.mktemp("caches")
    compiler_cache.link_objects(course.cache / "objects", folder / "inductor")
    return folder


@pytest.fixture(autouse=True)
def own_caches(caches: Path, precompiled_header: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(caches / "inductor"))
    monkeypatch.setenv("TRITON_CACHE_DIR", str(caches / "triton"))


@pytest.fixture
def triton() -> None:
    if reason := why_no_triton():
        pytest.skip(reason)
