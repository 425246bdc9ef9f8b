"""What docs/measure/models.md states and its snippets don't assert themselves."""

import pytest


@pytest.mark.parametrize("size", [1, 16, 256, 4096])
def test_max_autotune_takes_as_long_as_reduce_overhead(recording, size):
    values = recording("measure/models/h200_sweep.py").values
    ratio = values[f"mlp_inference_{size}_max_autotune"] / values[f"mlp_inference_{size}_reduce_overhead"]
    assert 0.95 < ratio < 1.05
