"""What a model may say to the tools that write, and which of it a command of `memory` takes."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from vademecum.errors import UsageError
from vademecum.toolbox.arguments import CALL_AGAIN, Arguments

__all__ = ["COMMANDS", "Command", "MemoryArguments", "NoteArguments", "PatchArguments", "fields_of"]

_Reason = Annotated[str, Meta(description="Why memory changes, in one line; the subject of the commit.")]
_Patch = Annotated[
    str,
    Meta(
        description="The whole patch, from `*** Begin Patch` to `*** End Patch`: `*** Add File: PATH` and lines that "
        "begin with `+`; `*** Update File: PATH`, then `*** Move to: PATH` if it moves, then hunks; "
        "`*** Delete File: PATH`."
    ),
]
_Note = Annotated[
    str,
    Meta(
        description="One statement, in the user's own words where they asked for it, understandable without this "
        "conversation.",
        min_length=1,
        max_length=4_000,
    ),
]
_Path = Annotated[str, Meta(description="Path in memory, such as `reference/deploy.md`; `.md` may be left out.")]
_Description = Annotated[str, Meta(description="What the page is about, in one line.")]
_Text = Annotated[str, Meta(description="create: the page below its header.")]
_Old = Annotated[str, Meta(description="str_replace: the text that goes, to the letter.")]
_New = Annotated[str, Meta(description="str_replace: the text that comes; empty deletes the old one.")]
_Occurrence = Annotated[int, Meta(description="str_replace: which match, from 1, where there are several.", ge=1)]
_All = Annotated[bool, Meta(description="str_replace: every match.")]
_Line = Annotated[int, Meta(description="insert: before which line of the file; past the end appends.")]
_Lines = Annotated[str, Meta(description="insert: one or more whole lines.")]
_OldPath = Annotated[str, Meta(description="rename: the file or folder that moves.")]
_NewPath = Annotated[str, Meta(description="rename: where nothing is yet.")]
_FixLinks = Annotated[bool, Meta(description="rename: rewrite the links to it instead of naming them.")]


class MemoryArguments(Arguments, frozen=True, kw_only=True):
    """The arguments of the tool `memory`; `COMMANDS` says which of them a command takes."""

    command: Literal["create", "str_replace", "insert", "delete", "rename", "update_description", "apply_patch"]
    reason: _Reason
    file_path: _Path | UnsetType = UNSET
    description: _Description | UnsetType = UNSET
    file_text: _Text | UnsetType = UNSET
    old_string: _Old | UnsetType = UNSET
    new_string: _New | UnsetType = UNSET
    occurrence: _Occurrence | UnsetType = UNSET
    replace_all: _All | UnsetType = UNSET
    insert_line: _Line | UnsetType = UNSET
    insert_text: _Lines | UnsetType = UNSET
    old_path: _OldPath | UnsetType = UNSET
    new_path: _NewPath | UnsetType = UNSET
    fix_links: _FixLinks | UnsetType = UNSET
    input: _Patch | UnsetType = UNSET


class PatchArguments(Arguments, frozen=True, kw_only=True):
    """The arguments of the tool `memory_apply_patch`."""

    reason: _Reason
    input: _Patch


class NoteArguments(Arguments, frozen=True, kw_only=True):
    """The arguments of the tool `memory_add_note`."""

    note: _Note


class Command(msgspec.Struct, frozen=True, kw_only=True):
    """One command of `memory`: a method of `Memory.edit`, and the tool's names for what it takes."""

    method: str
    #: Field of the tool -> keyword of the method.
    needed: Mapping[str, str]
    optional: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])


COMMANDS: Mapping[str, Command] = {
    "create": Command(
        method="create",
        needed={"file_path": "path", "description": "description"},
        optional={"file_text": "text"},
    ),
    "str_replace": Command(
        method="str_replace",
        needed={"file_path": "path", "old_string": "old", "new_string": "new"},
        optional={"occurrence": "occurrence", "replace_all": "every"},
    ),
    "insert": Command(method="insert", needed={"file_path": "path", "insert_line": "line", "insert_text": "text"}),
    "delete": Command(method="delete", needed={"file_path": "path"}),
    "rename": Command(
        method="rename", needed={"old_path": "old", "new_path": "new"}, optional={"fix_links": "fix_links"}
    ),
    "update_description": Command(method="describe", needed={"file_path": "path", "description": "description"}),
    "apply_patch": Command(method="patch", needed={"input": "text"}),
}


def fields_of(arguments: MemoryArguments) -> dict[str, Any]:
    """What a command was given, as keywords of its method; raises `UsageError` for what is missing or too much."""
    command = COMMANDS[arguments.command]
    given = {
        name: value
        for name in arguments.__struct_fields__
        if name not in {"command", "reason"} and (value := getattr(arguments, name)) is not UNSET
    }
    keywords = {**command.needed, **command.optional}
    missing = [name for name in command.needed if name not in given]
    # Hosts that ask for every field of a schema get the others as empty texts: they mean nothing.
    surplus = [name for name, value in given.items() if name not in keywords and value not in {"", False}]
    if missing or surplus:
        what = f"{missing[0]} is missing" if missing else f"takes no {surplus[0]}"
        raise UsageError(f"memory {arguments.command}: {what}", next_step=CALL_AGAIN)
    return {keywords[name]: value for name, value in given.items() if name in keywords}
