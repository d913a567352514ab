"""opencode as a learner: a session on a server of its own, whose agent may read and edit one folder, or nothing.

A server that runs already is not used: it has the user's plugins and servers, which see every session. Ours gets a
folder of settings with nothing in it but the user's providers and model, and a database of its own, so that no session
stays behind; the login is where it always is. Source: the API and the configuration of 1.18.33.
"""

import json
import time
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from vademecum.errors import LearnerFailed, LearnerUnavailable
from vademecum.learners.hosts.agent import Answer, Errand
from vademecum.learners.hosts.environment import scrubbed
from vademecum.learners.hosts.opencode_api import Message, Session, State
from vademecum.learners.hosts.opencode_server import Server, serving
from vademecum.learners.hosts.processes import Limits, excerpt
from vademecum.learners.hosts.troubles import trouble
from vademecum.learners.limits_said import speaks_of_limit
from vademecum.sessions import LEARNER_MARK

__all__ = ["Opencode"]

_AGENT = LEARNER_MARK
_KEYS = (
    "*_API_KEY",
    "AWS_*",
    "AZURE_*",
    "CLOUDFLARE_*",
    "GITHUB_TOKEN",
    "GITLAB_TOKEN",
    "GOOGLE_*",
    "HF_TOKEN",
    "OPENCODE_AUTH_CONTENT",
    "OPENCODE_CONSOLE_TOKEN",
)
#: What of the user's settings concerns the model.
_KEPT_SETTINGS = ("model", "small_model", "provider", "enabled_providers", "disabled_providers")
_SWITCHED_OFF = (
    "AUTOUPDATE",
    "CLAUDE_CODE",
    "EXTERNAL_SKILLS",
    "LSP_DOWNLOAD",
    "PROJECT_CONFIG",
    "SHARE",
)
_PROMPT = "You do one task, as the message says, with the file tools that you have, if any. You ask nothing."
#: It tries again by itself, for as long as it takes; what does not get through by then is left for another day.
_MOST_RETRIES = 3
_LONGEST_WAIT_SECONDS = 60
_LOOK_SECONDS = 1.0


class Opencode:
    """The agent `opencode`."""

    name = "opencode"
    command = "opencode"
    input_tokens = 60_000
    reads_files = True

    def __init__(self, *, program: str, limits: Limits, environ: Mapping[str, str]) -> None:
        self._program, self._limits, self._environ = program, limits, environ
        #: The user's providers and model, once they were asked for.
        self._chosen: dict[str, Any] | None = None

    def ask(self, errand: Errand) -> Answer:
        """One session on a new server."""
        program = self._program
        if self._chosen is None:
            self._chosen = self._providers(program, errand.scratch)
        variables = {
            **_private(scrubbed(self._environ, _KEYS), errand.scratch),
            "XDG_CONFIG_HOME": str(errand.scratch / "config"),
            "OPENCODE_CONFIG_CONTENT": json.dumps({**self._chosen, **_restrictions(errand)}),
        }
        with serving(program, folder=errand.folder, environ=variables, limits=self._limits) as server:
            return _Conversation(server, errand, self._limits.seconds).answer()

    def _providers(self, program: str, scratch: Path) -> dict[str, Any]:
        """As the program itself reads them from the user's settings; asking that starts none of the user's servers."""
        variables = _private({**scrubbed(self._environ, _KEYS), **self._environ}, scratch)
        with serving(program, folder=scratch, environ=variables, limits=self._limits) as server:
            settings = server.call(dict[str, Any], "GET", "/global/config")
        return {name: settings[name] for name in _KEPT_SETTINGS if name in settings}


