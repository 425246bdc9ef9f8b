"""Facts that the page "Backends" states."""

import re

import torch

HERE = "pipeline/backends/"


def test_a_backend_sees_the_graph_not_the_calls(record):
    own = record(HERE + "own.py")
    assert (own.values["backend_calls"], own.values["operators"]) == (1, 3)
    assert own.text.count("compiling") == 1
    assert own.text.count("sum of the result") == 3


def test_a_backend_must_return_something_to_call(record):
    nothing = record(HERE + "returns_nothing.py")
    assert "BackendCompilerFailed" in nothing.text
    assert "backend='only_look'" in nothing.text and "compiler_fn did not return callable" in nothing.text


def test_verbose_lengthens_the_traceback(record):
    values = record(HERE + "verbose.py").values
    assert values["long"] > 2 * values["short"]


def test_registered_backends(record):
    listed, *others = record(HERE + "registered.py").text.splitlines()
    assert listed.split()[1:] == torch.compiler.list_backends()
    assert {"  eager", "  aot_eager", "  aot_eager_decomp_partition"} <= set(others)


def test_listed_backends_without_a_gpu(record):
    rows = [line.split() for line in record(HERE + "listed.py").text.splitlines()[2:]]
    assert [row[:2] for row in rows[:2]] == [["cudagraphs", "works"], ["inductor", "works"]]
    assert all(row[1] == "ImportError:" for row in rows[2:])


def test_three_backends_agree(record):
    compare = record(HERE + "compare.py")
    values = compare.values
    assert (values["aot_eager_saved"], values["inductor_saved"], values["inductor_kernels"]) == (2, 1, 2)
    assert compare.text.count("CompiledFunctionBackward") == 2
    assert compare.text.count("MulBackward0") == 1


def test_inductor_has_the_longest_first_call(record):
    values = record(HERE + "times.py").values
    assert values["inductor_ms"] > values["eager_ms"] > 0
    assert values["inductor_ms"] * 1e3 > 10 * values["inductor_us"]
    assert values["inductor_us"] < values["plain_us"]


def test_stages_add_up(record):
    stages = record(HERE + "stages.py")
    rows = [re.search(r"([\d,.]+) ms +(\d+) %$", line).groups() for line in stages.text.splitlines()[2:]]
    assert len(rows) == 4 and sum(int(share) for _, share in rows) in range(98, 103)
    assert abs(sum(float(time.replace(",", "")) for time, _ in rows) - stages.values["total"]) < 0.5
    assert 0 < stages.values["cpp_share"] < 100


def test_without_a_compiler_only_inductor_fails(record):
    text = record(HERE + "no_compiler.py").text
    assert text.count("works") == 2
    assert "inductor   InvalidCxxCompiler" in text


def test_fallback(record):
    assert record(HERE + "fallback.py").values["backend"] == "aot_eager"
