"""Named locks between processes: the kernel holds them, so a dead owner never has to be proven dead.

One lock file per domain (`<folder>/<domain>.lock`), taken with `filelock`. Beside it, `<domain>.owner` names who holds
the lock, for what, and since when. That file is for messages only: a lock is free when the kernel says so, whatever the
file says.
"""

import errno
import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vademecum.errors import BusyError, StorageError
from vademecum.private import make_private_folders, read_plain_file, replace_private_file

if TYPE_CHECKING:
    from filelock import FileLock

__all__ = ["PATIENT_SECONDS", "Domain", "LockOwner", "Locks"]

#: How long a person's command, and a program that calls the library, waits for another process to finish its write.
PATIENT_SECONDS = 30.0

_POLL_SECONDS = 0.005

_PURPOSE_CHARACTERS = 100
#: Room for any owner, each character of the purpose escaped.
_OWNER_BYTES = 1024

#: What `flock` answers on file systems without locks (some network and FUSE mounts).
_NO_LOCKS = frozenset({errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL})


#: Held while `filelock` is imported. A child that is forked meanwhile would wait for ever for the thread that does it.
_importing = threading.RLock()
os.register_at_fork(before=_importing.acquire, after_in_parent=_importing.release, after_in_child=_importing.release)


class Domain(StrEnum):
    """What is guarded. A holder of one domain may take another only in the order of this list, bottom to top."""

    REBUILD = "rebuild"  #: one damaged database made anew; taken under a folder of its own
    ROUTES = "routes"  #: one write to the routes of a home; taken under `Home.locks`
    HOSTS = "hosts"  #: one installation into a host, or its removal; taken under `Home.locks`
    MEMORY_WRITE = "memory-write"  #: one commit to the memory repository
    CONSOLIDATION = "consolidation"  #: one consolidation of an identity, from its claim to its ledger row
    REFLECTION = "reflection"  #: one reflection run
    SYNC = "sync"  #: one exchange with a remote
    LEARNER = "learner"  #: one pass of learning in the background of a home; taken under `Home.locks`


class LockOwner(msgspec.Struct, frozen=True, kw_only=True):
    """Who holds a lock, as shown in messages."""

    pid: int
    #: What the owner is doing, as a phrase: "landing a draft".
    purpose: str
    #: When it took the lock, UTC.
    since: datetime

    def __str__(self) -> str:
        return f"process {self.pid} ({self.purpose}, since {self.since:%Y-%m-%d %H:%M:%S} UTC)"

    def held_seconds(self, now: datetime) -> int:
        """Say for how long it has been holding the lock, by the clock of this machine."""
        return max(0, int((now - self.since).total_seconds()))


class Locks:
    """The locks of one identity. Safe for threads and for processes, forked ones included.

    Parameters
    ----------
    folder: where the lock files live, on a local file system (created with mode 0700 when first needed).
    patience_seconds: nobody waits longer, whatever a call asks for.
    """

    def __init__(self, folder: Path, *, patience_seconds: float = PATIENT_SECONDS) -> None:
        self.folder, self._patience_seconds = folder, patience_seconds
        self._held: set[tuple[int, int, Domain]] = set()
        #: By process: a forked child takes locks of its own, and its parent's object must outlive the fork untouched.
        self._locks: dict[tuple[int, Domain], FileLock] = {}

    def at_most(self, wait_seconds: float) -> float:
        """So long as a call asks for, and no longer than anybody here waits; also for what others lock in their way."""
        return min(wait_seconds, self._patience_seconds)

    @contextmanager
    def hold(self, domain: Domain, *, purpose: str, wait_seconds: float) -> Generator[None]:
        """Hold `domain` for the length of the block. A thread that holds it already just goes on.

        Parameters
        ----------
        domain: what is guarded.
        purpose: what the block does, as a phrase that another process can show while it waits.
        wait_seconds: how long to wait for another owner; 0 tries once.

        Raises
        ------
        BusyError: another owner kept the lock for the whole wait; the message names it.
        StorageError: the folder cannot be written, or its file system does not lock.
        """
        # The process id is part of the key: a forked child must not believe that it holds its parent's lock.
        key = (os.getpid(), threading.get_ident(), domain)
        if key in self._held:
            yield
            return
        lock = self._acquire(domain, self.at_most(wait_seconds))
        self._held.add(key)
        try:
            self._write_owner(domain, purpose)
            yield
        finally:
            self._held.discard(key)
            # A child forked inside the block shares the kernel's lock: only the owner may give it back.
            if os.getpid() == key[0]:
                lock.release()

    def owner(self, domain: Domain) -> LockOwner | None:
        """Say who took `domain` last; None when nobody did. It may have let go since."""
        try:
            data = read_plain_file(self._owner_file(domain), most_bytes=_OWNER_BYTES)
            return msgspec.json.decode(data, type=LockOwner)
        except (OSError, msgspec.DecodeError):  # it is for messages only: one that cannot be read says nothing
            return None

    def _acquire(self, domain: Domain, wait_seconds: float) -> "FileLock":
        # filelock takes as long to import as a whole context takes to compile, and readers never lock.
        with _importing:
            from filelock import FileLock, Timeout

        try:
            make_private_folders(self.folder)
            key = os.getpid(), domain
            if key not in self._locks:
                # Each thread has its own hold on it, and letting go closes the file: kept is what takes time to make.
                self._locks[key] = FileLock(self.folder / f"{domain}.lock", mode=0o600, fallback_to_soft=False)
            lock = self._locks[key]
            lock.acquire(timeout=wait_seconds, poll_interval=_POLL_SECONDS)
        except Timeout as error:
            raise self._busy(domain, wait_seconds) from error
        except OSError as error:
            raise self._storage_error(error) from error
        return lock

    def _write_owner(self, domain: Domain, purpose: str) -> None:
        owner = LockOwner(pid=os.getpid(), purpose=purpose[:_PURPOSE_CHARACTERS], since=datetime.now(UTC))
        record = msgspec.json.encode(owner).ljust(_OWNER_BYTES)
        file = self._owner_file(domain)
        # In place, over a record of the same length: every write of memory comes by here, and making a new file costs
        # it a tenth of its time. Who reads a half-written record sees a lock without an owner's name.
        flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            try:
                descriptor = os.open(file, flags, 0o600)
            except OSError:  # a link or a pipe stands there: it gives way
                replace_private_file(file, record)
                return
            with os.fdopen(descriptor, "wb", buffering=0) as stream:
                stream.write(record)
        except OSError as error:
            raise self._storage_error(error) from error

    def _owner_file(self, domain: Domain) -> Path:
        return self.folder / f"{domain}.owner"

    def _busy(self, domain: Domain, wait_seconds: float) -> BusyError:
        owner = self.owner(domain)
        waited = f"the {domain} lock; waited {wait_seconds:g} s"
        if owner is None:
            return BusyError(f"another process holds {waited}")
        held = owner.held_seconds(datetime.now(UTC))
        return BusyError(
            f"{owner} has been holding {waited}",
            next_step=f"Try again in a moment. It took the lock {held} s ago; if it hangs, end it with "
            f"`kill {owner.pid}`: the lock is free at once, and the next write completes what was begun.",
        )

    def _storage_error(self, error: OSError) -> StorageError:
        if error.errno in _NO_LOCKS:
            return StorageError(
                f"the file system of {self.folder} does not lock files ({error.strerror})",
                next_step="Keep the memory on a local file system: set VADEMECUM_HOME to a folder on one.",
            )
        return StorageError(f"cannot lock in {self.folder}: {error.strerror}")
