"""These tests make code for GPUs, which needs triton; they skip without it."""

from __future__ import annotations

import pytest

from compile_lessons.gpu.tools import why_no_triton


@pytest.fixture(autouse=True)
def own_caches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.getbasetemp()
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(folder / "inductor"))
    monkeypatch.setenv("TRITON_CACHE_DIR", str(folder / "triton"))


@pytest.fixture
def triton() -> None:
    if reason := why_no_triton():
        pytest.skip(reason)
