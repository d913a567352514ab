"""Whatever is asked of a memory: one commit that touches what was asked for, or nothing at all."""

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from support.memfs import TOOL, create, git, learn, page
from vademecum.errors import HeadMoved, RefusedError

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

PATHS = st.sampled_from(["log/a.md", "log/b.md", "log/deep/c.md", "reference/d.md", "mine.md"])
BAD_PATHS = st.sampled_from(["log/A.md", "log/a.md/x.md", "../x.md", ".git/x.md", "log/a.txt", "log"])
TEXTS = st.sampled_from([None, page("1\n"), page("2\n"), page("3\n")])


class Memory(RuleBasedStateMachine):
    """A memory, and beside it what main and the folder must hold."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.memory = create(self.folder)
        self.committed = {path: self.memory.tree().read(path) for path in self.memory.tree().paths()}
        self.by_hand = {}
        self.commits = 1

    def teardown(self):
        assert git(self.memory.folder, "fsck", "--strict", "--no-dangling") == ""
        shutil.rmtree(self.folder)

    def expect(self, commit, edits):
        """What a call that did not refuse must have made of `edits`."""
        changed = {path: text for path, text in edits.items() if self.committed.get(path) != text}
        assert (commit is None) == (not changed)
        if commit is not None:
            assert commit.paths == tuple(sorted(changed))
            self.commits += 1
        for path, text in changed.items():
            self.committed.pop(path, None)
            if text is not None:
                self.committed[path] = text
            if self.by_hand.get(path, "") == text:
                del self.by_hand[path]

    @rule(edits=st.dictionaries(PATHS, TEXTS, max_size=4))
    def write(self, edits):
        try:
            commit = self.memory.commit(edits, subject="write", provenance=TOOL)
        except RefusedError:
            changed = {path: text for path, text in edits.items() if self.committed.get(path) != text}
            assert any(self.by_hand.get(path, text) != text for path, text in changed.items())
        else:
            self.expect(commit, edits)

    @rule(edits=st.dictionaries(PATHS, TEXTS, max_size=3), bad=BAD_PATHS)
    def write_what_is_refused(self, edits, bad):
        both = {**edits, "log/a.md": page("1\n"), bad: page()}
        with pytest.raises(RefusedError):
            self.memory.commit(both, subject="write", provenance=TOOL)

    @precondition(lambda self: self.commits > 1)
    @rule(edits=st.dictionaries(PATHS, TEXTS, min_size=1, max_size=3))
    def write_on_an_old_revision(self, edits):
        with pytest.raises(HeadMoved):
            self.memory.commit(edits, subject="late", provenance=TOOL, on=self.memory.resolve("HEAD~1"))

    @rule(path=PATHS, text=TEXTS)
    def edit_by_hand(self, path, text):
        file = self.memory.folder / path
        if text is None:
            file.unlink(missing_ok=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.by_hand.pop(path, None)
        if self.committed.get(path) != text:
            self.by_hand[path] = text

    @rule()
    def adopt(self):
        adoption = self.memory.adopt()
        assert adoption.refused == {}
        self.expect(adoption.commit, dict(self.by_hand))

    @rule(path=PATHS, text=TEXTS)
    def keep_for_review(self, path, text):
        base = self.memory.tree()
        edits = {path: None if text is None else text.encode()}
        self.memory.keep_proposal(base, edits, subject="propose", provenance=learn())
        kept = self.memory.proposal("run-1")
        assert [change.path for change in base.diff(kept)] == [path] * (self.committed.get(path) != text)

    @rule()
    def move_the_baseline(self):
        self.memory.move_baseline(self.memory.tree().tree_id)
        assert self.memory.baseline().tree_id == self.memory.tree().tree_id

    @invariant()
    def main_holds_what_was_committed_and_the_folder_what_lies_on_top(self):
        tree = self.memory.tree()
        assert {path: tree.read(path) for path in tree.paths()} == self.committed
        assert len(self.memory.log(limit=1000)) == self.commits
        found = {
            str(file.relative_to(self.memory.folder)): file.read_text()
            for file in self.memory.folder.rglob("*.md")
            if ".git" not in file.parts
        }
        on_top = {**self.committed, **self.by_hand}
        assert found == {path: text for path, text in on_top.items() if text is not None}


class TestInvariants(Memory.TestCase):
    """core-29.2 I2"""

    settings = settings(max_examples=20, stateful_step_count=15, deadline=None)
