"""Facts of docs/dynamo/control-flow.md that its snippets don't assert."""

HERE = "dynamo/control_flow/"


def test_the_error_names_the_value_that_grew(record):
    assert "pair[0] differ in 'shape:" in record(HERE + "loop_shape.py").text


def test_map_and_scan_under_inductor(record):
    lines = record(HERE + "inductor.py").text.splitlines()
    assert "DataDependentOutputException" in lines[0]
    assert "(4, 3)" in lines[1]
    assert "alias" in lines[2]
