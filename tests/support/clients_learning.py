"""The real agent programs as learners: a home full of traps, a model that tries to break out, and what it may do.

A trap writes its name into one log; whatever stands there afterwards got through. The names of tools and settings are
those of the versions in `clients`.
"""

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from support.clients_driving import KEY, NOWHERE, Client, write_json
from support.fake_model import Step
from support.fake_model_wires import MODEL
from vademecum.learners import Prompt
from vademecum.learners.hosts import HostLearner, host_learner

__all__ = ["CODEX_MODEL", "LEARNING", "MARKS", "NEW_SUMMARY", "Learning", "Scene", "prompt_of"]

#: Texts of the person's own setup; none of them may reach the model.
MARKS = ("PERSONS-INSTRUCTIONS", "PERSONS-SKILL", "PERSONS-PLUGIN", "DRAFT-INSTRUCTIONS")
NEW_SUMMARY = "v1\n"
#: A model that Codex knows and gives its patch tool to.
CODEX_MODEL = "gpt-5.5"


@dataclass(frozen=True)
class Scene:
    """The folders of one run."""

    home: Path
    draft: Path
    #: What lies around the draft; nothing may appear here.
    around: Path
    #: Where traps write their names.
    log: Path

    def trap(self, name: str) -> str:
        """A command that tells that it was run."""
        return f"echo {name} >> {self.log}"


@dataclass(frozen=True, kw_only=True)
class Learning:
    """One client as a learner."""

    client: Client
    #: Writes the person's setup with its traps, for a model at a URL.
    configure: Callable[[Scene, str], None]
    #: Tools in the request of a consolidation, and of an extraction.
    tools: frozenset[str]
    tools_without_files: frozenset[str]
    #: The step that writes `memory_summary.md` in the draft, and those that try what is forbidden.
    write: Callable[[Path, str], Step]
    attacks: Callable[[Scene], Sequence[Step]]

    def learner(self, scene: Scene, url: str) -> HostLearner:
        """The learner in an environment of its own."""
        return host_learner(
            self.client.host,
            program=str(self.client.package.program),
            time_limit_minutes=2,
            environ={
                "HOME": str(scene.home),
                "PATH": os.environ["PATH"],
                "LANG": "C.UTF-8",
                "HTTP_PROXY": NOWHERE,
                "HTTPS_PROXY": NOWHERE,
                "NO_PROXY": "127.0.0.1",
                "CLAUDECODE": "1",
                **self.client.environ(url),
            },
        )


def prompt_of(words: str) -> Prompt:
    return Prompt(instructions=words, data="Data.")


def hooks(scene: Scene) -> dict[str, object]:
    events = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd")
    return {
        "hooks": {event: [{"hooks": [{"type": "command", "command": scene.trap(event)}]}] for event in events},
    }


def skill(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: mine\ndescription: PERSONS-SKILL\n---\nBody.\n", encoding="utf-8")


def server(scene: Scene) -> list[str]:
    return ["/bin/sh", "-c", f"{scene.trap('server')}; cat"]


def configure_claude_code(scene: Scene, _url: str) -> None:
    folder = scene.home / ".claude"
    allowed = {"permissions": {"allow": ["Bash", "Write", "WebFetch"], "additionalDirectories": [str(scene.around)]}}
    for settings in (folder / "settings.json", scene.draft / ".claude" / "settings.json"):
        write_json(settings, {**hooks(scene), **allowed, "model": MODEL})
    (folder / "CLAUDE.md").write_text("PERSONS-INSTRUCTIONS", encoding="utf-8")
    (scene.draft / "CLAUDE.md").write_text("DRAFT-INSTRUCTIONS", encoding="utf-8")
    skill(folder / "skills" / "mine")
    program, *arguments = server(scene)
    servers = {"mcpServers": {"mine": {"type": "stdio", "command": program, "args": arguments}}}
    write_json(scene.home / ".claude.json", servers)
    write_json(scene.draft / ".mcp.json", servers)


def configure_codex(scene: Scene, url: str) -> None:
    folder = scene.home / ".codex"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(
        f"""
notify = ["/bin/sh", "-c", {json.dumps(scene.trap("notify"))}]
model = "{CODEX_MODEL}"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.fake]
name = "Fake"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "FAKE_API_KEY"
request_max_retries = 0
stream_max_retries = 0

[features]
memories = true

[mcp_servers.mine]
command = "/bin/sh"
args = {json.dumps(server(scene)[1:])}
""",
        encoding="utf-8",
    )
    write_json(folder / "hooks.json", hooks(scene))
    (folder / "AGENTS.md").write_text("PERSONS-INSTRUCTIONS", encoding="utf-8")
    (scene.draft / "AGENTS.md").write_text("DRAFT-INSTRUCTIONS", encoding="utf-8")
    skill(folder / "skills" / "mine")
    skill(scene.home / ".agents" / "skills" / "mine")


PLUGIN = """import fs from "fs"
export const Mine = async () => {
  fs.appendFileSync("%s", "plugin\\n")
  return { "experimental.chat.system.transform": async (_, output) => { output.system.push("PERSONS-PLUGIN") } }
}
"""


def configure_opencode(scene: Scene, url: str) -> None:
    folder = scene.home / ".config" / "opencode"
    models = {MODEL: {"name": "Fake", "tool_call": True, "limit": {"context": 128_000, "output": 8_192}}}
    options = {"baseURL": f"{url}/v1", "apiKey": KEY}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "Fake", "options": options, "models": models}
    settings = {
        "model": f"fake/{MODEL}",
        "provider": {"fake": provider},
        "permission": {"bash": "allow", "external_directory": "allow", "edit": "allow"},
        "mcp": {"mine": {"type": "local", "command": server(scene), "enabled": True}},
        "instructions": [str(scene.home / "mine.md")],
    }
    write_json(folder / "opencode.json", settings)
    (scene.home / "mine.md").write_text("PERSONS-INSTRUCTIONS", encoding="utf-8")
    (folder / "AGENTS.md").write_text("PERSONS-INSTRUCTIONS", encoding="utf-8")
    (scene.draft / "AGENTS.md").write_text("DRAFT-INSTRUCTIONS", encoding="utf-8")
    write_json(scene.draft / "opencode.json", {"mcp": settings["mcp"]})
    skill(folder / "skills" / "mine")
    for plugins in (folder, scene.home / ".opencode", scene.draft / ".opencode"):
        (plugins / "plugin").mkdir(parents=True)
        (plugins / "plugin" / "mine.js").write_text(PLUGIN % scene.log, encoding="utf-8")


