"""Which names mean a secret: `DB_PASSWORD`, `dbPassword`, `client-secret`, `AccountKey`, but not `max_tokens`."""

import re
from functools import lru_cache

import msgspec

from vademecum.secrets.words import HARMLESS, KEYS, MAYBE_KEYS, PASSWORDS_ABROAD, QUALIFIERS


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """What a name says about the value that is assigned to it."""

    kind: str
    #: A strong name makes almost any value a secret; a weak one needs a value that looks random.
    strong: bool = True


PASSWORD = Meaning(kind="password")
SECRET = Meaning(kind="secret")
TOKEN = Meaning(kind="token")
API_KEY = Meaning(kind="api-key")
_CREDENTIAL = Meaning(kind="credential")
_WEAK_KEY = Meaning(kind="api-key", strong=False)
_WEAK_CREDENTIAL = Meaning(kind="credential", strong=False)
_SIGNATURE = Meaning(kind="signature", strong=False)
_SESSION = Meaning(kind="session", strong=False)

STEMS = ("pass", "pwd", "secret", "token", "key", "auth", "cred", "ignature", "jwt", "psk", "rootpw", "bindpw")
"""Every name that means a secret holds one of these, in lower, upper or title case, or one of `EXACT`."""
EXACT = ("sig=", "session=", "sessionid=", "session_id=", "pw=", "pw:", "PW=", "PW:", "Pw:", "PW =", "pw =")

_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
_REACH = 60
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_KEY_BEFORE = re.compile(
    r"(?:[Aa][Pp][Ii]|[Aa]ccess|[Ss]ecret|[Pp]rivate|[Ll]icense|[Ee]ncryption|[Aa]ccount|[Ss]igning)[ _-]?\Z"
)
_ENDINGS = (
    (
        (
            *("password", "passwd", "pwd", "passphrase", "passcode", "passwort", "contrasena", "credentialspassword"),
            *("storepass", "keypass", "requirepass", "masterauth", "bindpw", "rootpw", "sshpass", "dbpass", "userpass"),
            *("rootpass", "adminpass", "smtppass", "mailpass", "ftppass", "sqlpass", "ldappass", "wifipass", "psk"),
        ),
        PASSWORD,
    ),
    (("secret",), SECRET),
    (("token", "jwt", "bearer"), TOKEN),
    (("apikey", "secretkey", "accesskey", "accountkey", "authkey", "privatekey", "masterkey", "sharedkey"), API_KEY),
    (("signingkey", "encryptionkey", "appkey", "servicekey"), _WEAK_KEY),
)
_WHOLE = {
    "pass": PASSWORD,
    "passwords": PASSWORD,
    "pw": PASSWORD,
    "credential": _CREDENTIAL,
    "credentials": _CREDENTIAL,
    "creds": _CREDENTIAL,
    "auth": _WEAK_CREDENTIAL,
    "sig": _SIGNATURE,
    "signature": _SIGNATURE,
    "session": _SESSION,
    "sessionid": _SESSION,
    "sid": _SESSION,
}


def name_start(text: str, start: int) -> int:
    """Where the name begins in which `start` lies; the end of an escape such as a backslashed newline is not its."""
    head = text[max(0, start - _REACH) : start]
    first = start - len(head) + len(head.rstrip(_CHARACTERS))
    escaped = first and first < start and text[first - 1] == "\\" and text[first] in "nrt"
    return first + 1 if escaped else first


@lru_cache(maxsize=4_096)
def meaning_of(name: str) -> Meaning | None:
    """What the name says about its value, or None where it does not mean a secret."""
    words = [word.lower() for word in _WORD.findall(name)]
    while len(words) > 1 and (words[-1] in QUALIFIERS or words[-1].isdigit()):
        words.pop()
    if name.lower().endswith(PASSWORDS_ABROAD):
        return PASSWORD
    return _of_words(words) if words else None


def _of_words(words: list[str]) -> Meaning | None:
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if before in HARMLESS:
        return None
    if last == "key":
        return _key_meaning(before)
    if last == "id" and before in ("session", "s"):
        return _SESSION
    if last in _WHOLE:
        return _WHOLE[last]
    return next((meaning for endings, meaning in _ENDINGS if last.endswith(endings)), None)


def phrase_meaning(text: str, first: int, end: int) -> Meaning | None:
    """What a word of several says, as in "API key"; None for any other word than `key`."""
    if text[first:end].lower() != "key" or not _KEY_BEFORE.search(text[max(0, first - 12) : first]):
        return None
    return API_KEY


def _key_meaning(before: str) -> Meaning | None:
    if before in KEYS:
        return API_KEY
    return _WEAK_KEY if before in MAYBE_KEYS else None
