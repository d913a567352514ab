"""The real agent programs learn through the command line: from a transcript to the handbook, and leave no session."""

import json
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from support.clients_driving import CLIENTS, NOWHERE
from support.clients_learning import LEARNING, Scene
from support.fake_model import FakeModel, Step
from support.good_model import GoodModel
from support.product import Product, ruled

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

RULE = "Always use pnpm, never npm."
LEARNERS = [client for client in CLIENTS if client.host in LEARNING]
#: What a prompt asks for is told by the answer that it describes.
ASKED_FOR = {'"raw_memory"': "read", '"verdict"': "write"}
VERDICT = 'The files are new.\n{"verdict": "wrote"}'


@pytest.mark.parametrize("client", LEARNERS, ids=lambda client: client.host)
def test_a_transcript_becomes_a_handbook_and_the_agents_own_session_is_not_learned(client, tmp_path, monkeypatch):
    """codex-R06"""
    product = Product(tmp_path / "product")
    script = ruled(RULE, started_at=datetime.now(UTC) - timedelta(days=1))
    product.tell(script)
    good = GoodModel(tmp_path / "good", script)
    learning = LEARNING[client.host](client)
    scene = Scene(home=tmp_path / "home", draft=tmp_path / "elsewhere", around=tmp_path, log=tmp_path / "log")
    for folder in (scene.home, scene.draft):
        folder.mkdir()
    answer = Step(text=json.dumps(msgspec.to_builtins(good.extraction())))
    writing = [learning.write(path, text) for path, text in good.artefacts().items()]
    scenarios = {"read": [answer], "write": [*writing, Step(text=VERDICT)]}
    with FakeModel(scenarios, without_tools=answer, words=ASKED_FOR) as model:
        learning.configure(scene, model.url)
        environ = {"HTTP_PROXY": NOWHERE, "HTTPS_PROXY": NOWHERE, "NO_PROXY": "127.0.0.1", **client.environ(model.url)}
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            monkeypatch.delenv(name)
        for name, value in ({"HOME": str(scene.home)} | environ).items():
            monkeypatch.setenv(name, value)
        product.call("config", "set", "agent.program", str(client.package.program))
        product.call("config", "set", "memories.learner", client.host)
        report = product.learn().json
        assert (report["extracted"], report["consolidation"]["status"]) == (1, "landed"), product.call("status").out
        assert RULE in product.read("MEMORY.md")
        assert RULE in product.context()
        asked = len(model.bodies)
        # Now everything that lies in the agent's own home.
        again = product.call("learn", "--now", "--json").json
    assert (again["extracted"], again["failed"]) == (0, 0)
    assert again["discovered"] == again["skipped"].get("learner", 0)
    assert len(model.bodies) == asked
    assert not scene.log.exists()
