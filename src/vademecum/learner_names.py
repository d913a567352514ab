"""How the learners are called that settings and commands may name."""

__all__ = ["BUILT_IN", "HOST_LEARNERS", "LEARNERS", "MODEL"]

BUILT_IN = "extractive"
#: A model that a person chose, asked over its API.
MODEL = "model"
#: The agents that a person may have learn; each has the name of its host.
HOST_LEARNERS = ("claude-code", "codex", "opencode")

LEARNERS = (BUILT_IN, MODEL, *HOST_LEARNERS)
