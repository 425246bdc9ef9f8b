# /// lesson
# needs = ["peers"]
# ///
"""MLX with shapeless=True: one trace for all sizes, with the first size in it."""

import mlx.core as mx


def center(x):
    traced.append(x.shape)
    return (x - x.mean(0)) * x.shape[0]


def center_by_array(x):
    return (x - x.mean(0)) * mx.ones_like(x).sum(0)


traced = []
shapeless = mx.compile(center, shapeless=True)
for size in (4, 5):
    x = mx.arange(size * 2, dtype=mx.float32).reshape(size, 2)
    result = shapeless(x)
    expected = center(x)
    right = bool(mx.allclose(result, expected))
    print(f"{size} rows: right: {right}")
    print(f"  first row {result[0].tolist()} instead of {expected[0].tolist()}")

fixed = mx.compile(center_by_array, shapeless=True)
fixed(mx.ones((4, 2)))
fixed_right = bool(mx.allclose(fixed(x), center(x)))
print("counted in the graph, right:", fixed_right)
# region checks
assert not right and fixed_right
assert traced.count((4, 2)) == 2  # one by mx.compile, one by the call of center
# endregion
