import os
from pathlib import Path

import pytest

from support.work_trees import link_work_tree, repository
from vademecum.bare import is_home
from vademecum.errors import StorageError, UnsafePath, UsageError
from vademecum.home import DEFAULT_IDENTITY, Home, is_broad, project_root


def home(tmp_path):
    return Home(root=tmp_path / "vademecum")


def begin(folder):
    """What is left of an identity when its repository was begun."""
    folder.create()
    (folder.memory / ".git").mkdir(parents=True)
    return folder


class TestFinding:
    def test_the_variable_wins_then_the_data_folder_then_the_platforms_place(self, tmp_path):
        environ = {"VADEMECUM_HOME": str(tmp_path / "v"), "XDG_DATA_HOME": str(tmp_path / "x")}
        assert Home.find(environ).root == tmp_path / "v"
        del environ["VADEMECUM_HOME"]
        assert Home.find(environ).root == tmp_path / "x" / "vademecum"
        assert Home.find({}).root.name == "vademecum"

    def test_an_empty_variable_counts_as_none(self, tmp_path):
        """core-R4"""
        environ = {"VADEMECUM_HOME": " ", "XDG_DATA_HOME": str(tmp_path)}
        assert Home.find(environ).root == tmp_path / "vademecum"

    def test_the_tilde_means_the_users_home(self, closed_home):
        assert Home.find({"VADEMECUM_HOME": "~/mem"}).root == closed_home / "mem"

    def test_the_home_is_absolute_so_that_changing_the_folder_changes_nothing(self):
        """core-R4"""
        assert Home.find({"VADEMECUM_HOME": "relative"}).root == Path.cwd() / "relative"


class TestIdentities:
    def test_a_name_is_one_folder_below_identities(self, tmp_path):
        assert home(tmp_path).identity("work").root == tmp_path / "vademecum" / "identities" / "work"

    def test_what_is_no_name_is_refused(self, tmp_path):
        with pytest.raises(UsageError):
            home(tmp_path).identity("../work")

    def test_asking_for_a_path_creates_nothing(self, tmp_path):
        folder = home(tmp_path).identity("work")
        assert not folder.exists
        assert list(tmp_path.iterdir()) == []

    def test_only_identities_with_a_repository_are_listed_by_name(self, tmp_path):
        place = home(tmp_path)
        assert place.identities() == []
        for name in ("work", "alone"):
            begin(place.identity(name))
        place.identity("begun").create()
        assert [folder.name for folder in place.identities()] == ["alone", "work"]


class TestFolders:
    def test_they_are_private(self, tmp_path):
        folder = home(tmp_path).identity(DEFAULT_IDENTITY)
        folder.create()
        made = [path for path in (tmp_path / "vademecum").rglob("*") if path.is_dir()] + [tmp_path / "vademecum"]
        assert {path.stat().st_mode & 0o777 for path in made} == {0o700}

    def test_a_wide_umask_or_a_second_call_changes_nothing(self, tmp_path):
        folder = home(tmp_path).identity(DEFAULT_IDENTITY)
        old = os.umask(0)
        try:
            folder.create()
            folder.create()
        finally:
            os.umask(old)
        assert folder.cache.stat().st_mode & 0o777 == 0o700

    @pytest.mark.parametrize("where", ["vademecum", "vademecum/identities", "vademecum/identities/default"])
    def test_a_link_in_place_of_one_of_them_is_refused(self, tmp_path, where):
        real = tmp_path / "elsewhere"
        real.mkdir()
        link = tmp_path / where
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(real)
        with pytest.raises(UnsafePath):
            home(tmp_path).identity(DEFAULT_IDENTITY).create()
        assert list(real.rglob("*.db")) == []

    def test_a_dangling_link_is_refused_too(self, tmp_path):
        (tmp_path / "vademecum").symlink_to(tmp_path / "gone")
        with pytest.raises(UnsafePath):
            home(tmp_path).identity(DEFAULT_IDENTITY).create()

    def test_a_file_in_the_way_is_a_storage_error_that_names_it(self, tmp_path):
        (tmp_path / "vademecum").write_text("")
        with pytest.raises(StorageError, match="vademecum"):
            home(tmp_path).identity(DEFAULT_IDENTITY).create()


