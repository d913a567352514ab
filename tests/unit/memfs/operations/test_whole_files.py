import pytest

from support.memfs import Texts, page
from vademecum.errors import AlreadyExists, FrontMatterInvalid, NotFound, ReadOnly, UnsafePath, UsageError
from vademecum.memfs.operations import apply_patch, create, delete, describe, insert, rename, str_replace

A = "reference/a.md"
NOTE = "extensions/ad_hoc/notes/2026-01-01T10-00-00-tea.md"


def changing(path):
    """Every edit that would change, move or delete this file."""
    return {
        "str_replace": lambda files, rules: str_replace(files, rules, path, old="e", new="x", every=True),
        "insert": lambda files, rules: insert(files, rules, path, line=99, text="x"),
        "delete": lambda files, rules: delete(files, rules, path),
        "delete its folder": lambda files, rules: delete(files, rules, path.rpartition("/")[0]),
        "rename": lambda files, rules: rename(files, rules, path, "log/x"),
        "rename its folder": lambda files, rules: rename(files, rules, path.rpartition("/")[0], "log/x"),
        "describe": lambda files, rules: describe(files, rules, path, description="x"),
        "patch, deleting": lambda files, rules: apply_patch(files, rules, patch(f"*** Delete File: {path}")),
        "patch, moving": lambda files, rules: apply_patch(
            files, rules, patch(f"*** Update File: {path}\n*** Move to: log/x.md\n {last_line(files, path)}\n+x")
        ),
        "patch": lambda files, rules: apply_patch(
            files, rules, patch(f"*** Update File: {path}\n {last_line(files, path)}\n+x")
        ),
    }


def patch(steps):
    return f"*** Begin Patch\n{steps}\n*** End Patch"


def last_line(files, path):
    return files[path].splitlines()[-1]


@pytest.mark.parametrize("edit", changing("x"))
class TestWhoMayEdit:
    def test_a_read_only_file_refuses_everything_from_everybody(self, files, person, model, edit):
        """core-R18"""
        for rules in (person, model):
            with pytest.raises(ReadOnly):
                changing("reference/locked.md")[edit](files, rules)

    @pytest.mark.parametrize("path", ["system/boundaries.md", "extensions/ad_hoc/instructions.md", NOTE])
    def test_what_belongs_to_the_person_is_changed_by_nobody_else(self, files, person, model, path, edit):
        with pytest.raises(ReadOnly, match="belongs to the person"):
            changing(path)[edit](files, model)
        assert changing(path)[edit](files, person).edits


@pytest.mark.parametrize("path", ["system/boundaries", "extensions/new/instructions", "extensions/ad_hoc/notes/mine"])
def test_nobody_else_makes_what_belongs_to_the_person(person, model, path):
    files = Texts({A: page("one\n")})
    for make in (
        lambda rules: create(files, rules, path, description="x"),
        lambda rules: rename(files, rules, A, path),
        lambda rules: apply_patch(files, rules, patch(f"*** Add File: {path}.md\n+x")),
        lambda rules: apply_patch(files, rules, patch(f"*** Update File: {A}\n*** Move to: {path}.md\n one\n+x")),
    ):
        with pytest.raises(ReadOnly):
            make(model)
        assert f"{path}.md" in make(person).edits


def test_a_folder_that_holds_it_cannot_be_made_so_by_a_move(model):
    files = Texts({"log/instructions.md": "x\n"})
    with pytest.raises(ReadOnly):
        rename(files, model, "log", "extensions/evil")


@pytest.mark.parametrize("value", ["true", '"true"'])
def test_no_tool_makes_a_file_read_only(files, person, value):
    """core-R29"""
    text = f"---\ndescription: x\nread_only: {value}\n---\n"
    added = "\n".join(f"+{line}" for line in text.splitlines())
    turned = f"*** Update File: {A}\n description: a page\n+read_only: {value}"
    for edit in (
        lambda: create(files, person, "reference/x", description="x", text=text),
        lambda: apply_patch(files, person, patch(f"*** Add File: reference/x.md\n{added}")),
        lambda: apply_patch(files, person, patch(turned)),
    ):
        with pytest.raises(ReadOnly, match="would become read_only"):
            edit()


