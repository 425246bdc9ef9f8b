"""A group of commands: its help, and how what the reader can correct ends."""

from typer.testing import CliRunner

from compile_lessons.ground.command_line import command_group, paragraphs
from compile_lessons.ground.project import ProjectError


def test_lines_of_a_paragraph_are_joined() -> None:
    assert paragraphs("One\n    line.\n\n    Another\n    paragraph.\n    ") == "One line.\n\nAnother paragraph."


def test_what_the_reader_can_correct_is_a_message_and_status_2() -> None:
    group = command_group("Help.")

    @group.callback()
    def several() -> None: ...

    @group.command()
    def fail() -> None:
        raise ProjectError("no file there. Fix: name another")

    result = CliRunner().invoke(group, ["fail"])
    assert (result.exit_code, result.output) == (2, "no file there. Fix: name another\n")
