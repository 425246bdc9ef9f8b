"""Models of the transformers package at reduced size, with random weights: same outputs and gradients as eager."""

import pytest
import torch
import transformers
from test_zoo import assert_no_stage_is_silently_empty

from compile_lessons import capture

SMALL = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
TOKENS = {"vocab_size": 40, "max_position_embeddings": 16}


def bert():
    return transformers.BertModel(transformers.BertConfig(**SMALL, **TOKENS))


def gpt2():
    return transformers.GPT2LMHeadModel(
        transformers.GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=40, n_positions=16, use_cache=False)
    )


def llama():
    config = transformers.LlamaConfig(**SMALL, **TOKENS, num_key_value_heads=1, use_cache=False)
    return transformers.LlamaForCausalLM(config)


def t5():
    sizes = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 1, "num_heads": 2, "vocab_size": 40}
    return transformers.T5ForConditionalGeneration(
        transformers.T5Config(**sizes, use_cache=False, decoder_start_token_id=0)
    )


def vit():
    return transformers.ViTModel(transformers.ViTConfig(**SMALL, image_size=8, patch_size=4))


def tokens():
    return {"input_ids": torch.randint(0, 40, (2, 6))}


INPUTS = {
    bert: tokens,
    gpt2: lambda: {**tokens(), "labels": torch.randint(0, 40, (2, 6))},
    llama: lambda: {**tokens(), "labels": torch.randint(0, 40, (2, 6))},
    t5: lambda: {**tokens(), "labels": torch.randint(0, 40, (2, 6))},
    vit: lambda: {"pixel_values": torch.randn(1, 3, 8, 8)},
}


#: A decoder with grouped heads. The others have few operators that this one and the zoo lack.
ALWAYS = (llama,)
MODELS = [pytest.param(make, marks=() if make in ALWAYS else pytest.mark.nightly) for make in INPUTS]


@pytest.mark.parametrize("make", MODELS, ids=lambda make: make.__name__)
def test_equal_to_eager_with_gradients(make):
    model = make().eval()  # without dropout, whose random numbers differ
    pipeline = capture(model, compare=True)(**INPUTS[make]())
    assert pipeline.failures == ()
    assert pipeline.comparison.status == "equal", str(pipeline.comparison)
    values = pipeline.comparison.values
    assert any(value.kind == "output" for value in values)
    gradients = {value.path for value in values if value.kind == "gradient"}
    assert gradients == {name for name, _ in model.named_parameters()}
    assert all(parameter.grad is None for parameter in model.parameters())
    assert_no_stage_is_silently_empty(pipeline)
    assert any(graph.backward for graph in pipeline.graphs)
