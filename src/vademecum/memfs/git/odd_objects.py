"""Objects of git that are no files: libgit2 opens whatever has the name, and a named pipe would have it wait for ever.

Asked whenever a repository is opened. A folder is listed again only when a name in it came or went; for a moment after
that it is listed each time, as a second change within one tick of the clock leaves no trace.
"""

import os
import time
from functools import lru_cache
from pathlib import Path

from vademecum.errors import StorageError

__all__ = ["refuse_odd_objects"]

#: The folders of loose objects, and that of packs.
_FOLDERS = frozenset((*(f"{number:02x}" for number in range(256)), "pack"))
#: More than one tick of any clock that stamps files.
_TICK_NS = 50_000_000


def refuse_odd_objects(git_dir: Path) -> None:
    """Raises StorageError for a file of objects that is none."""
    objects = f"{git_dir}/objects"
    try:
        names = _FOLDERS.intersection(os.listdir(objects))  # noqa: PTH208  names are all that is needed, at each opening
    except FileNotFoundError:
        return
    for name in sorted(names):
        folder = f"{objects}/{name}"
        try:
            status = os.lstat(folder)
        except FileNotFoundError:
            continue
        is_settled = time.time_ns() - status.st_ctime_ns > _TICK_NS
        look = _odd_name if is_settled else _odd_name.__wrapped__
        odd = look(folder, status.st_ino, status.st_mtime_ns, status.st_ctime_ns)
        if odd is not None:
            file = f"{folder}/{odd}"
            raise StorageError(
                f"the repository in {git_dir.parent} is damaged: {file} is no regular file, and may never end",
                next_step=f"Delete {file}, then run `vade doctor`: if it was needed, that says what now.",
                paths=(file,),
            )


@lru_cache(maxsize=4 * len(_FOLDERS))
def _odd_name(folder: str, *_version: int) -> str | None:
    """The first name in a folder that is neither a file nor a folder, such as git may have; None: there is none."""
    try:
        with os.scandir(folder) as entries:
            return next((entry.name for entry in entries if _is_odd(entry)), None)
    except (FileNotFoundError, NotADirectoryError):
        return None


def _is_odd(entry: "os.DirEntry[str]") -> bool:
    return not (entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False))
