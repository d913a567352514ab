"""Claude Code as a learner: `claude -p`, with file tools in one folder or with none, and nothing of the user's setup.

`--restricted` takes away whatever runs code, the web and the settings files, and keeps the file tools inside the
working directory; `--safe-mode` leaves out hooks, plugins, skills and memory files. Versions that do not know these
options end with an error, so nothing runs unrestricted. Source: `claude --help` of 2.1.332, and what that version was
seen to do.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from vademecum.errors import LearnerFailed
from vademecum.learners.hosts.agent import Answer, Errand
from vademecum.learners.hosts.environment import pick, scrubbed
from vademecum.learners.hosts.processes import Ended, Limits, run
from vademecum.learners.hosts.troubles import trouble

__all__ = ["ClaudeCode"]

_FILE_TOOLS = "Read,Write,Edit,Glob,Grep"
_OPTIONS = (
    "-p",
    "--output-format",
    "json",
    "--restricted",
    "--safe-mode",
    "--strict-mcp-config",
    "--setting-sources",
    "",
    "--disable-slash-commands",
    "--no-chrome",
    "--no-session-persistence",
    "--permission-prompts",
    "none",
)
#: Whom it logs in to, and how.
_LOGIN = (
    "ANTHROPIC_*",
    "CLAUDE_CONFIG_DIR",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_*",
    "CLAUDE_CODE_SKIP_*_AUTH",
    "AWS_*",
    "GOOGLE_*",
    "CLOUD_ML_REGION",
    "VERTEX_REGION_*",
)
#: What of the user's settings concerns the login and the model.
_KEPT_SETTINGS = ("model", "apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "forceLoginMethod")
_QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    # Its own default tries for minutes what cannot become better, such as a key that is refused.
    "CLAUDE_CODE_MAX_RETRIES": "2",
    "DISABLE_AUTOUPDATER": "1",
}


class _Spent(msgspec.Struct, rename="camel"):
    """What one model took."""

    input_tokens: int = 0
    cache_read_input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    output_tokens: int = 0


class _Result(msgspec.Struct):
    """What is read of the object that it prints."""

    is_error: bool
    result: str = ""
    errors: tuple[str, ...] = ()
    api_error_status: int | None = None
    total_cost_usd: float | None = None
    spent: dict[str, _Spent] = msgspec.field(name="modelUsage", default_factory=dict[str, _Spent])


class ClaudeCode:
    """The agent `claude-code`."""

    name = "claude-code"
    command = "claude"
    input_tokens = 120_000
    reads_files = True

    def __init__(self, *, program: str, limits: Limits, environ: Mapping[str, str]) -> None:
        self._program, self._limits, self._environ = program, limits, environ

    def ask(self, errand: Errand) -> Answer:
        """One run of `claude -p`."""
        program = self._program
        settings = _settings(self._environ)
        prompt = errand.scratch / "prompt"
        prompt.write_text(errand.prompt, encoding="utf-8")
        ended = run(
            [program, *_OPTIONS, *_permissions(errand), "--settings", json.dumps(_kept(settings))],
            folder=errand.folder,
            environ={**pick(_variables(settings), _LOGIN), **scrubbed(self._environ, _LOGIN), **_QUIET},
            stdin=prompt,
            limits=self._limits,
        )
        return _answer(ended)


def _permissions(errand: Errand) -> list[str]:
    if errand.may_write:
        return ["--tools", _FILE_TOOLS, "--permission-mode", "acceptEdits"]
    return ["--tools", "", "--permission-mode", "dontAsk"]


def _settings(environ: Mapping[str, str]) -> dict[str, Any]:
    folder = environ.get("CLAUDE_CONFIG_DIR")
    path = (Path(folder) if folder else Path(environ.get("HOME", "/")) / ".claude") / "settings.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError, UnicodeError):
        return {}


def _kept(settings: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: settings[name] for name in _KEPT_SETTINGS if isinstance(settings.get(name), str)}
    return {**kept, "disableAllHooks": True}


def _variables(settings: Mapping[str, Any]) -> dict[str, str]:
    """What the settings put into the environment; given there and not on the command line, which others may see."""
    try:
        return msgspec.convert(settings.get("env") or {}, dict[str, str])
    except msgspec.ValidationError:
        return {}


def _answer(ended: Ended) -> Answer:
    try:
        result = msgspec.json.decode(ended.output.encode(), type=_Result)
    except (msgspec.MsgspecError, UnicodeError) as error:
        said = ended.errors.strip() or ended.output
        raise trouble(ClaudeCode.name, said) from error
    if result.is_error or ended.status:
        said = result.result or "\n".join(result.errors) or ended.errors
        raise trouble(ClaudeCode.name, said, status=result.api_error_status)
    if not result.result.strip():
        raise LearnerFailed(f"{ClaudeCode.name} answered nothing")
    spent = result.spent.values()
    return Answer(
        text=result.result,
        tokens_in=sum(
            each.input_tokens + each.cache_read_input_tokens + each.cache_creation_input_tokens for each in spent
        ),
        tokens_out=sum(each.output_tokens for each in spent),
        cost_usd=result.total_cost_usd,
    )
