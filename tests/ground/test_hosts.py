"""A request is for this machine's server, or for a name that somebody has made lead here."""

import socket

import pytest

from compile_lessons.ground.hosts import is_meant

LOCAL = ["127.0.0.1", "127.0.0.1:8000", "localhost:8000", "LOCALHOST", "localhost.:8000", "[::1]:8000", "[::1]"]
OTHER = [
    *(
        "site.example",
        "site.example:8000",
        "127.0.0.1.site.example:8000",
        "localhost.site.example",
        "site.example:127.0.0.1",
    ),
    *("", ":8000", "[::1].site.example", "[site.example]", "localhost:8000@site.example", "[", "0x7f.1.site.example"),
]


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0", "::", "::1", "192.0.2.7", "box.lan"])
def test_names_of_this_machine_are_always_meant(address: str) -> None:
    assert [host for host in LOCAL if not is_meant(host, address)] == []
    assert [host for host in OTHER if is_meant(host, address)] == []


def test_the_address_that_the_server_was_given() -> None:
    assert is_meant("192.0.2.7:8000", "192.0.2.7") and not is_meant("192.0.2.7:8000", "127.0.0.1")
    assert is_meant("Box.lan:8000", "box.lan") and is_meant("[2001:db8::7]:80", "2001:db8::7")


@pytest.mark.parametrize("address", ["0.0.0.0", "::"])
def test_a_server_at_every_address(address: str) -> None:
    """No site's name is a number."""
    assert is_meant("192.0.2.7:8000", address) and is_meant("[2001:db8::7]", address)
    assert is_meant(f"{socket.gethostname()}:8000", address)
