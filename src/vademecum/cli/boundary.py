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

__all__ = ["error_boundary"]

_BUG = 70
_INTERRUPTED = 130
_STORAGE_ERRNOS = {errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EPERM, errno.EDQUOT, errno.EIO, errno.ENOTDIR}


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
    except BrokenPipeError:
        # The reader of our output went away (`vade log | head`): nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        if error.errno not in _STORAGE_ERRNOS:
            _report_bug(error)
        _fail(StorageError(f"{error.filename or 'the disk'}: {error.strerror}"), as_json=as_json)
    except Exception as error:  # noqa: BLE001  the boundary is where unexpected errors end
        _report_bug(error)


def _fail(error: VademecumError, *, as_json: bool) -> NoReturn:
    message = str(error).replace("\n", " ")
    if as_json:
        shape = {
            "code": error.code,
            "message": message,
            "intact": error.intact,
            "next": error.next_step,
            "retriable": error.retriable,
        }
        click.echo(msgspec.json.encode({"error": shape}).decode())
    click.echo(f"error[{error.code}]: {message}\n{error.intact}\nnext: {error.next_step}", err=True)
    sys.exit(error.exit_code)


def _report_bug(error: BaseException) -> NoReturn:
    lines = traceback.format_exception(error)
    click.echo("".join(lines) if os.environ.get("VADEMECUM_DEBUG") else lines[-1].rstrip(), err=True)
    click.echo("error[bug]: this is a fault of vademecum; nothing stored was changed by the failed step", err=True)
    click.echo("next: run the same command with VADEMECUM_DEBUG=1 and report what it prints", err=True)
    sys.exit(_BUG)
