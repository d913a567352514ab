"""Nobody runs a command: what a person says to one agent is learned by itself, and given to the next one.

A ring of all five. Each is told a rule. Hours later the person begins to work with the next one, whose hook or plugin
starts a pass of learning; the session after that has the rule. All that is not real is what the models answer, and
that the hours are not waited for.
"""

from dataclasses import dataclass

import pytest

from support.clients import CODEX
from support.clients_driving import CLIENTS, Client
from support.clients_plugged import Person, blocks_in, in_conversation, trust_hooks
from support.clients_recorded import STORES
from support.clients_time import let_hours_pass
from support.fake_model import FakeModel, Step, marker
from support.hooks import pass_is_recent

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

#: More than a session rests before it is finished, as long as nobody sets that otherwise.
HOURS = 7
#: What each is told.
RULES = {
    "claude-code": "Always use pnpm, never npm",
    "codex": "Always run make check before you commit",
    "opencode": "Never push to the branch main",
    "pi": "Always write tests with pytest",
    "gemini": "Always indent with four spaces",
}
#: Each with the one that the person works with afterwards.
LEGS = [(first, CLIENTS[(number + 1) % len(CLIENTS)]) for number, first in enumerate(CLIENTS)]


@dataclass(frozen=True, kw_only=True)
class Leg:
    """From one agent to the next one."""

    rule: str
    #: What a session would be given before the person came to the second one, and what the second one there was sent.
    before: str
    sent: list[str]


@pytest.fixture(scope="module")
def person(tmp_path_factory) -> Person:
    return Person(tmp_path_factory.mktemp("person"))


@pytest.fixture(scope="module", params=[CLIENTS], ids=["all"])
def ring(request, person) -> dict[str, Leg]:
    """By the host that was told."""
    answers = {f"{what}-{client.host}": [Step(text="As you like.")] for what in ("hello", "rule") for client in CLIENTS}
    with FakeModel(answers) as model:
        person.vade("init")
        for client in request.param:
            client.configure(person.user, model.url)
            person.vade("install", client.host, "--yes")
            if client.package is CODEX:
                trust_hooks(client, person.user, person.project)
        # A pass that began now could still be at work when the hours have passed.
        pass_is_recent(person.memory)
        first = request.param[0]
        with person.talking(first, model) as say:
            say(told(first))
        return {one.host: walk(person, model, one, following) for one, following in LEGS}


def told(client: Client) -> str:
    return f"{RULES[client.host]}. {marker(f'rule-{client.host}')}"


def walk(person: Person, model: FakeModel, first: Client, second: Client) -> Leg:
    let_hours_pass(HOURS, person.user / STORES[first.host], person.memory / "runtime" / "learner.started")
    rule, before = RULES[first.host], person.vade("context")
    with person.talking(second, model) as say:
        say(f"Hello. {marker(f'hello-{second.host}')}")
        person.await_learned(rule)
        say(told(second))
    (*_, request) = in_conversation(model, marker(f"rule-{second.host}"))
    return Leg(rule=rule, before=before, sent=blocks_in(request))


@pytest.mark.parametrize(("first", "second"), LEGS, ids=lambda client: client.host)
def test_what_one_is_told_is_learned_by_the_pass_that_the_next_one_starts(ring, first, second):
    """user-U66: The end of the session did not have it learned, for then it had not rested yet."""
    leg = ring[first.host]
    assert leg.rule not in leg.before
    (block,) = leg.sent
    assert leg.rule in block


def test_every_pass_came_to_its_end(ring, person):
    """Nothing failed, and each but the first had something to learn."""
    runs = person.told("runs")["runs"]
    assert sorted((one["kind"], one["outcome"]) for one in runs) == sorted(
        [("extraction", "done"), ("consolidation", "landed")] * len(LEGS)
    )
