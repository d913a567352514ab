import os
import shutil

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.work_trees import link_work_tree, repository
from vademecum.bare.routing import project_of, route_of
from vademecum.config import Config, Scope, default_config
from vademecum.home import Home, project_root
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


@pytest.mark.parametrize(
    ("name", "root", "main"),
    [
        ("shop", "shop", "shop"),
        ("shop/api", "shop", "shop"),
        ("fix", "fix", "shop"),
        ("fix/deep/er", "fix", "shop"),
        ("plain", "", ""),
        ("gone/below", "", ""),
        ("shop/gone", "shop", "shop"),
        ("nested", "nested", "nested"),
        ("nested/sub", "nested/sub", "nested/sub"),
        ("lost", "lost", ""),
        ("lost/x", "lost", ""),
        ("é", "é", "é"),
    ],
)
def test_a_folder_belongs_to_the_nearest_work_tree_and_a_linked_one_to_its_main_one(world, name, root, main):
    assert project_of(str(world / name)) == (root and str(world / root), main and str(world / main))


@pytest.mark.parametrize("folder", ["/", "/nowhere/at/all", "/\0", "/" + "x" * 5000])
def test_odd_folders_belong_to_no_project(folder):
    """user-U22, user-U23, user-U65: the root of the disk is a folder as any other, and is not searched."""
    assert project_of(folder) == ("", "")


@pytest.mark.parametrize("name", NAMES)
def test_no_folder_is_looked_through(world, name, monkeypatch):
    """user-U65: where a session works in a home with all that lies in it, only the way up to the root is gone."""

    def refuse(*_arguments, **_options):
        raise AssertionError("a folder is listed")

    expected = project_of(str(world / name))
    for function in ("listdir", "scandir", "walk", "fwalk"):
        monkeypatch.setattr(os, function, refuse)
    assert project_of(str(world / name)) == expected
    assert route_of({}, str(world / name), "/nowhere") == "default"


@pytest.mark.parametrize(
    ("pointer", "is_gone"),
    [
        (b"", False),
        (b"gitdir: ", False),
        (b"\xff", True),
        (b"gitdir: /nowhere/.git/worktrees/x", True),
        (b"x" * 10_000, False),
        (b"gitdir: ../m", False),
    ],
)
def test_a_folder_whose_pointer_leads_nowhere_stands_for_itself(tmp_path, pointer, is_gone):
    (tmp_path / ".git").write_bytes(pointer)
    assert project_of(str(tmp_path)) == (str(tmp_path), "" if is_gone else str(tmp_path))
    assert project_root(str(tmp_path)) == str(tmp_path)


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
