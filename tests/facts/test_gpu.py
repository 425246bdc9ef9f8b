"""Described devices and occupancy."""

import pytest

from compile_lessons.facts import find_device, occupancy
from compile_lessons.facts.gpu import A100, H200, L4


def test_names_and_own_devices():
    assert find_device("H200") is H200
    assert find_device(L4) is L4
    with pytest.raises(ValueError, match="h200, h100, a100"):
        find_device("h300")


@pytest.mark.parametrize(
    ("device", "registers", "shared", "warps", "blocks", "limit"),
    [
        (H200, 32, 0, 4, 16, "warps"),
        (H200, 64, 0, 4, 8, "registers"),
        (H200, 255, 0, 8, 1, "registers"),
        (H200, 16, 0, 1, 32, "blocks"),
        (A100, 32, 48 * 1024, 4, 3, "shared memory"),
        (L4, 32, 0, 4, 12, "warps"),
    ],
)
def test_occupancy(device, registers, shared, warps, blocks, limit):
    found = occupancy(device, registers, shared, warps)
    assert (found.blocks, found.limit, found.warps) == (blocks, limit, blocks * warps)


def test_a_block_that_fits_nowhere():
    with pytest.raises(ValueError, match="shared memory"):
        occupancy(L4, 32, 200 * 1024, 4)