class TestProjectRoot:
    def test_it_is_the_root_of_the_work_tree(self, tmp_path):
        (tmp_path / "shop" / ".git").mkdir(parents=True)
        deep = tmp_path / "shop" / "src" / "deep"
        deep.mkdir(parents=True)
        assert project_root(str(deep)) == project_root(str(tmp_path / "shop")) == str(tmp_path / "shop")

    def test_a_linked_work_tree_belongs_to_its_main_one(self, tmp_path):
        link_work_tree(tmp_path / "fix", repository(tmp_path / "shop"))
        assert project_root(str(tmp_path / "fix")) == str(tmp_path / "shop")

    @pytest.mark.parametrize("entry", ["evil", "fix"])
    def test_a_folder_that_the_repository_does_not_know_of_stands_for_itself(self, tmp_path, entry):
        """Anybody can write such a file: an unpacked archive must not be given the memory of another project."""
        shop = repository(tmp_path / "shop")
        link_work_tree(tmp_path / "fix", shop)
        evil = tmp_path / "evil"
        evil.mkdir()
        (evil / ".git").write_text(f"gitdir: {shop}/.git/worktrees/{entry}\n")
        assert project_root(str(evil)) == str(evil)

    def test_a_pointer_may_be_relative(self, tmp_path):
        link_work_tree(tmp_path / "fix", repository(tmp_path / "shop"))
        (tmp_path / "fix" / ".git").write_text("gitdir: ../shop/.git/worktrees/fix\n")
        (tmp_path / "shop" / ".git" / "worktrees" / "fix" / "gitdir").write_text("../../../../fix/.git\n")
        assert project_root(str(tmp_path / "fix" / "src")) == str(tmp_path / "shop")

    def test_work_trees_of_a_bare_repository_belong_to_it(self, tmp_path):
        (tmp_path / "shop.git" / "worktrees" / "fix").mkdir(parents=True)
        (tmp_path / "shop.git" / "HEAD").write_text("ref: refs/heads/main\n")
        (tmp_path / "fix").mkdir()
        (tmp_path / "fix" / ".git").write_text(f"gitdir: {tmp_path}/shop.git/worktrees/fix\n")
        (tmp_path / "shop.git" / "worktrees" / "fix" / "gitdir").write_text(f"{tmp_path}/fix/.git\n")
        assert project_root(str(tmp_path / "fix")) == str(tmp_path / "shop.git")

    def test_a_submodule_stands_for_itself_whatever_its_name(self, tmp_path):
        (tmp_path / "shop" / ".git" / "modules" / "worktrees" / "x").mkdir(parents=True)
        (tmp_path / "shop" / "x").mkdir()
        (tmp_path / "shop" / "x" / ".git").write_text("gitdir: ../.git/modules/worktrees/x\n")
        assert project_root(str(tmp_path / "shop" / "x")) == str(tmp_path / "shop" / "x")

    @pytest.mark.parametrize(
        "pointer", [b"", b"gitdir: /nowhere/.git/worktrees/x", b"\xff\xfe", b"gitdir: ../.git/modules/x"]
    )
    def test_a_pointer_that_leads_to_no_main_work_tree_stands_for_itself(self, tmp_path, pointer):
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / ".git").write_bytes(pointer)
        assert project_root(str(tmp_path / "sub")) == str(tmp_path / "sub")

    def test_a_folder_that_is_gone_or_in_no_repository_is_its_own_project(self, tmp_path):
        assert project_root(str(tmp_path / "plain" / "x")) == str(tmp_path / "plain" / "x")
        assert project_root("/srv/never/was/here/") == "/srv/never/was/here"

    def test_no_folder_stays_no_folder(self):
        assert project_root("") == ""


@pytest.mark.parametrize(
    "folder", ["/", "/home", "/home/ada", "/home/ada/", "/Users/ada", "/root", "/tmp", "/srv", "/opt/"]
)
def test_a_folder_that_holds_many_projects_is_broad(folder):
    assert is_broad(folder)


@pytest.mark.parametrize("folder", ["/home/ada/shop", "/srv/demo", "/root/x", "", "/homes"])
def test_a_project_is_not_broad(folder):
    assert not is_broad(folder)


@pytest.mark.parametrize("name", ["runtime", "identities", "config.toml", None])
def test_a_home_is_there_where_anything_of_ours_is_and_hooks_see_the_same(tmp_path, name):
    if name:
        (tmp_path / name).mkdir()
    (tmp_path / "lost+found").mkdir()
    assert Home(root=tmp_path).is_there is is_home(str(tmp_path)) is bool(name)
