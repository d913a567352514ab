"""Files whose format is known from an earlier pass."""

import os

import pytest

from support.product import Product, ruled
from vademecum.engine.read_before import read_before
from vademecum.home import Home
from vademecum.sessions import discover
from vademecum.state import Source, State, left_alone


@pytest.fixture
def product(tmp_path):
    product = Product(tmp_path)
    product.tell(ruled("from now on always use pnpm here"))
    product.learn()
    return product


@pytest.fixture
def folder(product):
    (folder,) = Home(root=product.home).identities()
    return folder


@pytest.fixture
def ref(product, tmp_path):
    (ref,) = discover(hosts=None, sources=[product.sessions], environ={}, home=tmp_path).refs
    return ref


def asked(folder, ref):
    return read_before([folder])(ref.path, ref.fingerprint)


def remember(folder, ref, **changes):
    values = {"host": ref.host, "path": ref.path, "fingerprint": ref.fingerprint, "session_id": "s"}
    with State.open(folder.state) as state:
        source = state.sources.all()[0]
        state.sources.remember([Source(seen_at=source.seen_at, **values | changes)])


def test_a_file_that_was_learned_is_known(folder, ref):
    assert asked(folder, ref) == (ref.host, ref.session_id)


def test_a_file_whose_session_was_left_alone_is_known(folder, ref):
    remember(folder, ref, path="/other", fingerprint=left_alone(ref.fingerprint))
    assert read_before([folder])("/other", ref.fingerprint) == (ref.host, "")


def test_a_file_that_was_read_for_two_sessions_is_not(folder, ref):
    remember(folder, ref, session_key="another")
    assert asked(folder, ref) is None


def test_where_the_state_is_lost_no_file_is_known_and_none_is_made(folder, ref):
    folder.state.unlink()
    assert asked(folder, ref) is None
    assert not folder.state.exists()


def test_a_damaged_state_is_left_to_the_pass_which_says_so(product, folder, ref):
    folder.state.write_bytes(os.urandom(8192))
    damaged = folder.state.read_bytes()
    assert asked(folder, ref) is None
    assert folder.state.read_bytes() == damaged
    assert "state.db" in product.learn().err


def test_a_pass_over_known_files_opens_none_of_them(product, monkeypatch):
    def opened(*_):
        raise AssertionError("a file was opened")

    monkeypatch.setattr("vademecum.sessions.discovery.first_bytes", opened)
    monkeypatch.setattr("vademecum.sessions.jsonl.open_regular", opened)
    assert product.learn().json["skipped"] == {"unchanged": 1}
