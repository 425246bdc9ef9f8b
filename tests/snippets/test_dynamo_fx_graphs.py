"""What docs/dynamo/fx-graphs.md states and its snippets don't assert themselves."""


def test_the_graph_as_code(record):
    assert 'matmul: "f32[4, 4]" = l_x_ @ l_w_' in record("dynamo/fx_graphs/read.py").text


def test_a_print_decides_about_the_result(record):
    text = record("dynamo/fx_graphs/stale.py").text
    assert "print_and_change: tensor([0., 0., 0.])" in text
    assert "only_change: tensor([0.5000, 0.5000, 0.5000])" in text
    assert "print_change_recompile: tensor([0.5000, 0.5000, 0.5000])" in text
