"""Facts of "Calling torch.compile" that no snippet asserts."""


def test_one_graph_for_model_and_loss_two_for_equal_blocks(record) -> None:
    rows = record("pipeline/calling/where.py").text.splitlines()[2:]
    assert [row.split("  ")[-1] for row in rows] == ["[36]", "[38]", "[38, 24]", "[3, 3]"]


def test_a_shared_limit_is_announced(record) -> None:
    assert "hit config.recompile_limit (1)" in record("pipeline/calling/isolated.py").text
