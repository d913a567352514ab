"""The tools of memory over the Model Context Protocol, on standard input and output: the door for hosts and plugins."""

from vademecum.mcp.process import run

__all__ = ["run"]
