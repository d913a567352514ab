"""The error tree: what happened, what is still intact, what to do next.

    VademecumError                 exit 1
    ├── UsageError                 exit 2   the call itself is wrong
    │   ├── ConfigError                     a setting cannot be read
    │   ├── PatchInvalid                    a patch breaks its grammar
    │   └── UnknownIdentity                 nobody has written this identity yet
    ├── BusyError                  exit 3   somebody else holds the lock; retriable
    ├── RefusedError               exit 4   a safety check said no
    │   ├── UnsafePath                      a path leaves its root, or a link stands on the way
    │   ├── SecretFound                     text that would become durable holds a secret
    │   ├── FrontMatterInvalid              a memory file's header breaks the grammar
    │   ├── DirtyPath                       a file that would change has a hand edit that nobody committed
    │   ├── ReadOnly                        only a person may change this file
    │   ├── CannotEdit                      a host's configuration is not in a state that we may change
    │   ├── MergeConflict                   later changes stand in the way of taking one back, or of a proposal
    │   └── LandingRefused                  a learner's draft breaks a rule of the landing check
    ├── NotFound                            a path, session, run or revision does not exist
    ├── AlreadyExists                       something stands where a new file was to be
    ├── NoChange                            an edit would change nothing
    ├── TextMismatch                        the text to be replaced is not there, or there more than once
    │   └── PatchMismatch                   a hunk of a patch does not fit the file
    ├── StorageError                        the disk or the file system failed
    │   ├── GitFailed                       a git command failed, was not found, or took too long
    │   ├── FormatTooNew                    a newer version of the program wrote this repository
    │   ├── RepositoryMissing               there is no memory repository here
    │   └── DatabaseBroken                  the state or search database cannot be read
    ├── WordsRemain                         something was forgotten, and the same words still stand somewhere
    ├── HeadMoved                           the branch moved while a commit was built; retriable
    ├── SessionUnreadable                   a session cannot be read at all
    └── LearnerFailed                       a learner gave nothing usable
        ├── LearnerUnavailable                  the network, a time-out or the server's own trouble; retriable
        ├── QuotaReached                        the account of a model is used up for now
        ├── LoginRefused                        a key or a name of a model is wrong, or the login of an agent ended
        ├── InputTooLarge                       the model cannot read so much at once
        └── BudgetReached                       a limit that the person set for runs or days is reached

Every class carries a stable `code` and its `exit_code`; only `cli/boundary.py` ends a process with one.
"""


class VademecumError(Exception):
    """An expected failure; `str(error)` says what happened in one sentence.

    Parameters
    ----------
    message: what happened, one sentence without a full stop.
    intact: what is still as it was (default: the class's own sentence).
    next_step: what the reader can do now (default: the class's own sentence).
    paths: memory paths or files concerned, in the order they should be looked at.
    details: what helps to see the cause, in several lines; empty for most.
    """

    code = "error"
    exit_code = 1
    retriable = False
    intact = "Nothing that was stored has changed."
    next_step = "Run `vade status` to see the state of this identity."

    def __init__(
        self,
        message: str,
        *,
        intact: str | None = None,
        next_step: str | None = None,
        paths: tuple[str, ...] = (),
        details: str = "",
    ) -> None:
        super().__init__(message)
        self.intact = intact or type(self).intact
        self.next_step = next_step or type(self).next_step
        self.paths = paths
        self.details = details

    def shape(self) -> dict[str, object]:
        """What a program is told of it, as plain values."""
        return {
            "code": self.code,
            "message": str(self),
            "intact": self.intact,
            "next": self.next_step,
            "retriable": self.retriable,
        }


class UsageError(VademecumError):
    """The command or call has a wrong argument."""

    code = "usage"
    exit_code = 2
    next_step = "Run the command with --help for its arguments and an example."


class ConfigError(UsageError):
    """A setting cannot be read or has no meaning."""

    code = "config"
    next_step = "Correct the file or the variable; `vade config list` shows every setting."


class UnknownIdentity(UsageError):
    """An identity was named that has no memory yet."""

    code = "unknown_identity"
    next_step = "Run `vade init --identity NAME` to create it, or `vade home` to list what is there."


class PatchInvalid(UsageError):
    """A patch breaks its grammar; the message names the line."""

    code = "patch"
    next_step = "Send the whole patch again, from `*** Begin Patch` to `*** End Patch`."


class BusyError(VademecumError):
    """Another process holds the lock that this call needs."""

    code = "busy"
    exit_code = 3
    retriable = True
    next_step = "Try again in a moment."


class RefusedError(VademecumError):
    """A safety check said no."""

    code = "refused"
    exit_code = 4
    next_step = "Read the reason; nothing was written."


class UnsafePath(RefusedError):
    """A path would leave its root, names something hidden, or has a link on the way."""

    code = "unsafe_path"
    next_step = "Use a relative path inside the memory repository, without links."


class SecretFound(RefusedError):
    """Text that would become durable holds something that looks like a secret."""

    code = "secret"
    next_step = "Remove the secret and say where it is kept instead."


class FrontMatterInvalid(RefusedError):
    """The header of a memory file breaks the grammar of docs/format.md."""

    code = "front_matter"
    next_step = (
        "Begin the file with the three lines `---`, `description: WHAT THE PAGE IS ABOUT`, `---`; "
        "docs/format.md has the whole grammar."
    )


