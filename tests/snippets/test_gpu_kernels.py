"""Facts of the pages on kernels by hand, CUDA graphs and profiles, from the recordings on an H200."""


def test_memory_bound_kernels_reach_the_rate_of_a_copy(recording):
    times = recording("gpu/triton_by_hand/h200_times.py").values
    norms = recording("gpu/triton_norms/h200_norms.py").values
    backward = recording("gpu/triton_norms/h200_backward.py").values
    shares = [times[name] for name in ("large_add", "many_rows", "row_4096", "row_16384")]
    shares += [norms["long_share"], norms["short_share"], norms["layer_share"], backward["share"]]
    assert min(shares) > 0.9


def test_the_product_with_descriptors_comes_close_to_cublas(recording):
    assert recording("gpu/triton_matmul/h200_matmul.py").values["descriptors_share"] > 0.85


def test_the_record_names_the_processor_that_launches(recording):
    assert "launched from" in recording("gpu/cuda_graphs/h200_gaps.py").text


def test_a_mask_in_flex_attention_skips_work(recording):
    values = recording("gpu/user_kernels/h200_flex.py").values
    assert values["window_flex"] < values["causal_flex"] and values["window_flex"] < values["window_sdpa"]
    assert "mask_mod_output" in recording("gpu/user_kernels/h200_flex.py").text
