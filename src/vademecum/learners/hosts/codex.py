"""Codex as a learner: `codex exec` with `apply_patch` in one folder and no other tool that does anything.

It gets a home of its own for each run, whose only file of the user's is the login: so there are no hooks, servers,
skills, plugins, instructions or memories, and no session stays behind. It can write but not read files, as reading is
what its shell is for; what it is to read stands in the prompt. `--strict-config` ends versions that do not know one of
these settings. Source: `codex exec --help` and `codex features list` of 0.171.0, and what that version was seen to do.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import tomlkit

from vademecum.errors import LearnerFailed, LoginRefused
from vademecum.learners.hosts.agent import Answer, Errand
from vademecum.learners.hosts.environment import scrubbed
from vademecum.learners.hosts.processes import Ended, Limits, run
from vademecum.learners.hosts.troubles import trouble

__all__ = ["Codex"]

_LOGIN_VARIABLES = ("CODEX_API_KEY", "OPENAI_*", "CODEX_CA_CERTIFICATE")
#: What of the user's settings concerns the login and the model.
_KEPT_SETTINGS = (
    "model",
    "model_provider",
    "model_providers",
    "model_reasoning_effort",
    "model_context_window",
    "openai_base_url",
    "chatgpt_base_url",
    "cli_auth_credentials_store",
    "forced_login_method",
    "forced_chatgpt_workspace_id",
)
#: Features that bring tools, or start something. No more than needed: an unknown one ends the run, also in a version
#: that has lost it.
_SWITCHED_OFF = (
    "apps",
    "daemon_auto_start",
    "goals",
    "hooks",
    "image_generation",
    "plugins",
    "shell_snapshot",
    "shell_tool",
    "tool_suggest",
    "unified_exec",
    "view_image",
)
_RESTRICTIONS: dict[str, Any] = {
    "approval_policy": "never",
    "web_search": "disabled",
    "project_doc_max_bytes": 0,
    "check_for_update_on_startup": False,
    "include_apps_instructions": False,
    "include_collaboration_mode_instructions": False,
    "include_environment_context": False,
    "include_permissions_instructions": False,
    "history": {"persistence": "none"},
    "analytics": {"enabled": False},
    "skills": {"include_instructions": False, "bundled": {"enabled": False}},
    "agents": {"enabled": False},
    "features": dict.fromkeys(_SWITCHED_OFF, False),
    "sandbox_workspace_write": {
        "network_access": False,
        "exclude_slash_tmp": True,
        "exclude_tmpdir_env_var": True,
    },
}
_OPTIONS = ("exec", "--json", "--ephemeral", "--skip-git-repo-check", "--strict-config", "-")


class _Item(msgspec.Struct, frozen=True):
    """Something that was said or done."""

    type: str = ""
    text: str = ""


class _Spent(msgspec.Struct, frozen=True):
    """What a turn took."""

    input_tokens: int = 0
    output_tokens: int = 0


class _Error(msgspec.Struct, frozen=True):
    """Why a turn failed."""

    message: str = ""


class _Event(msgspec.Struct, frozen=True):
    """What is read of the lines that it prints."""

    type: str
    item: _Item = _Item()
    usage: _Spent = _Spent()
    error: _Error = _Error()


class _Provider(msgspec.Struct, frozen=True):
    """What is read of a provider of the user's: which variables it needs."""

    env_key: str = ""
    env_http_headers: dict[str, str] = {}


class Codex:
    """The agent `codex`."""

    name = "codex"
    command = "codex"
    input_tokens = 120_000
    reads_files = False

    def __init__(self, *, program: str, limits: Limits, environ: Mapping[str, str]) -> None:
        self._program, self._limits, self._environ = program, limits, environ

    def ask(self, errand: Errand) -> Answer:
        """One run of `codex exec`."""
        program = self._program
        theirs = Path(self._environ.get("CODEX_HOME") or Path(self._environ.get("HOME", "/")) / ".codex")
        settings = _settings(theirs / "config.toml")
        home = errand.scratch / "home"
        home.mkdir(mode=0o700)
        self._lend_login(theirs, home, settings)
        sandbox = "workspace-write" if errand.may_write else "read-only"
        written = {**_kept(settings), **_RESTRICTIONS, "sandbox_mode": sandbox}
        (home / "config.toml").write_text(tomlkit.dumps(written), encoding="utf-8")
        prompt = errand.scratch / "prompt"
        prompt.write_text(errand.prompt, encoding="utf-8")
        environ = scrubbed(self._environ, (*_LOGIN_VARIABLES, *_keys(settings)))
        ended = run(
            [program, *_OPTIONS],
            folder=errand.folder,
            environ={**environ, "CODEX_HOME": str(home)},
            stdin=prompt,
            limits=self._limits,
        )
        return _answer(ended)

    def _lend_login(self, theirs: Path, home: Path, settings: Mapping[str, Any]) -> None:
        """A link, through which a login that is renewed meanwhile is written where it belongs."""
        login = theirs / "auth.json"
        if login.exists():
            (home / "auth.json").symlink_to(login)
        elif "model_provider" not in settings and not self._environ.get("CODEX_API_KEY"):
            raise LoginRefused(
                f"{self.name} has no login in {login}",
                next_step="Run `codex login`; where it uses the keyring, set `cli_auth_credentials_store` to `file`.",
            )


def _settings(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _kept(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: settings[name] for name in _KEPT_SETTINGS if name in settings}


def _keys(settings: Mapping[str, Any]) -> Iterator[str]:
    """The variables that hold keys of the user's own providers."""
    try:
        providers = msgspec.convert(settings.get("model_providers") or {}, dict[str, _Provider])
    except msgspec.ValidationError:
        return
    for provider in providers.values():
        yield from filter(None, (provider.env_key, *provider.env_http_headers.values()))


def _answer(ended: Ended) -> Answer:
    text, failed, tokens_in, tokens_out = "", "", 0, 0
    for event in _events(ended.output):
        match event.type:
            case "item.completed" if event.item.type == "agent_message":
                text = event.item.text
            case "turn.completed":
                tokens_in += event.usage.input_tokens
                tokens_out += event.usage.output_tokens
            case "turn.failed":
                failed = event.error.message or "the turn failed"
            case _:
                pass
    if failed or ended.status:
        raise trouble(Codex.name, failed or ended.errors or ended.output)
    if not text.strip():
        raise LearnerFailed(f"{Codex.name} answered nothing")
    return Answer(text=text, tokens_in=tokens_in, tokens_out=tokens_out)


def _events(output: str) -> Iterator[_Event]:
    for line in output.splitlines():
        try:
            yield msgspec.json.decode(line.encode(), type=_Event)
        except (msgspec.MsgspecError, UnicodeError):
            continue  # a warning between the events
