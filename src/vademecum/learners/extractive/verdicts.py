"""What the output of a command says: whether it failed, and which line names the error."""

import re
from collections.abc import Iterable

from vademecum.learners.extractive.orders import shows_order
from vademecum.secrets import holds_mask
from vademecum.sessions.model import ToolCall

__all__ = ["error_line", "failed"]

MAX_ERROR_CHARS = 160
#: The part at the end of an output that holds a program's verdict.
TAIL_CHARS = 1_200

_EXIT_CODE = re.compile(r"(?:exit(?:ed with)? code:?|exit status:?|\"exit_code\":)\s*(\d{1,3})", re.IGNORECASE)
_FAILED_SUMMARY = re.compile(
    r"""
      \b[1-9]\d*\ (?:failed|failures?|failing|errors?)\b | ^FAILED?\b | ^npm\ ERR! | ^error(?:\[\w+\])?:
    | \berror\ TS\d
    | ^Traceback\ \(most | ^make:\ \*\*\* | BUILD\ FAILED | ^panic: | command\ not\ found | No\ such\ file
    | ^E\ {3} | ELIFECYCLE | ^\w{0,60}(?:Error|Exception):\s
    """,
    re.MULTILINE | re.VERBOSE,
)
#: One of these is in every failure summary: looking for them first spares the pattern on most outputs.
_FAILURE_HINTS = ("fail", "err", "traceback", "***", "panic", "not found", "no such", "elifecycle", "exception", "e   ")
_GOOD_SUMMARY = re.compile(
    r"\b[1-9]\d* (?:passed|passing)\b|^(?:OK|ok)\b|All checks passed|Success(?:fully)?\b|BUILD SUCCESS|0 errors",
    re.MULTILINE,
)


def _reports_failure(tail: str) -> bool:
    return _holds_any(_FAILURE_HINTS, tail) and bool(_FAILED_SUMMARY.search(tail))


def _holds_any(hints: Iterable[str], text: str) -> bool:
    # Substring tests: a pattern with as many alternatives takes ten times as long.
    lowered = text.lower()
    return any(hint in lowered for hint in hints)


def failed(call: ToolCall, *, hides_exit_code: bool, has_goal: bool) -> bool | None:
    """Whether a command failed; None where nobody can tell.

    Parameters
    ----------
    call: the call, with what the host says about it.
    hides_exit_code: the command ends in a pipeline or a fallback, so that its exit code says little.
    has_goal: it is a test, a build or the like, which says so when it fails.
    """
    if call.failed:
        return True
    tail = call.output[-TAIL_CHARS:]
    known = call.failed
    if known is None and (match := _EXIT_CODE.search(call.output[:300]) or _EXIT_CODE.search(tail)):
        known = match[1] != "0"
    if known is False and has_goal and hides_exit_code:
        return _reports_failure(tail)
    if known is None and call.output:
        if _reports_failure(tail):
            return True
        return False if has_goal or _GOOD_SUMMARY.search(tail) else None
    return known


#: Best first: what names an error most exactly.
_ERROR_LINES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:[\w.]{1,80}\.)?[A-Z]\w{0,60}(?:Error|Exception|Interrupt|NotFound)(?:: .+)?$",  # last line of a traceback
        r"E {3,}(\S.*)$",
        r"(?:FAILED|FAIL) .+$",
        r"npm (?:ERR!|error) (?!A complete log|code |errno |syscall ).+$",
        r".{0,200}\berror(?:\[\w{1,12}\]| TS\d{1,6})?: .+$",
        r".{0,80}(?:command not found|No such file or directory|Permission denied|[Cc]annot find|not found).*$",
        r"(?:ERROR|FATAL|Error|fatal|panic)[: ].+$",
        r"make: \*\*\* .+$",
    )
)
_ERROR_HINTS = (*_FAILURE_HINTS, "fatal", "denied", "cannot", "interrupt")
#: Only so many lines from the end are looked at, and so much of each.
_ERROR_LINES_SEEN = 40
_ERROR_LINE_CHARS = 600


def error_line(output: str) -> str:
    """The one line that names the error, the last of its kind.

    Empty where none stands out, or where it reads like an order.
    """
    tail = output[-4 * TAIL_CHARS :]
    if not _holds_any(_ERROR_HINTS, tail):
        return ""
    newest_first = [line[:_ERROR_LINE_CHARS].rstrip() for line in reversed(tail.splitlines()[-_ERROR_LINES_SEEN:])]
    lines = [line for line in newest_first if _holds_any(_ERROR_HINTS, line)]
    for pattern in _ERROR_LINES:
        for line in lines:
            if (match := pattern.match(line)) and (found := _quotable(match[match.lastindex or 0])):
                return found
    return ""


def _quotable(line: str) -> str:
    text = " ".join(line.split())[:MAX_ERROR_CHARS].rstrip()
    return "" if holds_mask(text) or shows_order(text) else text
