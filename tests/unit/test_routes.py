import json
import shutil

import pytest

from support.work_trees import link_work_tree, repository
from vademecum.config import Config, load_config
from vademecum.errors import UnknownIdentity, UsageError
from vademecum.home import DEFAULT_IDENTITY, Home
from vademecum.names import automatic_name
from vademecum.routes import Chosen, Routes, publish_routes


@pytest.fixture
def place(tmp_path):
    return Home(root=tmp_path / "home")


@pytest.fixture
def routes(place):
    """Makes the routes of a scope, with these given by hand."""

    def made(scope="repository", **by_hand) -> Routes:
        config = load_config(place.config, {"VADEMECUM_IDENTITY_SCOPE": scope})
        return Routes(place, Config(**{name: getattr(config, name) for name in config.__struct_fields__} | by_hand))

    return made


@pytest.fixture
def shop(tmp_path):
    return repository(tmp_path / "shop")


@pytest.fixture
def fix(tmp_path, shop):
    return link_work_tree(tmp_path / "fix", shop)


def begin(place, name):
    folder = place.identity(name)
    folder.create()
    (folder.memory / ".git").mkdir(parents=True)


class TestChoosing:
    def test_the_name_wins_then_the_variable_then_the_folder(self, routes, shop):
        environ = {"VADEMECUM_IDENTITY": "other"}
        table = routes(routes={str(shop): "acme"})
        assert table.choose("work", environ, str(shop)).chosen is Chosen.NAMED
        assert table.choose(" ", environ, str(shop)).identity == "other"
        assert table.choose(None, {}, str(shop)).identity == "acme"

    def test_the_present_folder_counts_where_none_is_given(self, routes, shop, monkeypatch):
        monkeypatch.chdir(shop)
        assert routes().choose(None, {}, None) == routes().of(str(shop))

    def test_a_deleted_present_folder_is_known_by_the_name_that_the_shell_has(self, routes, tmp_path, monkeypatch):
        gone = tmp_path / "gone"
        gone.mkdir()
        monkeypatch.chdir(gone)
        gone.rmdir()
        assert routes().choose(None, {"PWD": str(gone)}, None).folder == str(gone)
        assert routes().choose(None, {}, None).identity == DEFAULT_IDENTITY

    def test_one_that_was_named_and_must_exist_is_an_error_where_it_does_not(self, routes, place):
        table = routes()
        for name, environ in (("work", {}), (None, {"VADEMECUM_IDENTITY": "work"})):
            with pytest.raises(UnknownIdentity):
                table.folder_of(table.choose(name, environ, None), must_exist=True)
        begin(place, "work")
        assert table.folder_of(table.choose("work", {}, None), must_exist=True).exists

    def test_the_default_one_and_that_of_a_folder_are_never_unknown(self, routes, shop):
        for table in (routes(), routes("global")):
            assert not table.folder_of(table.of(str(shop)), must_exist=True).exists
        table = routes()
        assert table.folder_of(table.choose("default", {}, None), must_exist=True).name == DEFAULT_IDENTITY

    def test_a_new_identity_may_not_be_named_like_a_projects_but_one_that_is_there_may(self, routes, place):
        table, name = routes(), "shop-1a2b3c4d"
        with pytest.raises(UsageError):
            table.folder_of(table.choose(name, {}, None))
        begin(place, name)
        assert table.folder_of(table.choose(name, {}, None)).name == name


class TestScopes:
    def test_under_scope_global_all_folders_have_the_default_identity(self, routes, fix, shop):
        assert {routes("global").of(str(folder)).identity for folder in (fix, shop, shop / "src")} == {DEFAULT_IDENTITY}

    def test_under_scope_repository_linked_work_trees_share_the_identity_of_the_main_one(self, routes, shop, fix):
        table = routes()
        folders = (shop, shop / "src" / "deep", fix, fix / "src")
        assert {table.of(str(folder)).identity for folder in folders} == {automatic_name(str(shop))}

    def test_under_scope_worktree_each_has_its_own(self, routes, shop, fix):
        table = routes("worktree")
        assert table.of(str(fix / "src")).identity == automatic_name(str(fix))
        assert table.of(str(shop)).identity == automatic_name(str(shop))

    def test_a_folder_in_no_repository_stands_for_itself(self, routes, tmp_path):
        route = routes().of(str(tmp_path / "plain" / "x"))
        assert (route.chosen, route.identity) == (Chosen.FOLDER, automatic_name(str(tmp_path / "plain" / "x")))

    @pytest.mark.parametrize("cwd", ["", "relative/x", "C:\\work\\shop"])
    def test_what_is_no_absolute_folder_has_the_default_identity(self, routes, cwd):
        assert routes().of(cwd).chosen is Chosen.DEFAULT


class TestByHand:
    @pytest.mark.parametrize("scope", ["global", "repository", "worktree"])
    def test_it_holds_below_its_folder_in_every_scope_also_for_repositories(self, routes, tmp_path, shop, scope):
        table = routes(scope, routes={str(tmp_path): "acme", str(shop / "till"): "till"})
        assert table.of(str(shop / "src")).identity == "acme"
        assert table.of(str(shop / "till" / "x")).identity == "till"
        assert table.of(f"{tmp_path}-other").identity != "acme"

    def test_a_linked_work_tree_elsewhere_follows_its_main_one_but_under_scope_worktree(self, routes, shop, fix):
        given = {str(shop): "acme"}
        assert routes("repository", routes=given).of(str(fix)).identity == "acme"
        assert routes("global", routes=given).of(str(fix)).identity == "acme"
        assert routes("worktree", routes=given).of(str(fix)).identity == automatic_name(str(fix))


