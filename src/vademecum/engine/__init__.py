"""The facade: open an identity, join the flows. The only room that knows learning, recall and the stores at once.

What learning needs is imported when it is first asked for: a command that only reads starts without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from vademecum.engine.answers import (
    Decision,
    Edit,
    Listing,
    ProposalRow,
    ProposalView,
    Reading,
    SessionRow,
    Status,
)
from vademecum.engine.inspecting import Inspection, Trouble, Work
from vademecum.engine.memory import Memory
from vademecum.engine.opened import FIRST_STEP
from vademecum.engine.reasons import words_of
from vademecum.engine.run_work import RunWork
from vademecum.engine.spending import UsageReport, spent_elsewhere
from vademecum.recall import Injection

if TYPE_CHECKING:
    from vademecum.engine.agent_view import AgentView, Entry, Folder
    from vademecum.engine.background import learn_in_background, start_learner
    from vademecum.engine.citing import Cited
    from vademecum.engine.editing import AskedBy, Editor
    from vademecum.engine.forget_plan import ForgetPreview
    from vademecum.engine.forgetting import ForgetReport, Forgetting
    from vademecum.engine.forgetting_lines import ForgottenLine, ForgottenLines, LineForgetting
    from vademecum.engine.learn import LearnReport, LearnRequest
    from vademecum.engine.resetting import ResetPreview, Resetting
    from vademecum.engine.scrub_proof import ScrubProof
    from vademecum.engine.spool import hook_failures, last_seen, note_event
    from vademecum.engine.switching import ModeChange, ModeNow, Switching, memory_of_session, mode_of_session
    from vademecum.engine.why import Spoken, Why, WhyLine

__all__ = [
    "FIRST_STEP",
    "AgentView",
    "AskedBy",
    "Cited",
    "Decision",
    "Edit",
    "Editor",
    "Entry",
    "Folder",
    "ForgetPreview",
    "ForgetReport",
    "Forgetting",
    "ForgottenLine",
    "ForgottenLines",
    "Injection",
    "Inspection",
    "LearnReport",
    "LearnRequest",
    "LineForgetting",
    "Listing",
    "Memory",
    "ModeChange",
    "ModeNow",
    "ProposalRow",
    "ProposalView",
    "Reading",
    "ResetPreview",
    "Resetting",
    "RunWork",
    "ScrubProof",
    "SessionRow",
    "Spoken",
    "Status",
    "Switching",
    "Trouble",
    "UsageReport",
    "Why",
    "WhyLine",
    "Work",
    "hook_failures",
    "last_seen",
    "learn_in_background",
    "memory_of_session",
    "mode_of_session",
    "note_event",
    "spent_elsewhere",
    "start_learner",
    "words_of",
]

_MODULES = {
    "AgentView": "agent_view",
    "Entry": "agent_view",
    "Folder": "agent_view",
    "AskedBy": "editing",
    "Cited": "citing",
    "Editor": "editing",
    "ScrubProof": "scrub_proof",
    "ForgetReport": "forgetting",
    "Forgetting": "forgetting",
    "ForgottenLine": "forgetting_lines",
    "ForgottenLines": "forgetting_lines",
    "LineForgetting": "forgetting_lines",
    "LearnReport": "learn",
    "LearnRequest": "learn",
    "ForgetPreview": "forget_plan",
    "ModeChange": "switching",
    "ModeNow": "switching",
    "Switching": "switching",
    "memory_of_session": "switching",
    "mode_of_session": "switching",
    "ResetPreview": "resetting",
    "Resetting": "resetting",
    "Spoken": "why",
    "Why": "why",
    "WhyLine": "why",
    "hook_failures": "spool",
    "last_seen": "spool",
    "learn_in_background": "background",
    "note_event": "spool",
    "start_learner": "background",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
