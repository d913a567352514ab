import pytest

from support.memfs import create
from vademecum.artifacts import draft_skills, is_offered, is_skill
from vademecum.artifacts.skills import as_draft
from vademecum.memfs import Provenance, Writer
from vademecum.memfs.pages import front_matter

USER = Provenance(writer=Writer.USER)


def page(status=""):
    line = f"status: {status}\n" if status else ""
    return f"---\nname: release\ndescription: How a release is made\n{line}---\nTag it.\n"


@pytest.fixture
def tree(tmp_path):
    memory = create(tmp_path)

    def build(files):
        memory.commit(files, subject="x", provenance=USER)
        return memory.tree()

    return build


@pytest.mark.parametrize(("status", "offered"), [("", True), ("active", True), ("draft", False), ("Deprecated", False)])
def test_drafts_and_what_is_out_of_use_are_not_offered(tree, status, offered):
    """codex-W34: nobody works by a procedure that no person has looked at."""
    found = tree({"skills/release/SKILL.md": page(status), "skills/release/notes.md": "more\n"})
    assert is_offered(found, "skills/release/SKILL.md") is offered
    assert is_offered(found, "skills/release/notes.md") is offered


def test_other_pages_are_offered_whatever_their_header_says(tree):
    found = tree({"reference/api.md": page("draft")})
    assert is_offered(found, "reference/api.md")


def test_drafts_are_listed(tree):
    found = tree({"skills/a/SKILL.md": page("draft"), "skills/b/SKILL.md": page()})
    assert list(draft_skills(found)) == ["skills/a/SKILL.md"]


@pytest.mark.parametrize("status", ["", "active", "deprecated", "draft"])
def test_what_an_agent_writes_is_a_draft_whatever_it_says_of_itself(status):
    document = front_matter.parse(as_draft(page(status)))
    assert document.meta["status"] == "draft"
    assert document.meta["description"] == "How a release is made"
    assert document.body == "Tag it.\n"


def test_a_page_without_a_header_is_left_to_the_check_of_headers():
    assert as_draft("no header\n") == "no header\n"
    assert as_draft("---\nnever: closed\n") == "---\nnever: closed\n"


def test_a_skill_is_known_by_its_place():
    assert is_skill("skills/release/SKILL.md")
    assert is_skill("skills/team/release/SKILL.md")
    assert not is_skill("skills/release/notes.md")
    assert not is_skill("reference/SKILL.md")