class TestDelete:
    def test_a_folder_goes_with_all_its_files(self, files, person):
        del files["reference/locked.md"]
        done = delete(files, person, "reference/")
        assert done.edits == {A: None, "reference/b.md": None}
        assert done.done == "deleted reference/ (2 files)"

    def test_links_that_lead_nowhere_then_are_named_with_their_lines(self, files, person):
        """core-W28"""
        files["log/x.md"] = "a\n[it](../reference/a.md#part) and [[reference/a.md|this]]\n`[[reference/a]]`\n"
        assert delete(files, person, "reference/a").notes == (
            "log/x.md:2 links to (../reference/a.md), which is gone",
            "log/x.md:2 links to [[reference/a.md]], which is gone",
            "reference/b.md:4 links to [[reference/a]], which is gone",
        )

    def test_many_links_are_told_shortly(self, files, person):
        files["log/x.md"] = "[[reference/a]]\n" * 50
        notes = delete(files, person, "reference/a").notes
        assert len(notes) == 21
        assert notes[-1] == "31 more links: the same"

    def test_what_is_not_committed_is_not_there(self, files, person):
        """core-R22"""
        with pytest.raises(NotFound):
            delete(files, person, "empty/folder")

    @pytest.mark.parametrize("path", [".", "./", "/srv/memory", "/srv/memory/"])
    def test_the_whole_memory_is_not_deleted(self, files, person, path):
        """core-R7"""
        with pytest.raises(UnsafePath, match="the whole memory"):
            delete(files, person, path)

    def test_a_name_for_a_file_and_a_folder_has_to_say_which(self, files, person):
        files["reference/a/deep.md"] = page("x\n")
        with pytest.raises(UsageError, match="a file and a folder") as caught:
            delete(files, person, "reference/a")
        assert caught.value.paths == (A, "reference/a/")
        assert delete(files, person, "reference/a.md").edits == {A: None}
        assert delete(files, person, "reference/a/").edits == {"reference/a/deep.md": None}


class TestRename:
    def test_a_file_moves_byte_for_byte(self, files, person):
        done = rename(files, person, "reference/a", "log/deep/c")
        assert done.edits == {A: None, "log/deep/c.md": files[A]}
        assert done.notes[0] == "reference/b.md:4 links to [[reference/a]], its old place"
        assert "--fix-links" in done.notes[1]

    def test_a_link_in_a_file_that_moves_is_named_where_it_is_then(self, files, person):
        files[A] = page("[[reference/a]]\n")
        assert rename(files, person, "reference/a", "log/c").notes[0].startswith("log/c.md:4 links to")

    def test_a_folder_moves_with_all_its_files(self, files, person):
        """core-W28"""
        del files["reference/locked.md"]
        done = rename(files, person, "reference", "people/old")
        assert files.after(done).paths() == sorted(path.replace("reference/", "people/old/") for path in files.paths())
        assert done.done == "renamed reference/ (2 files) to people/old/"

    @pytest.mark.parametrize(("old", "new"), [("reference/a", "reference/b"), ("reference", "system"), ("log", "log")])
    def test_what_stands_at_the_new_place_stays(self, files, person, old, new):
        """core-R20"""
        files["log/x.md"] = "x\n"
        with pytest.raises(AlreadyExists):
            rename(files, person, old, new)

    def test_a_file_that_needs_a_header_there_must_have_one(self, files, person):
        files["log/x.md"] = "no header\n"
        with pytest.raises(FrontMatterInvalid):
            rename(files, person, "log/x", "reference/x")

    def test_links_to_it_can_be_rewritten(self, files, person):
        """core-W28"""
        files["log/x.md"] = (
            "[[reference/a#h|w]] [[./reference/a.md]] [p](../reference/a.md#h) `[[reference/a]]` [[x/y]]\n"
        )
        done = rename(files, person, "reference/a", "log/new place/c", fix_links=True)
        after = files.after(done)
        assert after["reference/b.md"] == page("see [[log/new place/c]]\n")
        assert after["log/x.md"] == (
            "[[log/new place/c#h|w]] [[log/new place/c.md]] [p](new%20place/c.md#h) `[[reference/a]]` [[x/y]]\n"
        )
        assert done.notes == ("links rewritten in log/x.md, reference/b.md",)
        back = rename(after, person, "log/new place/c", "reference/a", fix_links=True)
        assert after.after(back)["log/x.md"].startswith(
            "[[reference/a#h|w]] [[reference/a.md]] [p](../reference/a.md#h)"
        )

    def test_its_own_relative_links_go_on_leading_where_they_led(self, files, person):
        files[A] = page("[b](b.md) [gone](nowhere.md) [me](a.md)\n")
        done = rename(files, person, "reference/a", "log/a", fix_links=True)
        assert done.edits["log/a.md"] == page("[b](../reference/b.md) [gone](nowhere.md) [me](a.md)\n")

    def test_links_between_files_that_move_together_are_rewritten(self, files, person):
        del files["reference/locked.md"]
        done = rename(files, person, "reference", "people", fix_links=True)
        assert done.edits["people/b.md"] == page("see [[people/a]]\n")

    def test_links_in_files_that_may_not_be_edited_are_named_only(self, files, model):
        files["reference/locked.md"] += "[[reference/a]]\n"
        files["system/boundaries.md"] += "[[reference/a]]\n"
        done = rename(files, model, "reference/a", "reference/c", fix_links=True)
        assert done.paths == (A, "reference/b.md", "reference/c.md")
        assert [note.partition(" ")[0] for note in done.notes[1:]] == [
            "reference/locked.md:6",
            "system/boundaries.md:5",
        ]
