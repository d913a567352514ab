import asyncio

import pytest
from pydantic_ai import ToolFailed

from support.memfs import FAKE_SECRET, by_hand, create, page, put
from support.memfs import draft as draft_of
from vademecum.errors import StorageError
from vademecum.learners.model.draft_tools import DraftTools, tools_for


@pytest.fixture
def draft(tmp_path):
    repository = create(tmp_path)
    put(repository, deploy=page("Deploy on Fridays.\nNever at night.\n"), build=page("Run `make`.\n"))
    with draft_of(repository, tmp_path) as opened:
        (opened.inputs / "sessions").mkdir()
        (opened.inputs / "sessions" / "s1.md").write_text(
            "The user said: deploy on MONDAYS.\nsecond\n", encoding="utf-8"
        )
        yield opened


@pytest.fixture
def call(draft):
    tools = DraftTools(draft)
    return lambda name, *arguments, **named: asyncio.run(getattr(tools, name)(*arguments, **named))


def text_of(draft, path):
    return draft.freeze().read(path)


def test_a_page_is_read_with_the_numbers_of_its_lines(call):
    assert call("read", "reference/deploy.md").split("\n")[3:5] == ["4\tDeploy on Fridays.", "5\tNever at night."]


def test_a_part_of_a_page_says_how_long_the_page_is(call):
    assert call("read", "reference/deploy.md", 4, 1) == "4\tDeploy on Fridays.\n(the file has 5 lines)"


def test_what_was_prepared_for_the_model_is_listed_and_read(call):
    assert call("list_folder", ".inputs") == ".inputs/sessions/s1.md"
    assert call("read", ".inputs/sessions/s1.md", 2, 1) == "2\tsecond"


def test_folders_are_listed_with_sizes(call):
    assert "reference/" in call("list_folder").split("\n")
    assert any(line.startswith("reference/deploy.md ") for line in call("list_folder", "reference").split("\n"))


def test_words_are_found_in_any_case_in_memory_and_in_what_was_prepared(call):
    assert call("find", "deploy on").split("\n") == [
        "reference/deploy.md:4: Deploy on Fridays.",
        ".inputs/sessions/s1.md:1: The user said: deploy on MONDAYS.",
    ]
    assert call("find", "deploy on", "reference") == "reference/deploy.md:4: Deploy on Fridays."
    assert call("find", "(a+)+$") == "(nowhere)"


def test_many_finds_are_counted_and_not_all_shown(call):
    call("create", "reference/long.md", "long", "needle\n" * 250)
    lines = call("find", "needle", "reference/long.md").split("\n")
    assert (len(lines), lines[-1]) == (101, "(150 more)")


EDITS = {
    "create": (("reference/new.md", "new", "New.\n"), "reference/new.md", "New."),
    "str_replace": (("reference/deploy.md", "Fridays", "Mondays"), "reference/deploy.md", "Mondays"),
    "insert": (("reference/deploy.md", 5, "Ask Ada.\n"), "reference/deploy.md", "Ask Ada.\nNever"),
    "rename": (("reference/deploy.md", "reference/release.md"), "reference/release.md", "Fridays"),
    "update_description": (("reference/deploy.md", "how we deploy"), "reference/deploy.md", "how we deploy"),
    "apply_patch": (
        ("*** Begin Patch\n*** Update File: reference/build.md\n@@\n-Run `make`.\n+Run `just`.\n*** End Patch",),
        "reference/build.md",
        "Run `just`.",
    ),
    "write": (("MEMORY.md", "# Task Group: everywhere"), "MEMORY.md", "# Task Group: everywhere\n"),
}


@pytest.mark.parametrize("name", EDITS)
def test_every_edit_changes_the_draft_and_says_what_it_did(name, call, draft):
    arguments, path, expected = EDITS[name]
    said = call(name, *arguments)
    assert path.rpartition("/")[2] in said
    assert expected in text_of(draft, path)


def test_a_deleted_page_is_gone(call, draft):
    call("delete", "reference/deploy.md")
    assert not draft.freeze().has("reference/deploy.md")


WRONG = {
    "a page that there is none of": ("read", "reference/none.md"),
    "a page outside": ("read", "../../etc/passwd"),
    "an absolute path": ("read", "/etc/passwd"),
    "an input outside": ("read", ".inputs/../../secret"),
    "git": ("read", ".git/config"),
    "a folder that there is none of": ("list_folder", "nowhere"),
    "a new page outside": ("create", "../x.md", "d", "t"),
    "a new input": ("create", ".inputs/x.md", "d", "t"),
    "a page that is there": ("create", "reference/build.md", "d", "t"),
    "text that stands nowhere": ("str_replace", "reference/build.md", "nothing like it", "x"),
    "what belongs to the person": ("create", "system/boundaries.md", "d", "t"),
    "a note": ("delete", "extensions/ad_hoc/notes/x.md"),
    "a patch that is none": ("apply_patch", "rm -rf /"),
    "an artefact that is none": ("write", "reference/build.md", "t"),
    "a secret": ("create", "reference/keys.md", "keys", f"token {FAKE_SECRET}\n"),
    "a page without end": ("create", "reference/huge.md", "huge", "x" * 1_000_000),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_may_not_be_is_said_to_the_model_and_changes_nothing(what, call, draft, tmp_path):
    before = sorted(path for path in tmp_path.rglob("*") if ".git" not in path.parts)
    name, *arguments = WRONG[what]
    with pytest.raises(ToolFailed) as failed:
        call(name, *arguments)
    assert FAKE_SECRET not in failed.value.message
    assert draft.freeze().edits == {}
    assert sorted(path for path in tmp_path.rglob("*") if ".git" not in path.parts) == before


def test_a_secret_in_an_artefact_is_masked(call, draft):
    call("write", "MEMORY.md", f"token {FAKE_SECRET}\n")
    assert FAKE_SECRET not in text_of(draft, "MEMORY.md")


def test_a_secret_that_a_person_committed_with_plain_git_is_not_shown_to_a_model(tmp_path):
    repository = create(tmp_path)
    put(repository, keys=page("nothing yet\n"))
    by_hand(repository, "reference/keys.md", page(f"token {FAKE_SECRET}\n"))
    with draft_of(repository, tmp_path) as opened:
        tools = DraftTools(opened)
        said = asyncio.run(tools.find("token")) + asyncio.run(tools.read("reference/keys.md"))
    assert said.count("token [secret:") == 2
    assert FAKE_SECRET not in said


def test_a_link_among_the_inputs_is_not_followed(call, draft, tmp_path):
    (tmp_path / "outside.md").write_text("outside", encoding="utf-8")
    (draft.inputs / "link.md").symlink_to(tmp_path / "outside.md")
    assert "link.md" not in call("list_folder", ".inputs")
    with pytest.raises(ToolFailed):
        call("read", ".inputs/link.md")


def test_a_disk_that_fails_is_no_matter_of_the_model(call, draft, monkeypatch):
    def full(*_):
        raise StorageError("no space left")

    monkeypatch.setattr(draft, "apply", full)
    with pytest.raises(StorageError):
        call("create", "reference/x.md", "d", "t")


def test_the_tools_are_for_the_draft_only(draft):
    """No shell, no network: the list is closed, and every argument is described."""
    tools = {tool.name: tool for tool in tools_for(draft)}
    assert set(tools) == {"read", "list_folder", "find", "delete", *EDITS}
    for tool in tools.values():
        for argument in tool.function_schema.json_schema["properties"].values():
            assert argument["description"]
