"""What taking memory out of a host would change.

Where we were the last to write, the bytes of before come back. A file that somebody edited since loses only what is
ours; so does one whose backup is gone, and one that no record tells of.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from vademecum.home import Home
from vademecum.hosts.installing import Change, Plan, change_of
from vademecum.hosts.protocol import Host, Places
from vademecum.hosts.records import Written, read_record
from vademecum.hosts.targets import find_target, hash_of
from vademecum.private import read_plain_file

__all__ = ["plan_removal"]

_MOST_BYTES = 16 * 1024 * 1024
#: What is left of a file of ours when the last entry is out of it.
_BLANK = (b"", b"{}", b"\xef\xbb\xbf", b"\xef\xbb\xbf{}")


def plan_removal(host: Host, places: Places, home: Home) -> Plan:
    """What taking memory out would change; no changes: nothing of ours is there. Raises CannotEdit."""
    record = read_record(home, host.name)
    written = record.files if record else ()
    restored = [found for known in written if (found := _restored(known, places))]
    done = {change.file for change in restored}
    by_edit, told = _edited(host, places, done, written)
    return Plan(
        host=host,
        changes=tuple(change for change in (*restored, *by_edit) if change.before != change.after),
        told=told,
        removes=True,
        spent=tuple(known for known in written if Path(known.file) in done),
        folders=_folders(host, places, written),
    )


def _restored(known: Written, places: Places) -> Change | None:
    """The change that brings the bytes of before back; None where they must not, or cannot."""
    file = Path(known.file)
    data = find_target(file, places.user_home).data
    now = hash_of(data)
    before = None
    if now == known.before:
        before = data
    elif not known.exact or now not in known.ours:
        return None
    elif known.before is not None:
        before = _backup(known)
        if before is None:
            return None
    what = "goes: memory made it" if before is None else "gets its bytes of before back"
    return Change(path=file, file=file, what=what, before=data, after=before)


def _backup(known: Written) -> bytes | None:
    """The bytes of before, where a backup still has exactly them."""
    for backup in known.backups:
        try:
            data = read_plain_file(Path(backup), most_bytes=_MOST_BYTES, follows_links=False)
        except OSError:
            continue
        if hash_of(data) == known.before:
            return data
    return None


def _edited(
    host: Host, places: Places, done: set[Path], written: tuple[Written, ...]
) -> tuple[list[Change], tuple[str, ...]]:
    changes: list[Change] = []
    told: list[str] = []
    for edit in host.removal(places):
        change = change_of(edit, places)
        known = next((known for known in written if known.file == str(change.file)), None)
        if change.file in done or change.before == change.after:
            continue
        if change.after is None and not _is_ours(change, known) and _differs(change, host, places):
            told.append(f"{change.path} is not as it was written: a copy stays beside it")
            change = msgspec.structs.replace(change, keeps_copy=True)
        elif change.after is not None and change.after.strip() in _BLANK and known and known.before is None:
            change = msgspec.structs.replace(change, after=None)
        changes.append(change)
        told.extend(_why(change, known))
    return changes, tuple(told)


def _differs(change: Change, host: Host, places: Places) -> bool:
    """Whether an installation would write this file anew. Others are not asked: it may refuse one of them."""
    edits = (edit for edit in host.installation(places) if edit.path == change.path)
    return any(again.before != again.after for again in (change_of(edit, places) for edit in edits))


def _is_ours(change: Change, known: Written | None) -> bool:
    return known is not None and hash_of(change.before) in known.ours


def _why(change: Change, known: Written | None) -> Iterator[str]:
    """Why a file does not simply get its old bytes back."""
    if known is None or change.keeps_copy:
        return  # nothing tells what stood there; the diff shows what goes
    changed = not known.exact or hash_of(change.before) not in known.ours
    if changed:
        yield f"{change.path} was edited since: only what is ours is taken out"
    else:
        yield f"the backup of {change.path} is gone: only what is ours is taken out"
    if known.backups and changed:
        copies = " and ".join(known.backups)
        yield f"what stood there before lies in {copies}, which you can delete once you have looked at it"
    elif known.backups:
        yield f"it was {known.backups[0]}"


def _folders(host: Host, places: Places, written: tuple[Written, ...]) -> tuple[Path, ...]:
    made = (Path(folder) for known in written for folder in known.folders)
    return (*made, *host.own_folders(places))
