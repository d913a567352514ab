"""What a model may do in a draft: read, look for words, edit. No shell, no network, nothing outside of it.

The operations are those of the memory repository, under the rules for whoever is no person. A tool answers with what
went wrong instead of failing the run: the model mends it, within its steps. All of them run one after the other on the
loop's own thread: two edits at once would each start from what the other has not written yet.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Literal

from pydantic_ai import Tool, ToolFailed

from vademecum.amounts import plural
from vademecum.artifacts import RENDERED
from vademecum.errors import NotFound, StorageError, VademecumError
from vademecum.memfs import Draft, Operation, operations, shown
from vademecum.secrets import mask

__all__ = ["tools_for"]

_MOST_HITS = 100
_MOST_LINES = 1_000
_SHOWN_CHARACTERS = 300


def tools_for(draft: Draft) -> list[Tool[Any]]:
    """The tools, bound to this draft."""
    tools = DraftTools(draft)
    methods: list[Callable[..., Awaitable[str]]] = [
        tools.read,
        tools.list_folder,
        tools.find,
        tools.write,
        tools.create,
        tools.str_replace,
        tools.insert,
        tools.delete,
        tools.rename,
        tools.update_description,
        tools.apply_patch,
    ]
    return [Tool(method, takes_ctx=False) for method in methods]


class DraftTools:
    """The tools as methods; their docstrings are what the model reads."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    async def read(self, path: str, first_line: int = 1, lines: int = 400) -> str:
        """Read lines of a file, with their numbers.

        Args:
            path: A memory path, or a path below `.inputs/`.
            first_line: From which line on, counted from 1.
            lines: How many lines.
        """
        return _telling(partial(self._read, path, first_line, min(lines, _MOST_LINES)))

    async def list_folder(self, folder: str = "") -> str:
        """List the files and folders in a folder of the memory; `.inputs` lists what was prepared for you.

        Args:
            folder: Its path; empty for the root.
        """
        return _telling(partial(self._list, folder))

    async def find(self, words: str, folder: str = "") -> str:
        """Find the lines that hold these words, in any case.

        Args:
            words: The words as they stand, no pattern.
            folder: Only below this folder; empty for the whole memory and `.inputs/`.
        """
        return _telling(partial(self._find, words, folder))

    async def write(self, path: Literal["MEMORY.md", "memory_summary.md"], text: str) -> str:
        """Write the whole of the handbook or of the summary anew. For small changes use `str_replace`.

        Args:
            path: Which of the two.
            text: The whole new text.
        """
        return _telling(partial(self._write, path, text))

    async def create(self, path: str, description: str, text: str) -> str:
        """Make a new page.

        Args:
            path: A memory path that is free, such as `skills/release/SKILL.md`.
            description: What the page is about, in one line.
            text: The page below its header.
        """
        return self._edit(partial(operations.create, path=path, description=description, text=text))

    async def str_replace(self, path: str, old: str, new: str, every: bool = False) -> str:
        """Replace text in a page. The old text must stand there once, to the letter.

        Args:
            path: The page.
            old: The text that goes.
            new: The text that comes; empty deletes the old one.
            every: Replace all matches.
        """
        return self._edit(partial(operations.str_replace, path=path, old=old, new=new, every=every))

    async def insert(self, path: str, line: int, text: str) -> str:
        """Insert whole lines into a page.

        Args:
            path: The page.
            line: Before which line of the file; past the end appends.
            text: One or more lines.
        """
        return self._edit(partial(operations.insert, path=path, line=line, text=text))

    async def delete(self, path: str) -> str:
        """Delete a page, or a folder with all that is in it.

        Args:
            path: The page or folder.
        """
        return self._edit(partial(operations.delete, path=path))

    async def rename(self, old_path: str, new_path: str, fix_links: bool = True) -> str:
        """Move a page or a folder to where nothing is yet.

        Args:
            old_path: Where it is.
            new_path: Where it goes.
            fix_links: Rewrite the links to it.
        """
        return self._edit(partial(operations.rename, old=old_path, new=new_path, fix_links=fix_links))

    async def update_description(self, path: str, description: str) -> str:
        """Describe a page anew in its header.

        Args:
            path: The page.
            description: What it is about, in one line.
        """
        return self._edit(partial(operations.describe, path=path, description=description))

    async def apply_patch(self, patch: str) -> str:
        """Change several pages at once, all of it or nothing.

        Args:
            patch: From `*** Begin Patch` to `*** End Patch`, with `*** Add File: PATH` and lines that begin with `+`,
                `*** Update File: PATH` and hunks, `*** Delete File: PATH`.
        """
        return self._edit(partial(operations.apply_patch, text=patch))

    def _edit(self, operation: Operation) -> str:
        def done() -> str:
            edited = self._draft.apply(operation)
            return "\n".join((edited.done, *edited.notes))

        return _telling(done)

    def _read(self, path: str, first_line: int, lines: int) -> str:
        inputs = self._inputs()
        if path in inputs:
            return _numbered(inputs[path].split("\n")[first_line - 1 : first_line - 1 + lines], first_line)
        reading = operations.read_lines(self._draft.freeze(), self._draft.folder, path, offset=first_line, limit=lines)
        rest = f"\n(the file has {plural(reading.total_lines, 'line')})" if reading.truncated else ""
        return _numbered(reading.content.split("\n"), reading.start_line) + rest

    def _list(self, folder: str) -> str:
        inputs = self._inputs()
        if folder.strip("/") == self._draft.inputs.name:
            return "\n".join(inputs) or "(empty)"
        entries = operations.list_folder(self._draft.freeze(), self._draft.folder, folder)
        return "\n".join(f"{entry.path} {entry.size_bytes or ''}".rstrip() for entry in entries)

    def _find(self, words: str, folder: str) -> str:
        files = self._draft.freeze()
        pages = {path: shown(path, files.read(path)) for path in files.paths() if path.endswith(".md")}
        prefix, wanted = folder.strip("/"), words.casefold()
        hits = [
            f"{path}:{number}: {line[:_SHOWN_CHARACTERS]}"
            for path, text in (pages | self._inputs()).items()
            if not prefix or path == prefix or path.startswith(f"{prefix}/")
            for number, line in enumerate(text.split("\n"), 1)
            if wanted in line.casefold()
        ]
        more = [f"({len(hits) - _MOST_HITS} more)"] if len(hits) > _MOST_HITS else []
        return "\n".join([*hits[:_MOST_HITS], *more]) or "(nowhere)"

    def _write(self, path: str, text: str) -> str:
        if path not in RENDERED:
            raise NotFound(f"{path} is neither the handbook nor the summary", paths=(path,))
        self._draft.write(path, mask(text if text.endswith("\n") else f"{text}\n"))
        return f"wrote {path}"

    def _inputs(self) -> dict[str, str]:
        """What was prepared for the model, by the path that it is told."""
        folder = self._draft.inputs
        files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        return {path.relative_to(folder.parent).as_posix(): path.read_text(encoding="utf-8") for path in files}


def _telling(work: Callable[[], str]) -> str:
    """What was done, or for the model what went wrong. A disk that fails ends the run."""
    try:
        return work()
    except StorageError:
        raise
    except VademecumError as error:
        raise ToolFailed(f"{error}. {error.intact} {error.next_step}") from error


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{number}\t{line}" for number, line in enumerate(lines, first))
