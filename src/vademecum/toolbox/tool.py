"""A tool as a model sees it, a call of it, and its answer."""

from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from vademecum.toolbox.arguments import Arguments, schema_of

if TYPE_CHECKING:  # a server lists the tools before anybody calls one, and the engine takes its time to load
    from vademecum.engine import AskedBy, Memory

__all__ = ["Access", "Answer", "Call", "Confirm", "Tool"]

_Arguments = TypeVar("_Arguments", bound=Arguments)

#: Asks the person a question; False: they said no.
Confirm = Callable[[str], bool]


class Access(StrEnum):
    """What a tool may do."""

    READ = "read"  #: changes nothing
    WRITE = "write"  #: changes memory, as one commit or one proposal
    CONTROL = "control"  #: changes what memory is made of; a person must say yes to what takes something away


class Call(msgspec.Struct, Generic[_Arguments], frozen=True, kw_only=True):
    """One call of a tool."""

    memory: "Memory"
    arguments: _Arguments
    #: What was put right in the arguments, a line each.
    repairs: tuple[str, ...] = ()
    asked_by: "AskedBy"
    #: None where nobody can be asked.
    confirm: Confirm | None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a call came to."""

    #: What the model reads.
    text: str
    #: The same as plain values, for programs.
    data: dict[str, Any]
    is_error: bool = False


class Tool(msgspec.Struct, Generic[_Arguments], frozen=True, kw_only=True):
    """One tool."""

    name: str
    #: When to use it and what it does.
    description: str
    arguments: type[_Arguments]
    access: Access
    #: Does it; raises errors of our own.
    call: Callable[[Call[_Arguments]], Answer]
    #: The text arguments that a call may have, where models are known to let one leak into another.
    leaking: Callable[[Mapping[str, object]], Collection[str]] | None = None

    @property
    def schema(self) -> Mapping[str, Any]:
        """JSON Schema of its arguments."""
        return schema_of(self.arguments)
