"""Facts of docs/dynamo/inside-a-break.md that its snippets don't assert."""

HERE = "dynamo/inside_a_break/"


def test_the_two_resume_functions_of_a_branch(record):
    positive, _, negative = record(HERE + "branch.py").text.partition("every element -1.0")
    assert "['sqrt']" in positive
    assert "['x', 'sqrt']" in negative


def test_the_value_that_changed_is_named(record):
    assert "scale['factor'] == 2.0" in record(HERE + "guards.py").text
