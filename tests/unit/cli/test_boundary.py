"""One place turns whatever happens inside a command into a message and an exit code."""

import errno
import json
from types import SimpleNamespace

import click
import pytest

from vademecum.cli import cli
from vademecum.cli.boundary import error_boundary
from vademecum.errors import BusyError, NotFound, StorageError, UnsafePath, UsageError


def ended(error, capsys, *, as_json=False):
    """Exit code, stdout and stderr of a command that ended with this error."""
    with pytest.raises(SystemExit) as caught, error_boundary(as_json=as_json):
        raise error
    out, err = capsys.readouterr()
    return caught.value.code, out, err


def test_a_command_that_ends_well_is_let_through():
    with error_boundary(as_json=False):
        pass


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotFound("x"), 1),
        (StorageError("x"), 1),
        (UsageError("x"), 2),
        (click.UsageError("x"), 2),
        (click.BadParameter("x"), 2),
        (BusyError("x"), 3),
        (UnsafePath("x"), 4),
        (OSError(errno.ENOSPC, "No space left on device", "/x"), 1),
        (OSError(errno.EROFS, "Read-only file system", "/x"), 1),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), 1),
        (RuntimeError("x"), 70),
        (OSError(errno.EBADF, "Bad file descriptor"), 70),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else str(value),
)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_the_exit_code_is_the_contracts(error, code, as_json, capsys):
    assert ended(error, capsys, as_json=as_json)[0] == code


def test_the_message_has_three_lines_on_stderr(capsys):
    error = NotFound("there is no\nsuch thing", intact="All is well.", next_step="Look elsewhere.")
    _, out, err = ended(error, capsys)
    assert err == "error[not_found]: there is no such thing\nAll is well.\nnext: Look elsewhere.\n"
    assert out == ""


@pytest.mark.parametrize(
    "error", [BusyError("x"), UsageError("x"), OSError(errno.ENOSPC, "full", "/x"), RuntimeError("x")]
)
def test_with_json_stdout_holds_one_object(error, capsys):
    _, out, _ = ended(error, capsys, as_json=True)
    (line,) = out.splitlines()
    shape = json.loads(line)
    assert set(shape) == {"error"}
    assert set(shape["error"]) == {"code", "message", "intact", "next", "retriable"}


def test_what_may_be_tried_again_says_so(capsys):
    assert json.loads(ended(BusyError("x"), capsys, as_json=True)[1])["error"]["retriable"] is True
    assert json.loads(ended(NotFound("x"), capsys, as_json=True)[1])["error"]["retriable"] is False


def test_a_bug_says_that_it_is_ours_and_how_to_report_it(capsys, monkeypatch):
    _, _, err = ended(RuntimeError("boom"), capsys)
    assert "error[bug]" in err
    assert "boom" in err
    assert "Traceback" not in err
    monkeypatch.setenv("VADEMECUM_DEBUG", "1")
    assert "Traceback" in ended(RuntimeError("boom"), capsys)[2]


def test_a_command_decides_its_exit_code_without_an_error(monkeypatch):
    """What `vade learn` and `vade doctor` rely on: click itself only gives the code back."""

    @click.command()
    def command():
        click.get_current_context().exit(1)

    monkeypatch.setattr("vademecum.cli.app.import_module", lambda _name: SimpleNamespace(command=command))
    with pytest.raises(SystemExit) as caught:
        cli.main(["learn"])
    assert caught.value.code == 1
