"""Runs the real agent programs headless: a home of their own, an environment from scratch, a scripted model.

One `Client` per program holds all that differs between them. Source: the configuration references of Claude Code 2.1,
Codex 0.171, opencode 1.18, pi 0.73 and Gemini CLI 0.61.
"""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.clients import CLAUDE_CODE, CODEX, GEMINI, OPENCODE, OPENCODE_PLUGIN, PI, Package
from support.fake_model import FakeModel, Step
from support.fake_model_wires import MODEL

__all__ = ["CLIENTS", "Client", "Workplace", "kill", "prompt", "start", "surroundings"]

#: Clients start in 1 to 7 s; the rest is for slow machines.
RUN_SECONDS = 120
#: Nothing listens there: what does not go to loopback is refused at once.
NOWHERE = "http://127.0.0.1:9"
KEY = "none"


@dataclass(frozen=True, kw_only=True)
class Client:
    """One agent program and how to drive it."""

    #: vademecum's name of the host.
    host: str
    package: Package
    #: What has to be installed beside it.
    companions: tuple[Package, ...] = ()
    #: The client's own name of its shell tool, and its arguments for a command.
    shell_tool: str
    shell_arguments: Callable[[str], dict[str, Any]]
    #: Writes the configuration below a home, for a model at a URL.
    configure: Callable[[Path, str], None]
    #: Command line for a prompt in a new session, and in the newest session.
    begin: Callable[[str], list[str]]
    resume: Callable[[str], list[str]]
    #: More variables of the environment, given the URL of the model.
    environ: Callable[[str], dict[str, str]]

    @property
    def missing(self) -> list[str]:
        """What is not installed of all that is needed."""
        return [package.spec for package in (self.package, *self.companions) if not package.is_installed]

    def shell(self, command: str, text: str = "") -> Step:
        """A step in which the model runs a command."""
        return Step(text=text, tool=self.shell_tool, arguments=self.shell_arguments(command))


@dataclass(frozen=True, kw_only=True)
class Workplace:
    """Where a client works: its home, the project it is started in, and the model that it asks."""

    home: Path
    project: Path
    model: FakeModel


