"""The private folder of an errand: its prompt, and the settings and sessions of the agent that runs it.

    <temporary folder>/vademecum-learner-<worker>-<chance>/

It is gone with the errand. Where the learner was killed, the next errand on the machine deletes it, however old it is:
its name says whose it was, and only what a process of this user that is gone has left is touched.
"""

import os
import shutil
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from vademecum.sessions import LEARNER_MARK
from vademecum.state import is_gone, this_worker

__all__ = ["scratch_folder"]

_PREFIX = f"{LEARNER_MARK}-"


@contextmanager
def scratch_folder() -> Generator[Path]:
    """A folder that only the user may read, gone afterwards, with what killed learners left before."""
    _sweep(Path(gettempdir()))
    with TemporaryDirectory(prefix=f"{_PREFIX}{this_worker()}-", ignore_cleanup_errors=True) as folder:
        yield Path(folder).resolve()


def _sweep(parent: Path) -> None:
    for folder in sorted(parent.glob(f"{_PREFIX}*")):
        worker, _, chance = folder.name.removeprefix(_PREFIX).rpartition("-")
        if chance and is_gone(worker) and _is_own_folder(folder):
            # What cannot be deleted keeps no errand from its work; the next one tries again.
            shutil.rmtree(folder, ignore_errors=True)


def _is_own_folder(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return False  # another learner sweeps, too
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
