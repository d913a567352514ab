"""Texts that are built to be slow take time in proportion to their length."""

import time

import pytest

from vademecum.secrets import scan

_PIECES = (
    *(
        "a",
        '"',
        "'",
        ":",
        "=",
        "\\",
        "{",
        "[",
        "\n",
        " ",
        "eyJ",
        ".eyJabcdefghijkl",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
    ),
    *(
        "-----END PRIVATE KEY-----\n",
        "QUJD" * 8,
        "password=",
        "password:",
        "password: x ",
        'password="',
        'password=\\"',
        '"password":{',
    ),
    *(
        '"password":[',
        "password:\n",
        "token ",
        "token is ",
        "key a b c d e f ",
        "token\t",
        "token,,,,,value",
        "name: API_KEY   ",
        '"--token", ',
        "--token,\n\t#",
        "- --token\n",
        '"--token",\\n',
        "--token " + " " * 70,
        '{"name":"token",',
        'value: name="token ',
        '"-p", ',
    ),
    *(
        "://",
        "://a:b",
        "Authorization:",
        "Authorization: ",
        "Bearer ",
        "Cookie: a",
        "Cookie: a=b; ",
        "curl -u ",
        "mysql ",
        "login ",
    ),
    *(
        "sk-",
        "ghp_",
        "a1-us",
        "123456789:AA",
        "密码",
        "p a s s w o r d = ",
        "a\u200b",
        "\u00a0",
        "\x1b[",
        "[secret:jwt]",
    ),
    *(
        "| password ",
        "<th>password</th>",
        "a,password,b\n",
        "password,x\nx,password\n",
        "a  password  b\n",
        "(password) VALUES ('x'),",
        "stringData:\n",
        "kind: Secret\ndata:\n",
        "password\n>\n",
        "12→password\n",
        'password = """',
        "password Some(",
        "passwd <<",
        "echo a:b ",
        "kv put a=b1 ",
        "htpasswd -b ",
        "aws ssm put-parameter ",
        "login a b ",
        "Пароль: ",
        "пароль | ",
        "a1 as the token ",
        "-u a -p ",
        "-u a " + " -h" * 40,
        "sqlplus a/",
        "IDENTIFIED BY ",
        "PASSWORD FOR a = ",
        "send --  ",
        "key=null&&a",
        "token: a?.b",
        "a@b.co ",
        "@b.b.b.b.",
        "pw is ",
        "the new one is password ",
        "zugangsdaten ",
        "ключ доступа d'",
        "[password] https://",
    ),
)
_SMALL, _LARGE = 40_000, 160_000
_SECONDS_PER_MB = 12
"""Ten times what the slowest needs on a quiet machine: a quadratic walk needs minutes."""


def _seconds(piece: str, size: int) -> float:
    text = piece * (size // len(piece))
    # Of this process alone: what else the machine does is no fault of the scanner's.
    begun = time.process_time()
    scan(text)
    return time.process_time() - begun


@pytest.mark.parametrize("piece", _PIECES)
def test_a_run_of_one_piece_is_linear(piece: str):
    """core-R50: four times the text takes about four times as long."""
    small, large = _seconds(piece, _SMALL), _seconds(piece, _LARGE)
    assert large < max(12 * small, 0.25), f"{small:.3f} s, then {large:.3f} s"
    assert large < _SECONDS_PER_MB * _LARGE / 1e6


@pytest.mark.slow
@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["a", "password=", "-----BEGIN PRIVATE KEY-----", '"', "eyJ", ":"])
def test_four_megabytes_of_one_piece_are_finished(piece: str):
    """core-R50, at the size of a real dump."""
    assert _seconds(piece, 4_000_000) < 40
