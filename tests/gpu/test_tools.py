"""What a reader is told where code for a GPU cannot be made."""

import importlib.util
import sys
from types import SimpleNamespace

import pytest
import torch

from compile_lessons import capture
from compile_lessons.gpu import GpuToolsMissing, tools


@pytest.mark.parametrize(("platform", "name"), [("darwin", "macOS"), ("win32", "Windows")])
def test_other_systems(monkeypatch, platform, name):
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(GpuToolsMissing, match=f"no official package for {name}"):
        capture(torch.sin, target="h200")


def test_without_triton(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(GpuToolsMissing, match="pip install triton"):
        capture(torch.sin, target="h200")


def test_the_cpu_needs_no_triton(monkeypatch):
    monkeypatch.setattr(tools, "sys", SimpleNamespace(platform="darwin"))  # for torch itself it is still Linux
    assert tools.why_no_triton()
    assert capture(torch.sin)(torch.ones(3)).target == "cpu"
