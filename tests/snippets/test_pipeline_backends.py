"""Facts that the page "Backends" states."""

import torch

HERE = "pipeline/backends/"


def test_a_backend_sees_the_graph_not_the_calls(record):
    own = record(HERE + "own.py")
    assert (own.values["backend_calls"], own.values["operators"]) == (1, 3)
    assert own.text.count("compiling") == 1
    assert own.text.count("sum of the result") == 3


def test_a_backend_must_return_something_to_call(record):
    nothing = record(HERE + "returns_nothing.py")
    assert "BackendCompilerFailed" in nothing.raised
    assert "backend='only_look'" in nothing.text and "compiler_fn did not return callable" in nothing.text


def test_registered_backends(record):
    listed, *others = record(HERE + "registered.py").text.splitlines()
    assert listed.split()[1:] == torch.compiler.list_backends()
    assert {"  eager", "  aot_eager", "  aot_eager_decomp_partition"} <= set(others)


def test_three_backends_agree(record):
    compare = record(HERE + "compare.py")
    values = compare.values
    assert (values["aot_eager_saved"], values["inductor_saved"], values["inductor_kernels"]) == (2, 1, 2)
    assert compare.text.count("CompiledFunctionBackward") == 2
    assert compare.text.count("MulBackward0") == 1


def test_inductor_has_the_longest_first_call(record):
    values = record(HERE + "times.py").values
    assert values["inductor_first_ms"] > values["eager_first_ms"] > 0
    assert values["inductor_first_ms"] * 1e3 > 10 * values["inductor_later_us"]


def test_stages_add_up(record):
    values = record(HERE + "stages.py").values
    parts = sum(values[stage] for stage in ("dynamo_ms", "aot_ms", "inductor_ms", "cpp_ms"))
    assert abs(parts - values["total_ms"]) < 1e-3
    assert 0 < values["cpp_share"] < 100


def test_without_a_compiler_only_inductor_fails(record):
    text = record(HERE + "no_compiler.py").text
    assert text.count("works") == 2
    assert "inductor   InvalidCxxCompiler" in text


def test_fallback(record):
    assert record(HERE + "fallback.py").values["backend"] == "aot_eager"
