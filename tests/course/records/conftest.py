"""What tests of the runner share."""

from collections.abc import Callable

import pytest

from compile_lessons.ground.project import Project
from compile_lessons.runs import compiler_cache


@pytest.fixture(scope="session")
def share_compiled(course: Project) -> Callable[[Project], None]:
    """Give a project what the course has compiled: the precompiled header takes 12 s, the search for vector
    instructions 10 s."""

    def share(project: Project) -> None:
        (course.cache / "headers").mkdir(parents=True, exist_ok=True)
        project.cache.mkdir(parents=True, exist_ok=True)
        (project.cache / "headers").symlink_to(course.cache / "headers")
        compiler_cache.link_objects(course.cache / "objects", project.cache / "objects")

    return share
