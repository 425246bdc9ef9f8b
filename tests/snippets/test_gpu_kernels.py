"""Facts of the pages on kernels by hand, CUDA graphs and profiles, from the recordings on an H200."""

import re

import pytest
import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention
from torch.nn.functional import scaled_dot_product_attention

from compile_lessons import capture


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


def test_a_learned_bias_in_flex_attention_takes_little_memory_and_much_time(recording):
    """The program asserts that the gradients are right in each step, and that one graph serves all documents."""
    record = recording("gpu/flex_attention/h200_training.py")
    times = [float(ms) for ms in re.findall(r"FlexAttention +(\d+\.\d+)", record.text)]
    assert times == sorted(times) and times[0] > 5 * record.values["dense_ms"]
    assert record.values["dense_mib"] > 100 * record.values["flex_mib"]


@pytest.mark.parametrize("learned", [True, False])
def test_only_a_learned_bias_adds_up_gradients_with_atomics(learned):
    slopes = torch.ones(2, requires_grad=learned)
    q = torch.randn(1, 2, 128, 64, dtype=torch.bfloat16, requires_grad=True)

    def attend(q, slopes):
        def bias(score, batch, head, query, key):
            return score - slopes[head]

        return flex_attention(q, q, q, bias)

    [graph] = capture(attend, target="h200", machine_code=False)(q, slopes).graphs
    assert ("tl.atomic_add" in graph.inductor[1].output_code) == learned


def test_flex_attention_on_a_cpu_raises_for_an_input_that_requires_a_gradient():
    q = torch.randn(1, 2, 128, 64, requires_grad=True)
    with pytest.raises(NotImplementedError), torch.no_grad():
        torch.compile(flex_attention, backend="eager")(q, q, q)


def test_without_torch_compile_flex_attention_ignores_the_blocks():
    """So the program of old blocks is right in eager mode."""
    documents = torch.zeros(256, dtype=torch.int64)

    def same_document(batch, head, query, key):
        return documents[query] == documents[key]

    mask = create_block_mask(same_document, None, None, 256, 256, device="cpu")
    documents.copy_(torch.arange(256) // 128)
    q, k, v = torch.randn(3, 1, 2, 256, 64)
    expected = scaled_dot_product_attention(q, k, v, attn_mask=documents[:, None] == documents)
    torch.testing.assert_close(flex_attention(q, k, v, block_mask=mask), expected)
