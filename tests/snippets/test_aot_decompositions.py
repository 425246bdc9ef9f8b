"""Facts that the page "Decompositions" states."""

HERE = "aot/decompositions/"


def test_gelu_becomes_five_pointwise_operators(record):
    gelu = record(HERE + "gelu.py")
    assert (gelu.values["before"], gelu.values["after"]) == (1, 5)
    before, after = gelu.text.split("class <lambda>")
    assert "torch._C._nn.gelu" in before and "torch.ops.aten" not in before
    assert "0.7071" in after and "erf" in after


def test_three_levels(record):
    text = record(HERE + "levels.py").text
    rows = [line.split() for line in text.splitlines()]
    assert ["core", "ATen", "sigmoid", "mul"] in rows
    assert ["Inductor", "amax", "sub", "exp", "sum", "div"] in rows
    assert ["Inductor", "var_mean", "add", "rsqrt", "sub", "mul"] in rows
    assert ["Inductor", "mul", "mul", "erf", "add", "mul"] in rows


def test_tables(record):
    text = record(HERE + "tables.py").text
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.startswith("aten.")}
    assert rows["aten.gelu.default"] == ["False", "True"]
    assert rows["aten.addcmul.default"] == ["True", "False"]
    assert rows["aten.mm.default"] == ["False", "True"]
    values = record(HERE + "tables.py").values
    assert values["declined"] is True and 1000 < values["operators"] < 3000


def test_a_missing_rule_and_its_fix(record):
    assert "no rule for aten.gelu.default" in record(HERE + "five_operators.py").text
    fixed = record(HERE + "five_operators_fix.py").text.split()
    assert fixed[:3] == ["all", "operators", "known:"] and {"aten.t.default", "aten.mm.default"} <= set(fixed)
    assert "hardswish.default" in record(HERE + "own.py").text
