"""Session files in the formats of four hosts, composed from one neutral script.

    script = Script(label="s1", cwd="/srv/demo", turns=(Human(text="use pnpm here"), Assistant(text="Done.")))
    path = write_claude_code(tmp_path, script)

`folder` is always the host's own data folder (`~/.claude`, `~/.codex`, `~/.local/share/opencode`, `~/.pi/agent`).
The same script and seed give the same bytes (an opencode database: the same rows).
"""

from support.compose.claude_code import write_claude_code
from support.compose.codex import write_codex
from support.compose.formats import Format, write_sessions
from support.compose.gemini import write_gemini
from support.compose.opencode import opencode_session_id, write_opencode_db, write_opencode_tree
from support.compose.pi import write_pi
from support.compose.script import (
    Assistant,
    Compaction,
    HostKind,
    HostText,
    Human,
    Rewound,
    Script,
    SubAgent,
    Tool,
    Turn,
    live_turns,
    shell,
)

__all__ = [
    "Assistant",
    "Compaction",
    "Format",
    "HostKind",
    "HostText",
    "Human",
    "Rewound",
    "Script",
    "SubAgent",
    "Tool",
    "Turn",
    "live_turns",
    "opencode_session_id",
    "shell",
    "write_claude_code",
    "write_codex",
    "write_gemini",
    "write_opencode_db",
    "write_opencode_tree",
    "write_pi",
    "write_sessions",
]
