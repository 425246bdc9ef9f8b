"""Warnings of torch's: those whose row says that no other rule tells of them."""

from compile_lessons.facts.run import Message, Process, Run
from compile_lessons.facts.source import Location
from compile_lessons.findings.rules import findings_of

CALL = Location(file="/work/train.py", line=9, function="step")
COMPLEX = "Torchinductor does not support code generation for complex operators. Performance may be worse than eager."


def found(text: str, warning: bool = True) -> list[tuple[str, str]]:
    message = Message(text, stack=(CALL,), warning=warning)
    run = Run(processes=(Process(pid=1, messages=(message,)),))
    return [(one.rule, one.lesson) for one in findings_of(run) if one.where == (CALL,)]


def test_a_warning_has_the_remedy_of_its_row() -> None:
    assert found(COMPLEX) == [("torch-warns", "measure/slower#complex")]


def test_what_is_logged_and_what_another_rule_tells_of_are_left_out() -> None:
    assert found(COMPLEX, warning=False) == []
    assert found("Dynamo does not know how to trace the builtin `zlib.crc32.`") == found("Old API") == []
