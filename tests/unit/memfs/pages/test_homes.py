"""The names that memory itself goes by exist in one spelling."""

import pytest

from vademecum.errors import UnsafePath
from vademecum.memfs import belongs_to_person
from vademecum.memfs.pages.homes import misspelling, plain_spelling
from vademecum.memfs.pages.paths import validate

MISSPELLED = [
    "memory.md",
    "Memory_Summary.md",
    "archive.md",
    "Rollout_summaries/x.md",
    "System/human.md",
    "system/Boundaries.md",
    "extensions/Ad_hoc/notes/x.md",
    "extensions/ad_hoc/Notes/x.md",
    "extensions/new/Instructions.md",
    "SKILLS/x/SKILL.md",
    "\uff53ystem/x.md",
    "s\u0443stem/x.md",
    "\u041c\u0415MORY.md",
    "system\ufe0f/x.md",
    "MEMORY.md/x.md",
]


@pytest.mark.parametrize("path", MISSPELLED)
def test_a_path_that_can_be_taken_for_a_name_of_memory_is_refused(path):
    with pytest.raises(UnsafePath, match="memory itself"):
        validate(path)


@pytest.mark.parametrize(
    "path",
    [
        "MEMORY.md",
        "system/human.md",
        "extensions/new/instructions.md",
        "extensions/ad_hoc/notes/x.md",
        "reference/memory.md",
        "reference/System/x.md",
        "systems.md",
        "\u043f\u0430\u043c\u044f\u0442\u044c/x.md",
        "system/\u0440\u0430\u0431\u043e\u0442\u0430.md",
    ],
)
def test_the_names_themselves_and_all_others_are_free(path):
    assert misspelling(path) is None


def test_what_belongs_to_the_person_does_so_in_every_spelling():
    assert belongs_to_person("System/BOUNDARIES.md")
    assert belongs_to_person("extensions/ad_hoc/Notes/x.md")
    assert not belongs_to_person("system/human.md")


def test_a_plain_spelling_reads_the_same_however_often_it_is_made():
    for path in MISSPELLED:
        assert plain_spelling(plain_spelling(path)) == plain_spelling(path)
