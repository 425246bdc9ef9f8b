"""What docs/part/my-lesson.md states and its snippets don't assert themselves."""


def test_the_output_names_the_call_that_breaks_the_graph(record):
    assert "print" in record("part/my_lesson/wrong.py").text
