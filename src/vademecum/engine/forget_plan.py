"""The plan of one forgetting: what goes, worked out on one revision, and taken out of the repository and the state."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cached_property

import msgspec

from vademecum.artifacts import (
    ARCHIVE_PATH,
    GENERATED,
    HANDBOOK_PATH,
    Bullet,
    Forgotten,
    Remainder,
    statements_in,
    without,
)
from vademecum.engine.targets import Target, find_target
from vademecum.errors import NotFound
from vademecum.learning import (
    Sources,
    archive,
    bury_undone,
    catch_up,
    forget_bullets,
    forget_sessions,
    recent_undos,
    scopes_of,
    text_of,
)
from vademecum.memfs import (
    Former,
    Provenance,
    Repository,
    Scrub,
    Tree,
    Writer,
    commit_forgetting,
    find_meant,
    operations,
    scrub_history,
    without_trailers,
)
from vademecum.sessions import where_kept
from vademecum.state import State

__all__ = ["ForgetPlan", "ForgetPreview"]

_BY_A_PERSON = Provenance(writer=Writer.USER, origin="human")
#: So many characters in a row that a commit's message has in common with what is to go are no accident.
_QUOTED = 16
_QUOTED_WIDE = 6


class ForgetPreview(msgspec.Struct, frozen=True, kw_only=True):
    """What would go."""

    target: Target
    #: Bullets of handbook and summary that rest on nothing else: their words, each once.
    bullets: tuple[str, ...] = ()
    #: Bullets that stay, because others say the same.
    thinned: int = 0
    #: Links to files that go, one sentence each.
    links: tuple[str, ...] = ()
    #: Where the agents keep the sessions; that is theirs, and stays.
    transcripts: tuple[str, ...] = ()
    #: Nothing of it is left but what an interrupted call has still to take out of history, databases or the index.
    only_finishes: bool = False


class ForgetPlan:
    """One forgetting on one revision.

    Raises what `find_target` does; without `scrubs` the `NotFound` names the paths that only history holds.
    """

    def __init__(self, repository: Repository, state: State, words: str, *, scrubs: bool) -> None:
        self.repository, self.state = repository, state
        self.tree = repository.tree()
        self.former = Former(repository) if scrubs else None
        self.target = self._find(words)
        self.forgotten = Forgotten.of(paths=self.target.every_path, sessions=self.target.sessions)
        self.said = Sources(state, self.tree)
        self.left = {path: self._without(text_of(self.tree, path)) for path in GENERATED}

    def _find(self, words: str) -> Target:
        root = self.repository.folder
        try:
            return find_target(words, self.tree, self.state, self.former, root=root)
        except NotFound:
            known = None if self.former else find_meant(words, Former(self.repository).paths(), root=root)
            if known:
                raise NotFound(
                    f"{words} is gone from memory already; older commits still hold it",
                    next_step=f"Run `vade forget {words} --scrub` to take it out of history as well.",
                    paths=known.files,
                ) from None
            raise

    @property
    def gone(self) -> dict[str, Bullet]:
        """Bullets of handbook and summary that rest on nothing else, by key."""
        return {bullet.key: bullet for path in GENERATED if path != ARCHIVE_PATH for bullet in self.left[path].gone}

    @property
    def preview(self) -> ForgetPreview:
        """What goes, for a person."""
        going = frozenset(self.target.paths)
        sources = (source for name in self.target.sessions for source in self.state.sources.of_session(name))
        return ForgetPreview(
            target=self.target,
            bullets=tuple(dict.fromkeys(bullet.text for bullet in self.gone.values())),
            thinned=self.left[HANDBOOK_PATH].thinned,
            links=tuple(str(link) for link in operations.links_to(self.tree, going) if link.path not in going),
            transcripts=tuple(sorted({where_kept(source.path) for source in sources})),
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """Everything that goes, piece by piece, in all of its versions."""
        records = (self.state.records.get(name) for name in self.target.sessions)
        texts = [f"{record.raw_memory}\n{record.rollout_summary}" for record in records if record]
        if self.former:
            files = (data for path in self.target.every_path for data in self.former.versions(path))
            texts += [data.decode(errors="replace") for data in files]
            artefacts = (data for path in GENERATED for data in self.former.versions(path))
            bullets = (bullet for data in artefacts for bullet in self._without(data.decode(errors="replace")).gone)
            texts += [f"- {bullet.text}" for bullet in bullets]
        found: set[str] = set()
        return frozenset(found.union(*map(statements_in, texts)))

    def _without(self, text: str) -> Remainder:
        return without(text, self.forgotten, self.said.words)

    def refuse_obstacles(self) -> None:
        """Raise `DirtyPath` where a person edited a file that is concerned and did not commit it."""
        for obstacle in self.repository.obstacles(self._cleaned(self.tree)).values():
            raise obstacle

    def commit(self) -> str | None:
        """Take it out of the present state."""
        now = datetime.now(UTC)
        edits = self._edits(self._let_go(now))
        done = commit_forgetting(
            self.repository, edits, self._cleaned, subject=self.target.subject, provenance=_BY_A_PERSON
        )
        return done and done.id

    def scrub(self) -> str | None:
        """Take it out of every state that there ever was; None where none held anything of it any more."""
        quoted = _Quotes(self.words)
        ancestor = self._let_go(datetime.now(UTC))
        artefacts = dict.fromkeys(GENERATED, self._clean)
        removed = dict.fromkeys(self.target.every_path, _nothing)
        wanted = Scrub(
            changes={**artefacts, **removed},
            quotes=quoted,
            edits=self._edits(ancestor),
            subject=self.target.subject,
            provenance=_BY_A_PERSON,
        )
        scrub_history(self.repository, wanted)
        head = self.repository.head()
        return None if head == self.tree.revision else head

    def _let_go(self, now: datetime) -> Mapping[str, str]:
        """Bring the state to it; gives the artefacts as the last consolidation left them."""
        undos = recent_undos(self.repository)
        ancestor = catch_up(self.state, self.repository, self.tree, undos, now).ancestor
        # Else the next learn would find them undone and their note gone, and bury them with all their words.
        bury_undone(self.state, undos, self.tree, self.said, leaving=self.target.every_path)
        scopes = scopes_of(text_of(self.tree, HANDBOOK_PATH))
        forget_bullets(self.state, {key: scopes.get(key, "") for key in self.gone}, self.forgotten, self.said, now)
        forget_sessions(self.state, self.target.sessions, now)
        return ancestor

    def _edits(self, ancestor: Mapping[str, str]) -> dict[str, bytes | None]:
        edits = self._cleaned(self.tree)
        former = self._without(ancestor[ARCHIVE_PATH]).text
        listed = archive(self.state.tombstones.all(), self.left[ARCHIVE_PATH].text, former)
        return edits if listed is None else {**edits, ARCHIVE_PATH: listed.encode()}

    def _cleaned(self, tree: Tree) -> dict[str, bytes | None]:
        """What has to change in a tree for it to hold nothing of what goes."""
        edits: dict[str, bytes | None] = {path: None for path in self.target.every_path if tree.has(path)}
        artefacts = (path for path in GENERATED if tree.has(path))
        return edits | {path: self._clean(tree.read_bytes(path)) for path in artefacts}

    def _clean(self, data: bytes) -> bytes | None:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return data  # a person's own bytes: nothing of ours can be told from them
        left = self._without(text).text
        return data if left == text else left.encode() or None


def _nothing(_data: bytes) -> bytes | None:
    return None


class _Quotes:
    """Says whether a commit's message repeats words that go."""

    def __init__(self, words: frozenset[str]) -> None:
        self._corpus = "\n".join(" ".join(one.split()).casefold() for one in sorted(words))

    def __call__(self, message: str) -> bool:
        text = " ".join(without_trailers(message).split()).casefold()
        length = _QUOTED if text.isascii() else _QUOTED_WIDE
        windows = (text[at : at + length] for at in range(max(1, len(text) - length + 1)))
        return len(text) >= length and any(window in self._corpus for window in windows)
