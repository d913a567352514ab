"""What the tests of the learner `model` share: settings that lead to the scripted server, prompts, and a meter."""

import json
from datetime import UTC, datetime

import msgspec

from support.fake_model_queue import QueueModel, Reply
from vademecum.artifacts import Evidence, Kind, RawMemory, Reach, TaskMemory, render_raw_memory
from vademecum.config import Config, default_config
from vademecum.errors import BudgetReached
from vademecum.learners import Extraction, ExtractionTask, Prompt, Request

__all__ = ["EXTRACTION", "GOOD", "PROMPT", "WIRES", "NoteMeter", "extraction_task", "settings_to"]

WIRES = ("openai", "openai-compatible", "openai-responses", "anthropic", "google")
PROMPT = Prompt(instructions="Read the session.", data="The session says: use pnpm.")
_AT = datetime(2026, 11, 2, 9, tzinfo=UTC)
_EVIDENCE = Evidence(kind=Kind.RULE, reach=Reach.PROJECT, turn=1, at=_AT, text="Always use pnpm.")
_TASK = TaskMemory(title="Set the shop up", outcome="success", evidence=(_EVIDENCE,))
#: What a model's answer holds, in the grammar that is asked for.
EXTRACTION = Extraction(
    raw_memory=render_raw_memory(
        RawMemory(description="Set the shop up", outcome="success", cwd="/srv/shop", keywords=("pnpm",), tasks=(_TASK,))
    ),
    rollout_summary="The shop was set up.\n",
    rollout_slug="set_up",
    outcome="success",
)
GOOD = Reply(text=json.dumps(msgspec.to_builtins(EXTRACTION)))


class NoteMeter:
    """Counts questions and keeps what it is told; `limit` requests are allowed."""

    def __init__(self, limit: int = 1000) -> None:
        self.limit = limit
        self.allowed: list[str] = []
        self.noted: list[Request] = []

    def allow(self, model: str) -> None:
        if len(self.allowed) >= self.limit:
            raise BudgetReached("the limit of the day is reached")
        self.allowed.append(model)

    def note(self, request: Request) -> None:
        self.noted.append(request)


def settings_to(server: QueueModel, **others: object) -> Config:
    """Settings that lead to this server."""
    config = msgspec.structs.replace(
        default_config({}), extract_model=server.model, base_url=server.base_url, timeout_seconds=4
    )
    return msgspec.structs.replace(config, **others)


def extraction_task(meter: NoteMeter, prompt: Prompt = PROMPT) -> ExtractionTask:
    """Nothing but what a learner with a model looks at."""
    return ExtractionTask(session=None, project="", prompt=prompt, meter=meter)
