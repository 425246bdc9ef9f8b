"""Which memory a forward pass keeps for the backward pass."""

# --8<-- [start:saved]
from torch.autograd.graph import saved_tensors_hooks


def saved_by(model, *inputs):
    """Run the forward pass. Return its result, and the bytes that it keeps for the
    backward pass.
    """
    storages = set()  # views share a storage, which counts once

    def keep(tensor):
        storages.add(tensor.untyped_storage())
        return tensor

    with saved_tensors_hooks(keep, lambda tensor: tensor):
        result = model(*inputs)
    storages -= {parameter.untyped_storage() for parameter in model.parameters()}
    return result, sum(storage.nbytes() for storage in storages)


# --8<-- [end:saved]
