"""Facts that the page "Saved for backward" states."""

from torch._functorch import config

HERE = "aot/partition/"


def test_the_budget_is_off_by_default():
    assert config.activation_memory_budget == 1.0


def test_a_change_through_data_is_not_noticed(record):
    values = record(HERE + "mutated_data.py").values
    assert abs(values["right"] - 0.3932) < 1e-4 < abs(values["right"] - values["wrong"])


def test_sin_is_not_saved(record):
    text = record(HERE + "sin_exp.py").text
    assert "return (exp, primals_1, detach)" in text
    assert "return (exp, primals_1, detach_1)" in text


def test_min_cut_saves_less(record):
    values = record(HERE + "bytes.py").values
    assert (values["default_bytes"], values["min_cut_bytes"]) == (values["eager_bytes"], 0)
    assert values["eager_bytes"] == 11 * 4 * 2**20
    assert values["min_cut_backward"] > values["default_backward"]
    figure = record(HERE + "figure.py").values
    assert (figure["default_saved"], figure["min_cut_saved"]) == (4, 2)


def test_the_budget_trades_bytes_for_products(record):
    rows = [line.split() for line in record(HERE + "budget.py").text.splitlines()[-3:]]
    assert [(row[2], row[4]) for row in rows] == [("524288", "6"), ("262144", "7"), ("0", "8")]


def test_checkpoint_saves_the_inputs(record):
    values = record(HERE + "checkpoint.py").values
    assert (values["plain_products"], values["checkpointed_products"]) == (4, 6)


def test_a_changed_input_fails_only_when_compiled(record):
    mutated = record(HERE + "mutated.py")
    assert mutated.text.count("backward done") == 1 and "inplace operation" in " ".join(mutated.text.split())
    assert record(HERE + "mutated_fix.py").text.count("backward done") == 2
