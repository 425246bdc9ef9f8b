"""Facts of docs/dynamo/inside-a-break.md that its snippets don't assert."""

HERE = "dynamo/inside_a_break/"


def test_the_value_that_changed_is_named(record):
    assert "scale['factor'] == 2.0" in record(HERE + "guards.py").text
