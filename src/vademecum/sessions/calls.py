"""What a tool call did, as far as memory asks: the shell command that it ran, and the files that it wrote.

Which tools do such things is said by each host's module (`Tools`); how their arguments may be shaped is told here:

    {"command": "make test"}    {"cmd": ["bash", "-lc", "make test"]}    make test
    {"<path key>": "src/a.py", ...}    a patch with `*** Update File: src/a.py`, raw, in an argument, or in a command
"""

import re
from collections.abc import Iterator

import msgspec

from vademecum.artifacts import OUR_TOOLS, is_our_tool
from vademecum.sessions.assembly import PendingCall
from vademecum.sessions.cleaning import strip_hidden

__all__ = ["Tools", "pending_call"]

#: Paths of one call that are kept.
EDITED_CAP = 100

#: Names that servers and extensions give to shells of their own, which any host may have been given.
_ADDED_SHELLS = frozenset(
    {"bash", "execute_command", "run_command", "run_shell_command", "shell", "start_process", "terminal"}
)
#: Names that extensions of any host give to tools for the web.
_WEB_TOOLS = frozenset({"browser", "fetch", "fetch_url", "web_fetch", "web_search", "webfetch", "websearch"})
#: A shell command that fetches from another machine.
_FETCHES = re.compile(
    r"(?:^|[\s;&|(])(?:curl|wget|lynx|w3m|xh|https?)\s[^\n;&|]{0,1000}?"
    r"(?:https?|ftp)://(?!localhost\b|127\.|\[::1\])"
)
_COMMAND_KEYS = ("command", "cmd")
_PATCH_BEGINS = "*** Begin Patch"
_PATH = re.compile(r".{1,300}")
_PATCHED_FILE = re.compile(r"^\*\*\* (?:Update|Add) File: (.{1,300})$", re.MULTILINE)

_ARGUMENTS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_WORDS = msgspec.json.Decoder(str | list[str])


class Tools(msgspec.Struct, frozen=True, kw_only=True):
    """The tools of one host that memory asks about, by the host's own names."""

    shells: frozenset[str]
    editors: frozenset[str]
    #: The arguments of `editors` that name the file.
    path_keys: tuple[str, ...] = ()
    #: Tools that bring in text from outside, beside those that any host may have been given.
    outside: frozenset[str] = frozenset()
    #: For hosts that name the tool of a server `<server>_<tool>`: their own tools with an underscore in the name.
    underscored: frozenset[str] | None = None

    def bring_in(self, name: str) -> bool:
        """Whether a call of this tool brings in text from outside."""
        if name in OUR_TOOLS or ("vademecum" in name and is_our_tool(name)):
            return False
        if "__" in name or name in self.outside or name.lower() in _WEB_TOOLS:
            return True
        return self.underscored is not None and "_" in name and name not in self.underscored


def pending_call(tools: Tools, call_id: str, name: str, text: str) -> PendingCall:
    """A call as the host stored it: `text` is its arguments, JSON or raw."""
    # A tool of a server is `<prefix>__<server>__<tool>`; some servers stand in for the host's own tools.
    own_name = name.rpartition("__")[2]
    command, edited = "", ()
    if own_name in tools.shells or own_name.lower() in _ADDED_SHELLS:
        command = _command(strip_hidden(text))
        edited = _patched(command)
    elif own_name in tools.editors:
        edited = _written(strip_hidden(text), tools.path_keys)
    is_external = tools.bring_in(name) or _FETCHES.search(command) is not None
    return PendingCall(call_id, name, text, command=command, edited=edited[:EDITED_CAP], is_external=is_external)


def _command(text: str) -> str:
    if not text.lstrip().startswith("{"):
        return text
    arguments = _arguments(text)
    words = next((_words(arguments[key]) for key in _COMMAND_KEYS if key in arguments), "")
    if isinstance(words, str):
        return words
    # ["bash", "-lc", "pytest -q"]: the script is the command.
    is_script = len(words) == 3 and words[1].startswith("-") and words[1].endswith("c")
    return words[2] if is_script else " ".join(words)


def _written(text: str, path_keys: tuple[str, ...]) -> tuple[str, ...]:
    if not text.lstrip().startswith("{"):
        return _patched(text)
    arguments = _arguments(text)
    named = [_words(arguments[key]) for key in path_keys if key in arguments]
    paths = [path for path in named if isinstance(path, str) and _PATH.fullmatch(path)]
    return tuple(paths) or tuple(_patched_in(arguments))


def _patched_in(arguments: dict[str, msgspec.Raw]) -> Iterator[str]:
    for raw in arguments.values():
        words = _words(raw)
        if isinstance(words, str):
            yield from _patched(words)


def _patched(text: str) -> tuple[str, ...]:
    return tuple(match[1].strip() for match in _PATCHED_FILE.finditer(text)) if _PATCH_BEGINS in text else ()


def _arguments(text: str) -> dict[str, msgspec.Raw]:
    try:
        return _ARGUMENTS.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return {}  # what a model wrote need not be JSON; then there is nothing to read in it


def _words(raw: msgspec.Raw) -> str | list[str]:
    try:
        return _WORDS.decode(raw)
    except msgspec.DecodeError:
        return ""  # a number, an object: no words
