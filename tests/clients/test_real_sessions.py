"""Sessions written by the real agent programs, in the versions that support/clients.py names, are read and learned.

`make test-hosts` installs the programs and runs this; elsewhere it is skipped, and the recorded sessions of
integration/test_recorded_sessions.py stand in.
"""

import pytest

from support.clients_driving import CLIENTS
from support.clients_recorded import STORES
from support.clients_story import (
    BRANCH,
    SECRET,
    WhatHasToBeTrue,
    everything_below,
    hold,
    the_session,
)

# Two prompts to one client take 2 to 15 s; the first test of each client waits for them.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.host)
def test_the_client_is_installed(client):
    if client.missing:
        pytest.skip(f"{' and '.join(client.missing)} not installed: `make test-hosts` does it")
    assert client.package.program.exists()


@pytest.fixture(scope="module", params=CLIENTS, ids=lambda client: client.host)
def held(request, tmp_path_factory):
    return hold(request.param, tmp_path_factory.mktemp(request.param.host))


class TestTheConversation(WhatHasToBeTrue):
    """What holds for every session of it, however it came here."""


def test_the_session_is_found_where_the_client_keeps_it(held):
    session = the_session(held)
    assert (session.host, session.cwd) == (held.host, held.cwd)
    assert session.branch in {None, BRANCH}
    assert (session.parent_id, session.exclusion, session.skipped) == (None, None, {})


def test_no_secret_leaves_the_reader(held):
    assert SECRET.encode() in everything_below(held.home / STORES[held.host])
    assert SECRET not in repr(the_session(held))