class DirtyPath(RefusedError):
    """A file that would be written holds a hand edit that is not committed yet."""

    code = "dirty"
    next_step = "Run `vade adopt` to commit the hand edit, or take it back, then try again."


class ReadOnly(RefusedError):
    """A file is marked `read_only`, or belongs to the person alone."""

    code = "read_only"
    next_step = "Only a person may change this file: ask them, or edit it by hand and run `vade adopt`."


class CannotEdit(RefusedError):
    """A file of a host cannot be read, or is not ours to change."""

    code = "host_file"
    intact = "No file of the host was changed."
    next_step = "Correct the file, then run the same command again."


class MergeConflict(RefusedError):
    """Later changes of the same lines stand in the way."""

    code = "conflict"
    next_step = "Run `vade log PATH` and `vade diff` to see the later changes, then edit the file."


class LandingRefused(RefusedError):
    """A draft breaks a rule of the landing check (the table in docs/security.md)."""

    code = "landing"
    next_step = "The learner's input waits for the next run; `vade runs` shows the reason."


class NotFound(VademecumError):
    """A path, session, run or revision does not exist."""

    code = "not_found"
    next_step = "Run `vade ls`, `vade sessions` or `vade runs` to see what there is."


class AlreadyExists(VademecumError):
    """Something stands where a new file was to be."""

    code = "exists"
    next_step = "Read the file that is there and change it, or choose another path."


class NoChange(VademecumError):
    """An edit would leave everything as it is."""

    code = "no_change"
    next_step = "Nothing needs to be done: memory says this already."


class TextMismatch(VademecumError):
    """The text to be replaced is not in the file, or is there more often than was said."""

    code = "text_mismatch"
    next_step = "Read the file again and give the exact text, with enough of it to be found once."


class PatchMismatch(TextMismatch):
    """A hunk of a patch does not fit the file as it is."""

    code = "patch_context"
    next_step = "Read the file again and build the patch on what it holds now."


class StorageError(VademecumError):
    """The disk or the file system failed, or refuses what is needed."""

    code = "storage"
    next_step = "Check free space and permissions of the folder, then try again."


class RepositoryMissing(StorageError):
    """There is no memory repository at this place."""

    code = "no_repository"
    next_step = "Run `vade init` to create one."


class GitFailed(StorageError):
    """A git command failed, was not found, or took too long."""

    code = "git"
    next_step = "Run `vade doctor` to see whether git works and the repository is sound, then try again."


class FormatTooNew(StorageError):
    """A newer version of the program wrote this repository."""

    code = "format"
    next_step = "Update vademecum; nothing is written by this version."


class DatabaseBroken(StorageError):
    """The state or search database cannot be read."""

    code = "database"
    intact = "The memory repository is not touched by this."
    next_step = "Move the database file away; the next run rebuilds it from the repository and the sessions."


class WordsRemain(VademecumError):
    """What was to be forgotten is gone from memory, but some of its words could not be removed."""

    code = "words_remain"
    intact = "What you asked to forget is gone from memory and its history."
    next_step = "Look at the places above; forget those too, or edit them."


class HeadMoved(VademecumError):
    """The branch moved while a commit was being built."""

    code = "head_moved"
    retriable = True
    next_step = "Try again: the change is built anew on the present state."


class SessionUnreadable(VademecumError):
    """A session file or database cannot be read at all."""

    code = "session_unreadable"
    next_step = "Other sessions are not concerned; the skip is counted in `vade status`."


class LearnerFailed(VademecumError):
    """A learner gave nothing that can be used."""

    code = "learner"
    intact = "The session's text and everything learned before are as they were; the input waits."
    next_step = (
        "A later `vade learn` tries it again; where that goes on, choose another model or learner (`vade config`)."
    )


class LearnerUnavailable(LearnerFailed):
    """The network, a time-out or trouble of the server stood between us and the model."""

    code = "learner_unavailable"
    retriable = True
    next_step = "Nothing to do: a later `vade learn` tries it again, `vade learn --now` at once."


class QuotaReached(LearnerFailed):
    """The account of a model is used up for now.

    Parameters
    ----------
    model: which one, as the settings spell it.
    retry_after_seconds: what the server asked for; None where it did not say.
    """

    code = "quota"
    next_step = "Nothing to do: `vade status` says when it is tried again."

    def __init__(
        self,
        message: str,
        *,
        model: str = "",
        retry_after_seconds: float | None = None,
        intact: str | None = None,
        next_step: str | None = None,
        paths: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, intact=intact, next_step=next_step, paths=paths)
        self.model, self.retry_after_seconds = model, retry_after_seconds


class LoginRefused(LearnerFailed):
    """The key of a model is missing or wrong, there is no model of that name, or the login of an agent ended."""

    code = "login"
    next_step = "Set the key or log in to the agent again, then `vade learn`."


class InputTooLarge(LearnerFailed):
    """The model cannot read so much at once."""

    code = "too_large"
    next_step = "Nothing to do: the next try gives it less."


class BudgetReached(LearnerFailed):
    """A limit that the person set for runs or days is reached."""

    code = "budget"
    next_step = (
        "Wait for the next day, which begins at 00:00 UTC, or raise the limit: `vade config` shows it, `vade usage` "
        "what was spent."
    )
