"""A server of the person's own, set up as docs/settings.md says."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from support.fake_model_queue import QueueModel
from support.good_model import GoodModel
from support.product import ruled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULE = "Always use pnpm, never npm."
MODEL = "qwen3:8b"
PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


@pytest.fixture
def script(product):
    told = ruled(RULE, started_at=datetime.now(UTC) - timedelta(days=1))
    product.tell(told)
    return told


@pytest.fixture
def follow(product):
    """Do what the page says, with the name and the address of this server; what the last command said."""

    def followed(address, *, code=0):
        page = PAGE.read_text(encoding="utf-8")
        (block,) = re.findall(r"```console\n((?:\$ vade .*\n)*?\$ vade .* openai-compatible:(?:.*\n)*?)```", page)
        said = ""
        for line in block.splitlines():
            command = line.removeprefix("$ vade ").replace("NAME-AS-THE-SERVER-KNOWS-IT", MODEL)
            words = command.replace("http://127.0.0.1:11434/v1", address).split()
            source = ("--from", str(product.sessions)) if words[0] == "learn" else ()
            said = product.call(*words, *source, code=code if source else 0).out
        return said

    return followed


def test_the_page_leads_to_memory_by_way_of_a_local_model(product, script, follow, tmp_path):
    with QueueModel("openai-compatible", name=MODEL, then=GoodModel(tmp_path / "good", script)) as server:
        assert "memory was updated in one commit" in follow(server.base_url)
    assert RULE in product.read("MEMORY.md")
    assert {run["cost"] for run in product.call("runs", "--json").json["runs"]} == {None}


def test_a_server_that_does_not_run_is_told_with_its_address(product, script, follow):
    told = follow("http://127.0.0.1:9/v1", code=1)
    assert f"openai-compatible:{MODEL} cannot be reached at http://127.0.0.1:9/v1" in told
    assert "Next: Is the server running, and `model.base_url` right?" in told


def test_an_address_without_its_path_is_told_in_one_short_line(script, product, follow, tmp_path):
    """A page for a browser is not what a server has to say."""
    with QueueModel("openai-compatible", name=MODEL, then=GoodModel(tmp_path / "good", script)) as server:
        told = follow(server.base_url.removesuffix("/v1"), code=1)
    assert "<" not in told
    assert "status 418" in told


def test_a_model_without_a_provider_is_told_what_to_write(product):
    refused = product.call("config", "set", "model.extract_model", MODEL, code=4)
    assert "`provider:name`" in refused.err
