"""How the learners are called that settings and commands may name, and how a learner's agent is told from others."""

__all__ = ["BUILT_IN", "HOST_LEARNERS", "LEARNERS", "LEARNER_VARIABLE", "MODEL"]

#: Set in the environment of every agent that learns for us: what it answers is no use of memory.
LEARNER_VARIABLE = "VADEMECUM_LEARNER"

BUILT_IN = "extractive"
#: A model that a person chose, asked over its API.
MODEL = "model"
#: The agents that a person may have learn; each has the name of its host.
HOST_LEARNERS = ("claude-code", "codex", "opencode")

LEARNERS = (BUILT_IN, MODEL, *HOST_LEARNERS)
