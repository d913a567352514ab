from pathlib import Path

import pytest

from support.memfs import Texts, page
from vademecum.memfs import EditRules

ROOT = Path("/srv/memory")


@pytest.fixture
def person():
    return EditRules(root=ROOT, is_person=True)


@pytest.fixture
def model():
    return EditRules(root=ROOT, is_person=False)


@pytest.fixture
def files():
    return Texts(
        {
            "MEMORY.md": "# Handbook\n",
            "reference/a.md": page("one\ntwo\none\n"),
            "reference/b.md": page("see [[reference/a]]\n"),
            "reference/locked.md": "---\ndescription: locked\nread_only: true\n---\nkept\n",
            "system/boundaries.md": page("never\n"),
            "extensions/ad_hoc/instructions.md": "how to take them\n",
            "extensions/ad_hoc/notes/2026-01-01T10-00-00-tea.md": page("tea\n"),
        }
    )