class _Conversation:
    """One question and its answer."""

    def __init__(self, server: Server, errand: Errand, seconds: float) -> None:
        self._server, self._errand, self._seconds = server, errand, seconds
        self._where = f"?directory={quote(str(errand.folder))}"
        self._id = server.call(Session, "POST", f"/session{self._where}", {"title": LEARNER_MARK}).id

    def answer(self) -> Answer:
        """Ask, and watch what becomes of it."""
        end = time.monotonic() + self._seconds
        pool = ThreadPoolExecutor(1)
        try:
            said = self._wait(pool.submit(self._ask), end)
        except BaseException:
            with suppress(LearnerFailed):
                self._server.call(bool, "POST", f"/session/{self._id}/abort{self._where}", seconds=2)
            raise
        finally:
            # Not waited for: a question that was given up ends with the server.
            pool.shutdown(wait=False)
        return self._read(said)

    def _ask(self) -> Message:
        body = {"agent": _AGENT, "parts": [{"type": "text", "text": self._errand.prompt}]}
        path = f"/session/{self._id}/message{self._where}"
        # Longer than it is waited for, so that there is one who decides.
        return self._server.call(Message, "POST", path, body, seconds=self._seconds + _LONGEST_WAIT_SECONDS)

    def _wait(self, asked: Future[Message], end: float) -> Message:
        while time.monotonic() < end:
            try:
                return asked.result(timeout=_LOOK_SECONDS)
            except NotYet:
                self._give_up_in_vain_retries()
        raise LearnerUnavailable(f"{Opencode.name} was not done after {self._seconds:.0f} seconds and was ended")

    def _give_up_in_vain_retries(self) -> None:
        states = self._server.call(dict[str, State], "GET", f"/session/status{self._where}")
        state = states.get(self._id, State())
        seconds = max(0.0, state.next / 1000 - time.time())
        is_hopeful = seconds < _LONGEST_WAIT_SECONDS and state.attempt < _MOST_RETRIES
        if state.type != "retry" or is_hopeful:
            return
        if speaks_of_limit(state.message):
            raise trouble(Opencode.name, state.message, retry_after_seconds=seconds)
        raise LearnerUnavailable(f"{Opencode.name} could not reach its model: {excerpt(state.message)}")

    def _read(self, said: Message) -> Answer:
        if failure := said.info.error:
            words = f"{failure.name}: {failure.data.message}"
            raise trouble(Opencode.name, words, status=failure.data.status_code)
        text = "\n".join(part.text for part in said.parts if part.type == "text")
        if not text.strip():
            raise LearnerFailed(f"{Opencode.name} answered nothing")
        session = self._server.call(Session, "GET", f"/session/{self._id}{self._where}")
        tokens = session.tokens
        return Answer(
            text=text,
            tokens_in=tokens.input + tokens.cache.read + tokens.cache.write,
            tokens_out=tokens.output + tokens.reasoning,
            cost_usd=session.cost,
        )


def _private(environ: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """With everything switched off that looks around or stays behind."""
    return {
        **environ,
        **{f"OPENCODE_DISABLE_{what}": "1" for what in _SWITCHED_OFF},
        "OPENCODE_DB": str(scratch / "opencode.db"),
    }


def _restrictions(errand: Errand) -> dict[str, Any]:
    return {
        "agent": {_AGENT: {"mode": "primary", "prompt": _PROMPT, "permission": _permission(errand)}},
        "share": "disabled",
        "autoupdate": False,
        "snapshot": False,
        "formatter": False,
        "lsp": False,
    }


def _permission(errand: Errand) -> dict[str, Any]:
    """The last rule that fits decides. Paths in rules are relative to the work tree that the folder stands in."""
    if not errand.may_write:
        return {"*": "deny"}
    folder = errand.folder.relative_to(_work_tree(errand.folder)).as_posix()
    inside = {"*": "deny", f"{folder}/*": "allow"}
    return {"*": "deny", "read": {**inside, folder: "allow"}, "edit": inside}


def _work_tree(folder: Path) -> Path:
    """As the program finds it: the nearest folder above with a `.git`, else the root of the file system."""
    return next((above for above in folder.parents if (above / ".git").exists()), Path(folder.anchor))
