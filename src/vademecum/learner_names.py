"""How the learners are called that settings and commands may name."""

__all__ = ["BUILT_IN", "HOST_LEARNERS", "LEARNERS"]

BUILT_IN = "extractive"
#: The agents that a person may have learn; each has the name of its host.
HOST_LEARNERS = ("claude-code", "codex", "opencode")

LEARNERS = (BUILT_IN, *HOST_LEARNERS)
