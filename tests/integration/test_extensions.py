"""What lies beside the memory proper: resources of extensions that go by themselves, and skills that wait."""

from datetime import UTC, datetime, timedelta

import pytest

from support.product import ruled
from vademecum import Memory
from vademecum.engine import AskedBy
from vademecum.sessions import Origin
from vademecum.toolbox import call_tool

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

SKILL = "skills/release/SKILL.md"
AGENT = AskedBy(origin=Origin.MODEL, session="s1")


@pytest.fixture
def learned(product):
    product.tell(ruled("always use pnpm here, never npm", label="first"))
    product.learn()
    return product


def ask(product, **arguments):
    memory = Memory.open(home=product.home, environ={})
    return call_tool(memory, "memory", {"reason": "seen twice", **arguments}, AGENT).data


def make_skill(product):
    return ask(
        product,
        command="create",
        file_path=SKILL,
        description="How a release is made",
        file_text="Tag it.",
    )


class TestSkillsOfAgents:
    def test_one_waits_for_a_person_and_no_context_offers_it_before(self, learned):
        """codex-W34"""
        assert "draft" in make_skill(learned)["message"]
        assert "status: draft" in learned.read(SKILL)
        assert SKILL not in learned.context()
        assert SKILL in learned.call("status").out
        assert learned.call("status", "--json").json["draft_skills"] == [SKILL]
        learned.edit(SKILL, "status: draft", "status: active")
        learned.call("adopt")
        assert SKILL in learned.context()
        assert SKILL not in learned.call("status").out

    def test_an_agent_cannot_make_its_own_skill_active(self, learned):
        make_skill(learned)
        text = learned.read(SKILL).replace("status: draft", "status: active")
        body = "".join(f"+{line}\n" for line in text.splitlines())
        patch = f"*** Begin Patch\n*** Delete File: {SKILL}\n*** Add File: skills/other/SKILL.md\n{body}*** End Patch\n"
        ask(learned, command="apply_patch", input=patch)
        assert "status: draft" in learned.read("skills/other/SKILL.md")
        assert "skills/other" not in learned.context()

    def test_what_an_agent_changes_in_an_active_one_waits_for_review(self, learned):
        make_skill(learned)
        learned.edit(SKILL, "status: draft", "status: active")
        learned.call("adopt")
        change = {"old_string": "Tag it.", "new_string": "Delete it."}
        answer = ask(learned, command="str_replace", file_path=SKILL, **change)
        assert answer["proposal"]
        assert "Tag it." in learned.read(SKILL)

    def test_one_that_is_out_of_use_is_not_offered(self, learned):
        make_skill(learned)
        learned.edit(SKILL, "status: draft", "status: deprecated")
        learned.call("adopt")
        assert SKILL not in learned.context()
        assert learned.call("status", "--json").json["draft_skills"] == []

    def test_a_person_needs_nobodys_leave(self, learned):
        learned.call("memory", "create", SKILL, "--description", "How a release is made", "--text", "Tag it.")
        assert SKILL in learned.context()


class TestResources:
    def test_old_ones_go_with_a_consolidation_that_says_so(self, learned):
        now = datetime.now(UTC)
        names = {days: f"{now - timedelta(days=days):%Y-%m-%dT%H-%M-%S}-page.md" for days in (2, 9)}
        folder = learned.memory / "extensions/wiki/resources"
        folder.mkdir(parents=True)
        (folder.parent / "instructions.md").write_text("Pages of the wiki.\n")
        for name in names.values():
            (folder / name).write_text("a page\n")
        learned.call("adopt")
        learned.learn()
        assert [path.name for path in folder.iterdir()] == [names[2]]
        assert (folder.parent / "instructions.md").read_text() == "Pages of the wiki.\n"
        assert "Prune 1 resource of extensions after 7 days" in learned.call("log").out
        assert learned.learn().json["consolidation"]["status"] == "no_new_input"
