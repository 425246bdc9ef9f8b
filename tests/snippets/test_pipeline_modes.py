"""Facts of "Modes and options" that no snippet asserts."""


def test_frozen_weights_give_max_autotune_two_candidates(record) -> None:
    log = record("pipeline/modes/autotune.py").text
    assert "CppMicroGemm" in log and "AUTOTUNE" in log


def test_a_mode_and_options_are_refused(record) -> None:
    assert "both can't be specified" in record("pipeline/modes/both.py").raised
