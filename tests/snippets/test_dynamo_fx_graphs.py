"""What docs/dynamo/fx-graphs.md states and its snippets don't assert themselves."""


def test_the_graph_as_code(record):
    assert 'matmul: "f32[4, 4]" = l_x_ @ l_w_' in record("dynamo/fx_graphs/read.py").text


def test_a_print_decides_about_the_result(record):
    lines = [line for line in record("dynamo/fx_graphs/stale.py").text.splitlines() if "after:" in line]
    assert ["sigmoid" in line for line in lines] == [False, True, True]
