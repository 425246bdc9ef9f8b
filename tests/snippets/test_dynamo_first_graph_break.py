"""Facts of docs/dynamo/first-graph-break.md that its snippets don't assert."""

HERE = "dynamo/first_graph_break/"


def test_a_break_stays_on_later_calls(record):
    first, second = record(HERE + "see.py").text.split("---- the second call ----\n")
    before, after = first.split("\nhalfway\n")
    assert "torch.relu(l_x_)" in before and "= l_y_ * l_y_" in after
    assert second.strip() == "halfway"


def test_the_log_names_the_place(record):
    text = record(HERE + "logs.py").text
    assert text.count("Graph break in user code at snippets/dynamo/first_graph_break/logs.py:") == 1


def test_only_the_branch_taken_is_compiled(record):
    first, _, second = record(HERE + "branch.py").text.partition("a negative sum")
    assert "return (lt,)" in first
    assert "torch_dynamo_resume_in_safe_sqrt_at_11" in first
    assert "-l_x_" not in first and "-l_x_" in second


def test_fullgraph_names_the_line(record):
    text = record(HERE + "fullgraph.py").text
    assert "Data-dependent branching" in text
    assert "if x.sum() < 0:" in text
