"""One identity in a pass of learning."""

import pytest

from support.product import Product, ruled
from vademecum import Memory
from vademecum.engine.identity_pass import LearningPass
from vademecum.engine.learn import LearnRequest, find_sessions, plan
from vademecum.engine.open_stores import OpenStores
from vademecum.errors import StorageError, UnsafePath
from vademecum.state import State


@pytest.fixture
def product(tmp_path):
    return Product(tmp_path)


@pytest.fixture
def memory(product):
    """A session is learned."""
    product.tell(ruled("from now on always use pnpm here"))
    product.learn()
    return Memory.open(home=product.home, environ=product.environ)


@pytest.fixture
def one(memory, product):
    request = LearnRequest(sources=(str(product.sessions),), since_days=None, now=True)
    work = plan(request, memory.config, lambda _ref, _what: None)
    discovery = find_sessions(request, product.environ, ())
    with OpenStores() as open_stores:
        yield LearningPass(open_stores, memory.folder, work, discovery)


def last_error(folder):
    with State.open(folder.state) as state:
        return state.passes.last().error


class TestFailure:
    def test_what_ended_the_pass_is_kept_for_the_status(self, one, memory):
        one.keep_failure(StorageError("the disk is full"))
        assert last_error(memory.folder) == "the disk is full"

    def test_where_the_state_cannot_be_opened_the_first_error_is_the_one_that_is_told(self, one, memory):
        for path in memory.folder.root.glob("state.db*"):
            path.unlink()
        memory.folder.state.mkdir()
        with pytest.raises(UnsafePath), State.open(memory.folder.state):
            pass
        one.keep_failure(StorageError("the disk is full"))


def test_a_pass_begins_with_what_its_memory_forgot(memory, product):
    """Nothing of a walk changes while it goes on."""
    (session,) = [row.id for row in memory.sessions()]
    memory.forgetting.forget(session)
    work = plan(LearnRequest(), memory.config, lambda _ref, _what: None)
    with OpenStores() as open_stores:
        one = LearningPass(open_stores, memory.folder, work)
        before = one.walk.window
        one.conclude()
        assert one.walk.window is before
        assert len(before.forgotten) == 1
