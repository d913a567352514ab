"""The tools as a client lists and calls them."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from vademecum.errors import VademecumError
from vademecum.mcp.asked import Asked
from vademecum.mcp.messages import INVALID_PARAMS, RpcError, as_object
from vademecum.toolbox import Access, Answer, Tool, call_tool, error_answer, tools_for

if TYPE_CHECKING:  # as in `asked`
    from vademecum.engine import AskedBy

__all__ = ["call", "listing"]

#: What a session needs again and again: some hosts show a model only such tools without being asked.
_EVERYDAY = frozenset({"memory_search", "memory_read", "memory_add_note"})


def listing(asked: Asked) -> dict[str, Any]:
    """The answer to `tools/list`."""
    key = asked.options.everyday_meta
    tools = [_described(tool, key) for tool in tools_for(asked.environ)]
    return asked.dialect.dressed({"tools": tools}, may_be_kept=True)


def _described(tool: Tool[Any], everyday_meta: str | None) -> dict[str, Any]:
    reads = tool.access is Access.READ
    # Unless a tool says that it reaches nothing outside, some hosts ask the person before every note, or refuse it.
    hints = {"readOnlyHint": reads, "openWorldHint": False}
    if not reads:
        hints["destructiveHint"] = tool.access is Access.CONTROL
    described = {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.schema,
        "annotations": hints,
    }
    return {**described, "_meta": {everyday_meta: True}} if everyday_meta and tool.name in _EVERYDAY else described


def call(asked: Asked) -> dict[str, Any]:
    """The answer to `tools/call`, as text only: hosts show a model the structured form in its place where there is one.

    What a tool cannot do is an answer to the model as well. Raises RpcError for a call that is none, InputRequired.
    """
    name, arguments = asked.params.get("name"), as_object(asked.params.get("arguments") or {})
    if not isinstance(name, str) or arguments is None:
        raise RpcError(INVALID_PARAMS, "tools/call needs `name`, a text, and `arguments`, an object")
    tool = next((tool for tool in tools_for(asked.environ) if tool.name == name), None)
    if tool is None:
        raise RpcError(INVALID_PARAMS, f"there is no tool {name!r}")
    answer = _answer(asked, tool, arguments)
    content = [{"type": "text", "text": answer.text}]
    return asked.dialect.dressed({"content": content, "isError": answer.is_error})


def _answer(asked: Asked, tool: Tool[Any], arguments: Any) -> Answer:  # noqa: ANN401  what a model sends is checked by the tool
    try:
        memory = asked.memory(asked.caller.cwd)
    except VademecumError as error:
        return error_answer(error)
    return call_tool(memory, tool.name, arguments, _asked_by(asked, tool), confirm=asked.confirm)


def _asked_by(asked: Asked, tool: Tool[Any]) -> "AskedBy":
    from vademecum.engine import AskedBy
    from vademecum.sessions import Origin

    caller = asked.caller
    session = caller.session
    if session is None and tool.access is not Access.READ:
        session = _session_of_call(asked)
    return AskedBy(origin=Origin.MODEL, session=session, host=caller.host or "", cwd=caller.cwd or "")


def _session_of_call(asked: Asked) -> str | None:
    """Where the host does not name the session, its own record of the call does."""
    from vademecum.sessions import calling_session

    caller = asked.caller
    if caller.host is None or caller.call is None:
        return None
    return calling_session(caller.host, caller.call, environ=asked.environ, home=Path.home())
