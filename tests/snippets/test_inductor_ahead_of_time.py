"""What docs/inductor/ahead-of-time.md states and its snippets don't assert."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch.export import Dim, ExportedProgram, export

from compile_lessons.runs.machine import cxx_compiler
from packages import compile_package


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
    package = torch._inductor.aoti_load_package(compile_package(program, tmp_path, check_lowerbound=False))
    assert package(torch.ones(1, 4), 5.0).tolist() == [[2, 2, 2, 2]]
    with pytest.raises(RuntimeError):
        package(torch.ones(101, 4), 2.0)


def test_an_exported_module_stays_in_training_mode_and_has_no_eval() -> None:
    exported = export(torch.nn.Dropout(), (torch.ones(8, 64),)).module()
    assert (exported(torch.ones(8, 64)) == 0).any()
    with pytest.raises(NotImplementedError):
        exported.eval()


def attend(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    return (query @ key.mT).softmax(-1) @ value


class Attention(torch.nn.Module):
    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return attend(query, key, value)


class OfList(torch.nn.Module):
    def forward(self, tensors: list[torch.Tensor]) -> torch.Tensor:
        return tensors[0] - 2 * tensors[1]


class InPlace(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        x.add_(1)
        return x * y


def inputs_read(exported: ExportedProgram) -> list[str]:
    return [node.name for node in exported.graph.find_nodes(op="placeholder") if node.users]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("dynamic", [False, True])
def test_of_one_tensor_given_three_times_an_export_reads_the_last(strict: bool, dynamic: bool) -> None:
    query, key, value = torch.randn(3, 2, 16, 8)
    sizes = ({0: Dim.DYNAMIC},) * 3 if dynamic else None
    exported = export(Attention(), (query, query, query), strict=strict, dynamic_shapes=sizes)
    assert inputs_read(exported) == ["value"]
    only_value = attend(value, value, value)
    torch.testing.assert_close(exported.module()(query, key, value), only_value)


def test_an_export_reads_one_of_two_equal_inputs() -> None:
    x, y = torch.randn(2, 2, 16, 8)
    assert inputs_read(export(Attention(), (x, x, y))) == ["key", "value"]
    assert inputs_read(export(Attention(), (x, y, x))) == ["key", "value"]
    assert inputs_read(export(Attention(), (x, x.clone(), y))) == ["query", "key", "value"]
    assert inputs_read(export(OfList(), ([x, x],))) == ["tensors_1"]


def test_aot_compile_checks_which_inputs_are_the_same_tensor() -> None:
    query, key, value = torch.randn(3, 2, 16, 8)
    compiled = torch.compile(attend, fullgraph=True, backend="eager")
    of_one = compiled.aot_compile(((query, query, query), {}))
    of_three = compiled.aot_compile(((query, key, value), {}))
    torch.testing.assert_close(of_one(key, key, key), attend(key, key, key))
    with pytest.raises(RuntimeError, match="is L\\['query'\\]"):
        of_one(query, key, value)
    torch.testing.assert_close(of_three(key, query, value), attend(key, query, value))
    with pytest.raises(RuntimeError, match="Duplicate tensor"):
        of_three(query, query, query)


def with_one_tensor(function: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> list[float]:
    x = torch.ones(3)
    result = function(x, x).tolist()
    assert x.tolist() == [2, 2, 2]
    return result


@pytest.mark.skipif(cxx_compiler() is None, reason="needs a C++ compiler")
def test_a_package_reads_the_old_value_of_an_input_that_is_another_one_too(tmp_path: Path) -> None:
    exported = export(InPlace(), (torch.ones(3), torch.ones(3)))
    package = torch._inductor.aoti_load_package(compile_package(exported, tmp_path))
    assert package(torch.ones(3), torch.ones(3)).tolist() == [2, 2, 2]
    assert with_one_tensor(package) == [2, 2, 2]
    assert with_one_tensor(InPlace()) == [4, 4, 4]
