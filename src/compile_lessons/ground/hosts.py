"""Which requests are meant for a server on this machine."""

import ipaddress
import re
import socket

# "localhost", "localhost.:8000", "[::1]:8000"
_HOST = re.compile(r"(?P<name>\[[^\]]*\]|[^:]*?)\.?(:\d+)?")
_LOCAL = ("127.0.0.1", "localhost", "[::1]")


def hosts(address: str) -> tuple[str, ...]:
    """Return the names by which a server at ``address`` is reached, as a browser writes them."""
    return tuple(dict.fromkeys((*_LOCAL, f"[{address}]" if ":" in address else address.lower())))


def is_meant(host: str, address: str) -> bool:
    """Return whether a request with this ``Host`` is meant for a server at ``address``.

    A page on another site can have its own name lead to this machine (DNS rebinding): the browser then lets it read
    what the server answers. Its requests still carry its name. A server at every address of the machine, ``0.0.0.0`` or
    ``::``, is also meant by any address in numbers, which no other site's name can be, and by the machine's name.
    """
    read = _HOST.fullmatch(host.lower())
    if read is None:
        return False
    name = read["name"]
    if name in hosts(address):
        return True
    is_every = _is_number(address) and ipaddress.ip_address(address).is_unspecified
    return is_every and (_is_number(name) or name == socket.gethostname().lower())


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
