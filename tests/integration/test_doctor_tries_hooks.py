"""`vade doctor` starts the hook that stands in an agent's files, and says what a session would get."""

import re

import pytest

from support.product import Product

RULE = "The staging database is rebuilt every Monday."


def said(product: Product, code: int = 0) -> str:
    findings = product.call("doctor", "--json", code=code).json["findings"]
    return "\n".join(one["what"] for one in findings if one["area"] == "codex")


@pytest.fixture
def plugged(product: Product):
    product.call("note", RULE)
    product.call("install", "codex", "--yes")
    return product


def test_a_session_would_get_the_block(plugged):
    assert re.search(r"would get \d+ tokens", said(plugged))


def test_a_link_in_the_place_of_all_identities_gives_nothing_and_that_is_told(plugged, tmp_path):
    """codex-A15"""
    identities = plugged.home / "identities"
    identities.rename(tmp_path / "moved")
    identities.symlink_to(tmp_path / "moved")
    assert "would get nothing" in said(plugged, code=1)
    assert "identities is a link" in plugged.fail("doctor").out
