# %% [markdown]
# # A notebook as a script

# %%
import torch

model = torch.nn.Linear(4, 4)
model = torch.compile(model, backend="eager")

# %%
for _ in range(3):
    model(torch.ones(2, 4))

# %%
print(f"{model(torch.zeros(2, 4)).shape}")
