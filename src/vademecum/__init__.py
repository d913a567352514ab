"""One long-term memory for all of your coding agents.

`Memory` is the whole Python surface; it is loaded when it is first asked for, so that importing this package costs
next to nothing in a hook.
"""

TYPE_CHECKING = False  # type checkers take it for true; `typing` itself costs a hook more than its work
if TYPE_CHECKING:
    from vademecum.engine import Memory

__version__ = "0.1.0"
__all__ = ["Memory", "__version__"]


def __getattr__(name: str) -> object:
    if name == "Memory":
        from vademecum.engine import Memory

        return Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
