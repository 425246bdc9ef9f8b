"""Every exception has a message."""

from compile_lessons.ground.errors import message_of


class Broken(Exception):
    def __str__(self):
        raise RuntimeError("no text")


def test_a_message():
    assert message_of(ValueError("wrong size")) == "wrong size"


def test_a_str_that_raises():
    assert message_of(Broken()) == "(its __str__ raised RuntimeError)"
