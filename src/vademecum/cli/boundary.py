"""The one place that turns errors into messages and exit codes.

0 done, 1 expected error, 2 usage, 3 busy, 4 refused by a safety check, 70 bug, 130 interrupted. An error prints
`error[code]: what happened`, what is intact, and the next step, on stderr; with `--json` stdout holds one object.
"""

import errno
import os
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from typing import NoReturn

import click
import msgspec

from vademecum.errors import StorageError, UsageError, VademecumError

__all__ = ["ReaderGone", "error_boundary"]

_BUG = 70
_INTERRUPTED = 130
_STORAGE_ERRNOS = {errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EPERM, errno.EDQUOT, errno.EIO, errno.ENOTDIR}


class ReaderGone(Exception):
    """Whoever read our output went away (`vade log | head`)."""


@contextmanager
def error_boundary(*, as_json: bool) -> Generator[None]:
    """Ends the process with the right code, whatever happens inside."""
    try:
        yield
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as error:
        _fail(UsageError(error.format_message()), as_json=as_json)
    except VademecumError as error:
        _fail(error, as_json=as_json)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted: what was finished is kept, the rest is done next time", err=True)
        sys.exit(_INTERRUPTED)
    except (BrokenPipeError, ReaderGone):
        # Nobody is left to tell; what is still buffered must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.errno not in _STORAGE_ERRNOS:
            _report_bug(error, as_json=as_json)
        _fail(StorageError(f"{error.filename or 'the disk'}: {error.strerror}"), as_json=as_json)
    except Exception as error:  # noqa: BLE001  the boundary is where unexpected errors end
        _report_bug(error, as_json=as_json)


def _fail(error: VademecumError, *, as_json: bool) -> NoReturn:
    message = str(error).replace("\n", " ")
    if as_json:
        _echo_error(error.code, message, error.intact, error.next_step, retriable=error.retriable)
    click.echo(f"error[{error.code}]: {message}\n{error.intact}\nnext: {error.next_step}", err=True)
    sys.exit(error.exit_code)


def _echo_error(code: str, message: str, intact: str, next_step: str, *, retriable: bool) -> None:
    shape = {"code": code, "message": message, "intact": intact, "next": next_step, "retriable": retriable}
    click.echo(msgspec.json.encode({"error": shape}).decode())


def _report_bug(error: BaseException, *, as_json: bool) -> NoReturn:
    lines = traceback.format_exception(error)
    what = "this is a fault of vademecum"
    intact = "Nothing that was stored was changed by the failed step."
    next_step = "Run the same command with VADEMECUM_DEBUG=1 and report what it prints."
    if as_json:
        _echo_error("bug", f"{what}: {lines[-1].strip()}", intact, next_step, retriable=False)
    click.echo("".join(lines) if os.environ.get("VADEMECUM_DEBUG") else lines[-1].rstrip(), err=True)
    click.echo(f"error[bug]: {what}\n{intact}\nnext: {next_step}", err=True)
    sys.exit(_BUG)
