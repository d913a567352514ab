"""Why something was passed over while sessions were looked for and read, each reason with its plain words."""

from enum import StrEnum
from typing import Self

__all__ = ["PassedOver", "reason_words"]


class PassedOver(StrEnum):
    """The keys of `Discovery.skipped` and `Session.skipped`; `words` says to a person what was passed over."""

    words: str

    def __new__(cls, value: str, words: str) -> Self:
        """A member is its value, with words beside it."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.words = words
        return member

    # Whole files, while looking
    NOT_REGULAR = "not_regular", "links, pipes or devices"
    VANISHED = "vanished", "gone while looking"
    UNREADABLE = "unreadable", "cannot be read"
    NOT_A_SESSION = "not_a_session", "files that hold no session"
    UNKNOWN_SCHEMA = "unknown_schema", "databases of an unknown version"
    DUPLICATE = "duplicate", "another copy of the same session"
    SERVER = "server", "servers that could not be asked"
    CUT_LIST = "cut_list", "lists of servers that broke off"

    # Lines of a file
    CAPPED_LINE = "capped_line", "over-long lines, cut"
    BROKEN_LINE = "broken_line", "lines that are no JSON of the known shape"
    REPAIRED_LINE = "repaired_line", "lines with damaged characters, mended"
    UNKNOWN_TYPE = "unknown_type", "records of an unknown type"
    DUPLICATE_ID = "duplicate_id", "lines that stand in their file twice"
    BROKEN_COMPRESSION = "broken_compression", "files whose compression breaks off"
    EXPANSION_BOMB = "expansion_bomb", "files that grow without end when unpacked, cut"

    # Talk
    REWOUND = "rewound", "messages of rewound branches"
    FORKED_HISTORY = "forked_history", "messages copied from the session that another one was forked from"
    SIDECHAIN = "sidechain", "lines of sub-agents inside a session"
    ORPHAN_OUTPUT = "orphan_output", "outputs of tool calls that are not there"
    CAPPED_SESSION = "capped_session", "tool texts given up in very large sessions"
    TOO_MANY_MESSAGES = "too_many_messages", "messages given up in very long sessions"


def reason_words(reason: str) -> str:
    """The plain words of a reason; one that is not this room's is its own words, with blanks."""
    found = PassedOver.__members__.get(reason.upper())
    return found.words if found else reason.replace("_", " ")
