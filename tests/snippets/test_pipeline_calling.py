"""What the lessons on calling, modules, modes, stances and utilities state."""

from __future__ import annotations


def test_forms(record) -> None:
    forms = record("pipeline/calling/forms.py")
    assert forms.values["forms"] == 4
    assert forms.text.count("OptimizedModule") == 1 and forms.text.count("True") == 1


def test_isolated_compilations_have_a_limit_each(record) -> None:
    isolated = record("pipeline/calling/isolated.py")
    assert (isolated.values["shared_graphs"], isolated.values["isolated_graphs"]) == (1, 2)
    assert "hit config.recompile_limit (1)" in isolated.text


def test_nothing_is_compiled_before_the_first_call(record) -> None:
    values = record("pipeline/calling/lazy.py").values
    assert (values["after_decoration"], values["after_first_call"], values["after_second_call"]) == (0, 1, 1)


def test_signature_lists_every_parameter(record) -> None:
    text = record("pipeline/calling/signature.py").text
    for name in ("model", "fullgraph", "dynamic", "backend", "mode", "options", "disable"):
        assert f"\n{name} " in text


def test_disable_returns_the_function(record) -> None:
    assert "the same function: True\ngraphs: 0" in record("pipeline/calling/disabled.py").text


def test_it_is_no_context_manager(record) -> None:
    assert record("pipeline/calling/not_a_context.py").raised.startswith("TypeError")


def test_state_dict_keys(record) -> None:
    assert "_orig_mod.weight" in record("pipeline/calling/state_dict.py").text


def test_parameters_are_inputs(record) -> None:
    values = record("pipeline/module/graph.py").values
    assert (values["inputs"], values["parameters"], values["calls"]) == (5, 4, 3)


def test_a_new_parameter_of_the_same_shape_needs_no_compile(record) -> None:
    lines = record("pipeline/module/new_parameter.py").text.splitlines()
    assert [line.endswith(" 1") for line in lines if line.startswith("same shape:")] == [True]


def test_training_and_evaluation_are_two_compiles(record) -> None:
    assert record("pipeline/module/train_eval.py").values["compiles"] == 2


def test_buffers_are_updated(record) -> None:
    assert record("pipeline/module/buffers.py").values["batches"] == 3


def test_training_gives_the_same_loss(record) -> None:
    gradients = record("pipeline/module/gradients.py")
    losses = {line.split(": ")[1] for line in gradients.text.splitlines() if "loss after" in line}
    assert len(losses) == 1 and gradients.values["graphs"] == 1


def test_a_late_hook_is_seen_only_when_guarded(record) -> None:
    late = record("pipeline/module/hook_after.py").values
    assert (late["eager_is_zero"], late["compiled_is_zero"], late["after_reset"]) == (True, False, True)
    assert record("pipeline/module/hook_guarded.py").values["compiled_is_zero"] is True


def test_modes(record) -> None:
    assert record("pipeline/modes/presets.py").values["modes"] >= 4
    assert record("pipeline/modes/on_cpu.py").values["same"] == 3


def test_options(record) -> None:
    values = record("pipeline/modes/options.py").values
    assert values["vectors"] == values["vectors_again"] > values["scalar_vectors"] == 0
    assert "fusion_enabled" in record("pipeline/modes/unknown.py").values["refused"]
    assert "both can't be specified" in record("pipeline/modes/both.py").raised
    assert record("pipeline/modes/written_out.py").values["vectors"] == 0


def test_stances(record) -> None:
    rows = [line.split("  ") for line in record("pipeline/stances/all.py").text.splitlines()[2:]]
    table = {row[0].strip(): [cell.strip() for cell in row[1:] if cell.strip()] for row in rows}
    assert len(table) == record("pipeline/stances/all.py").values["stances"] == 5
    assert table["fail_on_recompile"] == ["RuntimeError"] * 3
    assert table["eager_then_compile"] == ["no compile", "compiles", "compiles"]
    assert record("pipeline/stances/aot_eager_first.py").values["graphs"] == 1
    warm = record("pipeline/stances/warm.py").values
    assert (warm["refused"], warm["graphs"]) == (True, 1)
    ways = record("pipeline/stances/ways.py").values
    assert [ways[name] for name in ("in_block", "in_decorated", "plain", "default")] == [0, 0, 0, 1]


def test_skipped_guards_give_a_wrong_result(record) -> None:
    values = record("pipeline/stances/skip_guards.py").values
    assert (values["skipped"], values["checked"]) == (10, 20)
    assert "skip_guard_eval_unsafe" in values["refused"]


def test_reset_forgets_the_process_but_not_the_disk(record) -> None:
    values = record("pipeline/utilities/reset.py").values
    assert (values["before_reset"], values["after_reset"]) == (1, 2)
    values = record("pipeline/utilities/reset_keeps_files.py").values
    assert (values["misses"], values["second_misses"]) == (1, 0)


def test_disable_counts_graphs(record) -> None:
    values = record("pipeline/utilities/disable.py").values
    assert (values["whole"], values["disabled"], values["shallow"]) == (1, 2, 3)


def test_small_utilities(record) -> None:
    assert "[['l_x_', 'sin']]" in record("pipeline/utilities/is_compiling.py").text
    assert record("pipeline/utilities/constant_result.py").values["calls"] == 1
    assert record("pipeline/utilities/constant_argument.py").values["graphs"] == 1
    assert "length: 5.0" in record("pipeline/utilities/numpy_function.py").text
    assert record("pipeline/utilities/names.py").values["functions"] > 15
