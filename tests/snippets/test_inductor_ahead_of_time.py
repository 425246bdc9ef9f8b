"""What docs/inductor/ahead-of-time.md states and its snippets don't assert."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch.export import Dim, export

from compile_lessons.records.machine import cxx_compiler


class Scaled(torch.nn.Module):
    def forward(self, x: torch.Tensor, scale: float) -> torch.Tensor:
        return x * scale


@pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
def test_a_package_ignores_another_float_and_without_the_lower_bound_accepts_a_batch_of_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AOTI_RUNTIME_CHECK_INPUTS", "1")
    batch = Dim("batch", min=1, max=100)
    program = export(Scaled(), (torch.ones(8, 4), 2.0), dynamic_shapes=({0: batch}, None))
    path = torch._inductor.aoti_compile_and_package(
        program,
        package_path=str(tmp_path / "scaled.pt2"),
        inductor_configs={"aot_inductor.check_lowerbound": False},
    )
    package = torch._inductor.aoti_load_package(path)
    assert package(torch.ones(1, 4), 5.0).tolist() == [[2, 2, 2, 2]]
    with pytest.raises(RuntimeError):
        package(torch.ones(101, 4), 2.0)


def test_an_exported_module_stays_in_training_mode_and_has_no_eval() -> None:
    exported = export(torch.nn.Dropout(), (torch.ones(8, 64),)).module()
    assert (exported(torch.ones(8, 64)) == 0).any()
    with pytest.raises(NotImplementedError):
        exported.eval()
