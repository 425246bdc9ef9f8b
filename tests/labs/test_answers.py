"""Every right answer passes, and every wrong answer fails with a message that teaches.

An author only adds to a lab's ``answers.toml``. Each run checks the first three wrong answers of a lab; ``pytest -m
nightly`` checks the others. What a lab says of its stub and its solution is in their records: see ``test_lab_pages``.
"""

import ast
import re
import tomllib
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from compile_lessons.labs.examiner import Examiner
from compile_lessons.labs.lab import Lab, labs
from diffs import edited

LABS = labs()
DOCS = Path(__file__).parents[2] / "docs"


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    """An answer as a diff of the lab's solution or stub. The message on a wrong one contains ``says``."""

    edit: str
    base: Literal["solution", "stub"] = "solution"
    says: str = ""


def read_answers(lab: Lab) -> dict[str, tuple[str, str]]:
    """Return each answer's program and the phrase that its message must contain, by names like ``wrong_mean``."""
    answers = {"solution": (lab.solution, "")}
    for kind, named in tomllib.loads((lab.folder / "answers.toml").read_text(encoding="utf-8")).items():
        for name, table in named.items():
            try:
                answer = msgspec.convert(table, Answer)
                if kind not in ("right", "wrong") or bool(answer.says) != (kind == "wrong"):
                    raise ValueError("wrong answers have `says`, right answers don't, and there is no other kind")
                answers[f"{kind}_{name}"] = (edited(getattr(lab, answer.base), answer.edit), answer.says)
            except ValueError as error:
                raise ValueError(f"{lab.folder / 'answers.toml'}, [{kind}.{name}]: {error}") from None
    return answers


ANSWERS = {lab.slug: read_answers(lab) for lab in LABS}


def cases() -> list[object]:
    return [
        pytest.param(lab, name, id=f"{lab.slug}-{name}", marks=() if name in daily else pytest.mark.nightly)
        for lab in sorted(LABS, key=lambda lab: not lab.facts.env)  # each change of variables is another warm process
        for daily in [[name for name in ANSWERS[lab.slug] if name.startswith("wrong_")][:3]]
        for name in ANSWERS[lab.slug]
        if name != "solution"
    ]


@pytest.mark.parametrize(("lab", "name"), cases())
def test_an_answer(lab: Lab, name: str, examiner: Examiner, tmp_path: Path) -> None:
    source, phrase = ANSWERS[lab.slug][name]
    path = tmp_path / f"{lab.slug}.py"
    path.write_text(source, encoding="utf-8")
    report = examiner.examine(lab, path)
    if not phrase:
        assert report.state == "done" and report.passed == list(lab.titles), report
        return
    assert report.state in ("wrong", "raised", "ended", "not done yet") and not report.ours, report
    assert phrase in report.message, report.message
    assert (DOCS / f"{report.lesson or lab.facts.lessons[0]}.md").is_file(), report.lesson


@pytest.mark.parametrize("lab", LABS, ids=lambda lab: lab.slug)
def test_a_lab_is_whole(lab: Lab) -> None:
    names = list(ANSWERS[lab.slug])
    assert sum("wrong" not in name for name in names) >= 2 and sum("wrong" in name for name in names) >= 4
    programs = [lab.stub, *[source for source, _ in ANSWERS[lab.slug].values()]]
    assert len({ast.dump(ast.parse(source)) for source in programs}) == len(programs), "two answers are the same"
    assert 2 <= len(lab.facts.hints) <= 5 and lab.facts.question.endswith("?") and lab.facts.answer
    assert all((DOCS / f"{page}.md").is_file() for page in lab.facts.lessons), lab.facts.lessons
    assert (DOCS / f"{lab.page}.md").is_file()
    for name in ("stub.py", "solution.py"):
        source = (lab.folder / name).read_text(encoding="utf-8")
        assert 'data = ["checks.py", "lab.toml"' in source, f"{name}: its record must depend on the checks"
        assert source.endswith(f'\n\nif __name__ == "__main__":\n    check("{lab.slug}", __file__)\n'), name


def test_an_edit_is_a_diff() -> None:
    source = "a\n    b\nc\n\nb\n"
    assert edited(source, "-a\n+A\n+\n     b\n@@ -1 +1 @@ anything\n c\n\n-b\n") == "A\n\n    b\nc\n\n"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("edit = '''\n-return x\n+return y\n'''", "it fits in 0 places and has to fit in one:\n-return x\n+return y\n"),
        ("edit = '''\n-import torch\n@@\n-\n+pass\n'''", "it fits in 2 places and has to fit in one:\n-\n+pass\n"),
        ("edit = '''\n+pass\n'''", "it fits in 6 places"),
        ("edit = '''\n import torch\n'''", "it changes nothing:\n import torch\n"),
        ("edits = '''\n'''", "unknown field `edits`"),
        ("edit = ''\nsays = 'no'", "right answers don't"),
    ],
)
def test_a_lab_an_answer_and_a_change_are_named(tmp_path: Path, table: str, message: str) -> None:
    text = (LABS[0].folder / "lab.toml").read_text(encoding="utf-8")
    (tmp_path / "lab.toml").write_text(text, encoding="utf-8")
    (tmp_path / "solution.py").write_text("import torch\n\n\ndef f(x):\n    return x\n", encoding="utf-8")
    (tmp_path / "answers.toml").write_text(f"[right.odd]\n{table}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(f"{tmp_path / 'answers.toml'}, [right.odd]: ")) as failure:
        read_answers(Lab(tmp_path))
    assert message in str(failure.value)


def test_numbers_count_up_from_one_and_follow_the_tracks() -> None:
    assert len({lab.facts.number for lab in LABS}) == len(LABS)
    tracks = [lab.facts.track for lab in LABS]
    assert tracks == sorted(tracks, key=("first steps", "fix it", "build it").index)
