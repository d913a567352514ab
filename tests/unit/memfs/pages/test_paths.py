import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.memfs import Texts
from vademecum.errors import UnsafePath
from vademecum.memfs.pages.paths import (
    MAX_PATH_BYTES,
    collisions,
    is_valid,
    normalise,
    normalise_folder,
    validate,
)

GOOD = [
    "MEMORY.md",
    "system/human.md",
    "skills/release/SKILL.md",
    "reference/café.md",
    "reference/日本語.md",
    "people/anna-lena/card.md",
    "rollout_summaries/2026-01-01T10-00-00-ab12-fix-build.md",
    "extensions/import/resources/scope.json",
    "extensions/import/resources/deep/er/scope.json",
    "reference/console.md",
    "reference/a..b.md",
    "reference/x~1.md",
]

BAD = {
    "": "blank",
    "   ": "blank",
    "a\0.md": "U\\+0000",
    "a\nb.md": "U\\+000A",
    "a\x1b[31m.md": "U\\+001B",
    "a\u202egpj.md": "U\\+202E",
    ".g\u200cit/x.md": "U\\+200C",
    "a\ud800.md": "U\\+D800",
    "a\u2028.md": "U\\+2028",
    "a\\b.md": "uses /",
    "é\\b.md": "uses /",
    "cafe\u0301.md": "NFC",
    "/etc/passwd.md": "relative",
    "C:/x.md": "relative",
    "c:x.md": "relative",
    "~/x.md": "home",
    "~user/x.md": "home",
    "$HOME/x.md": "home",
    "../x.md": "leads elsewhere",
    "a/../../x.md": "leads elsewhere",
    "./x.md": "leads elsewhere",
    "a//b.md": "empty",
    "a/": "empty",
    ".git/config.md": "hidden",
    "a/.GIT/x.md": "hidden",
    "git~1/x.md": "elsewhere",
    "GIT~2/x.md": "elsewhere",
    ".inputs/x.md": "hidden",
    ".hidden.md": "hidden",
    "a /b.md": "space",
    " a.md": "space",
    "a./b.md": "dot",
    "a/b.md.": "dot",
    "a?.md": "holds one of",
    "ab:c.md": "holds one of",
    'a"b.md': "holds one of",
    "con.md": "device",
    "a/NUL.md": "device",
    "aux .md": "device",
    "com1.notes.md": "device",
    "LPT³.md": "device",
    "CONIN$.md": "device",
    "x.MD": "ends in .md",
    "x.txt": "ends in .md",
    "x": "ends in .md",
    "scope.json": "ends in .md",
    "extensions/x/scope.json": "ends in .md",
    "x" * 130 + ".md": "part of a path",
    "/".join(["abcdefghij"] * 20) + ".md": f"at most {MAX_PATH_BYTES}",
}


@pytest.mark.parametrize("path", GOOD)
def test_a_portable_markdown_path_is_returned_unchanged(path):
    assert validate(path) == path


@pytest.mark.parametrize(("path", "reason"), BAD.items(), ids=ascii)
def test_every_other_path_is_refused_with_the_first_rule_that_it_breaks(path, reason):
    """core-R7, core-R9, core-W15"""
    with pytest.raises(UnsafePath, match=reason) as caught:
        validate(path)
    assert caught.value.paths == (path,)
    assert not is_valid(path)


PIECES = st.lists(
    st.one_of(
        st.sampled_from(["..", ".", "/", "\\", ".git", ".md", "a", "~", "C:", "\0", "\u200d", "é", "scope.json", " "]),
        st.text(max_size=4),
    ),
    max_size=8,
).map("".join)


@given(PIECES)
@example("a/../b.md")
@settings(max_examples=200)
def test_an_accepted_path_never_leaves_its_root_and_has_one_meaning(path):
    """core-29.2 I9: no accepted path escapes, hides, or names git's own files."""
    if not is_valid(path):
        return
    parts = path.split("/")
    assert not {"", ".", ".."} & set(parts)
    assert not any(part.casefold().startswith((".git", "git~")) or part.startswith(".") for part in parts)
    assert not path.startswith(("/", "~", "$"))
    assert "\\" not in path
    assert unicodedata.normalize("NFC", path) == path
    assert path.endswith((".md", "scope.json"))


