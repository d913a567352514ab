"""The real agent programs run our hook: what it printed is in the requests that they send, and stays as it is."""

import json
import shlex
import subprocess
from dataclasses import replace

import pytest

from support.clients_driving import CLIENTS, Workplace, prompt, write_json
from support.fake_model import FakeModel, Step, marker
from support.hooks import hook_command, pass_is_recent
from support.product import Product
from vademecum.hook import EVENTS

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

RULE = "always use pnpm in the shop"
BYPASS = "--dangerously-bypass-hook-trust"
NAMES = dict(
    zip(EVENTS, ("SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact", "Stop", "SessionEnd"), strict=True)
)
#: Where each reads its hooks, below its home.
SETTINGS = {"claude-code": ".claude/settings.json", "codex": ".codex/hooks.json"}


def with_trust(client):
    """Codex runs no hook that nobody trusted; its option for tests passes over that."""
    if client.host != "codex":
        return client
    return replace(
        client,
        begin=lambda words: ["exec", BYPASS, words],
        resume=lambda words: ["exec", "resume", "--last", BYPASS, words],
    )


@pytest.fixture(params=sorted(SETTINGS))
def client(request):
    client = with_trust(next(client for client in CLIENTS if client.host == request.param))
    if client.missing:
        pytest.skip(f"{' and '.join(client.missing)} not installed: `make test-hosts` does it")
    return client


@pytest.fixture
def product(tmp_path):
    product = Product(tmp_path / "product")
    product.call("note", RULE)
    pass_is_recent(product.home)
    return product


@pytest.fixture
def place(client, product, tmp_path):
    for folder in ("home", "project"):
        (tmp_path / folder).mkdir()
    subprocess.run(["git", "init", "--quiet", str(tmp_path / "project")], check=True)
    steps = {name: [Step(text=f"answer to {name}")] for name in ("one", "two", "three")}
    with FakeModel(steps) as model:
        client.configure(tmp_path / "home", model.url)
        commands = {
            event: shlex.join(hook_command(client.host, event, "--home", str(product.home))) for event in EVENTS
        }
        hooks = {
            NAMES[event]: [{"hooks": [{"type": "command", "command": command}]}] for event, command in commands.items()
        }
        write_json(tmp_path / "home" / SETTINGS[client.host], {"hooks": hooks})
        yield Workplace(home=tmp_path / "home", project=tmp_path / "project", model=model)


def blocks_in(body):
    """The blocks of a request, as its text has them."""
    text = json.dumps(body)
    return [part.split("</vademecum-memory", 1)[0] for part in text.split("<vademecum-memory nonce=")[1:]]


def answered(place, scenario):
    """The newest request of a conversation that asked for this scenario."""
    return next(body for body in reversed(place.model.bodies) if marker(scenario) in json.dumps(body))


def test_the_block_is_in_every_request_once_and_stays_while_memory_changes(client, place, product):
    """user-U33, user-U34: a session that goes on in a new process has its block in its history."""
    prompt(client, f"please {marker('one')}", place)
    first = blocks_in(answered(place, "one"))
    assert len(first) == 1
    assert RULE in first[0]
    product.call("note", "call her Ada")
    prompt(client, f"please {marker('two')}", place, resume=True)
    body = answered(place, "two")
    assert blocks_in(body) == first
    assert json.dumps(body).count("(vademecum: memory changed") == 1
    prompt(client, f"please {marker('three')}", place)
    assert "Ada" in blocks_in(answered(place, "three"))[0]


def test_every_event_of_a_session_is_noted(client, place, product):
    prompt(client, f"please {marker('one')}", place)
    lines = (product.home / f"runtime/spool/{client.host}.jsonl").read_text().splitlines()
    events = [json.loads(line) for line in lines]
    assert {"session-start", "prompt", "stop"} <= {event["event"] for event in events}
    assert len({event["session"] for event in events}) == 1
    assert {event["cwd"] for event in events} == {str(place.project)}
    assert not (product.home / "runtime/hook.log").exists()


@pytest.mark.parametrize("client", ["claude-code"], indirect=True)
def test_after_a_compaction_the_newest_block_stands_once(client, place, product):
    """Codex compacts on command in its terminal only."""
    prompt(client, f"please {marker('one')}", place)
    product.call("note", "call her Ada")
    prompt(client, "/compact", place, resume=True)
    prompt(client, f"please {marker('two')}", place, resume=True)
    (block,) = blocks_in(answered(place, "two"))
    assert "Ada" in block
