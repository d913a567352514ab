"""Which words say that an account is used up for now, and which status a provider answered with.

A job waits for a used-up account without counting a failure, so a bare "quota" or number is not enough: a full disk,
or line 429 of a file, would let it wait for ever.
"""

import re
from collections.abc import Container

__all__ = ["names_status", "speaks_of_limit"]

_LIMIT = re.compile(
    r"""usage[ _-]?limit | rate[ _-]?limit | hit\ your\ (?:\w+\ )?limit
    | (?:hour|hourly|daily|weekly|monthly|session|opus|sonnet)\ limit\ reached | limit\ reached\s*[|·∙]
    | free\ usage\ exceeded | out\ of\ (?:extra\ )?(?:usage|credits)
    | insufficient_quota | resource_exhausted | too\ many\ requests
    | billing.?hard.?limit | credit\ balance | capacity\ (?:is\ )?exhausted
    | exceed(?:s|ed)?\ your\ (?:(?:current|daily|weekly|monthly|plan|plan's|api)\ )?quota
    | (?<!disk\ )(?<!disc\ )(?<!storage\ )(?<!file\ )(?<!inode\ )(?<!block\ )
      \bquota\ (?:is\ |was\ |has\ been\ )?(?:exceeded|exhausted|reached)""",
    re.VERBOSE | re.IGNORECASE,
)
#: `HTTP 429`, `HTTP/1.1 429`, `last status: 429`, `"statusCode":429`, `API Error: 429`, `Error code: 429`.
_STATUS = re.compile(
    r"""\b(?:http(?:/[0-9.]+)?|status(?:[ _]?code)?|api error|error code)[ :="]*(?P<status>[1-5][0-9]{2})\b""",
    re.IGNORECASE,
)
_TOO_MANY = 429


def speaks_of_limit(words: str) -> bool:
    """Whether an account is used up for now."""
    return _LIMIT.search(words) is not None or names_status(words, (_TOO_MANY,))


def names_status(words: str, statuses: Container[int]) -> bool:
    """Whether one of these is called the status of an answer; a number that only stands there is none."""
    return any(int(found["status"]) in statuses for found in _STATUS.finditer(words))
