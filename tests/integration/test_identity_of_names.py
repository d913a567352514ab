"""Names of memory and committed secrets, through the engine: learning goes on, and nothing is shown that leaks."""

import pytest

from support.memfs import FAKE_SECRET, git
from support.product import Product, ruled
from vademecum import Memory
from vademecum.engine import AskedBy
from vademecum.errors import SecretFound, UnsafePath, UsageError
from vademecum.sessions import Origin

RULE = "never edit generated files by hand"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


@pytest.fixture
def product(tmp_path):
    return Product(tmp_path)


@pytest.fixture
def memory(product):
    memory = Memory.open(home=product.home, environ={})
    memory.create()
    return memory


def commit(memory, path, text):
    file = memory.folder.memory / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    git(memory.folder.memory, "add", "--all")
    git(memory.folder.memory, "commit", "-qnm", "by hand")


def create(memory, path, reason="because", **asked):
    asked_by = AskedBy(origin=Origin.MODEL, **asked)
    return memory.edit.create(path, description="d", text="t", reason=reason, asked_by=asked_by)


@pytest.mark.parametrize("path", ["memory.md", "extensions/ad_hoc/Notes/x.md", "archive.md"])
def test_no_call_of_a_model_takes_a_name_of_memory(memory, path):
    with pytest.raises(UnsafePath):
        create(memory, path)
    memory.note("still heard")


def test_what_is_in_the_way_of_a_note_is_named_with_what_to_do(memory):
    commit(memory, "extensions/ad_hoc/Notes/x.md", "x\n")
    with pytest.raises(UnsafePath, match="rename extensions/ad_hoc/Notes/ with `git mv`"):
        memory.note("heard")


@pytest.mark.parametrize("name", ["memory.md", "Memory_Summary.md", "ROLLOUT_SUMMARIES/x.md"])
def test_learning_goes_on_around_a_page_that_took_a_name_of_memory(product, memory, name):
    """What it stands in the way of waits, the rest lands; it all lands when the page has another name."""
    commit(memory, name, "---\ndescription: d\n---\nmine\n")
    product.tell(ruled(RULE))
    answer = product.call("learn", "--from", str(product.sessions), "--all", "--now")
    assert f"{name} stands in the way of memory" in answer.out
    assert "rename it with `git mv`" in answer.out
    assert product.call("log", "--json").json["commits"][0]["provenance"]["writer"] == "learn"
    assert "mine" in product.read(name)
    git(product.memory, "mv", name, "mine.md")
    git(product.memory, "commit", "-qm", "renamed")
    product.learn()
    assert RULE in product.context()
    assert RULE in product.read("MEMORY.md")
    assert list((product.memory / "rollout_summaries").iterdir())
    assert product.call("proposals", "--json").json["proposals"] == []


def test_a_secret_that_was_committed_past_the_hook_is_masked_wherever_memory_is_read(memory):
    commit(memory, "system/human.md", f"---\ndescription: d\n---\nmy zebra key {FAKE_SECRET}\n")
    shown = [memory.context().text, memory.read("system/human.md").content, repr(memory.search("zebra").hits)]
    assert all("zebra" in text and FAKE_SECRET not in text for text in shown)
    kept = [file.read_bytes() for file in memory.folder.root.rglob("*") if file.name in ("context.json", "search.db")]
    assert kept
    assert not any(FAKE_SECRET.encode() in data for data in kept)


def test_a_note_that_the_person_let_pass_stays_readable(memory):
    memory.note(f"the sample key is {FAKE_SECRET}", allow_secret=True)
    assert FAKE_SECRET in memory.context().text


def test_a_secret_in_the_words_of_a_path_is_refused(memory):
    secret = "hunter2Xy9!kLm" + "Q8w"
    with pytest.raises(SecretFound) as refused:
        create(memory, f"reference/password-{secret}.md")
    assert secret not in str(refused.value)
    create(memory, "reference/password-argon2id-hashing.md")


@pytest.mark.parametrize("reason", ["\u200b", "\u202e \u2060", "\u3164"])
def test_a_reason_that_nobody_can_see_is_refused(memory, reason):
    with pytest.raises(UsageError, match="blank"):
        create(memory, "reference/x.md", reason=reason)


def test_a_reason_loses_what_nobody_can_see(memory):
    assert create(memory, "reference/x.md", reason="be\u202ecause\u200b").subject == "because"


@pytest.mark.parametrize("asked", [{"turn": 0}, {"turn": 10**6}, {"session": ""}, {"session": "s" * 257}])
def test_a_session_or_turn_that_no_host_has_is_refused(memory, asked):
    with pytest.raises(UsageError):
        create(memory, "reference/x.md", **asked)


@pytest.mark.parametrize("what", ["system/boundaries.md", "extensions", "system"])
def test_what_is_the_persons_alone_is_not_forgotten_by_one_yes(memory, product, what):
    assert "--protected" in product.call("forget", what, "--yes", code=2).err
    product.call("forget", what, "--yes", "--protected")


def test_one_note_is_forgotten_by_one_yes(memory, product):
    note = memory.note("heard").paths[0]
    product.call("forget", note, "--yes")


def test_a_file_may_be_named_without_its_ending(memory, product):
    create(memory, "reference/zan.md")
    product.call("forget", "reference/zan", "--yes")
    assert "reference/zan.md" not in memory.tree().paths()


@pytest.mark.parametrize("name", [FAKE_SECRET, "password-hunter2Xy9!kLm" + "Q8w"], ids=["a token", "words of a name"])
def test_a_secret_in_a_committed_name_is_masked_wherever_names_are_told(product, memory, name):
    commit(memory, f"reference/{name}.md", "---\ndescription: d\n---\nzebra [[nowhere]]\n")
    secret = name.removeprefix("password-")
    commands = (
        ["ls", "reference"],
        ["search", "zebra"],
        ["log"],
        ["log", "reference"],
        ["show", "HEAD"],
        ["diff", "HEAD~1"],
        ["read", f"reference/{name}"],
        ["context"],
        ["status"],
        ["undo", "--dry-run"],
    )
    for words in commands:
        for form in ([], ["--json"]):
            answer = product.call(*words, *form)
            assert secret not in answer.out + answer.err, words
    doctor = product.call("doctor").out
    assert secret not in doctor
    assert "has a name that looks like a secret" in doctor
