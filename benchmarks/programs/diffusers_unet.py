"""Denoise images with a small UNet of diffusers, as the loop of a pipeline does."""

import torch
from diffusers import DDIMScheduler, UNet2DModel

torch.manual_seed(0)
unet = UNet2DModel(
    sample_size=16,
    in_channels=3,
    out_channels=3,
    layers_per_block=1,
    block_out_channels=(32, 64),
    norm_num_groups=8,
    down_block_types=("DownBlock2D", "AttnDownBlock2D"),
    up_block_types=("AttnUpBlock2D", "UpBlock2D"),
).eval()
unet = torch.compile(unet)
scheduler = DDIMScheduler(num_train_timesteps=1000)
for batch in (1, 4):
    scheduler.set_timesteps(12)
    sample = torch.randn(batch, 3, 16, 16)
    with torch.no_grad():
        for timestep in scheduler.timesteps:
            noise = unet(sample, timestep).sample
            sample = scheduler.step(noise, timestep, sample).prev_sample
    print(sample.shape)