def surroundings(client: Client, place: Workplace) -> dict[str, str]:
    """The whole environment of the client."""
    return {
        "HOME": str(place.home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "SHELL": "/bin/sh",
        "TERM": "dumb",
        "HTTP_PROXY": NOWHERE,
        "HTTPS_PROXY": NOWHERE,
        "NO_PROXY": "127.0.0.1",
        **client.environ(place.model.url),
    }


def start(client: Client, words: str, place: Workplace, *, resume: bool = False) -> subprocess.Popen[str]:
    """Give the client one prompt, in its newest session or in a new one."""
    arguments = (client.resume if resume else client.begin)(words)
    # A group of its own: the programs that a launcher starts can be ended with it.
    return subprocess.Popen(
        [str(client.package.program), *arguments],
        cwd=place.project,
        env=surroundings(client, place),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def kill(process: subprocess.Popen[str]) -> str:
    """End the process and its group at once, as a crash would; what it had printed."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    return process.communicate()[0]


def prompt(client: Client, words: str, place: Workplace, *, resume: bool = False) -> None:
    """Give the client one prompt and wait for its answer. Raises AssertionError with its output where it fails."""
    process = start(client, words, place, resume=resume)
    try:
        output = process.communicate(timeout=RUN_SECONDS)[0]
    except subprocess.TimeoutExpired:
        output = kill(process)
    except BaseException:  # the test's own time limit, or Ctrl-C
        kill(process)
        raise
    assert process.returncode == 0, (
        f"{client.package.spec} ended with {process.returncode}; "
        f"it asked {place.model.asked}; it said:\n{output[-4000:]}"
    )


def write_json(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")


def configure_claude_code(home: Path, url: str) -> None:
    """All is said by variables and options."""


def configure_codex(home: Path, url: str) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(
        f"""
model = "{MODEL}"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
web_search = "disabled"

[model_providers.fake]
name = "Fake"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "FAKE_API_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false
""",
        encoding="utf-8",
    )


def configure_opencode(home: Path, url: str) -> None:
    folder = home / ".config" / "opencode"
    models = {MODEL: {"name": "Fake", "tool_call": True, "limit": {"context": 128_000, "output": 8_192}}}
    options = {"baseURL": f"{url}/v1", "apiKey": KEY}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "Fake", "options": options, "models": models}
    name = f"fake/{MODEL}"
    write_json(
        folder / "opencode.json",
        {"model": name, "small_model": name, "autoupdate": False, "share": "disabled", "provider": {"fake": provider}},
    )
    # With the finished installation in place, the first start has nothing to fetch.
    for entry in ("package.json", "package-lock.json", "node_modules"):
        (folder / entry).symlink_to(OPENCODE_PLUGIN.folder / entry)


def configure_pi(home: Path, url: str) -> None:
    model = {"id": MODEL, "name": "Fake", "input": ["text"], "contextWindow": 128_000, "maxTokens": 8_192}
    provider = {"baseUrl": f"{url}/v1", "api": "openai-completions", "apiKey": KEY, "models": [model]}
    write_json(home / ".pi" / "agent" / "models.json", {"providers": {"fake": provider}})


def configure_gemini(home: Path, url: str) -> None:
    write_json(
        home / ".gemini" / "settings.json",
        {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"disableAutoUpdate": True},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        },
    )


CLAUDE_CODE_OPTIONS = ["--model", MODEL, "--permission-mode", "bypassPermissions"]
PI_OPTIONS = ["-p", "--provider", "fake", "--model", MODEL]
#: A model by its name: else a router asks another one which to take.
GEMINI_OPTIONS = ["--model", "gemini-2.5-flash", "--approval-mode", "yolo", "--skip-trust"]

CLIENTS = (
    Client(
        host="claude-code",
        package=CLAUDE_CODE,
        shell_tool="Bash",
        shell_arguments=lambda command: {"command": command, "description": "Run a command"},
        configure=configure_claude_code,
        begin=lambda words: ["-p", words, *CLAUDE_CODE_OPTIONS],
        resume=lambda words: ["-p", words, "--continue", *CLAUDE_CODE_OPTIONS],
        environ=lambda url: {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            # Else it refuses to run commands unasked for root, whom containers run as.
            "IS_SANDBOX": "1",
        },
    ),
    Client(
        host="codex",
        package=CODEX,
        shell_tool="exec_command",
        shell_arguments=lambda command: {"cmd": command},
        configure=configure_codex,
        begin=lambda words: ["exec", words],
        resume=lambda words: ["exec", "resume", "--last", words],
        environ=lambda _url: {"FAKE_API_KEY": KEY},
    ),
    Client(
        host="opencode",
        package=OPENCODE,
        companions=(OPENCODE_PLUGIN,),
        shell_tool="bash",
        shell_arguments=lambda command: {"command": command, "description": "Run a command"},
        configure=configure_opencode,
        begin=lambda words: ["run", words],
        resume=lambda words: ["run", "--continue", words],
        environ=lambda _url: {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
    ),
    Client(
        host="pi",
        package=PI,
        shell_tool="bash",
        shell_arguments=lambda command: {"command": command},
        configure=configure_pi,
        begin=lambda words: [*PI_OPTIONS, words],
        resume=lambda words: [*PI_OPTIONS, "--continue", words],
        environ=lambda _url: {"PI_OFFLINE": "1"},
    ),
    Client(
        host="gemini",
        package=GEMINI,
        shell_tool="run_shell_command",
        shell_arguments=lambda command: {"command": command},
        configure=configure_gemini,
        begin=lambda words: [*GEMINI_OPTIONS, "-p", words],
        resume=lambda words: [*GEMINI_OPTIONS, "--resume", "latest", "-p", words],
        environ=lambda url: {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": url},
    ),
)
