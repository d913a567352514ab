"""Which trouble an agent reports, by its words: hosts print sentences, not codes.

Sources: the messages of the versions that tests/support/clients.py pins, made to fail on purpose, and those of older
versions as people have reported them.
"""

import re
import time

from vademecum.errors import InputTooLarge, LearnerFailed, LearnerUnavailable, LoginRefused, QuotaReached
from vademecum.learners.hosts.processes import excerpt
from vademecum.learners.limits_said import names_status, speaks_of_limit

__all__ = ["trouble"]

_LOGIN = re.compile(
    r"""not\ logged\ in | please\ (?:run\ /login|log\ ?in|login) | /login\b | unauthori[sz]ed
    | invalid\ (?:x-)?api[ -]key | incorrect\ api\ key | missing\ (?:environment\ variable|api\ key)
    | api\ key\ is\ missing | (?:token|session|login)\ (?:has\ )?expired | authentication_error | providerautherror
    | refresh\ token""",
    re.VERBOSE | re.IGNORECASE,
)
_TOO_LARGE = re.compile(
    r"prompt is too long|context (?:window|length)|context_length_exceeded|maximum context|input is too long"
    r"|ran out of room|contextoverflow",
    re.IGNORECASE,
)
_UNAVAILABLE = re.compile(
    r"""overloaded | connection\ (?:refused|error|reset|failed) | stream\ disconnected
    | timed?[ -]?out | econn\w+ | enotfound | network | unable\ to\ connect
    | bad\ gateway | service\ unavailable
    | error\ sending\ request | server\ error""",
    re.VERBOSE | re.IGNORECASE,
)
_REFUSED, _OUTAGE = (401, 403), range(500, 600)
#: Some versions put the end of the limit behind it, in seconds since 1970.
_UNTIL = re.compile(r"limit reached\|(?P<seconds>[0-9]{10})\b")
_UNKNOWN_OPTION = re.compile(
    r"unknown (?:option|argument|configuration field)|unexpected argument|unrecognized (?:option|argument)"
    r"|unknown field|unknown variant|-h, --help +show help",
    re.IGNORECASE,
)


def trouble(
    name: str, said: str, *, status: int | None = None, retry_after_seconds: float | None = None
) -> LearnerFailed:
    """The error for what an agent said when it failed; `status` is that of its provider's answer, where it is known."""
    words = excerpt(said) or "it did not say why"
    if status == 429 or speaks_of_limit(said):
        return QuotaReached(
            f"{name} has reached its limit: {words}",
            model=name,
            retry_after_seconds=_seconds_left(said) if retry_after_seconds is None else retry_after_seconds,
        )
    if status in {401, 403} or names_status(said, _REFUSED) or _LOGIN.search(said):
        return LoginRefused(
            f"{name} could not log in: {words}",
            next_step=f"Start {name} once by hand and log in, then run `vade learn` again.",
        )
    if status == 413 or _TOO_LARGE.search(said):
        return InputTooLarge(f"{name} cannot read so much at once: {words}")
    if _UNKNOWN_OPTION.search(said):
        return LearnerFailed(
            f"this version of {name} cannot be restricted as a learner has to be: {words}",
            next_step="Take a version that docs/settings.md names, or have another learn: "
            "`vade config set memories.learner extractive`.",
        )
    if (status or 0) >= 500 or names_status(said, _OUTAGE) or _UNAVAILABLE.search(said):
        return LearnerUnavailable(f"{name} could not reach its model: {words}")
    return LearnerFailed(f"{name} failed: {words}")


def _seconds_left(said: str) -> float | None:
    until = _UNTIL.search(said)
    return max(0.0, int(until["seconds"]) - time.time()) if until else None
