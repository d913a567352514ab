"""Sessions that the real agent programs wrote, recorded once, are read and learned where no program is installed.

The same conversation and the same rules as in clients/test_real_sessions.py, which drives the programs themselves.
"""

import re

import pytest

from support.clients_recorded import STORES, recorded_files, restore
from support.clients_story import (
    BRANCH,
    SECRET,
    WhatHasToBeTrue,
    everything_below,
    the_session,
)

RECORDS_A_BRANCH = {"claude-code", "codex"}
#: In characters: longer texts in a recording are a vendor's.
LONGEST_STRING = 400
#: Folders of the machine that recorded. `</root>` closes an element and is none.
OF_A_MACHINE = re.compile(r"(?<![\w.<~-])/(?:root|tmp|work|Users|home(?!/user\b))\b")


@pytest.fixture(params=STORES)
def held(request, tmp_path):
    return restore(request.param, tmp_path / "home")


class TestTheConversation(WhatHasToBeTrue):
    """What holds for every session of it, however it came here."""


def test_the_session_is_found_where_the_client_keeps_it(held):
    session = the_session(held)
    assert (session.host, session.cwd) == (held.host, held.cwd)
    assert session.branch == (BRANCH if held.host in RECORDS_A_BRANCH else None)
    assert (session.parent_id, session.exclusion, session.skipped) == (None, None, {})


def test_no_secret_leaves_the_reader(held):
    assert SECRET.encode() in everything_below(held.home)
    assert SECRET not in repr(the_session(held))


@pytest.mark.parametrize("host", STORES)
def test_a_recording_holds_no_text_of_a_vendor_and_no_secret(host):
    """What the vendors wrote is long; the conversation is short."""
    text = "".join(path.read_text(encoding="utf-8") for path in recorded_files(host))
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    assert [string for string in strings if len(string) > LONGEST_STRING] == []
    assert SECRET not in text


@pytest.mark.parametrize("host", STORES)
def test_a_recording_names_no_folder_of_the_machine_that_made_it(host):
    """Whoever the recorded user is, their home is /home/user."""
    texts = [path.read_text(encoding="utf-8") for path in recorded_files(host)]
    assert [found[0] for text in texts for found in OF_A_MACHINE.finditer(text)] == []


@pytest.mark.parametrize("path", ["/root/project", '"/tmp/x"', "/home/ada", "file:///work/shop"])
def test_a_folder_of_a_machine_is_recognised(path):
    assert OF_A_MACHINE.search(f"cwd {path}")