COLLIDING = [
    ("Reference/a.md", ["reference/a.md"], "reference/a.md"),
    ("reference/A.md", ["reference/a.md"], "reference/a.md"),
    ("REFERENCE/b.md", ["reference/a.md"], "reference/"),
    ("straße.md", ["STRASSE.md"], "STRASSE.md"),
    ("É.md", ["é.md"], "é.md"),
    ("a.md/b.md", ["a.md"], "a.md"),
    ("a.md", ["a.md/b.md"], "a.md/"),
    ("A.md/c.md", ["a.md"], "a.md"),
]


@pytest.mark.parametrize(("added", "existing", "other"), COLLIDING)
def test_names_that_a_file_system_may_confuse_collide(added, existing, other):
    """core-W15"""
    assert collisions([added], existing) == {added: other}


def test_the_later_of_two_new_names_collides():
    assert collisions(["x/A.md", "x/a.md", "y.md"], []) == {"x/a.md": "x/A.md"}


def test_distinct_names_and_a_path_itself_do_not_collide():
    assert collisions(["a/b.md", "a/c.md", "ab.md"], ["a/b.md", "a/d.md"]) == {}


ROOT = Path("/srv/memory")
FILES = Texts({"reference/a.md": "a\n"})


def meant(text, files=FILES):
    return normalise(text, root=ROOT, files=files)


@pytest.mark.parametrize(
    "text",
    [
        "reference/x.md",
        "reference/x",
        "  reference/x \n",
        "./reference/x",
        "memory/reference/x.md",
        "./memory/reference/x",
        "/srv/memory/reference/x.md",
        "/srv/memory/memory/reference/x",
    ],
)
def test_a_path_is_understood_as_people_and_tools_write_it(text):
    assert meant(text) == "reference/x.md"


def test_a_folder_of_the_name_memory_is_taken_at_its_word():
    files = Texts({"memory/deep/a.md": "a\n"})
    assert meant("memory/x", files) == "memory/x.md"
    assert meant("memory/x") == "x.md"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "~/x.md",
        "$HOME/x.md",
        "/etc/x.md",
        "/srv/memory",
        "/srv/memory/",
        "/srv/memory/../x.md",
        "/srv/memory//x.md",
        "/srv/memory-else/x.md",
        "memory/",
        "../x.md",
        "a/../../x",
        "a/.git/x",
        "a/.GIT/x",
        "x\0",
        "x.MD",
        "x.txt",
        "v1.2",
        "a\\b",
        "C:\\x.md",
        "reference/",
    ],
)
def test_what_leads_elsewhere_or_is_no_markdown_is_refused(text):
    """core-R7, core-R9"""
    with pytest.raises(UnsafePath):
        meant(text)


@pytest.mark.parametrize(
    ("text", "folder"),
    [
        ("", ""),
        (".", ""),
        ("./", ""),
        ("/srv/memory", ""),
        ("/srv/memory/", ""),
        ("reference", "reference"),
        ("reference/", "reference"),
        ("./reference/deep/", "reference/deep"),
        ("/srv/memory/reference", "reference"),
        ("memory/reference", "reference"),
    ],
)
def test_a_folder_is_understood_likewise(text, folder):
    assert normalise_folder(text, root=ROOT, files=FILES) == folder


@pytest.mark.parametrize("text", ["/", "/etc", "..", "a/..", ".git", "a//b", "~", "a/\0", "/srv/memory/.."])
def test_a_folder_elsewhere_is_refused(text):
    """core-R7"""
    with pytest.raises(UnsafePath):
        normalise_folder(text, root=ROOT, files=FILES)


@given(PIECES, st.sampled_from(["", "/srv/memory/", "./", "memory/", " "]))
@settings(max_examples=200)
def test_what_is_understood_is_a_memory_path_and_means_itself(text, front):
    """core-29.2 I3: no text that a tool gives leads out of the memory."""
    try:
        path = meant(front + text)
    except UnsafePath:
        return
    assert is_valid(path)
    assert meant(path, Texts({path: ""})) == path


@pytest.mark.parametrize(
    ("path", "step"), [("CON.md", "every system"), ("../x.md", "inside the memory"), ("x.txt", "ends in .md")]
)
def test_each_kind_of_refusal_has_its_own_next_step(path, step):
    with pytest.raises(UnsafePath) as caught:
        validate(path)
    assert step in caught.value.next_step
