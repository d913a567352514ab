"""The page on hosts tells of every host, and what it says can be done by hand can be done."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.product import Product
from vademecum.hosts import HOSTS, FileEdit, Host, Places

Edits = Callable[[Places], tuple[FileEdit, ...]]
ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/hosts.md").read_text(encoding="utf-8")
SECTIONS = dict(section.split("\n", 1) for section in PAGE.split("\n## ")[1:])


FORMS = [(host, edits) for host in HOSTS for edits in (host.installation, *host.forms.values())]


@pytest.mark.parametrize(("host", "edits"), FORMS, ids=lambda one: one.name if isinstance(one, Host) else one.__name__)
def test_every_host_has_its_section_that_names_what_is_written(host: Host, edits: Edits, tmp_path: Path):
    section = SECTIONS[host.title]
    places = Places(user_home=tmp_path, environ={}, python=Path(sys.executable))
    named = re.findall(r"`([^` ]+)`", section)
    folders = [name for name in named if name.endswith("/")]
    for edit in edits(places):
        path = f"/{edit.path.relative_to(tmp_path).as_posix()}"
        assert any(path.endswith(f"/{name}") for name in named) or any(f"/{name}" in path for name in folders), path


@pytest.fixture
def samples(product: Product) -> tuple[str, str]:
    """What the page gives to the hook, and to the server."""
    product.call("note", "call her Ada")
    hook, server = re.findall(r"```json\n(.*?)```", SECTIONS["By hand"], re.DOTALL)
    return hook, server


def run(product: Product, words: list[str], stdin: str) -> list[dict]:
    environ = {**os.environ, **product.environ}
    command = [sys.executable, "-I", *words]
    done = subprocess.run(command, input=stdin, env=environ, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_sample_for_the_hook_gets_the_block(product: Product, samples: tuple[str, str]):
    program = ROOT / "src/vademecum/hook.py"
    (answer,) = run(product, ["-S", str(program), "codex", "session-start", "--home", str(product.home)], samples[0])
    assert "call her Ada" in answer["hookSpecificOutput"]["additionalContext"]


def test_the_sample_for_the_server_gets_the_tools(product: Product, samples: tuple[str, str]):
    answers = run(product, ["-m", "vademecum.mcp"], samples[1])
    assert [answer["id"] for answer in answers] == [0, 1]
    assert {"memory_search", "memory_read"} <= {tool["name"] for tool in answers[1]["result"]["tools"]}
