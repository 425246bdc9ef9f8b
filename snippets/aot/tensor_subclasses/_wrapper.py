"""Wrapper subclasses that the other programs in this folder inherit from."""

import torch


class Incomplete(torch.Tensor):
    """Computes with `unwrap()` of each argument and returns plain tensors."""

    def __new__(cls, inner, *rest, requires_grad=False):
        return torch.Tensor._make_wrapper_subclass(
            cls, inner.shape, dtype=torch.float32, requires_grad=requires_grad
        )

    def __init__(self, inner, requires_grad=False):
        self.inner = inner

    def unwrap(self):
        return self.inner

    @classmethod
    def __torch_dispatch__(cls, operator, types, args, kwargs=None):
        args = [arg.unwrap() if isinstance(arg, cls) else arg for arg in args]
        return operator(*args, **kwargs or {})


class Wrapper(Incomplete):
    """Adds the two methods that torch.compile needs."""

    def __tensor_flatten__(self):
        return ["inner"], None

    @classmethod
    def __tensor_unflatten__(cls, inner, metadata, outer_size, outer_stride):
        return cls(inner["inner"])


class Wrapped(Wrapper):
    """Wraps each result, so that results have the class too."""

    @classmethod
    def __torch_dispatch__(cls, operator, types, args, kwargs=None):
        return cls(super().__torch_dispatch__(operator, types, args, kwargs))
