"""What is read of the answers of opencode's server. Source: its API (`GET /doc`), version 1.18.33."""

import msgspec

__all__ = ["Message", "Session", "State"]


class Cache(msgspec.Struct, frozen=True):
    """Tokens that a cache took or gave."""

    read: int = 0
    write: int = 0


class Tokens(msgspec.Struct, frozen=True):
    """What a session took, all its requests together."""

    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache: Cache = Cache()


class Session(msgspec.Struct, frozen=True):
    """A session."""

    id: str
    #: US dollars.
    cost: float | None = None
    tokens: Tokens = Tokens()


class Cause(msgspec.Struct, frozen=True, rename="camel"):
    """What is known of an error."""

    message: str = ""
    #: Of the provider's answer.
    status_code: int | None = None


class Failure(msgspec.Struct, frozen=True):
    """Why an answer failed."""

    name: str = ""
    data: Cause = Cause()


class Info(msgspec.Struct, frozen=True):
    """The head of a message."""

    error: Failure | None = None


class Part(msgspec.Struct, frozen=True):
    """A part of a message: text, a call of a tool, and much else."""

    type: str = ""
    text: str = ""


class Message(msgspec.Struct, frozen=True):
    """An answer."""

    info: Info
    parts: tuple[Part, ...]


class State(msgspec.Struct, frozen=True):
    """What a session does at present; where it tries again, how often it did and when it will."""

    type: str = "idle"
    attempt: int = 0
    message: str = ""
    #: Milliseconds since 1970.
    next: float = 0
