"""Names of instructions and operators say on hover what they do."""

import dis

import pytest
import torch

from compile_lessons.explorer.hover import _words, explained


def test_a_name_has_its_words_and_a_line_keeps_its_text() -> None:
    assert explained("bytecode", "LOAD_FAST            x") == (
        '<i title="pushes a local variable">LOAD_FAST</i>            x'
    )
    assert explained("forward", "relu = torch.ops.aten.relu.default(x)") == (
        'relu = torch.ops.<i title="larger of 0 and each element">aten.relu.default</i>(x)'
    )
    assert "another tensor&#x27;s" in explained("forward", "aten.new_zeros(x)")
    assert "sum of two tensors" in explained("ir", "aten.add_(x)")


@pytest.mark.parametrize("line", ["UNHEARD_OF           x", "aten.unheard_of(x)", "IMAD.MOV R1, R2"])
def test_what_has_no_words_stays(line: str) -> None:
    assert explained("bytecode", line) == line


def test_operators_are_torchs() -> None:
    assert [name for name in _words()["aten"] if not hasattr(torch.ops.aten, name)] == []


def test_each_instruction_of_common_code_has_words() -> None:
    def common(x, scale=2.0, *rest):
        total = [x * scale, -x]
        for part in rest:
            with torch.no_grad():
                total.append(part + 1 if part is not None else x[0])
        return {"sum": sum(total), "same": x == scale, "bounds": x[1:2]}

    names = {instruction.opname for instruction in dis.get_instructions(common)}
    assert names - _words()["opcodes"].keys() - {"CACHE", "EXTENDED_ARG"} == set()
