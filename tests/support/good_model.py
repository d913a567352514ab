"""A model that finds what the built-in learner finds, whatever it is asked, in which order, and by how many at once."""

import json
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from support.compose import Script
from support.fake_model_queue import QueueModel, Reply
from support.product import Product
from vademecum.learners import Extraction, ExtractionTask
from vademecum.learners.extractive import ExtractiveLearner
from vademecum.sessions import discover, load

__all__ = ["KEY", "WROTE", "GoodModel", "use"]

WROTE = Reply(text='{"verdict": "wrote", "came_back": []}')
KEY = "my-very-own-words"


class GoodModel:
    """Answers requests of the wire `openai` about these sessions; `folder` is where it tries things out.

    It is told nothing but the request, so it keeps no count and may be asked by several processes.
    """

    def __init__(self, folder: Path, *scripts: Script) -> None:
        self._folder, self._scripts = folder, scripts
        told = Product(folder / "all")
        told.tell(*scripts)
        found = discover(hosts=None, sources=[told.sessions], environ={}, home=folder).refs
        sessions = [load(ref) for ref in found]
        self._ids = {session.id: _script_of(session.messages[0].text, scripts) for session in sessions}
        self._extractions = {
            session.id: ExtractiveLearner().extract(ExtractionTask(session=session, project=session.cwd))
            for session in sessions
        }
        some = (chosen for count in range(1, len(scripts) + 1) for chosen in combinations(self._ids, count))
        self._steps = {frozenset(chosen): self._writing(chosen) for chosen in some}

    def __call__(self, body: dict[str, Any]) -> Reply:
        """The next thing to say."""
        text = json.dumps(body, ensure_ascii=False)
        if not body.get("tools"):
            return self._extraction(text)
        done = sum(message["role"] == "tool" for message in body["messages"])
        return self._steps[frozenset(name for name in self._ids if name in text)][done]

    def extraction(self, name: str = "") -> Extraction:
        """What a session teaches; the only one, where there is but one."""
        return self._extractions[name or next(iter(self._ids))]

    def artefacts(self) -> dict[str, str]:
        """Handbook and summary of all sessions, by their paths."""
        return {
            str(step.arguments["path"]): str(step.arguments["text"]) for step in self._steps[frozenset(self._ids)][:-1]
        }

    def _extraction(self, text: str) -> Reply:
        told = next(name for name, script in self._ids.items() if script.turns[0].text in text)
        return Reply(text=json.dumps(msgspec.to_builtins(self.extraction(told))))

    def _writing(self, chosen: Sequence[str]) -> list[Reply]:
        twin = Product(self._folder / "-".join(chosen))
        twin.tell(*(self._ids[name] for name in chosen))
        twin.learn()
        texts = {path: twin.read(path) for path in ("MEMORY.md", "memory_summary.md")}
        return [*(Reply(tool="write", arguments={"path": path, "text": text}) for path, text in texts.items()), WROTE]


def _script_of(text: str, scripts: Sequence[Script]) -> Script:
    return next(script for script in scripts if script.turns[0].text == text)


def use(product: Product, server: QueueModel, monkeypatch: Any) -> None:
    """Choose the server's model as learner, as a person does."""
    monkeypatch.setenv("MY_KEY", KEY)
    for name, value in (
        ("model.extract_model", server.model),
        ("model.base_url", server.base_url),
        ("model.api_key_env", "MY_KEY"),
        ("model.timeout_seconds", "5"),
        ("memories.learner", "model"),
    ):
        product.call("config", "set", name, value)
