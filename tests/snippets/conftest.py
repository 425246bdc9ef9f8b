"""Every snippet of the course runs once for the whole suite; tests look at its record."""

from collections.abc import Callable

import pytest

from compile_lessons.course.records.record import Record
from compile_lessons.course.records.runner import SnippetOutcome, plan, run_snippets
from compile_lessons.course.records.store import Store
from compile_lessons.ground.project import Project


@pytest.fixture(scope="session")
def outcomes(course: Project) -> dict[str, SnippetOutcome]:
    return {outcome.name: outcome for outcome in run_snippets(course, course.snippet_names())}


@pytest.fixture(scope="session")
def record(course: Project, outcomes: dict[str, SnippetOutcome]) -> Callable[[str], Record]:
    """``record("pipeline/backends.py")``; a failed run fails the test, something the machine lacks skips it."""

    def find(name: str) -> Record:
        outcome = outcomes[name]
        if outcome.how == "skipped":
            pytest.skip(f"snippets/{name} {outcome.reason}")
        assert outcome.failure is None, f"snippets/{name}:{outcome.failure.line}: {outcome.failure.message}"
        found = Store(course).get(plan(course, name).key)
        assert found is not None
        return found

    return find


@pytest.fixture(scope="session")
def recording(course: Project) -> Callable[[str], Record]:
    """``recording("gpu/h200_kernel.py")``: what a GPU run left beside the snippet."""

    def find(name: str) -> Record:
        found = Store(course).recording(name)
        assert found is not None, (
            f"snippets/{name} has no recording: python -m compile_lessons.course record, where its needs are met"
        )
        return found

    return find
