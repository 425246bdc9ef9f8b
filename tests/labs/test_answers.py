"""Every stub is not done yet, every right answer passes, and every wrong answer fails with a message that teaches.

An author adds files only: ``answers/right_….py``, ``answers/wrong_….py`` and, for answers that take long,
``answers/nightly_right_….py`` and ``answers/nightly_wrong_….py``. Each run checks the solution and the first three
wrong answers of a lab; ``pytest -m nightly`` checks the others.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from compile_lessons.labs.examiner import Examiner
from compile_lessons.labs.lab import Lab, labs

LABS = labs()
DOCS = Path(__file__).parents[2] / "docs"


def answers(lab: Lab) -> list[Path]:
    """Return right and wrong answers; the solution is one of the right ones."""
    return [lab.folder / "solution.py", *sorted((lab.folder / "answers").glob("*.py"))]


def cases() -> list[object]:
    return [
        pytest.param(lab, path, id=f"{lab.slug}-{path.stem}", marks=() if path in daily else pytest.mark.nightly)
        for lab in sorted(LABS, key=lambda lab: not lab.facts.env)  # each change of variables is another warm process
        for daily in [[lab.folder / "solution.py", *sorted((lab.folder / "answers").glob("wrong_*.py"))[:3]]]
        for path in answers(lab)
    ]


@pytest.mark.parametrize(("lab", "path"), cases())
def test_an_answer(lab: Lab, path: Path, examiner: Examiner) -> None:
    report = examiner.examine(lab, path)
    if "wrong" not in path.stem:
        assert report.state == "done" and report.passed == list(lab.titles), report
        return
    phrase = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    assert report.state in ("wrong", "raised", "ended", "not done yet") and not report.ours, report
    assert phrase in report.message, report.message
    assert (DOCS / f"{report.lesson or lab.facts.lessons[0]}.md").is_file(), report.lesson


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_the_stub_is_not_done_yet(lab: Lab, examiner: Examiner) -> None:
    report = examiner.examine(lab, lab.folder / "stub.py")
    assert (report.state, report.message) == ("not done yet", "stub.py is still the stub.")


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_a_lab_is_whole(lab: Lab) -> None:
    names = [path.stem for path in answers(lab)]
    assert sum("wrong" not in name for name in names) >= 2 and sum("wrong" in name for name in names) >= 4
    assert 2 <= len(lab.facts.hints) <= 5 and lab.facts.question.endswith("?") and lab.facts.answer
    assert all((DOCS / f"{page}.md").is_file() for page in lab.facts.lessons), lab.facts.lessons
    assert (DOCS / f"{lab.page}.md").is_file()
    for name in ("stub.py", "solution.py"):
        source = (lab.folder / name).read_text(encoding="utf-8")
        assert 'data = ["checks.py", "lab.toml"' in source, f"{name}: its record must depend on the checks"
        assert source.endswith(f'\n\nif __name__ == "__main__":\n    check("{lab.slug}", __file__)\n'), name


def test_numbers_count_up_from_one_and_follow_the_tracks() -> None:
    assert len({lab.facts.number for lab in LABS}) == len(LABS)
    tracks = [lab.facts.track for lab in LABS]
    assert tracks == sorted(tracks, key=("first steps", "fix it", "build it").index)
