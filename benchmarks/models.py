"""24 models and training steps of well-known libraries, each with a small configuration and random weights.

Each entry of ``MODELS`` is a function of ``device`` that returns a callable, its arguments and its keywords, as
``compile_lessons.api.one_call`` takes them. Weights and inputs are drawn on the CPU, so that they are the same on
every device. The models that take longest to compile come first. They need
diffusers, pytorch-lightning, timm, torch-geometric, torchvision, transformers and x-transformers; each function
imports its own library.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import nn

#: A callable, its arguments and its keywords.
Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]

_VOCABULARY = 64
_LAYERS = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64}
_DECODER = {**_LAYERS, "num_key_value_heads": 1, "vocab_size": _VOCABULARY, "max_position_embeddings": 32}
_WIDE_HEADS = {**_DECODER, "head_dim": 16}
_MAMBA = {"hidden_size": 16, "num_hidden_layers": 1, "state_size": 4, "vocab_size": _VOCABULARY}


def _tokens(device: str) -> torch.Tensor:
    return torch.randint(0, _VOCABULARY, (2, 8)).to(device)


def language_model(device: str, name: str, **config: Any) -> Call:
    """A causal language model of transformers, with its loss."""
    import transformers

    model = getattr(transformers, f"{name}ForCausalLM")(getattr(transformers, f"{name}Config")(**config))
    tokens = _tokens(device)
    return model.eval().to(device), (), {"input_ids": tokens, "labels": tokens, "use_cache": False}


def llama_with_static_cache(device: str) -> Call:
    """One step of decoding, which writes into a cache of fixed size."""
    from transformers import LlamaConfig, LlamaForCausalLM, StaticCache

    model = LlamaForCausalLM(LlamaConfig(**_DECODER)).eval().to(device)
    cache = StaticCache(config=model.config, max_cache_len=16)

    def decode(token: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            return model(input_ids=token, past_key_values=cache, use_cache=True).logits

    return decode, (_tokens(device)[:, :1],), {}


def whisper(device: str) -> Call:
    from transformers import WhisperConfig, WhisperForConditionalGeneration

    sides = {
        f"{side}_{name}": value
        for side in ("encoder", "decoder")
        for name, value in {"layers": 1, "attention_heads": 2, "ffn_dim": 64}.items()
    }
    positions = {"max_source_positions": 20, "max_target_positions": 20}
    special = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1}
    config = WhisperConfig(vocab_size=_VOCABULARY, d_model=32, num_mel_bins=16, **sides, **positions, **special)
    inputs = {
        "input_features": torch.randn(1, 16, 40).to(device),
        "labels": torch.randint(0, _VOCABULARY, (1, 6)).to(device),
        "use_cache": False,
    }
    return WhisperForConditionalGeneration(config).eval().to(device), (), inputs


def clip(device: str) -> Call:
    from transformers import CLIPConfig, CLIPModel

    config = CLIPConfig(
        text_config={**_LAYERS, "vocab_size": _VOCABULARY, "max_position_embeddings": 16},
        vision_config={**_LAYERS, "image_size": 16, "patch_size": 8},
        projection_dim=16,
    )
    images = torch.randn(2, 3, 16, 16).to(device)
    inputs = {"input_ids": _tokens(device), "pixel_values": images, "return_loss": True}
    return CLIPModel(config).eval().to(device), (), inputs


def distilbert(device: str) -> Call:
    from transformers import DistilBertConfig, DistilBertForSequenceClassification

    config = DistilBertConfig(
        vocab_size=_VOCABULARY, dim=32, n_layers=1, n_heads=2, hidden_dim=64, max_position_embeddings=32
    )
    inputs = {"input_ids": _tokens(device), "labels": torch.tensor([0, 1]).to(device)}
    return DistilBertForSequenceClassification(config).eval().to(device), (), inputs


def sam(device: str) -> Call:
    from transformers import SamConfig, SamModel

    image = {"image_size": 32, "patch_size": 8}
    config = SamConfig(
        vision_config={
            **image,
            "hidden_size": 16,
            "output_channels": 16,
            "num_pos_feats": 8,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "mlp_dim": 32,
            "window_size": 2,
            "global_attn_indexes": [0],
        },
        prompt_encoder_config={**image, "hidden_size": 16, "mask_input_channels": 4},
        mask_decoder_config={
            "hidden_size": 16,
            "mlp_dim": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "iou_head_hidden_dim": 16,
        },
    )
    inputs = {
        "pixel_values": torch.randn(1, 3, 32, 32).to(device),
        "input_points": torch.tensor([[[[8.0, 8.0]]]]).to(device),
    }
    return SamModel(config).eval().to(device), (), inputs


def convnext(device: str) -> Call:
    from transformers import ConvNextConfig, ConvNextForImageClassification

    model = ConvNextForImageClassification(ConvNextConfig(hidden_sizes=[16, 32], depths=[1, 1], num_stages=2))
    return model.eval().to(device), (torch.randn(1, 3, 32, 32).to(device),), {}


def swin(device: str) -> Call:
    from transformers import SwinConfig, SwinForImageClassification

    config = SwinConfig(image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[2, 2], window_size=4)
    return SwinForImageClassification(config).eval().to(device), (torch.randn(1, 3, 32, 32).to(device),), {}


def unet(device: str) -> Call:
    """A step of a diffusion model of diffusers."""
    from diffusers import UNet2DModel

    model = UNet2DModel(
        sample_size=16,
        layers_per_block=1,
        block_out_channels=(16, 32),
        norm_num_groups=4,
        attention_head_dim=8,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
    )
    return model.eval().to(device), (torch.randn(1, 3, 16, 16).to(device), 3), {}


def image_classifier_in_training(device: str, name: str) -> Call:
    """A model of timm in training mode."""
    import timm

    model = timm.create_model(name, pretrained=False, num_classes=10)
    return model.train().to(device), (torch.randn(2, 3, 32, 32).to(device),), {}


def x_transformer(device: str) -> Call:
    from x_transformers import Decoder, TransformerWrapper

    layers = Decoder(dim=32, depth=1, heads=2)
    model = TransformerWrapper(num_tokens=_VOCABULARY, max_seq_len=16, attn_layers=layers)
    return model.eval().to(device), (_tokens(device),), {}


def graph_network(device: str, name: str, **options: Any) -> Call:
    """A network of torch-geometric on a graph of five nodes."""
    import torch_geometric.nn

    model = getattr(torch_geometric.nn, name)(8, 16, 2, 4, **options)
    edges = torch.tensor([[0, 1, 2, 3, 4, 1], [1, 2, 3, 4, 0, 3]]).to(device)
    return model.eval().to(device), (torch.randn(5, 8).to(device), edges), {}


def faster_rcnn(device: str) -> Call:
    """Object detection by torchvision."""
    from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_320_fpn

    model = fasterrcnn_mobilenet_v3_large_320_fpn(
        weights=None,
        weights_backbone=None,
        num_classes=5,
        min_size=64,
        max_size=64,
        rpn_pre_nms_top_n_test=20,
        rpn_post_nms_top_n_test=8,
    )
    return model.eval().to(device), ([torch.rand(3, 64, 64).to(device)],), {}


def lightning_step(device: str) -> Call:
    """The ``training_step`` of a module of pytorch-lightning."""
    from pytorch_lightning import LightningModule

    class Classifier(LightningModule):
        def __init__(self) -> None:
            super().__init__()
            self.net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))

        def training_step(self, batch: tuple[torch.Tensor, torch.Tensor], index: int) -> torch.Tensor:
            inputs, labels = batch
            return nn.functional.cross_entropy(self.net(inputs), labels)

    batch = torch.randn(4, 8).to(device), torch.arange(4).to(device)
    return Classifier().to(device).training_step, (batch, 0), {}


def nanogpt_step(device: str) -> Call:
    """A whole training step of GPT-2: forward in bfloat16, backward and AdamW."""
    from transformers import GPT2Config, GPT2LMHeadModel

    no_dropout = {"resid_pdrop": 0, "embd_pdrop": 0, "attn_pdrop": 0}
    config = GPT2Config(
        n_embd=32, n_layer=1, n_head=2, vocab_size=_VOCABULARY, n_positions=16, use_cache=False, **no_dropout
    )
    model = GPT2LMHeadModel(config).train().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def step(tokens: torch.Tensor) -> torch.Tensor:
        with torch.autocast(tokens.device.type, dtype=torch.bfloat16):
            loss = model(input_ids=tokens, labels=tokens).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss.detach()

    return step, (_tokens(device),), {}


MODELS: dict[str, Callable[[str], Call]] = {
    "timm EfficientNet, training": partial(image_classifier_in_training, name="efficientnet_b0"),
    "torchvision Faster R-CNN": faster_rcnn,
    "timm MobileNetV3, training": partial(image_classifier_in_training, name="mobilenetv3_small_050"),
    "timm ResNet, training": partial(image_classifier_in_training, name="resnet18"),
    "nanoGPT step": nanogpt_step,
    "Whisper": whisper,
    "SAM": sam,
    "UNet2D": unet,
    "Swin": swin,
    "Mamba2": partial(language_model, name="Mamba2", **_MAMBA, num_heads=4, head_dim=8, n_groups=1, chunk_size=4),
    "Mamba": partial(language_model, name="Mamba", **_MAMBA),
    "Mixtral": partial(language_model, name="Mixtral", **_DECODER, num_local_experts=2),
    "Qwen3-MoE": partial(
        language_model,
        name="Qwen3Moe",
        **_WIDE_HEADS,
        num_experts=2,
        num_experts_per_tok=1,
        moe_intermediate_size=32,
    ),
    "Gemma2": partial(language_model, name="Gemma2", **_WIDE_HEADS),
    "Qwen3": partial(language_model, name="Qwen3", **_WIDE_HEADS),
    "Mistral": partial(language_model, name="Mistral", **_DECODER),
    "CLIP": clip,
    "Llama, static cache": llama_with_static_cache,
    "DistilBERT": distilbert,
    "ConvNeXt": convnext,
    "x-transformers": x_transformer,
    "torch-geometric GAT": partial(graph_network, name="GAT", heads=2),
    "torch-geometric GCN": partial(graph_network, name="GCN"),
    "Lightning step": lightning_step,
}
