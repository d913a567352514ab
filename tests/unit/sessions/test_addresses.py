"""Which servers may be asked: those on the loopback of this machine, named by nothing but host and port."""

import pytest

from vademecum.errors import UsageError
from vademecum.sessions.addresses import is_address, loopback_address


@pytest.mark.parametrize(
    ("place", "address"),
    [
        ("http://127.0.0.1:4096", "http://127.0.0.1:4096"),
        ("http://localhost:4096/", "http://127.0.0.1:4096"),
        ("HTTP://LocalHost:80", "http://127.0.0.1:80"),
        ("http://127.0.0.1", "http://127.0.0.1:80"),
        ("http://127.8.9.1:1", "http://127.8.9.1:1"),
        ("http://[::1]:4096/", "http://[::1]:4096"),
    ],
)
def test_an_address_of_the_loopback_has_one_spelling(place, address):
    assert is_address(place)
    assert loopback_address(place) == address
    assert loopback_address(address) == address


@pytest.mark.parametrize(
    "place",
    [
        "http://192.0.2.1:4096",
        "http://0.0.0.0:4096",
        "http://example.org:4096",
        "http://localhost.example.org",
        "http://127.0.0.1.example.org",
        "http://127.1:4096",
        "http://2130706433:4096",
        "http://127.0.0.1@example.org",
        "http://127.0.0.1\\@example.org",
        "http://ada:tiny-goldfish@127.0.0.1:4096",
        "http://127.0.0.1:4096/session",
        "http://127.0.0.1:4096?a=b",
        "http://127.0.0.1:4096#a",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:x",
        "http://[::1",
        "http://",
        "https://127.0.0.1:4096",
        "file:///etc/passwd",
        "ftp://127.0.0.1",
    ],
)
def test_every_other_address_is_refused_and_its_password_not_repeated(place):
    assert is_address(place)
    with pytest.raises(UsageError, match="on this machine only") as error:
        loopback_address(place)
    assert "tiny-goldfish" not in str(error.value)


@pytest.mark.parametrize("place", ["/srv/http://x", "relative/path", "C:\\x", "", "127.0.0.1:4096", "http:/x"])
def test_a_path_is_no_address(place):
    assert not is_address(place)
