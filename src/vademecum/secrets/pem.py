"""Private keys in PEM form, whole or cut off at either end, with real or escaped line breaks."""

import re
from collections.abc import Container, Sequence

from vademecum.secrets.finding import Finding

LITERALS = ("-----BEGIN ", "-----END ", "---- BEGIN ", "---- END ", "Private-Lines: ")
"""The first two are RFC 7468's; then SSH2's and PuTTY's."""

_BEGIN = re.compile(r"----[- ]BEGIN (?:[A-Za-z0-9]+ ){0,8}PRIVATE KEY(?: BLOCK)?[- ]----|Private-Lines: \d+")
_END = re.compile(r"----[- ]END (?:[A-Za-z0-9]+ ){0,8}PRIVATE KEY(?: BLOCK)?[- ]----")
_HEADERS = r"(?:Proc-Type|DEK-Info|Comment|Version|Charset|Hash|Key-Format|Subject|x-[a-z]+):[^\n\\]{0,200}"
_BREAK = r"(?:[ \t]*(?:\\{1,8}[nr]|\r?\n|\\\r?\n)[ \t>|+#*\"',.]{0,40}(?:\d{1,6}[ \t:→|]{1,8})?)"
#: What lies between the markers: lines of base64, headers, blanks and line breaks in any notation.
_BODY = re.compile(rf"""[ \t"'>|]*(?:{_BREAK}|[A-Za-z0-9+/=]{{2,}}|[ ]|{_HEADERS})*""")
_BASE64 = re.compile(r"[A-Za-z0-9+/=]{16,}")
_LINE = re.compile(r"""[ \t>|\#"',]*+[A-Za-z0-9+/=]*+[ \t"',]*+(?:\r?\n|\\{1,8}n)?""")
_AROUND_LINES = " \t\r\n\"'>|+#*,."
_REACH = 16_384
"""Characters of a key that has lost one of its markers; an RSA key of 8192 bits takes 6,400."""


def detect(text: str, start: int, seams: Container[int]) -> Sequence[Finding]:
    """The private key whose first or last marker stands at `start`; a marker without a body is only talked about."""
    del seams
    begin = _BEGIN.match(text, start)
    if begin:
        return _forwards(text, start, begin.end())
    end = _END.match(text, start)
    return _backwards(text, start, end.end()) if end else ()


def _forwards(text: str, start: int, after: int) -> Sequence[Finding]:
    body = _BODY.match(text, after, after + 4 * _REACH)
    assert body is not None, "every part of the body is optional"
    if not _BASE64.search(body.group()):
        return ()
    end = _END.match(text, body.end())
    return (Finding(kind="private-key", start=start, end=end.end() if end else _trim(text, after, body.end())),)


def _trim(text: str, start: int, end: int) -> int:
    """Blanks, quotes and line breaks after the last line of a key without its end belong to what follows."""
    return start + len(text[start:end].rstrip(_AROUND_LINES))


def _backwards(text: str, start: int, end: int) -> Sequence[Finding]:
    """A key that has lost its beginning: the lines of base64 that stand directly before the end marker."""
    floor = max(0, start - _REACH)
    first = start
    while first > floor:
        line = _line_start(text, floor, first)
        if not _LINE.fullmatch(text, line, first):
            break
        first = line
    body = text[first:start]
    if not _BASE64.search(body):
        return ()
    first += len(body) - len(body.lstrip(_AROUND_LINES))
    return (Finding(kind="private-key", start=first, end=end),)


def _line_start(text: str, floor: int, end: int) -> int:
    """Where the line begins that ends at `end`, its own break included; a break may be written as an escape."""
    before = end - 1
    real = text.rfind("\n", floor, before) + 1
    escaped = text.rfind("\\n", max(floor, real), before - 1) + 2
    return max(real, escaped if escaped > 1 else 0, floor)
