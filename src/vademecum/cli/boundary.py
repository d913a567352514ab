"""The only place that ends a process with an exit code, and says why.

0 done, 1 expected error, 2 usage, 3 busy, 4 refused by a safety check, 70 bug, 130 interrupted,
143 asked to end (SIGTERM). An error prints
`error[code]: what happened`, what is intact, and the next step, on stderr; with `--json` stdout holds one object.
"""

import errno
import os
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from vademecum.cli.interrupts import Terminated, Unanswered
from vademecum.cli.printing import AnswerLost, finish_answer, flat, say, say_json
from vademecum.errors import StorageError, UsageError, VademecumError

__all__ = ["PartlyDone", "ReaderGone", "error_boundary"]

_KEPT = "what was finished is kept, the rest is done next time"
_INTERRUPTED = 130
_TERMINATED = 143
_STORAGE_ERRNOS = {
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.EIO,
    errno.ENOENT,
    errno.ENOTDIR,
    errno.EISDIR,
    errno.EEXIST,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.EMFILE,
    errno.ENFILE,
}


class _Bug(VademecumError):
    """What no code of ours expected."""

    code = "bug"
    exit_code = 70
    intact = "Nothing that was stored was changed by the failed step."
    next_step = "Run the same command with VADEMECUM_DEBUG=1 and report what it prints."


class PartlyDone(Exception):
    """One part was done and another refused; `shape` is what `--json` says of the first beside the error."""

    def __init__(self, error: VademecumError, shape: dict[str, object]) -> None:
        super().__init__(str(error))
        self.error, self.shape = error, shape


class ReaderGone(Exception):
    """Whoever read our output went away (`vade log | head`)."""


@contextmanager
def error_boundary(*, as_json: bool) -> Generator[None]:
    """Ends the process with the right code, whatever happens inside."""
    try:
        yield
        finish_answer()
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        _fail(UsageError(error.format_message(), next_step=_help_of(error)), as_json=as_json)
    except VademecumError as error:
        _fail(error, as_json=as_json)
    except PartlyDone as partly:
        _fail(partly.error, as_json=as_json, done=partly.shape)
    except (KeyboardInterrupt, click.Abort) as interrupt:
        told = str(interrupt) if isinstance(interrupt, Unanswered) else _KEPT
        say(f"interrupted: {told}", err=True)
        # click hands an interrupt on as an error of its own.
        sys.exit(_TERMINATED if isinstance(interrupt.__cause__ or interrupt, Terminated) else _INTERRUPTED)
    except (BrokenPipeError, ReaderGone):
        _silence_stdout()  # nobody is left to tell
        sys.exit(0)
    except AnswerLost as lost:
        _silence_stdout()
        _fail(_lost(lost), as_json=False)
    except Exception as error:  # noqa: BLE001  the boundary is where unexpected errors end
        if isinstance(error, OSError) and error.errno in _STORAGE_ERRNOS:
            _fail(StorageError(f"{error.filename or 'the disk'}: {error.strerror}"), as_json=as_json)
        _report_bug(error, as_json=as_json)


def _silence_stdout() -> None:
    """What is still buffered must not fail once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _lost(lost: AnswerLost) -> StorageError:
    return StorageError(
        f"the answer could not be printed: {lost}",
        intact="What the command had done until then is done and stays.",
        next_step="Look at `vade log` before you run the command again, and send its answer where there is room.",
    )


def _help_of(error: click.ClickException) -> str | None:
    """Which help to read, where the command is known that was called the wrong way."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = context.command_path if context else ""
    takes_words = context and any(isinstance(one, click.Argument) for one in context.command.params)
    if isinstance(error, click.NoSuchOption) and takes_words:
        return f"Text that begins with `-` goes behind `--`: `{command} -- TEXT`. Run `{command} --help` for options."
    return f"Run `{command} --help` for its arguments and an example." if command else None


def _fail(error: VademecumError, *, as_json: bool, done: dict[str, object] | None = None) -> NoReturn:
    if as_json:
        _say_or_drop({**(done or {}), "error": {**_masked(error.shape()), "message": flat(_masked(str(error)))}})
    if error.details and not as_json:
        say(_masked(error.details), err=True)
    _say_lines(error)
    sys.exit(error.exit_code)


def _say_or_drop(shape: dict[str, object]) -> None:
    """Print the object of an error; where that cannot be, the message on stderr and the exit code still tell it."""
    try:
        say_json(shape)
    except AnswerLost:
        _silence_stdout()


def _say_lines(error: VademecumError) -> None:
    what, intact, next_step = (flat(_masked(text)) for text in (str(error), error.intact, error.next_step))
    say(f"error[{error.code}]: {what}\n{intact}\nnext: {next_step}", err=True)


def _masked(told: Any) -> Any:  # noqa: ANN401 (texts and objects of texts)
    """What an error says, without a secret that somebody typed, or that a file is called by."""
    from vademecum.secrets import mask_within

    return mask_within(told)


def _report_bug(error: BaseException, *, as_json: bool) -> NoReturn:
    lines = _masked(traceback.format_exception(error))
    bug = _Bug("this is a fault of vademecum")
    if as_json:
        _say_or_drop({"error": {**bug.shape(), "message": f"{bug}: {lines[-1].strip()}"}})
    say("".join(lines) if os.environ.get("VADEMECUM_DEBUG") else lines[-1].rstrip(), err=True)
    _say_lines(bug)
    sys.exit(bug.exit_code)
