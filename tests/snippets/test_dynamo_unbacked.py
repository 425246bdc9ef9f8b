"""What docs/dynamo/unbacked.md states and its snippets don't assert themselves."""


def test_a_negative_size_is_an_error(record):
    assert "RuntimeError: Runtime assertion failed for expression u0 >= 0" in record("dynamo/unbacked/item.py").text


def test_an_unbacked_number_takes_the_general_branch(record):
    unbacked, backed, one = record("dynamo/unbacked/guard_or_false.py").text.splitlines()
    assert "mul" in unbacked and "mul" in backed and one.endswith("none")
