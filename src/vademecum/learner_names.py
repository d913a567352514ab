"""How the learners are called that settings and commands may name; how an agent's shell is told from a person's."""

__all__ = ["AGENT_VARIABLES", "BUILT_IN", "HOST_LEARNERS", "LEARNERS", "LEARNER_VARIABLE", "MODEL"]

#: Set in the environment of every agent that learns for us: what it answers is no use of memory.
LEARNER_VARIABLE = "VADEMECUM_LEARNER"

#: What agent programs set in the shell in which they run the commands of their model: Claude Code 2.1, Codex 0.171
#: (with and without a sandbox), opencode 1.18, Gemini CLI 0.61, pi 0.73; the last one is set by several.
AGENT_VARIABLES = (
    "CLAUDECODE",
    "CODEX_CI",
    "CODEX_THREAD_ID",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "OPENCODE",
    "GEMINI_CLI",
    "PI_CODING_AGENT",
    "AI_AGENT",
)

BUILT_IN = "extractive"
#: A model that a person chose, asked over its API.
MODEL = "model"
#: The agents that a person may have learn; each has the name of its host.
HOST_LEARNERS = ("claude-code", "codex", "opencode")

LEARNERS = (BUILT_IN, MODEL, *HOST_LEARNERS)
