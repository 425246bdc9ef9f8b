"""The file under the editor: whoever writes it, no text is lost unasked."""

from pathlib import Path

import pytest

from compile_lessons.explorer.live.document import Conflict, Document, text_of
from compile_lessons.explorer.live.messages import Settings
from compile_lessons.explorer.live.state import Shown, State


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "model.py"
    path.write_text("one\n")
    return path


@pytest.fixture
def document(file: Path) -> Document:
    shown = Shown(file="model.py", path=str(file), text=text_of(file), settings=Settings(), can_save=True)
    return Document(file, State(shown))


def write(path: Path, text: str) -> None:
    """Write as editors do: another file takes the name, so that the time and the number change."""
    other = path.with_suffix(".new")
    other.write_text(text)
    other.replace(path)


def test_another_editor_s_text_is_taken(document: Document, file: Path) -> None:
    assert not document.look()
    write(file, "two\n")
    assert document.look()
    assert (document.state.shown.text, document.state.shown.version) == ("two\n", 2)
    assert not document.look()


def test_but_not_over_unsaved_changes(document: Document, file: Path) -> None:
    document.edit("mine\n", version=1)
    assert document.state.shown.unsaved
    write(file, "two\n")
    assert not document.look()
    assert document.state.shown.conflict and document.state.shown.text == "mine\n"
    with pytest.raises(Conflict):
        document.save("mine\n", version=1)
    assert file.read_text() == "two\n"
    document.keep()
    document.save("mine\n", version=1)
    assert file.read_text() == "mine\n" and not document.state.shown.unsaved
    assert not document.look(), "what the document itself has written is no news"


def test_a_change_that_nobody_has_looked_at_is_a_conflict_at_the_save(document: Document, file: Path) -> None:
    write(file, "two\n")
    with pytest.raises(Conflict):
        document.save("mine\n", version=1)
    document.load()
    assert document.state.shown.text == "two\n" and not document.state.shown.conflict


def test_a_text_that_began_with_an_older_version_is_a_conflict(document: Document, file: Path) -> None:
    write(file, "two\n")
    document.look()
    document.edit("one, and more\n", version=1)
    assert document.state.shown.conflict


def test_the_same_text_from_both_is_none(document: Document, file: Path) -> None:
    document.edit("two\n", version=1)
    write(file, "two\n")
    assert not document.look() and not document.state.shown.conflict and not document.state.shown.unsaved


def test_a_deleted_file_is_told_of_and_written_again(document: Document, file: Path) -> None:
    file.unlink()
    assert not document.look()
    assert document.state.shown.note == "model.py is gone. Save writes it again." and document.state.shown.unsaved
    document.save("one\n", version=1)
    assert file.read_text() == "one\n"


def test_bytes_that_are_not_utf_8_are_told_of(document: Document, file: Path) -> None:
    file.write_bytes(b"# caf\xe9\n")
    assert not document.look()
    assert "model.py:1: not UTF-8" in document.state.shown.note and document.state.shown.text == "one\n"


def test_lines_end_as_they_did(document: Document, file: Path) -> None:
    file.write_bytes(b"one\r\ntwo\r\n")
    assert document.look() and document.state.shown.text == "one\ntwo\n"
    document.save("one\nthree\n", version=2)
    assert file.read_bytes() == b"one\r\nthree\r\n"
