"""The tools that a model calls to work with memory, with their schemas; every surface for models offers these."""

from vademecum.toolbox.answers import error_answer
from vademecum.toolbox.reading import HOW_TO_CITE
from vademecum.toolbox.registry import TOOLS, call_tool, tools_for
from vademecum.toolbox.tool import Access, Answer, Confirm, Tool

__all__ = ["HOW_TO_CITE", "TOOLS", "Access", "Answer", "Confirm", "Tool", "call_tool", "error_answer", "tools_for"]
