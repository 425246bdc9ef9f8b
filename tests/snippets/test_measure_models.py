"""What docs/measure/models.md states and its snippets don't assert themselves."""

import pytest


@pytest.mark.parametrize("size", [1, 16, 256, 4096])
def test_max_autotune_takes_as_long_as_reduce_overhead(recording, size):
    values = recording("measure/models/h200_sweep.py").values
    ratio = values[f"mlp_inference_{size}_max_autotune"] / values[f"mlp_inference_{size}_reduce_overhead"]
    assert 0.95 < ratio < 1.05


@pytest.mark.parametrize("size", [1, 16, 256, 4096])
def test_the_mlp_loses_in_the_default_mode(recording, size):
    values = recording("measure/models/h200_sweep.py").values
    for phase in ("inference", "training"):
        assert values[f"mlp_{phase}_{size}_default"] > values[f"mlp_{phase}_{size}_eager"]
    assert values[f"mlp_inference_{size}_reduce_overhead"] > 0.97 * values[f"mlp_inference_{size}_eager"]
