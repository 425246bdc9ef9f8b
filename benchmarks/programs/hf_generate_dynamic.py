"""Generate with a dynamic cache, which grows by a token in each call of the compiled forward."""

import torch
from transformers import GPT2Config, GPT2LMHeadModel

torch.manual_seed(0)
config = GPT2Config(vocab_size=128, n_embd=64, n_layer=2, n_head=4, n_positions=128, bos_token_id=1, eos_token_id=None)
model = GPT2LMHeadModel(config).eval()
model.forward = torch.compile(model.forward)
for length in (5, 9, 14):
    prompt = torch.randint(2, 128, (1, length))
    print(model.generate(prompt, max_new_tokens=20, do_sample=False, pad_token_id=0).shape)
