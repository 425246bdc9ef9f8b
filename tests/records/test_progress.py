"""The progress of a run in the background, from the command that runs to the page that shows it."""

from __future__ import annotations

from collections.abc import Callable

from compile_lessons.ground.project import Project
from compile_lessons.records.progress import (
    RunProgress,
    end_progress,
    read_progress,
    read_wanted,
    want,
    write_progress,
)
from compile_lessons.site.markup import pending


def test_written_read_and_gone(make_project: Callable[..., Project]) -> None:
    project = make_project({})
    assert read_progress(project) is None
    assert read_wanted(project.cache) == []
    progress = RunProgress(total=9, ended=4, running=["a.py"])
    write_progress(project, progress)
    want(project, ["b.py", "c.py"])
    want(project, ["c.py", "d.py"])
    assert read_progress(project) == progress and read_wanted(project.cache) == ["c.py", "d.py", "b.py"]
    end_progress(project)
    end_progress(project)
    assert read_progress(project) is None and read_wanted(project.cache) == []


def test_a_page_tells_queued_from_running_and_counts() -> None:
    progress = RunProgress(total=9, ended=4, running=["a.py"], begun=True)
    count = '; <span class="snippet-progress">4 of 9 snippets are done</span>.'
    assert f'">Running</p><p>snippets/a.py runs now{count}' in pending("a.py", True, progress)
    assert f'">Queued</p><p>snippets/b.py is one of the next{count}' in pending("b.py", False, progress)
    assert '">Queued</p><p>snippets/b.py is one of the next. The' in pending("b.py", False, None)
    assert "torch is being loaded" in pending("b.py", False, RunProgress(total=9, ended=4))
