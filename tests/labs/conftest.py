"""One warm process that checks every answer, with the course's own cache of compiled headers."""

from collections.abc import Iterator

import pytest

from compile_lessons.ground.project import Project
from compile_lessons.labs.examiner import Examiner


@pytest.fixture(scope="session")
def examiner(course: Project) -> Iterator[Examiner]:
    with Examiner(warm=True, cache=course.cache) as examiner:
        yield examiner
