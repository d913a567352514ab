import pygit2

from support.memfs import create
from vademecum.memfs.pages import front_matter
from vademecum.memfs.pages.paths import is_valid
from vademecum.memfs.pages.rules import is_read_only, secret_kind
from vademecum.memfs.seeds import EARLIER, outdated_seeds, seed_files


def test_every_seed_keeps_the_rules_of_a_memory_file():
    for path, text in seed_files().items():
        assert is_valid(path)
        assert front_matter.violation(text, path) is None
        assert secret_kind(text) is None
        assert not is_read_only(text)


def test_a_new_memory_says_where_things_belong_and_how_they_are_written(tmp_path):
    """core-23.1, core-R103"""
    tree = create(tmp_path).tree()
    assert outdated_seeds(tree) == []
    assert front_matter.parse(tree.read("system/human.md")).meta["kind"] == "person"
    skill = tree.read("skills/memory-discipline/SKILL.md")
    for place in ("vade note", "system/persona.md", "people/<name>/card.md", "skills/<name>/SKILL.md", "nowhere"):
        assert place in skill
    assert "I say so in one sentence" in tree.read("system/persona.md")


#: The seeds of this version. Who changes one adds the old id to `EARLIER`, and the new one here.
PRESENT = {
    "extensions/ad_hoc/instructions.md": "87563219d1cc087fcbb139b6a684e7191fde4dda",
    "skills/memory-discipline/SKILL.md": "8c10f6bef9850747d0f0fba811fc746007e19700",
    "system/boundaries.md": "80b40bd13b2932f670f9f8dc292207bbfc4102df",
    "system/human.md": "a7dd6cf6025891beb1e3e68f114c8d4b438c02ca",
    "system/persona.md": "34ca12e44e6a101d028b859b57cfc61e743625d7",
}


def test_a_seed_that_changes_leaves_its_id_behind():
    """core-23.2: or nobody could tell a file that was never touched from one that a person wrote."""
    assert {path: str(pygit2.hash(text)) for path, text in seed_files().items()} == PRESENT
    assert [path for path, blob in PRESENT.items() if blob in EARLIER[path]] == []


def test_the_seeded_blocks_cost_next_to_nothing_in_a_prompt():
    """Bodies of `system/` stand in every prompt; the budget of all blocks is 1,000 tokens."""
    blocks = [text for path, text in seed_files().items() if path.startswith("system/")]
    assert len(blocks) == 3
    assert sum(len(front_matter.parse(text).body) for text in blocks) / 4 < 100
    assert sum(map(len, blocks)) / 4 < 250
