"""Tests that pass alone and fail together, and a fixture that resets the compiler."""

from types import ModuleType

import pytest
import torch


class Layer(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)

    def forward(self, x):
        return torch.relu(self.linear(x))


@pytest.mark.parametrize("width", range(2, 13))
def test_layer(width):
    layer, x = Layer(width), torch.randn(4, width)
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x), layer(x))


if __name__ == "__main__":
    # region fixture
    @pytest.fixture(autouse=True)
    def fresh_compiler():
        yield
        torch.compiler.reset()

    # endregion
    options = [__file__, "-qq", "--tb=no", "--disable-warnings", "-p", "no:cacheprovider"]
    conftest, codes = ModuleType("conftest"), []
    conftest.fresh_compiler = fresh_compiler
    for title, plugins in ("without the fixture", []), ("with the fixture", [conftest]):
        print(title)
        codes.append(pytest.main(options, plugins))
        torch.compiler.reset()

    # region checks
    assert codes == [pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.OK]
    # endregion
