"""Twelve training steps of GPT-2 with cuDNN's attention and a bfloat16 residual."""

from _gpt2 import VARIANTS, training_step

step = training_step(*VARIANTS["bf16"], compiled=True)
for _ in range(12):
    step()
