"""What docs/dynamo/dynamic-shapes.md states and its snippets don't assert themselves."""


def test_a_dynamic_graph_takes_the_size(record):
    assert "Sym(s" in record("dynamo/dynamic_shapes/graphs.py").text


def test_the_log_shows_questions_and_replacements(record):
    text = record("dynamo/dynamic_shapes/symbolic.py").text
    assert ">= 16 [guard added]" in text and "range_refined_to_singleton" in text
