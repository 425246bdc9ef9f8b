"""Tests that pass alone and fail together, and a fixture that resets the compiler."""

from types import ModuleType

import pytest
import torch


# region tests
class Layer(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)

    def forward(self, x):
        return torch.relu(self.linear(x))


@pytest.mark.parametrize("width", range(2, 13))
def test_layer(width):
    layer = Layer(width)
    x = torch.randn(4, width)
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), layer(x))


# endregion


def run_tests(plugins):
    options = ["-qq", "--tb=no", "--disable-warnings", "-p", "no:cacheprovider"]
    code = pytest.main([__file__, *options], plugins)
    torch.compiler.reset()
    return code


if __name__ == "__main__":
    # region fixture
    @pytest.fixture(autouse=True)
    def fresh_compiler():
        yield
        torch.compiler.reset()

    # endregion
    print("without the fixture")
    without = run_tests([])
    print("with the fixture")
    conftest = ModuleType("conftest")
    conftest.fresh_compiler = fresh_compiler
    with_fixture = run_tests([conftest])

    # region checks
    assert without == pytest.ExitCode.TESTS_FAILED
    assert with_fixture == pytest.ExitCode.OK
    # endregion
