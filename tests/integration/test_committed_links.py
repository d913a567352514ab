"""A symbolic link that was committed past the hook is named by every command, and there is a way to be rid of it."""

import pytest

from support.product import ruled

RULE = "never edit generated files by hand"


@pytest.fixture
def linked(product):
    """In the place of a page a link stands, and another where nothing was."""
    product.call("init")
    page = product.memory / "system/human.md"
    product.before = page.read_text()
    page.unlink()
    page.symlink_to("/etc/hostname")
    product.git("add", "--all")
    product.git("commit", "--quiet", "--no-verify", "--message", "a link for a page")
    (product.memory / "reference").mkdir()
    (product.memory / "reference/new.md").symlink_to("../system/persona.md")
    product.git("add", "--all")
    product.git("commit", "--quiet", "--no-verify", "--message", "a new link")
    return product


def links(product):
    return [line.split()[-1] for line in product.git("ls-tree", "-r", "HEAD").splitlines() if line.startswith("120000")]


@pytest.mark.parametrize("command", ["adopt", "status", "doctor"])
def test_it_is_named(linked, command):
    told = linked.call(command).out
    assert "system/human.md" in told
    assert "reference/new.md" in told
    assert "symbolic link" in told


@pytest.mark.parametrize(
    "words", [("context",), ("search", "role"), ("ls", "system"), ("diff", "HEAD~1"), ("show", "HEAD")]
)
def test_it_is_never_followed_and_nothing_fails(linked, words):
    linked.call(*words)


def test_undoing_the_commit_puts_the_page_back_in_its_place(linked):
    linked.call("undo", "HEAD~1", "--dry-run")
    linked.call("undo", "HEAD~1")
    assert not (linked.memory / "system/human.md").is_symlink()
    assert linked.read("system/human.md") == linked.before
    assert links(linked) == ["reference/new.md"]
    assert linked.git("status", "--porcelain") == ""


def test_one_that_took_no_page_away_says_how_it_goes(linked):
    error = linked.fail("undo", "HEAD", "--json").error
    assert "it only brings reference/new.md" in error["message"]
    assert "delete it, then run `vade adopt`" in error["message"]


def test_every_one_that_a_commit_brought_is_named(linked):
    for name in ("b", "a"):
        (linked.memory / f"reference/{name}.md").symlink_to("../system/persona.md")
    linked.git("add", "--all")
    linked.git("commit", "--quiet", "--no-verify", "--message", "two links")
    assert "reference/a.md, reference/b.md, which are" in linked.fail("undo", "HEAD", "--json").error["message"]


def test_one_that_came_with_a_page_is_named_where_it_alone_is_to_be_undone(linked):
    page = linked.memory / "reference/page.md"
    page.write_text("---\ndescription: d\n---\nx\n")
    (linked.memory / "reference/beside.md").symlink_to("page.md")
    linked.git("add", "--all")
    linked.git("commit", "--quiet", "--no-verify", "--message", "both")
    assert (
        "brings reference/beside.md, which is"
        in linked.fail("undo", "HEAD", "reference/beside.md", "--json").error["message"]
    )
    linked.call("undo", "HEAD", "reference/page.md")
    assert not page.exists()


def test_one_of_any_name_is_told_once_by_the_doctor(linked):
    (linked.memory / "odd.txt").symlink_to("/etc/hostname")
    linked.git("add", "--all")
    linked.git("commit", "--quiet", "--no-verify", "--message", "odd")
    told = [found for found in linked.call("doctor", "--json").json["findings"] if "odd.txt" in found["what"]]
    assert len(told) == 1


def test_forgetting_it_says_the_way_out_which_ends_with_nothing_in_history(linked):
    error = linked.fail("forget", "reference/new.md", "--yes", "--json").error
    assert "vade adopt" in error["next"]
    (linked.memory / "reference/new.md").unlink()
    linked.call("adopt")
    linked.call("forget", "reference/new.md", "--scrub", "--yes")
    assert linked.git("log", "--all", "--format=%h", "--", "reference/new.md") == ""


def test_deleting_it_and_adopting_takes_it_out_of_memory(linked):
    for path in ("system/human.md", "reference/new.md"):
        (linked.memory / path).unlink()
    linked.call("adopt")
    assert links(linked) == []
    assert linked.git("status", "--porcelain") == ""
    assert "symbolic link" not in linked.call("doctor").out


def test_a_page_that_a_person_saves_in_its_place_is_adopted(linked):
    page = linked.memory / "system/human.md"
    page.unlink()
    page.write_text(linked.before + "They like tea.\n")
    linked.call("adopt")
    assert links(linked) == ["reference/new.md"]
    assert "They like tea." in linked.context()


def test_what_the_doctor_says_is_the_way_out(linked):
    findings = linked.call("doctor", "--json").json["findings"]
    steps = [found["next"] for found in findings if "symbolic link" in found["what"]]
    assert [step.split("`")[1] for step in steps] == ["git rm -- 'reference/new.md'", "git rm -- 'system/human.md'"]
    linked.git("rm", "--quiet", "--", "reference/new.md", "system/human.md")
    linked.git("commit", "--quiet", "--message", "away")
    assert links(linked) == []
    linked.call("undo", "HEAD~2")
    assert linked.read("system/human.md") == linked.before


def test_learning_goes_on(linked):
    linked.tell(ruled(RULE))
    assert linked.learn().json["consolidation"]["status"] == "landed"
    assert RULE in linked.context()
    assert links(linked) == ["reference/new.md", "system/human.md"]
