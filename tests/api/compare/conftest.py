import pytest
import torch


@pytest.fixture(autouse=True)
def _seed(precompiled_header):
    torch.manual_seed(0)
