from vademecum.memfs import front_matter
from vademecum.memfs.paths import is_valid
from vademecum.memfs.rules import is_read_only, secret_kind
from vademecum.memfs.seeds import seed_files


def test_every_seed_keeps_the_rules_of_a_memory_file():
    for path, text in seed_files().items():
        assert is_valid(path)
        assert front_matter.violation(text, path) is None
        assert secret_kind(text) is None
        assert not is_read_only(text)


def test_the_seeded_blocks_cost_next_to_nothing_in_a_prompt():
    """Bodies of `system/` stand in every prompt; the budget of all blocks is 1,000 tokens."""
    blocks = [text for path, text in seed_files().items() if path.startswith("system/")]
    assert len(blocks) == 3
    assert sum(len(front_matter.parse(text).body) for text in blocks) / 4 < 100
    assert sum(map(len, blocks)) / 4 < 250
