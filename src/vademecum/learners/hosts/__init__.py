"""The agents that a person has already, as learners: `claude -p`, `codex exec`, a session of opencode.

Each runs with the tightest permissions that it offers, in an environment and with settings that hold the login and the
model of the person and nothing else. What cannot be restricted is refused.
"""

import os
from collections.abc import Mapping

from vademecum.learners.hosts.claude_code import ClaudeCode
from vademecum.learners.hosts.codex import Codex
from vademecum.learners.hosts.environment import find_program
from vademecum.learners.hosts.learner import HostLearner
from vademecum.learners.hosts.opencode import Opencode
from vademecum.learners.hosts.processes import Limits

__all__ = ["host_learner"]

_AGENTS = {agent.name: agent for agent in (ClaudeCode, Codex, Opencode)}


def host_learner(
    name: str, *, program: str, time_limit_minutes: int, environ: Mapping[str, str] | None = None
) -> HostLearner:
    """The learner that runs this host's agent. Raises KeyError for what is none of `HOST_LEARNERS`.

    `program` is its absolute path; empty: the one on the PATH. The environment is the present one by default. Raises
    LoginRefused where the program is not there: one error now, in place of one for every session.
    """
    agent, environ = _AGENTS[name], os.environ if environ is None else environ
    found = find_program(agent.command, program, environ)
    limits = Limits(seconds=time_limit_minutes * 60)
    return HostLearner(agent(program=found, limits=limits, environ=environ), settings=(found, limits))
