"""What docs/dynamo/tracing.md states and its snippets don't assert themselves."""


def test_python_is_carried_out_and_calls_are_inlined(record):
    text = record("dynamo/tracing/steps.py").text
    assert "ConstantVariable(int: 6)" in text and "LazyVariableTracker(unrealized: <class 'int'>)" in text
    assert text.count("TRACE RESUME 0 []") >= 2  # the function and the inlined one


def test_containers_have_no_nodes(record):
    assert "nodes: l_x_ sum_1 y add_1 mul add_2 output" in record("dynamo/tracing/values.py").text
