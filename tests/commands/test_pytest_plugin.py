"""The fixture ``compile_health``, on a library that is installed and has one fault of each kind."""

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest
import torch

from compile_lessons.commands.pytest_plugin import check_health

LIBRARY = """import torch


class Healthy(torch.nn.Linear):
    def forward(self, x):
        return super().forward(x).relu()


class Prints(torch.nn.Linear):
    def forward(self, x):
        print("mean", x.mean())
        return super().forward(x)


class Counts(torch.nn.Linear):
    calls = 0

    def forward(self, x):
        self.calls += 1
        return super().forward(x) / self.calls


class BreaksInALoop(torch.nn.Linear):
    def forward(self, x):
        for _ in range(2):
            x = super().forward(x)
            torch._dynamo.graph_break()
        return x


class Raises(torch.nn.Linear):
    def forward(self, x):
        raise ValueError("no such mode")
"""
CALLS = [(torch.ones(batch, 3),) for batch in (4, 5, 6)]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """A library in a folder of installed packages."""
    folder = tmp_path_factory.mktemp("environment") / "lib" / "site-packages"
    (folder / "sick_library").mkdir(parents=True)
    (folder / "sick_library" / "__init__.py").write_text(LIBRARY)
    sys.path.insert(0, str(folder))
    import sick_library

    yield sick_library
    sys.path.remove(str(folder))
    del sys.modules["sick_library"]


@pytest.mark.parametrize(
    ("name", "fault", "place"),
    [
        ("Prints", "break: Failed to trace builtin operator (GB0059)", '__init__.py:11: print("mean", x.mean())'),
        ("Counts", "Counts was compiled 3 times", "__init__.py:19: self.calls += 1"),
        ("BreaksInALoop", "forward runs in eager mode as a whole", "__init__.py:27: torch._dynamo.graph_break()"),
        ("Raises", "ValueError: no such mode", '__init__.py:33: raise ValueError("no such mode")'),
    ],
)
def test_a_fault_of_the_library_is_the_failures_text(library: ModuleType, name: str, fault: str, place: str) -> None:
    with pytest.raises(pytest.fail.Exception) as failed:
        check_health(getattr(library, name)(3, 3), CALLS, package="sick_library", recompiles=1)
    assert fault in str(failed.value)
    assert place in str(failed.value)
    assert "library" not in str(failed.value).replace("sick_library", ""), "a remedy for those who can't edit the line"


def test_a_healthy_module_needs_one_recompile_for_a_size(library: ModuleType) -> None:
    check_health(library.Healthy(3, 3), CALLS, package="sick_library", recompiles=1)
    with pytest.raises(pytest.fail.Exception, match="the size of"):
        check_health(library.Healthy(3, 3), CALLS, package="sick_library")


def test_faults_of_the_caller_are_not_the_librarys(library: ModuleType) -> None:
    model = library.Healthy(3, 3)

    def predict(x: torch.Tensor) -> torch.Tensor:
        print("calls", end="")
        return model(x)

    check_health(predict, CALLS, package="sick_library", recompiles=1)


def test_a_training_step_keeps_its_own_compile(library: ModuleType) -> None:
    healthy, counts = library.Healthy(3, 3), library.Counts(3, 3)
    steps = []
    for model in (healthy, counts):
        compiled = torch.compile(model, dynamic=True)
        optimizer = torch.optim.SGD(model.parameters(), 0.1)

        def step(x: torch.Tensor, compiled=compiled, optimizer=optimizer) -> None:
            compiled(x).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()

        steps.append(step)
    check_health(steps[0], CALLS, package="sick_library")
    with pytest.raises(pytest.fail.Exception, match=r"self\.calls"):
        check_health(steps[1], CALLS, package="sick_library", recompiles=1)


def test_a_check_that_looks_at_nothing_fails(library: ModuleType) -> None:
    with pytest.raises(pytest.fail.Exception, match="no code of sick_library was compiled"):
        check_health(torch.nn.Linear(3, 3), CALLS, package="sick_library", recompiles=1)
    with pytest.raises(ModuleNotFoundError, match="there is no package 'sick_libary'"):
        check_health(library.Healthy(3, 3), CALLS, package="sick_libary")
