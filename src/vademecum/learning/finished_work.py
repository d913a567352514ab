"""A learner's finished work, on the disk beside its draft until memory has it: what a killed process left is not lost.

The file lies outside the folder that a learner may write in, and holds the very bytes that passed the check. So what is
landed later is what was checked, whatever became of the draft.
"""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Self

import msgspec

from vademecum.errors import StorageError
from vademecum.memfs import Frozen, Repository
from vademecum.private import read_plain_file, replace_private_file

__all__ = ["SUFFIX", "FinishedWork"]

SUFFIX = ".finished"
#: Far more than the summaries of all sessions and a draft together; what is larger is none of ours.
_MAX_BYTES = 256 * 1024 * 1024
_Line = Annotated[str, msgspec.Meta(pattern=r"\A[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*\Z", max_length=500)]


class FinishedWork(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is needed to take a run's work into the memory."""

    run: Annotated[str, msgspec.Meta(pattern=r"\A[0-9A-Za-z-]{1,64}\Z")]
    #: Who worked, with its version.
    learner: _Line
    #: The revision that the work was made on.
    base: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{40}\Z")]
    #: First line of the commit.
    subject: _Line
    #: What the learner wrote, with a person's edits put back: path -> content; None: the file goes.
    edits: dict[str, bytes | None]
    #: Files of the engine's own that belong to the same commit.
    extra_edits: dict[str, str | None]
    #: The records that were taken in, in the version that was seen; None: the record was taken out.
    records: dict[str, Annotated[datetime, msgspec.Meta(tz=True)] | None]
    #: Whether the learner wrote anything, or said that the input changes nothing.
    wrote: bool
    #: Statements that a person had removed and has said again since.
    came_back: tuple[str, ...] = ()
    #: Whether a model wrote it: more is asked of that.
    is_of_model: bool = False

    def keep(self, drafts: Path) -> None:
        """Put the work on the disk. Raises StorageError."""
        try:
            replace_private_file(self._file(drafts), msgspec.msgpack.encode(self), durable=True)
        except OSError as error:
            raise StorageError(
                f"the finished work of run {self.run} cannot be kept: {error.strerror}",
                intact="The memory files are as they were.",
            ) from error

    def let_go(self, drafts: Path) -> None:
        """Memory has it, or refused it."""
        self._file(drafts).unlink(missing_ok=True)

    def frozen(self, repository: Repository) -> Frozen:
        """The work as it was checked. Raises NotFound where the revision that it was made on is gone."""
        return Frozen(base=repository.tree(self.base), edits=self.edits, irregular={})

    @classmethod
    def read(cls, file: Path) -> Self | None:
        """What a run left; None where it left nothing whole, or what lies there cannot be the work of that run."""
        try:
            work = msgspec.msgpack.decode(read_plain_file(file, most_bytes=_MAX_BYTES, follows_links=False), type=cls)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return None
        return work if f"{work.run}{SUFFIX}" == file.name else None

    def _file(self, drafts: Path) -> Path:
        return drafts / f"{self.run}{SUFFIX}"
