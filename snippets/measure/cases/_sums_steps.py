"""Decode 20 tokens with products as sums in eight layers, which are compiled."""

import torch
from _llama import Block, Decoder, Sizes, run

torch.set_grad_enabled(False)
decoder = Decoder(Sizes(layers=8))
first_sums = torch.compile(Block.first_sums)
last_sum = torch.compile(Block.last_sum)


def layer_of_sums(block, x, token):
    return last_sum(block, *first_sums(block, x, token))


decode = run(decoder, layer_of_sums, torch.compile(decoder.logits_sum))
for _ in range(20):
    decode()