def added_file(path: Path, text: str) -> Step:
    lines = "".join(f"+{line}\n" for line in text.splitlines())
    return Step(tool="apply_patch", free_form=f"*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n")


LEARNING = {
    "claude-code": lambda client: Learning(
        client=client,
        configure=configure_claude_code,
        # The last is a place that is kept free, for tools that would be loaded later.
        tools=frozenset({"Read", "Write", "Edit", "Glob", "Grep", "DeferredToolPlaceholder"}),
        tools_without_files=frozenset(),
        write=lambda path, text: Step(tool="Write", arguments={"file_path": str(path), "content": text}),
        attacks=lambda scene: [
            client.shell(scene.trap("shell")),
            Step(tool="Write", arguments={"file_path": str(scene.around / "outside.md"), "content": "x"}),
            Step(tool="Write", arguments={"file_path": f"{scene.draft}/../outside.md", "content": "x"}),
            Step(tool="Read", arguments={"file_path": str(scene.around / "private.md")}),
            Step(tool="Grep", arguments={"pattern": "PRIVATE", "path": str(scene.around)}),
            Step(tool="mcp__mine__recall", arguments={"query": "x"}),
            Step(tool="WebFetch", arguments={"url": f"{NOWHERE}/", "prompt": "x"}),
            Step(tool="Agent", arguments={"description": "x", "prompt": "x"}),
        ],
    ),
    "codex": lambda client: Learning(
        client=client,
        configure=configure_codex,
        # The first works in another mode only. Without a file to write, the sandbox refuses what the second does.
        tools=frozenset({"request_user_input", "apply_patch"}),
        tools_without_files=frozenset({"request_user_input", "apply_patch"}),
        write=added_file,
        attacks=lambda scene: [
            client.shell(scene.trap("shell")),
            Step(tool="shell", arguments={"command": ["sh", "-c", scene.trap("shell")]}),
            added_file(scene.around / "outside.md", "x"),
            added_file(Path("../outside.md"), "x"),
            added_file(Path(f"/tmp/vademecum-outside-{os.getpid()}.md"), "x"),
            Step(tool="recall", namespace="mcp__mine", arguments={"query": "x"}),
            Step(tool="spawn_agent", namespace="multi_agent_v1", arguments={"message": "x"}),
        ],
    ),
    "opencode": lambda client: Learning(
        client=client,
        configure=configure_opencode,
        tools=frozenset({"read", "write", "edit"}),
        tools_without_files=frozenset(),
        write=lambda path, text: Step(tool="write", arguments={"filePath": str(path), "content": text}),
        attacks=lambda scene: [
            client.shell(scene.trap("shell")),
            Step(tool="write", arguments={"filePath": str(scene.around / "outside.md"), "content": "x"}),
            Step(tool="write", arguments={"filePath": f"{scene.draft}/../outside.md", "content": "x"}),
            Step(tool="read", arguments={"filePath": str(scene.around / "private.md")}),
            Step(tool="grep", arguments={"pattern": "PRIVATE", "path": str(scene.around)}),
            Step(tool="mine_recall", arguments={"query": "x"}),
            Step(tool="webfetch", arguments={"url": f"{NOWHERE}/", "format": "text"}),
            Step(tool="task", arguments={"description": "x", "prompt": "x", "subagent_type": "general"}),
        ],
    ),
}
