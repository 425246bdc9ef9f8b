"""Generate with a static cache and a compiled forward, as the documentation of transformers shows."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM

torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=128, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, eos_token_id=None
)
model = LlamaForCausalLM(config).eval()
model.generation_config.cache_implementation = "static"
model.forward = torch.compile(model.forward, fullgraph=True)
for length in (5, 9, 14):
    prompt = torch.randint(2, 128, (1, length))
    print(model.generate(prompt, max_new_tokens=20, do_sample=False, pad_token_id=0).shape)
