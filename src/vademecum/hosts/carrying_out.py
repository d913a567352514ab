"""Carry a plan out: one process at a time, each file whole at every moment, and a record that can undo it.

1. every file is as it was when the person was asked, else nothing is done
2. the record says what is about to be written
3. each file: a backup beside it (0600), a new file, a rename
4. after a removal: backups that have had their use, folders that are empty, the record
"""

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import msgspec

from vademecum import __version__
from vademecum.errors import BusyError, StorageError
from vademecum.home import Home
from vademecum.hosts.installing import Change, Plan
from vademecum.hosts.records import Record, Written, drop_record, read_record, store_record
from vademecum.hosts.targets import find_target, hash_of
from vademecum.locks import PATIENT_SECONDS, Domain, Locks
from vademecum.private import fsync_path, make_private_folders

__all__ = ["carry_out"]

_PRIVATE = 0o600


def carry_out(plan: Plan, home: Home, user_home: Path) -> tuple[str, ...]:
    """Write what a plan shows; the copies that were made. Raises BusyError, CannotEdit, StorageError."""
    home.create()
    purpose = f"{'taking memory out of' if plan.removes else 'plugging memory into'} {plan.host.name}"
    with Locks(home.locks).hold(Domain.HOSTS, purpose=purpose, wait_seconds=PATIENT_SECONDS):
        _sweep(read_record(home, plan.host.name))
        due = list(_due(plan, user_home))
        if plan.removes:
            copies = {change.file: _backup_of(change.file, datetime.now(UTC)) for change in due if change.keeps_copy}
            _write_all(due, copies)
            _clean_up(plan, home)
            return tuple(map(str, copies.values()))
        return _install(plan, due, home)


def _sweep(record: Record | None) -> None:
    """Take away what a killed process left half-written beside the files."""
    for written in record.files if record else ():
        for path in (written.file, *written.backups):
            _fresh_name(Path(path)).unlink(missing_ok=True)


def _due(plan: Plan, user_home: Path) -> Iterator[Change]:
    """Yield what is still to be written; raises where a file is not as it was shown."""
    for change in plan.changes:
        now = find_target(change.file, user_home).data
        if now == change.before:
            yield change
        elif now != change.after:  # else another process has just done the same
            raise BusyError(
                f"{change.path} was changed meanwhile",
                intact="No file of the host was changed.",
                next_step="Run the same command again and look at the new difference.",
            )


def _install(plan: Plan, due: list[Change], home: Home) -> tuple[str, ...]:
    if not due:
        return ()
    now = datetime.now(UTC)
    record = read_record(home, plan.host.name)
    known = {written.file: written for written in record.files} if record else {}
    fresh: dict[Path, Path] = {}
    for change in due:
        if change.takes_out and str(change.file) not in known:
            # The bytes of before hold what is ours, and must not come back. Nothing tells whether a person wrote, too.
            if change.after is None:
                fresh[change.file] = _backup_of(change.file, now)
            continue
        written = _known_after(change, known.get(str(change.file)))
        if _needs_backup(change, written):
            fresh[change.file] = backup = _backup_of(change.file, now)
            written = msgspec.structs.replace(written, backups=(*written.backups, str(backup)))
        known[str(change.file)] = written
    store_record(home, Record(host=plan.host.name, version=__version__, at=now, files=tuple(known.values())))
    _write_all(due, fresh)
    gone = (known[str(change.file)] for change in due if change.after is None and str(change.file) in known)
    _tidy((*plan.folders, *(Path(folder) for written in gone for folder in written.folders)))
    return tuple(map(str, fresh.values()))


def _write_all(due: list[Change], copies: Mapping[Path, Path]) -> None:
    for change in due:
        if copy := copies.get(change.file):
            _replace(copy, change.before or b"", like=None)
        _write(change)


def _known_after(change: Change, old: Written | None) -> Written:
    """What the record says of a file as soon as it is written."""
    before, after = hash_of(change.before), hash_of(change.after)
    if old is None or before == old.before:
        backups = old.backups if old else ()
        folders = old.folders if old else ()
        missing = tuple(str(above) for above in reversed(change.file.parents) if not above.exists())
        return Written(
            file=str(change.file),
            before=before,
            ours=(after,),
            exact=True,
            backups=backups,
            folders=folders or missing,
        )
    return msgspec.structs.replace(old, ours=(*old.ours, after), exact=old.exact and before in old.ours)


def _needs_backup(change: Change, written: Written) -> bool:
    """Whether the bytes that give way are nobody's but the person's, and lie nowhere else."""
    now = hash_of(change.before)
    stays = change.takes_out and change.after is not None  # all that is not ours
    if change.before is None or stays or now in written.ours[:-1]:
        return False
    return not any(_holds(Path(backup), now) for backup in written.backups)


def _holds(backup: Path, expected: str | None) -> bool:
    with suppress(OSError):
        return hash_of(backup.read_bytes()) == expected
    return False


def _backup_of(file: Path, now: datetime) -> Path:
    """A name that tells whose it is and when, and that no host reads."""
    base = file.with_name(f"{file.name}.vademecum-{now:%Y%m%dT%H%M%SZ}.bak")
    taken = (base.with_name(f"{base.stem}-{number}.bak") for number in count(2))
    return base if not os.path.lexists(base) else next(path for path in taken if not os.path.lexists(path))


def _write(change: Change) -> None:
    try:
        if change.after is None:
            change.file.unlink(missing_ok=True)
            fsync_path(change.file.parent)
        else:
            make_private_folders(change.file.parent)
            _replace(change.file, change.after, like=change.file)
    except OSError as error:
        raise StorageError(
            f"{change.path} cannot be written: {error.strerror}",
            intact="This file is as it was; what was written before it can be taken out again.",
            next_step="Make room or mend the permissions, then run the same command again, or `vade uninstall`.",
            paths=(str(change.path),),
        ) from error


def _replace(file: Path, data: bytes, *, like: Path | None) -> None:
    """Write a file whole in the place of the one before. `like`: the file whose mode and owner it gets."""
    fresh = _fresh_name(file)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, _PRIVATE)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            _make_like(descriptor, like)
            stream.write(data)
            stream.flush()
            os.fsync(descriptor)
        fresh.replace(file)
    except OSError:
        with suppress(OSError):  # the first error is the one to tell
            fresh.unlink()
        raise
    fsync_path(file.parent)


def _fresh_name(file: Path) -> Path:
    """One name only, for only the holder of the lock writes: what a killed process left is found again."""
    return file.with_name(f".{file.name}.vademecum-new")


def _make_like(descriptor: int, like: Path | None) -> None:
    if like is None or not like.exists():
        os.fchmod(descriptor, _PRIVATE)  # a killed process may have left it
        return
    status = like.stat()
    if (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(PermissionError):  # only root may give a file away, and only root has to
            os.fchown(descriptor, status.st_uid, status.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


def _clean_up(plan: Plan, home: Home) -> None:
    for written in plan.spent:
        for backup in map(Path, written.backups):
            backup.unlink(missing_ok=True)
    _tidy(plan.folders)
    drop_record(home, plan.host.name)


def _tidy(folders: Iterable[Path]) -> None:
    """Take away the folders that are empty, the innermost first."""
    for folder in sorted(set(folders), reverse=True):
        with suppress(OSError):  # something is in it, or it is gone
            folder.rmdir()
