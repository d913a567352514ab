"""Reading in portions that never flood a context: lines of a file, entries of a folder."""

from pathlib import Path

import msgspec

from vademecum.amounts import plural
from vademecum.errors import NotFound, UsageError
from vademecum.memfs.commits.meant import near_ones, require_file
from vademecum.memfs.pages.files import Files
from vademecum.memfs.pages.masking import shown
from vademecum.memfs.pages.paths import normalise_folder
from vademecum.memfs.pages.rules import masked_name

__all__ = ["MAX_READ_BYTES", "Listing", "Reading", "list_folder", "read_lines"]

MAX_READ_BYTES = 64 * 1024


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of one memory file; numbers are file lines from 1."""

    path: str
    start_line: int
    content: str
    total_lines: int
    truncated: bool


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a memory folder."""

    #: From the root of the memory repository; a folder ends with a slash.
    path: str
    size_bytes: int


def read_lines(files: Files, root: Path, path: str, *, offset: int, limit: int) -> Reading:
    """Lines from file line `offset` (from 1). Raises NotFound, UsageError where the line is outside the file."""
    name = require_file(path, files.paths(), root=root)
    text = shown(name, files.read(name))
    lines = text.removesuffix("\n").split("\n") if text else []
    if not 1 <= offset <= max(len(lines), 1):
        raise UsageError(
            f"line {offset} is outside {name}, which has {plural(len(lines), 'line')}",
            next_step=f"Read from a line between 1 and {max(len(lines), 1)}.",
        )
    chosen = lines[offset - 1 : offset - 1 + limit]
    content = "\n".join(chosen)
    cut = content.encode()[:MAX_READ_BYTES].decode(errors="ignore")
    return Reading(
        path=masked_name(name),
        start_line=offset,
        content=cut,
        total_lines=len(lines),
        truncated=offset - 1 + len(chosen) < len(lines) or len(cut) < len(content),
    )


def list_folder(files: Files, root: Path, path: str) -> list[Listing]:
    """The entries of a folder (empty: the root), folders first. Raises NotFound."""
    folder = normalise_folder(path, root=root, files=files)
    prefix = f"{folder}/" if folder else ""
    below = [name.removeprefix(prefix) for name in files.paths() if name.startswith(prefix)]
    if not below:
        raise NotFound(
            f"there is no folder {path!r} in the memory repository",
            next_step=near_ones(path, files.paths()),
            paths=(path,),
        )
    folders = sorted({name.split("/", 1)[0] for name in below if "/" in name})
    names = [name for name in below if "/" not in name]
    return [
        *(Listing(path=masked_name(f"{prefix}{name}/"), size_bytes=0) for name in folders),
        *(Listing(path=masked_name(f"{prefix}{name}"), size_bytes=files.size(f"{prefix}{name}")) for name in names),
    ]
