"""What stands in the place of a secret is spelled in one module."""

from pathlib import Path

import pytest

import vademecum
from vademecum.secrets import holds_mask, mask

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "e5F6"


def test_masked_text_is_known_as_such():
    assert not holds_mask(f"token {TOKEN}")
    assert holds_mask(mask(f"token {TOKEN}"))


@pytest.mark.parametrize("kept", range(8, 20))
def test_a_mark_that_a_cut_divided_is_still_known(kept: int):
    """Texts are cut after they were masked."""
    assert holds_mask(mask(TOKEN)[:kept])


def test_text_in_brackets_is_no_mark():
    assert not holds_mask("[image] [secret] [t4] secret: no")


def test_the_mark_is_spelled_in_one_module():
    """Whoever asks for it elsewhere would miss a change of it."""
    root = Path(vademecum.__file__).parent
    spelled = {path.relative_to(root).as_posix() for path in root.rglob("*.py") if '"[secret:' in path.read_text()}
    assert spelled == {"secrets/marks.py"}
