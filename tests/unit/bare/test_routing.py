import os
import shutil

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.work_trees import link_work_tree, repository
from vademecum.bare.routing import project_of, route_of
from vademecum.config import Config, Scope, default_config
from vademecum.home import Home, work_tree
from vademecum.routes import Routes

#: Below the folder of a test: repositories, linked work trees, a bare one, folders in none, and what is gone.
NAMES = (
    "shop",
    "shop/api",
    "fix",
    "fix/deep/er",
    "plain",
    "plain/inner",
    "gone",
    "gone/below",
    "nested/sub",
    "lost",
    "é",
)
BY_HAND = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(["acme", "own"]), max_size=2)


def config(**changes) -> Config:
    return msgspec.structs.replace(default_config({}), **changes)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A disk as people have it; `lost` is a work tree whose repository was deleted."""
    root = tmp_path_factory.mktemp("world")
    shop = repository(root / "shop")
    (shop / "api").mkdir()
    repository(root / "nested")
    repository(root / "nested/sub")
    link_work_tree(root / "fix", shop)
    (root / "fix/deep/er").mkdir(parents=True)
    (root / "plain/inner").mkdir(parents=True)
    link_work_tree(root / "lost", repository(root / "short-lived"))
    shutil.rmtree(root / "short-lived")
    repository(root / "é")
    return root


@pytest.mark.parametrize("name", [*NAMES, "", "shop/../fix", "lost/x"])
def test_a_project_is_the_one_that_the_home_sees(world, name):
    folder = os.path.normpath(world / name)
    seen = work_tree(folder)
    assert project_of(folder) == ((seen.root, seen.main or "") if seen else ("", ""))


@pytest.mark.parametrize("folder", ["/", "/nowhere/at/all", "/\0", "/" + "x" * 5000])
def test_odd_folders_belong_to_no_project(folder):
    """user-U22, user-U23, user-U65: the root of the disk is a folder as any other, and is not searched."""
    assert project_of(folder) == ("", "")


@pytest.mark.parametrize(
    "pointer", [b"", b"gitdir: ", b"\xff", b"gitdir: /nowhere/.git/worktrees/x", b"x" * 10_000, b"gitdir: ../m"]
)
def test_a_pointer_of_any_content_is_read_as_the_home_reads_it(tmp_path, pointer):
    (tmp_path / ".git").write_bytes(pointer)
    seen = work_tree(str(tmp_path))
    assert project_of(str(tmp_path)) == (seen.root, seen.main or "")


@pytest.mark.slow
@pytest.mark.timeout(60)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    scope=st.sampled_from(list(Scope)),
    by_hand=BY_HAND,
    seen_before=st.lists(st.sampled_from(NAMES), max_size=4),
    asked=st.sampled_from([*NAMES, ".", "shop/api/new"]),
    began=st.lists(st.sampled_from(NAMES), max_size=4),
)
def test_a_hook_finds_the_identity_that_every_command_finds(
    world, tmp_path_factory, scope, by_hand, seen_before, asked, began
):
    """user-U17, user-U18, user-U19, user-U20: for folders seen or new, linked, deleted, or in no repository.

    Where it finds none, there is none: the identity has no memory yet.
    """
    home = Home(root=tmp_path_factory.mktemp("home"))
    routes = Routes(home, config(scope=scope, routes={str(world / name): who for name, who in by_hand.items()}))
    routes.publish()
    for name in seen_before:
        routes.keep(routes.of(str(world / name)))
    identities = home.root / "identities"
    identities.mkdir()
    for name in began:
        (identities / routes.of(str(world / name)).identity).mkdir(exist_ok=True)
    expected = routes.of(str(world / asked)).identity
    table = msgspec.to_builtins(routes.table)
    found = route_of(table, str(world / asked), str(identities))
    assert found == expected or (found == "" and not (identities / expected).exists())


def test_without_a_table_everything_belongs_to_the_default(tmp_path):
    assert route_of({}, "/srv/shop", str(tmp_path)) == "default"
