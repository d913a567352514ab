"""Every tool, and the one way to call them: whatever carries the call, it gets an answer."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from vademecum.errors import RefusedError, UsageError, VademecumError
from vademecum.learner_names import LEARNER_VARIABLE
from vademecum.toolbox.answers import error_answer, finished
from vademecum.toolbox.arguments import Arguments, read_arguments
from vademecum.toolbox.controlling import MEMORY_MODE, MEMORY_RESET
from vademecum.toolbox.explaining import MEMORY_WHY
from vademecum.toolbox.inspecting import MEMORY_INSPECT
from vademecum.toolbox.leaks import repair_leaks
from vademecum.toolbox.reading import MEMORY_LIST, MEMORY_READ
from vademecum.toolbox.searching import MEMORY_SEARCH, SESSION_SEARCH
from vademecum.toolbox.tool import Access, Answer, Call, Confirm, Tool
from vademecum.toolbox.writing import MEMORY, MEMORY_ADD_NOTE, MEMORY_APPLY_PATCH

if TYPE_CHECKING:  # a server lists the tools before anybody calls one, and the engine takes its time to load
    from vademecum.engine import AskedBy, Memory

__all__ = ["TOOLS", "call_tool", "tools_for"]

#: Every tool, in the order in which a model should learn of them.
TOOLS: tuple[Tool[Any], ...] = (
    MEMORY_SEARCH,
    MEMORY_READ,
    SESSION_SEARCH,
    MEMORY_ADD_NOTE,
    MEMORY_LIST,
    MEMORY_WHY,
    MEMORY,
    MEMORY_APPLY_PATCH,
    MEMORY_INSPECT,
    MEMORY_MODE,
    MEMORY_RESET,
)


def tools_for(environ: Mapping[str, str]) -> tuple[Tool[Any], ...]:
    """The tools that a process of this environment may offer: an agent that learns for us only reads."""
    if environ.get(LEARNER_VARIABLE):
        return tuple(tool for tool in TOOLS if tool.access is Access.READ)
    return TOOLS


def call_tool(
    memory: "Memory",
    name: str,
    arguments: Mapping[str, object],
    asked_by: "AskedBy",
    *,
    confirm: Confirm | None = None,
) -> Answer:
    """Call a tool by its name. What is expected to go wrong is an answer as well.

    Parameters
    ----------
    confirm: asks the person; None where nobody can be asked.
    """
    try:
        tool = next((tool for tool in TOOLS if tool.name == name), None)
        if tool is None:
            known = ", ".join(tool.name for tool in TOOLS)
            raise UsageError(f"there is no tool {name!r}", next_step=f"The tools are {known}.")
        if memory.is_learners and tool.access is not Access.READ:
            raise RefusedError(f"{name}: an agent that learns only reads", next_step="Write into your draft instead.")
        given, repairs = _arguments_of(tool, arguments)
        call = Call(memory=memory, arguments=given, repairs=repairs, asked_by=asked_by, confirm=confirm)
        return finished(tool.call(call))
    except VademecumError as error:
        return finished(error_answer(error))


def _arguments_of(tool: Tool[Any], arguments: Mapping[str, object]) -> tuple[Arguments, tuple[str, ...]]:
    """The arguments as the tool takes them, and what had to be put right in them. Raises UsageError."""
    if not isinstance(arguments, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]  a model sends anything
        raise UsageError(f"{tool.name}: the arguments are no object", next_step=f"Call {tool.name} with a JSON object.")
    repaired, repairs = repair_leaks(arguments, tool.leaking(arguments)) if tool.leaking else (arguments, ())
    return read_arguments(tool.name, tool.arguments, repaired), repairs
