"""Facts that the page "AOTAutograd by hand" states."""

HERE = "aot/by_hand/"


def test_function_and_module(record):
    function = record(HERE + "function.py").text
    forward, done, backward, _ = function.splitlines()
    assert forward.startswith("forward: primals_1 primals_2") and done == "forward pass done"
    assert backward.startswith("backward: pow_1 tangents_1")
    rows = [line.split() for line in record(HERE + "module.py").text.splitlines()]
    assert [row[-1] for row in rows[-3:]] == ["0.weight", "0.bias", "input"]


def test_without_guards_the_mean_is_wrong(record):
    unguarded = record(HERE + "no_guards.py")
    assert (unguarded.values["four"], unguarded.values["eight"]) == (1.0, 2.0)
    assert unguarded.text.count("compiling:") == 1 and "div.Tensor(sum_1, 4)" in unguarded.text
    guarded = record(HERE + "guarded.py")
    assert guarded.values["graphs"] == 2 and guarded.text.count("ones: 1.0") == 3


def test_a_compiler_for_each_direction(record):
    rows = [line.split() for line in record(HERE + "backend.py").text.splitlines()[-2:]]
    assert [row[0] for row in rows] == ["forward", "backward"]
    for row in rows:
        assert 0.6 < int(row[3]) / int(row[2]) < 0.75
