"""The tools that a model calls to work with memory, with their schemas; every surface for models offers these."""

from vademecum.toolbox.tools import TOOLS, Tool, call_tool

__all__ = ["TOOLS", "Tool", "call_tool"]
