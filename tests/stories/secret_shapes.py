"""Fake secrets in the shapes of real ones, made at run time so that none stands in this repository."""

import base64
import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["KINDS", "Secret", "make_secret"]

_ALNUM = string.ascii_letters + string.digits
_UPPER = string.ascii_uppercase + string.digits
_HEX = "0123456789abcdef"


@dataclass(frozen=True)
class Secret:
    """`text` is what a person pastes; each of `parts` must be gone from everything that is stored."""

    text: str
    parts: tuple[str, ...]


def _chars(rng: random.Random, alphabet: str, length: int) -> str:
    """Random characters of which at least one is a digit and, where the alphabet has them, one is a capital."""
    body = "".join(rng.choices(alphabet, k=length - 2))
    return body + ("K" if "K" in alphabet else "a") + "7"


def _token(prefix: str, alphabet: str, length: int) -> Callable[[random.Random], Secret]:
    def make(rng: random.Random) -> Secret:
        body = _chars(rng, alphabet, length)
        return Secret(prefix + body, (body,))

    return make


def _shown_in(template: str, length: int = 18, alphabet: str = _ALNUM) -> Callable[[random.Random], Secret]:
    def make(rng: random.Random) -> Secret:
        value = _chars(rng, alphabet, length)
        return Secret(template.replace("VALUE", value), (value,))

    return make


def _jwt(rng: random.Random) -> Secret:
    def part(value: dict[str, object]) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    signature = _chars(rng, _ALNUM, 43)
    payload = part({"sub": str(rng.randrange(10**9)), "name": "dev", "iat": 1796034867})
    return Secret(f"{part({'alg': 'HS256', 'typ': 'JWT'})}.{payload}.{signature}", (signature, payload))


def _pem(rng: random.Random) -> Secret:
    lines = tuple(_chars(rng, _ALNUM + "+/", 64) for _ in range(6))
    frame = "-----{} " + "RSA PRIVATE" + " KEY-----"
    return Secret("\n".join((frame.format("BEGIN"), *lines, frame.format("END"))), lines)


def _cut_pem(rng: random.Random) -> Secret:
    lines = tuple(_chars(rng, _ALNUM + "+/", 64) for _ in range(3))
    return Secret("\n".join(("-----BEGIN " + "OPENSSH PRIVATE" + " KEY-----", *lines)), lines)


def _aws_pair(rng: random.Random) -> Secret:
    key_id, value = "AK" + "IA" + _chars(rng, _UPPER, 16), _chars(rng, _ALNUM + "/+", 40)
    return Secret(f"AWS_ACCESS_KEY_ID={key_id}\nAWS_SECRET_ACCESS_KEY={value}", (key_id, value))


def _basic(rng: random.Random) -> Secret:
    value = base64.b64encode(f"admin:{_chars(rng, _ALNUM, 16)}".encode()).decode()
    return Secret(f"Authorization: Basic {value}", (value,))


KINDS: dict[str, Callable[[random.Random], Secret]] = {
    "github": _token("gh" + "p_", _ALNUM, 36),
    "github_fine": _token("github" + "_pat_", _ALNUM + "_", 82),
    "gitlab": _token("gl" + "pat-", _ALNUM, 20),
    "openai": _token("sk-" + "proj-", _ALNUM + "-_", 74),
    "anthropic": _token("sk-" + "ant-api03-", _ALNUM + "-_", 93),
    "slack": _token("xo" + "xb-2314567890-2314567891234-", _ALNUM, 24),
    "stripe": _token("sk_" + "live_", _ALNUM, 24),
    "google": _token("AI" + "za", _ALNUM + "-_", 35),
    "npm": _token("np" + "m_", _ALNUM, 36),
    "pypi": _token("py" + "pi-AgEIcHlwaS5vcmc", _ALNUM + "-_", 70),
    "huggingface": _token("h" + "f_", _ALNUM, 34),
    "sendgrid": _shown_in("S" + "G.aBcDeFgHiJkLmNoPqRs123.VALUE", 43),
    "aws": _aws_pair,
    "jwt": _jwt,
    "pem": _pem,
    "cut_pem": _cut_pem,
    "url": _shown_in("postgres://app:VALUE@db.internal:5432/app"),
    "redis_url": _shown_in("redis://:VALUE@cache.internal:6379/0"),
    "bearer": _shown_in("Authorization: Bearer VALUE", 40),
    "basic": _basic,
    "env": _shown_in("DB_PASSWORD=VALUE"),
    "yaml": _shown_in("  password: VALUE"),
    "json": _shown_in('"clientSecret": "VALUE"', 32),
    "toml": _shown_in('api_key = "VALUE"', 32, _HEX),
    "shell": _shown_in("export VAULT_TOKEN='VALUE'", 26),
    "next_line": _shown_in("admin password:\nVALUE"),
    "prose": _shown_in("the staging password is VALUE"),
    "prose_zh": _shown_in("测试环境的密码是 VALUE"),
    "flag": _shown_in("--password VALUE"),
    "curl_user": _shown_in("curl -u admin:VALUE https://registry.internal/v2/_catalog"),
}


def make_secret(kind: str, rng: random.Random) -> Secret:
    """A fresh fake secret of this kind."""
    return KINDS[kind](rng)
