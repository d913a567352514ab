"""What a scrub takes out beside the repository, and the proof that nothing is left anywhere below an identity."""

from collections.abc import Iterable

import msgspec

from vademecum.artifacts import session_hash
from vademecum.engine.targets import Target
from vademecum.home import IdentityFolder
from vademecum.memfs import Find, Finder, Repository, look_in_files, look_in_objects, look_in_text, masked_name
from vademecum.recall import SearchIndex, drop_pins, refresh
from vademecum.secrets import mask
from vademecum.state import State, discard_broken

__all__ = ["ScrubProof", "scrub_and_prove", "take_out"]

_STEM_DIGITS = 12


class ScrubProof(msgspec.Struct, frozen=True, kw_only=True):
    """What the proof read, and what it found."""

    #: Objects of the repository that were read.
    objects: int
    #: Bytes that were read, of objects, rows and files.
    size_bytes: int
    #: Places that say the same by themselves: other files of memory, other sessions.
    elsewhere: tuple[Find, ...] = ()
    #: Places that hold words which should be gone.
    left: tuple[Find, ...] = ()


def take_out(folder: IdentityFolder, state: State, target: Target) -> None:
    """Take it out of the search index, and see that nothing of it lingers in the logs of the databases."""
    for path in target.every_path:
        state.usage.forget(path)
    state.truncate_log()
    discard_broken(folder.state)
    if folder.search.exists():
        with SearchIndex.open(folder.search) as index:
            index.forget(*target.every_path, *target.sessions)


def scrub_and_prove(
    folder: IdentityFolder, repository: Repository, state: State, target: Target, words: frozenset[str]
) -> ScrubProof:
    """Take the words out of the databases and caches, then read everything that there is.

    Raises `BusyError` where another process still reads one of the databases: call it again then.
    """
    finder = Finder(words, mask) if words else None
    _scrub_state(state, target, finder)
    for file in folder.cache.glob("*"):
        file.unlink()
    drop_pins(folder.pins)
    discard_broken(folder.state)
    refresh(repository.tree(), folder.cache)
    with SearchIndex.open(folder.search) as index:
        index.forget(*target.every_path, *target.sessions)
        if index.revision is not None:
            index.sync_memory(repository.tree())
        index.compact()
        if finder is None:
            return ScrubProof(objects=0, size_bytes=0)
        elsewhere = [*_in_memory(repository, finder), *_in_other_sessions(index, state, target, finder)]
    said = {find.words for find in elsewhere}
    rest = words - said
    if not rest:
        return ScrubProof(objects=0, size_bytes=0, elsewhere=_as_told(elsewhere))
    return _prove(folder, repository, state, Finder(rest, mask), elsewhere)


def _scrub_state(state: State, target: Target, finder: Finder | None) -> None:
    with state.transaction():
        for session in target.sessions:
            state.records.anonymise(session, f"forgotten-{session_hash(session)[:_STEM_DIGITS]}")
        for path in target.every_path:
            state.usage.forget(path)
        if finder is not None:
            state.runs.silence(lambda text: bool(finder.in_bytes(text.encode())))
            last = state.passes.last()
            if last and finder.in_bytes(f"{last.error} {last.next_step}".encode()):
                state.passes.clear()
    state.compact()


def _in_memory(repository: Repository, finder: Finder) -> list[Find]:
    """Files of the present state that say the same by themselves, with the line."""
    tree = repository.tree()
    return [
        Find(where=f"{path}:{number}", words=words)
        for path in tree.paths()
        if finder.in_bytes(tree.read_bytes(path))
        for number, line in enumerate(tree.read_bytes(path).split(b"\n"), 1)
        for words in finder.in_bytes(line)
    ]


def _in_other_sessions(index: SearchIndex, state: State, target: Target, finder: Finder) -> list[Find]:
    """Sessions that say the same: what they said is theirs, and they are forgotten one by one."""
    gone = frozenset(target.sessions)
    texts = ((f"session {name}", text.encode()) for name, text in index.session_texts() if name not in gone)
    said = look_in_text(finder, texts).finds
    heads = (head.session_id for head in state.records.heads() if head.session_id not in gone)
    records = (state.records.get(name) for name in heads)
    learned = (
        (f"session {record.session_id}", f"{record.raw_memory}\n{record.rollout_summary}".encode())
        for record in records
        if record
    )
    return list(dict.fromkeys((*said, *look_in_text(finder, learned).finds)))


def _prove(
    folder: IdentityFolder, repository: Repository, state: State, finder: Finder, elsewhere: Iterable[Find]
) -> ScrubProof:
    objects = look_in_objects(repository.folder, finder)
    rows = look_in_text(finder, ((f"{name} in state.db", text.encode()) for name, text in state.rows()))
    files = look_in_files(folder.root, finder)
    return ScrubProof(
        objects=objects.objects,
        size_bytes=objects.size_bytes + rows.size_bytes + files.size_bytes,
        elsewhere=_as_told(elsewhere),
        left=_as_told((*objects.finds, *rows.finds, *files.finds)),
    )


def _as_told(finds: Iterable[Find]) -> tuple[Find, ...]:
    """Each place once, as a person may read it: words that go may be a secret, and names of files may hold one."""
    return tuple(dict.fromkeys(Find(where=_masked(find.where), words=mask(find.words)) for find in finds))


def _masked(where: str) -> str:
    """Each word by itself; then all of it, for a name in which there are blanks."""
    return masked_name(" ".join(map(masked_name, where.split(" "))))
