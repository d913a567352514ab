"""Edits of memory files: one operation, one commit, or one proposal where an agent may not decide alone."""

import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from vademecum.artifacts import (
    DESCRIBED_BY,
    GENERATED,
    ROLLOUT_FOLDER,
    as_of_agent,
    as_of_person,
    is_offered,
    is_skill,
    unsettles,
)
from vademecum.engine.answers import Edit
from vademecum.engine.noting import refuse_odd_session
from vademecum.errors import RefusedError, SecretFound, UsageError
from vademecum.memfs import (
    Edited,
    EditRules,
    Operation,
    Provenance,
    Repository,
    Tree,
    Writer,
    again_when_moved,
    is_block,
    is_never_shown,
    operations,
    plain_spelling,
)
from vademecum.recall import refresh
from vademecum.secrets import mask
from vademecum.sessions import Origin
from vademecum.state import new_run_id

__all__ = ["MAX_REASON_CHARACTERS", "AskedBy", "Editor"]

MAX_REASON_CHARACTERS = 300

#: Pages that say who the agent is and who the person is: a change of them is announced.
_ANNOUNCED = frozenset({"system/persona.md", "system/human.md"})
#: What learning takes for a person's word when somebody edited it.
_LEARNED = tuple(map(plain_spelling, (ROLLOUT_FOLDER, *GENERATED)))

_DRAFT = "A skill of yours is a draft: nobody is offered it before the person writes `status: active` into its header."

_MOST_TURNS = 10**6
#: Letters, marks, numbers, punctuation and symbols; what lies between them is no word to anybody.
_VISIBLE = frozenset("LMNPS")


