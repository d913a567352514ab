"""What `vade install` wrote works in the real programs, the doctor hears so from them, and it is taken back."""

import json
import subprocess
from pathlib import Path

import pytest

from support.clients_driving import CLIENTS, KEY, Workplace, prompt
from support.clients_plugged import call, trust_hooks
from support.fake_model import FakeModel, Step, marker
from support.hooks import pass_is_recent
from support.product import Product

# As in test_real_sessions.
pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]

RULE = "always use pnpm in the shop"
SAID = "The deploy day is Tuesday."
#: How a model calls the tool of a server in each host: namespace and name.
SEARCH = {
    "claude-code": ("", "mcp__vademecum__memory_search"),
    "codex": ("mcp__vademecum", "memory_search"),
    "gemini": ("", "mcp_vademecum_memory_search"),
}
#: Not the usual form, where there is a choice: other tests drive that one.
FORM = {"claude-code": ("--form", "settings")}
#: What a person wrote into the file that hooks stand in.
MINE = b'{"permissions": {"allow": ["Read"]}}\n'


@pytest.fixture(params=sorted(SEARCH))
def client(request):
    client = next(client for client in CLIENTS if client.host == request.param)
    if client.missing:
        pytest.skip(f"{' and '.join(client.missing)} not installed: `make test-hosts` does it")
    return client


@pytest.fixture
def place(client, closed_home, tmp_path, monkeypatch):
    (tmp_path / "project").mkdir()
    subprocess.run(["git", "init", "--quiet", str(tmp_path / "project")], check=True)
    monkeypatch.setenv("PATH", str(client.package.program.parent), prepend=":")
    monkeypatch.setenv("FAKE_API_KEY", KEY)
    monkeypatch.chdir(tmp_path / "project")
    namespace, tool = SEARCH[client.host]
    steps = [Step(text="I look.", tool=tool, namespace=namespace, arguments={"query": "pnpm"}), Step(text="Done.")]
    with FakeModel({"work": steps}) as model:
        client.configure(closed_home, model.url)
        yield Workplace(home=closed_home, project=tmp_path / "project", model=model)


def trust(place: Workplace, client, product: Product) -> None:
    """Trust the hooks, as the doctor says that a person has to."""
    problem = next(found for found in product.call("doctor", "--json", code=1).json["findings"] if found["next"])
    assert "you have not trusted them yet" in problem["what"]
    trust_hooks(client, place.home, place.project)


def kept(home: Path) -> dict[str, bytes]:
    names = (".codex/config.toml", ".claude/settings.json")
    return {name: (home / name).read_bytes() for name in names if (home / name).exists()}


def test_a_session_gets_the_block_and_the_tools_and_all_of_it_goes_again(client, place, tmp_path):
    """user-U68, user-U49: the doctor hears from the host itself, and what was there before comes back."""
    product = Product(tmp_path / "product")
    product.call("note", RULE)
    pass_is_recent(product.home)
    if client.host == "claude-code":
        (place.home / ".claude").mkdir()
        (place.home / ".claude/settings.json").write_bytes(MINE)
    before = kept(place.home)
    product.call("install", client.host, *FORM.get(client.host, ()), "--yes")
    if client.host == "codex":
        trust(place, client, product)
    prompt(client, f"please look {marker('work')}", place)
    first, second = map(json.dumps, place.model.bodies[:2])
    assert first.count(RULE) == 1
    assert second.count(RULE) > 1
    told = [found["what"] for found in product.call("doctor", "--json").json["findings"]]
    assert any("told of a session last on" in what for what in told)
    product.call("uninstall", client.host, "--yes")
    for name, data in before.items():
        assert (place.home / name).read_bytes().startswith(data)
        assert b"vademecum" not in (place.home / name).read_bytes().replace(bytes(tmp_path), b"")
    assert not (place.home / ".gemini/extensions/vademecum").exists()
    assert not (place.home / ".codex/hooks.json").exists()
    assert not (place.home / ".claude/commands").exists()


@pytest.mark.parametrize("client", ["codex"], indirect=True)
def test_codex_with_its_own_defaults_notes_what_the_person_says_and_resets_nothing(client, place, tmp_path):
    """codex-W45: Where nobody can be asked, it refuses what may destroy, and what does not say that it stays inside."""
    config = place.home / ".codex/config.toml"
    settings = config.read_text(encoding="utf-8").splitlines()
    kept = [line for line in settings if not line.startswith(("approval_policy", "sandbox_mode"))]
    config.write_text("\n".join(kept), encoding="utf-8")
    product = Product(tmp_path / "product")
    product.call("note", RULE)
    pass_is_recent(product.home)
    product.call("install", client.host, "--yes")
    note, reset = call(client, "memory_add_note", note=SAID), call(client, "memory_reset")
    place.model.scenarios = {"work": [note, reset, Step(text="Done.")]}
    prompt(client, f"{SAID} {marker('work')}", place)
    noted, refused = (json.dumps(body["input"][-1]) for body in place.model.bodies[1:])
    assert "remembered in" in noted
    assert "requires approval" in refused
    assert SAID in product.context()
    assert RULE in product.context()
