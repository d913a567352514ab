import unicodedata
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.errors import UsageError
from vademecum.names import automatic_name, is_automatic, slug, valid_name

ANY_TEXT = st.text(st.characters(), max_size=80)


def is_accepted(name):
    try:
        valid_name(name)
    except UsageError:
        return False
    return True


class TestChosenNames:
    @pytest.mark.parametrize(
        "name", ["a", "work", "client-a", "a1", "a--b", "x" * 60, "kunde-ä", "мой-проект", "仕事", "วันนี้", "٣"]
    )
    def test_lower_case_letters_and_digits_of_any_script_are_taken(self, name):
        assert valid_name(name) == name

    @pytest.mark.parametrize(
        "name",
        ["", " ", "..", ".", "a/b", "a\\b", "../x", "~", "A", "-a", "a-", "a b", "x" * 61, "a_b", "con.", "a\0", "🦊"],
    )
    def test_a_name_that_could_leave_the_home_or_is_no_name_is_refused(self, name):
        """core-R2"""
        with pytest.raises(UsageError) as caught:
            valid_name(name)
        assert "lower-case" in caught.value.next_step

    @pytest.mark.parametrize("name", ["con", "nul", "com1", "lpt9", "Work", "a\u200bb", "a\ufe0f", "\u3164", "\u0301a"])
    def test_what_some_file_system_reserves_or_nobody_can_see_is_refused(self, name):
        """core-W15"""
        assert not is_accepted(name)

    def test_two_forms_of_one_name_are_one_name(self):
        """core-W15"""
        assert valid_name(unicodedata.normalize("NFD", "café")) == "café"

    @settings(max_examples=100)
    @given(ANY_TEXT)
    def test_any_text_is_refused_or_one_safe_part_of_a_path(self, text):
        """core-R2"""
        if is_accepted(text):
            name = valid_name(text)
            assert PurePosixPath("identities", name).parts == ("identities", name)
            assert name not in {".", ".."}
            assert name.isprintable()
            assert len(name.encode()) <= 255
            assert name == unicodedata.normalize("NFC", name.lower())


class TestProjectNames:
    def test_folders_of_one_name_in_two_places_never_share(self):
        """core-R1"""
        assert automatic_name("/srv/a/shop") != automatic_name("/srv/b/shop")
        assert automatic_name("/srv/a-b").rpartition("-")[0] == automatic_name("/srv/a b").rpartition("-")[0]
        assert automatic_name("/srv/a-b") != automatic_name("/srv/a b")

    @pytest.mark.parametrize(
        ("folder", "readable"),
        [
            ("Shop", "shop"),
            ("Crème Brûlée!", "creme-brulee"),
            ("магазин-Й", "магазин-й"),
            ("가게", "가게"),
            ("日本語_プロジェクト", "日本語-プロジェクト"),
            ("हिन्दी", "हिन्दी"),
            ("my.project_v2", "my-project-v2"),
            ("x" * 50, "x" * 40),
        ],
    )
    def test_a_folder_of_any_script_stays_readable(self, folder, readable):
        """core-R3"""
        assert slug(folder) == readable
        assert automatic_name(f"/srv/{folder}").startswith(f"{readable}-")

    @pytest.mark.parametrize("path", ["/", "/srv/...", "/srv/🦊❤️", "/srv/\0", "/srv/--", "/srv/\udcff"])
    def test_a_folder_without_letters_gets_a_name_all_the_same(self, path):
        """core-R2"""
        assert automatic_name(path).startswith("project-")

    def test_every_form_of_a_path_gives_the_same_name(self):
        """core-R3"""
        path = "/srv/Über-가게-й"
        names = {automatic_name(unicodedata.normalize(form, path)) for form in ("NFC", "NFD")}
        assert len(names) == 1

    @settings(max_examples=100)
    @given(ANY_TEXT)
    def test_the_name_of_any_project_is_a_valid_one_that_nobody_may_choose(self, text):
        """core-R2"""
        name = automatic_name(f"/srv/{text}")
        assert valid_name(name) == name
        assert is_automatic(name)
        assert len(slug(text)) <= 40

    @settings(max_examples=100)
    @given(ANY_TEXT)
    def test_the_words_of_a_name_do_not_depend_on_the_form_of_the_text(self, text):
        """core-R3"""
        assert {slug(unicodedata.normalize(form, text)) for form in ("NFC", "NFD", "NFKC", "NFKD")} == {slug(text)}

    @pytest.mark.parametrize("name", ["shop", "shop-1a2b3c4", "shop-1a2b3c4d5", "shop-1A2B3C4D", "1a2b3c4d"])
    def test_other_names_have_not_their_shape(self, name):
        assert not is_automatic(name)
