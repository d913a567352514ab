"""Passwords on command lines: after an option, among the words, piped into a program, or assigned in a store."""

import re
from collections.abc import Container, Iterator, Sequence

from vademecum.secrets import values
from vademecum.secrets.finding import NOTHING, Detector, Finding
from vademecum.secrets.judge import credible_beside
from vademecum.secrets.names import PASSWORD, meaning_of
from vademecum.secrets.programs import BLANK, COMMANDS, QUOTE, READERS, VALUE

__all__ = ["DETECTORS"]

_EXAMPLES = frozenset(
    ("pass", "password", "passwd", "pwd", "pw", "secret", "token", "xxx", "true", "false", "stdin", "public", "private")
)
_REACH = 400
_END = re.compile(r"(?<!\\)\r?\n")
_ACCOUNT = r"(?:[a-z_][\w.-]{0,31}:)?"
_READ = r"""(?P<value>[^\s"'\\$|<>:-][^\s"'\\|]{2,256}(?:\\n[^\s"'\\|]{3,256})?)"""
_PIPED = re.compile(
    rf"""(?:echo|printf)[ \t]{{1,2}}(?:-\w{{1,3}}[ \t]{{1,2}})?(?:['"]?%s(?:\\n)?['"]?[ \t]{{1,2}})?{QUOTE}"""
    rf"""{_ACCOUNT}{_READ}(?:\\n)?["']?[ \t]{{0,4}}(?:;[^|\n]{{0,80}}\))?[ \t]{{0,4}}\|[^|\n]{{0,200}}{READERS}"""
)
_GIVEN = re.compile(rf"{READERS}[^\n|;&]{{0,120}}\Z")
_HERE = re.compile(
    rf"""<<(?:<[ \t]{{0,2}}{QUOTE}|-?[ \t]?['"]?\w{{1,20}}['"]?[^\n]{{0,80}}\n[ \t]{{0,20}}){_ACCOUNT}{_READ}"""
)
#: Name and value stand beside each other, with nothing between them.
_SETTERS = ("set -", "setx ", "ENV ", "SetEnv ", "setenv ", "env:set ", "user-secrets set ", "fastcgi_param ")
_SETTING = re.compile(
    rf"(?:set[ ]-\w{{0,4}}x\w{{0,4}}|[\w:-]{{3,14}}(?:[ ]set)?)[ \t]{{1,4}}"
    rf"{QUOTE}(?P<name>[\w:]{{2,60}}){QUOTE}[ \t]{{1,4}}{VALUE}"
)
#: The account and its password as two options of any program.
_ACCOUNT_OPTION = re.compile(
    rf"""-[luU][ \t=:]{{1,2}}{QUOTE}[^\s-]\S{{0,127}}{BLANK}{{1,4}}(?:-[dhHP][ \t]{{1,2}}\S{{1,128}}{BLANK}{{1,4}})?"""
    rf"""-p(?:[ \t=:]{{1,2}}|w[ \t])?{VALUE}"""
)
#: What a script types where a program asks.
_TYPED = re.compile(
    r"""(?:send|send_user|sendline)[ ]{1,2}(?:--[ ])?\\{0,15}["'{](?P<value>[^\s"'\\$\[\]]{4,128})\\{1,15}[rn]"""
)
_PIPED_IN = re.compile(r"""["'](?P<value>[^"'\s]{4,256})["'][ ]{0,4}\|[ ]{0,4}\Z""")
_NETRC = re.compile(r"login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(?P<value>[^\s\"'\\]{3,256})")
#: A store of secrets: what is put into it is one, whatever its name.
_STORES = ("create secret generic", "kv put ", "secrets set ", "vault write ")
_STORED = re.compile(rf"{BLANK}(?:--from-literal[ =])?{QUOTE}(?P<name>\w[\w.\-]{{0,80}})={VALUE}")


def _command(literal: str, expression: str) -> Detector:
    """A detector for the value in the rest of the command that begins at the literal."""
    compiled = re.compile(expression)
    length = len(literal.rstrip())

    def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
        del seams
        if start and text[start - 1].isalnum():
            return NOTHING
        found = compiled.finditer(text, start + length, _end(text, start))
        return [finding for one in found for finding in _findings(one)]

    return detect


def _end(text: str, start: int) -> int:
    """Where the command ends; it goes on behind a backslash at the end of its line."""
    found = _END.search(text, start, start + _REACH)
    return found.start() if found else min(len(text), start + _REACH)


def _findings(found: re.Match[str] | None) -> Iterator[Finding]:
    if found and found["value"] not in _EXAMPLES and not values.is_placeholder(found["value"]):
        yield Finding(kind="password", start=found.start("value"), end=found.end("value"))


def _piped(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`echo V | program`, where the program reads a secret."""
    del seams
    return list(_findings(_PIPED.match(text, start, start + _REACH)))


def _account(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`-u NAME -p V`, as options of any program; a port, a folder or a name is no password."""
    del seams
    found = _ACCOUNT_OPTION.match(text, start)
    return list(_findings(found)) if found and credible_beside(found["value"], PASSWORD, firm=True) else NOTHING


def _typed(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """What `expect` sends with a line break: an answer to a program that asks for it, unless it is a command."""
    del seams
    found = _TYPED.match(text, start)
    if found is None or not credible_beside(found["value"], PASSWORD, firm=True):
        return NOTHING
    return list(_findings(found))


def _secured(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`"V" | ConvertTo-SecureString`."""
    del seams
    return list(_findings(_PIPED_IN.search(text, max(0, start - _REACH), start)))


def _here(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """What is given to a program that reads a secret: `<<< V`, or the first line of a here document."""
    del seams
    if text[start - 1 : start] not in (" ", "\t", '"', "'"):
        return NOTHING
    line = text.rfind("\n", max(0, start - _REACH), start) + 1
    if not _GIVEN.search(text[max(line, start - _REACH) : start]):
        return NOTHING
    return list(_findings(_HERE.match(text, start)))


def _setting(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`set -gx NAME VALUE`, `setx NAME VALUE`, `ENV NAME VALUE`, where the name means a secret."""
    del seams
    found = _SETTING.match(text, start)
    if found is None or meaning_of(found["name"]) is None or not values.mixed(found["value"], classes=2):
        return NOTHING
    return list(_findings(found)) if not values.is_path(found["value"]) else NOTHING


def _netrc(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """`login NAME password VALUE`, as a .netrc file writes it."""
    del seams
    found = _NETRC.match(text, start)
    return NOTHING if found is None or values.is_prose(found["value"]) else list(_findings(found))


def _stored(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """Each `NAME=VALUE` that is put into a store of secrets; files and plain words are none."""
    del seams
    pairs = _STORED.finditer(text, start, _end(text, start))
    return [
        finding
        for pair in pairs
        if values.mixed(pair["value"], classes=2) and not values.is_path(pair["value"].lstrip("@"))
        for finding in _findings(pair)
    ]


DETECTORS: tuple[tuple[str, Detector], ...] = (
    *((literal, _command(literal, expression)) for literals, expression in COMMANDS for literal in literals),
    *((literal, _piped) for literal in ("echo ", "printf ")),
    *((literal, _account) for literal in ("-u ", "-U ", "-u:", "-l ")),
    *((literal, _typed) for literal in ("send ", "sendline ")),
    ("ConvertTo-SecureString", _secured),
    ("<<", _here),
    *((literal, _setting) for literal in _SETTERS),
    *((literal, _stored) for literal in _STORES),
    ("login ", _netrc),
)