class TestKeeping:
    """A folder that was routed once stays routed when it is gone."""

    def keep(self, table, *folders):
        for folder in folders:
            table.keep(table.of(str(folder)))

    def test_a_deleted_work_tree_keeps_the_memory_of_its_repository(self, routes, shop, fix):
        self.keep(routes(), fix)
        shutil.rmtree(fix)
        assert routes().of(str(fix / "src")).identity == automatic_name(str(shop))

    def test_a_work_tree_whose_repository_is_gone_keeps_its_memory(self, routes, shop, fix):
        self.keep(routes(), fix)
        shutil.rmtree(shop)
        assert routes().of(str(fix)).identity == automatic_name(str(shop))

    def test_a_folder_below_a_deleted_repository_keeps_its_memory(self, routes, shop):
        self.keep(routes(), shop / "src")
        shutil.rmtree(shop)
        assert routes().of(str(shop / "src" / "deep")).identity == automatic_name(str(shop))

    def test_a_deleted_repository_inside_another_one_does_not_fall_to_the_outer_one(self, routes, shop):
        repository(shop / "vendor")
        self.keep(routes(), shop, shop / "vendor")
        shutil.rmtree(shop / "vendor")
        assert routes().of(str(shop / "vendor")).identity == automatic_name(str(shop / "vendor"))

    def test_a_path_that_another_repository_uses_again_gets_that_ones_memory(self, routes, tmp_path, fix):
        """A kept route must not carry one client's words into the work of another."""
        self.keep(routes(), fix)
        link_work_tree(fix, repository(tmp_path / "till"))
        assert routes().of(str(fix)).identity == automatic_name(str(tmp_path / "till"))
        self.keep(routes(), fix)
        assert routes().table.projects[str(fix)] == automatic_name(str(tmp_path / "till"))

    def test_a_folder_in_no_repository_does_not_speak_for_those_below_it(self, routes, tmp_path):
        self.keep(routes(), tmp_path)
        assert routes().of(str(tmp_path / "gone" / "project")).identity != automatic_name(str(tmp_path))


class TestTheFile:
    def file(self, place):
        return place.runtime / "routes.json"

    def test_asking_makes_nothing(self, routes, place, shop):
        routes().of(str(shop))
        routes().all()
        assert not place.root.exists()

    def test_it_says_what_the_documents_show(self, routes, place, shop, tmp_path):
        table = routes(routes={"/srv/acme": "acme"})
        for folder in (shop, tmp_path / "plain"):
            table.keep(table.of(str(folder)))
        assert json.loads(self.file(place).read_bytes()) == {
            "version": 1,
            "scope": "repository",
            "by_hand": {"/srv/acme": "acme"},
            "projects": {str(shop): automatic_name(str(shop))},
            "folders": {str(tmp_path / "plain"): automatic_name(str(tmp_path / "plain"))},
        }
        assert self.file(place).stat().st_mode & 0o777 == 0o600
        assert place.runtime.stat().st_mode & 0o777 == 0o700

    def test_where_all_folders_have_one_identity_there_is_no_file(self, routes, place, shop):
        table = routes("global")
        table.keep(table.of(str(shop)))
        table.publish()
        assert not place.root.exists()

    def test_what_is_kept_already_is_not_written_again(self, routes, place, shop):
        routes().keep(routes().of(str(shop)))
        before = self.file(place).stat().st_ino
        routes().keep(routes().of(str(shop)))
        assert self.file(place).stat().st_ino == before

    def test_a_change_of_the_settings_shows_in_it_and_keeps_what_is_known(self, routes, place, shop):
        routes().keep(routes().of(str(shop)))
        publish_routes(place, {})
        content = json.loads(self.file(place).read_bytes())
        assert content["scope"] == "global"
        assert str(shop) in content["projects"]

    @pytest.mark.parametrize(
        "data",
        [b"", b"{", b"[1]", b"\xff", b'{"projects": 3}', b"[" * 100_000, b'{"projects": {"/srv/x": "../../up"}}'],
        ids=range(7),
    )
    def test_a_damaged_one_counts_as_empty_and_is_built_anew(self, routes, place, shop, data):
        place.runtime.mkdir(parents=True)
        self.file(place).write_bytes(data)
        assert routes().all() == []
        routes().keep(routes().of(str(shop)))
        assert [route.folder for route in routes().all()] == [str(shop)]

    def test_a_folder_whose_name_is_not_unicode_can_be_kept(self, routes):
        odd = "/srv/\udcff"
        routes().keep(routes().of(odd))
        assert routes().table.folders == {odd: automatic_name(odd)}

    def test_the_list_hides_what_does_not_count_under_the_scope(self, routes, shop):
        routes().keep(routes().of(str(shop)))
        assert len(routes().all()) == 1
        assert routes("global").all() == []