class AskedBy(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks: for an edit, as its commit will say, or to be shown something."""

    origin: Origin = Origin.HUMAN
    #: The host's session id.
    session: str | None = None
    #: The turn of the session, from 1 and below a million.
    turn: int | None = None
    #: Which agent it is, by the name of its host; empty where nobody said.
    host: str = ""
    #: The directory that the session works in; empty where nobody said.
    cwd: str = ""


_PERSON = AskedBy()


class Editor:
    """The edits of one identity's memory.

    Each method takes a `reason`, one line that becomes the commit's subject, and who asked (default: a person).
    Each returns an `Edit` and raises, with everything as it was:

    UsageError for blank arguments; UnsafePath, ReadOnly, FrontMatterInvalid, SecretFound, RefusedError for what may not
    be; NotFound, AlreadyExists, TextMismatch, PatchMismatch, PatchInvalid for what does not fit; NoChange; DirtyPath
    where a file holds a hand edit; BusyError, HeadMoved; StorageError.

    Parameters
    ----------
    repository: opens the memory repository; raises `RepositoryMissing`.
    create: makes the repository where there is none.
    cache: where the context of the newest revision is kept.
    model_edits: the setting `review.model_edits`.
    """

    def __init__(
        self, repository: Callable[[], Repository], create: Callable[[], object], *, cache: Path, model_edits: str
    ) -> None:
        self._repository, self._create = repository, create
        self._cache, self._model_edits = cache, model_edits

    def create(self, path: str, *, description: str, text: str = "", reason: str, asked_by: AskedBy = _PERSON) -> Edit:
        """Make a page; the memory too, where there is none."""
        return self._edit(
            lambda files, rules: operations.create(files, rules, path, description=description, text=text),
            reason,
            asked_by,
            may_be_first=True,
        )

    def str_replace(
        self,
        path: str,
        *,
        old: str,
        new: str,
        occurrence: int | None = None,
        every: bool = False,
        reason: str,
        asked_by: AskedBy = _PERSON,
    ) -> Edit:
        """Replace text in a page's body: the only match, the one of this number (from 1), or every one."""
        return self._edit(
            lambda files, rules: operations.str_replace(
                files, rules, path, old=old, new=new, occurrence=occurrence, every=every
            ),
            reason,
            asked_by,
        )

    def insert(self, path: str, *, line: int, text: str, reason: str, asked_by: AskedBy = _PERSON) -> Edit:
        """Insert lines before a file line; inside the header means the first of the body, past the end appends."""
        return self._edit(
            lambda files, rules: operations.insert(files, rules, path, line=line, text=text), reason, asked_by
        )

    def delete(self, path: str, *, reason: str, asked_by: AskedBy = _PERSON) -> Edit:
        """Delete a file, or a folder with all files in it."""
        return self._edit(lambda files, rules: operations.delete(files, rules, path), reason, asked_by)

    def rename(self, old: str, new: str, *, fix_links: bool = False, reason: str, asked_by: AskedBy = _PERSON) -> Edit:
        """Move a file or a folder; links to it are named in the answer, or rewritten."""
        return self._edit(
            lambda files, rules: operations.rename(files, rules, old, new, fix_links=fix_links), reason, asked_by
        )

    def describe(self, path: str, *, description: str, reason: str, asked_by: AskedBy = _PERSON) -> Edit:
        """Give a page another description; a person may also say again what an agent said of it."""
        without = (DESCRIBED_BY,) if asked_by.origin is Origin.HUMAN else ()
        return self._edit(
            lambda files, rules: operations.describe(files, rules, path, description=description, without=without),
            reason,
            asked_by,
        )

    def patch(self, text: str, *, reason: str, asked_by: AskedBy = _PERSON) -> Edit:
        """Apply a patch: all of it or nothing; it may be the first write of a memory."""
        return self._edit(
            lambda files, rules: operations.apply_patch(files, rules, text), reason, asked_by, may_be_first=True
        )

    def _edit(self, operation: Operation, reason: str, asked_by: AskedBy, *, may_be_first: bool = False) -> Edit:
        subject = _subject(reason)
        _refuse_odd(asked_by)
        if may_be_first:
            self._create()
        repository = self._repository()
        rules = EditRules(root=repository.folder, is_person=asked_by.origin is Origin.HUMAN)
        # Under the lock, so that no writer of ours comes between the state that is read and the commit on it.
        with repository.writing(f"editing: {subject}"):
            answer = again_when_moved(lambda: self._write(repository, operation, rules, subject, asked_by))
        if answer.commit is not None:
            refresh(repository.tree(), self._cache)
        return answer

    def _write(
        self, repository: Repository, operation: Operation, rules: EditRules, subject: str, asked_by: AskedBy
    ) -> Edit:
        tree = repository.tree()
        edited = operation(tree, rules)
        if self._waits_for_review(edited, rules, tree):
            return _propose(repository, tree, edited, subject, asked_by)
        if rules.is_person:
            edited = msgspec.structs.replace(edited, edits=as_of_person(edited.edits, tree))
        else:
            edited = _judged(edited, tree)
        return _commit(repository, tree, edited, subject, asked_by)

    def _waits_for_review(self, edited: Edited, rules: EditRules, tree: Tree) -> bool:
        if rules.is_person or self._model_edits == "auto":
            return False
        return (
            self._model_edits == "propose"
            or any(
                is_block(path) or plain_spelling(path).startswith(_LEARNED) or _is_approved_skill(path, tree)
                for path in edited.edits
            )
            or unsettles(edited.edits, tree)
        )


def _is_approved_skill(path: str, tree: Tree) -> bool:
    return is_skill(path) and tree.has(path) and is_offered(tree, path)


def _judged(edited: Edited, tree: Tree) -> Edited:
    """The edit of an agent as it may stand; raises RefusedError where nothing is left that it may change."""
    edits = {
        path: text
        for path, text in as_of_agent(edited.edits, tree).items()
        if text is None or not tree.has(path) or tree.read(path) != text
    }
    if not edits:
        raise RefusedError(
            f"{', '.join(edited.paths)} would be as before: only the person says who described a page "
            f"(`{DESCRIBED_BY}`), and whether a skill is used (`status`)",
            next_step="Tell the person what you would change in the header; they can edit the file.",
            paths=edited.paths,
        )
    is_draft = any(text and is_skill(path) and not _is_approved_skill(path, tree) for path, text in edits.items())
    return msgspec.structs.replace(edited, edits=edits, notes=(*edited.notes, _DRAFT) if is_draft else edited.notes)


def _commit(repository: Repository, tree: Tree, edited: Edited, subject: str, asked_by: AskedBy) -> Edit:
    commit = repository.commit(edited.edits, subject=subject, provenance=_provenance(asked_by), on=tree.revision)
    assert commit is not None, "an operation that changes nothing raises NoChange"
    announced = _announcement(edited) if asked_by.origin is not Origin.HUMAN else ()
    lines = (f"{edited.done}; committed locally as {commit.id[:10]}", *edited.notes, *announced)
    return Edit(commit=commit.id, subject=commit.subject, paths=commit.paths, message="\n".join(lines))


def _propose(repository: Repository, tree: Tree, edited: Edited, subject: str, asked_by: AskedBy) -> Edit:
    proposal = _new_proposal(repository)
    edits = {path: None if text is None else text.encode() for path, text in edited.edits.items()}
    repository.keep_proposal(tree, edits, subject=subject, provenance=_provenance(asked_by, run=proposal))
    lines = (
        f"kept for the person's review as {proposal}: {edited.done}",
        "Memory is as before until the person accepts it: tell them that it waits.",
        *edited.notes,
    )
    return Edit(commit=None, subject=subject, paths=edited.paths, message="\n".join(lines), proposal=proposal)


def _new_proposal(repository: Repository) -> str:
    """An id that no proposal has; called under the write lock, so that none can take it meanwhile."""
    taken = frozenset(repository.proposals())
    while (proposal := new_run_id(datetime.now(UTC))) in taken:
        pass
    return proposal


def _provenance(asked_by: AskedBy, *, run: str | None = None) -> Provenance:
    return Provenance(
        writer=Writer.MEMORY_TOOL,
        session=asked_by.session,
        run=run,
        turn=asked_by.turn,
        origin=asked_by.origin.value,
    )


def _announcement(edited: Edited) -> tuple[str, ...]:
    return tuple(
        f"Tell the person in your next answer that you changed {path}, and how."
        for path in sorted(_ANNOUNCED & edited.edits.keys())
    )


def _subject(reason: str) -> str:
    """The reason as one line. Raises UsageError, SecretFound."""
    # What nobody sees would make a line in the log say something else than it shows.
    line = " ".join("".join(c for c in reason if unicodedata.category(c) != "Cf" and not is_never_shown(c)).split())
    if not any(unicodedata.category(c)[0] in _VISIBLE for c in line):
        raise UsageError("the reason is blank; say in one line why memory changes")
    if len(line) > MAX_REASON_CHARACTERS or any(unicodedata.category(c) in {"Cc", "Cs"} for c in line):
        raise UsageError(f"a reason is one line of at most {MAX_REASON_CHARACTERS} characters that can be printed")
    if (masked := mask(line)) != line:
        raise SecretFound(f"the reason holds something that looks like a secret: {masked}")
    return line


def _refuse_odd(asked_by: AskedBy) -> None:
    """Raises UsageError for a session or a turn that no host has."""
    if asked_by.turn is not None and not 1 <= asked_by.turn < _MOST_TURNS:
        raise UsageError(f"a turn is a number from 1 and below {_MOST_TURNS:,}, not {asked_by.turn}")
    refuse_odd_session(asked_by.session)
