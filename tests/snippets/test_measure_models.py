"""What docs/measure/models.md states and its snippets don't assert themselves."""

import pytest
import torch

from compile_lessons import keep_graphs


@pytest.mark.parametrize("size", [1, 16, 256])
def test_max_autotune_takes_as_long_as_reduce_overhead(recording, size):
    values = recording("measure/models/h200_sweep.py").values
    ratio = values[f"mlp_inference_{size}_max_autotune"] / values[f"mlp_inference_{size}_reduce_overhead"]
    assert 0.95 < ratio < 1.05


def test_max_autotune_is_the_slowest_mode_of_the_mlp_at_batch_4096(recording):
    values = recording("measure/models/h200_sweep.py").values
    tuned = values["mlp_inference_4096_max_autotune"]
    assert all(tuned > values[f"mlp_inference_4096_{mode}"] for mode in ("eager", "default", "reduce_overhead"))


@pytest.mark.parametrize("size", [1, 16, 256, 4096])
def test_the_mlp_loses_in_the_default_mode(recording, size):
    values = recording("measure/models/h200_sweep.py").values
    for phase in ("inference", "training"):
        assert values[f"mlp_{phase}_{size}_default"] > values[f"mlp_{phase}_{size}_eager"]
    assert values[f"mlp_inference_{size}_reduce_overhead"] > 0.97 * values[f"mlp_inference_{size}_eager"]


def test_cuda_graphs_help_the_cnn_and_the_transformer_at_batch_1(recording):
    values = recording("measure/models/h200_sweep.py").values
    for model in ("cnn", "transformer"):
        for phase in ("inference", "training"):
            assert values[f"{model}_{phase}_1_reduce_overhead"] < 0.9 * values[f"{model}_{phase}_1_eager"]
    assert values["transformer_inference_1_default"] > values["transformer_inference_1_eager"]


def test_the_default_mode_is_the_fastest_in_inference_at_batch_4096(recording):
    values = recording("measure/models/h200_sweep.py").values
    for model in ("cnn", "transformer"):
        default = values[f"{model}_inference_4096_default"]
        assert default < values[f"{model}_inference_4096_eager"]
        assert default < values[f"{model}_inference_4096_reduce_overhead"]


@pytest.mark.parametrize("model", ["mlp", "cnn", "transformer"])
def test_compiled_training_needs_less_memory_at_batch_4096(recording, model):
    values = recording("measure/models/h200_sweep.py").values
    assert values[f"{model}_training_4096_default_mib"] < values[f"{model}_training_4096_eager_mib"]


@pytest.mark.parametrize(("options", "compiled_calls"), [({}, 8), ({"recompile_limit": 64}, 12)])
def test_an_isolated_function_still_has_a_limit_of_eight_versions(options, compiled_calls):
    kept = keep_graphs()
    compiled = torch.compile(lambda x: x.sin(), backend=kept, dynamic=False, isolate_recompiles=True, **options)
    for size in range(2, 14):
        compiled(torch.ones(size))
    assert len(kept.runs) == compiled_calls
