"""Prints every tool with its arguments as markdown; `docs/tools.md` is made of it by cog."""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

from vademecum.toolbox import TOOLS, Access, Tool

_COLUMNS = 110
_ACCESS = {
    Access.READ: "reads",
    Access.WRITE: "writes",
    Access.CONTROL: "controls: what takes something away needs the person's own yes",
}


def reference() -> str:
    """The whole reference."""
    return "\n".join(map(_section, TOOLS))


def _section(tool: Tool) -> str:
    told = "\n".join(wrap(tool.description, _COLUMNS, break_on_hyphens=False))
    head = [f"## {tool.name}\n", f"Access: {_ACCESS[tool.access]}.\n", f"```text\n{told}\n```\n"]
    return "\n".join([*head, *_table(tool)])


def _table(tool: Tool) -> Iterator[str]:
    fields: Mapping[str, Mapping[str, Any]] = tool.schema["properties"]
    if not fields:
        yield "No arguments.\n"
        return
    yield "| argument | kind | needed | what |\n| --- | --- | --- | --- |"
    for name, field in fields.items():
        needed = "yes" if name in tool.schema["required"] else _default(field)
        yield f"| `{name}` | {_kind(field)} | {needed} | {field.get('description', '').replace('|', chr(92) + '|')} |"
    yield ""


def _kind(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return ", ".join(f"`{choice}`" for choice in field["enum"])
    low, high = field.get("minimum"), field.get("maximum")
    if high is not None:
        return f"{field['type']}, {low} to {high}"
    return field["type"] if low is None else f"{field['type']}, from {low}"


def _default(field: Mapping[str, Any]) -> str:
    return f"no: {field['default']}" if field.get("default") not in {None, ""} else "no"
