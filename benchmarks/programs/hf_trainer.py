"""Fine-tune a tiny causal language model with the Trainer of transformers, torch_compile=True."""

import tempfile

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments


class Lines(torch.utils.data.Dataset):
    def __len__(self):
        return 96

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        tokens = torch.randint(0, 128, (32,), generator=generator)
        return {"input_ids": tokens, "labels": tokens}


config = LlamaConfig(vocab_size=128, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4)
arguments = TrainingArguments(
    output_dir=tempfile.mkdtemp(),
    per_device_train_batch_size=8,
    per_device_eval_batch_size=8,
    num_train_epochs=2,
    eval_strategy="epoch",
    torch_compile=True,
    report_to=[],
    use_cpu=True,
)
trainer = Trainer(model=LlamaForCausalLM(config), args=arguments, train_dataset=Lines(), eval_dataset=Lines())
trainer.train()
