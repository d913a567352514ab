import json
from typing import ClassVar

from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.bare import arrange, estimate_tokens

SHOP, TILL = "/srv/shop", "/srv/till"


def chunk(heading, project="", lines=("- x",), *, broad=False, brief=""):
    return {"heading": heading, "project": project, "broad": broad, "brief": brief, "lines": list(lines)}


def parts(**changes):
    values = {
        "open": '<m nonce="1">',
        "close": '</m nonce="1">',
        "revision": "a" * 40,
        "how": ["How to use memory."],
        "blocks": [],
        "summary": [],
        "notes": [],
        "unconfirmed": [],
        "files": [],
        "more_files": 0,
    }
    return values | changes


def text(changes, places=(SHOP,), budget=4000):
    return arrange(parts(**changes), places, budget)[0]


def test_the_title_of_a_project_stands_once_in_a_section():
    both = [chunk("## P", SHOP, ["- a"]), chunk("## P", "", ["- b"]), chunk("## P", SHOP, ["- c"])]
    block = text({"summary": [*both, chunk("## P", "", ["- d"])]})
    assert f"### {SHOP}\n- a\n- c\n### everywhere\n- b\n- d\n" in block


class TestOrder:
    FULL: ClassVar = {
        "blocks": [{"path": "system/human.md", "lines": ["BLOCK"]}],
        "summary": [chunk("## User Profile", lines=["SUMMARY"])],
        "notes": ["- NOTE"],
        "unconfirmed": ["- UNCONFIRMED"],
        "files": ["- FILE"],
    }

    def test_the_block_has_the_order_of_the_design(self):
        """How to use memory, system blocks, summary, notes, other files, revision; inside the fence."""
        whole = text(self.FULL)
        marks = [
            "<m ",
            "How to",
            "BLOCK",
            "SUMMARY",
            "NOTE",
            "UNCONFIRMED",
            "FILE",
            "memory revision aaaaaaaaaaaa",
            "</m ",
        ]
        assert sorted(marks, key=whole.index) == marks

    def test_every_section_says_its_size_and_what_was_cut(self):
        _, sections = arrange(parts(**self.FULL), (SHOP,), 4000)
        assert [section["name"] for section in sections] == ["how", "blocks", "summary", "notes", "files"]
        assert all(section["bytes"] > 0 and section["cut"] == 0 for section in sections)

    def test_a_section_without_text_is_left_out(self):
        whole, sections = arrange(parts(), (SHOP,), 4000)
        assert [section["name"] for section in sections] == ["how"]
        assert "##" not in whole

    def test_what_an_agent_noted_by_itself_stands_apart(self):
        whole = text(self.FULL)
        assert "Unconfirmed" in whole[whole.index("- NOTE") : whole.index("- UNCONFIRMED")]

    def test_the_same_parts_give_the_same_bytes_after_a_way_through_the_cache(self):
        stored = json.loads(json.dumps(parts(**self.FULL)))
        assert arrange(stored, (SHOP,), 4000) == arrange(parts(**self.FULL), (SHOP,), 4000)


class TestScope:
    """A rule of one project never stands in another one's context; a general rule stands everywhere."""

    RULES: ClassVar = {
        "summary": [
            chunk("## User preferences", lines=["- general rule"]),
            chunk("## User preferences", SHOP, ["- rule of the shop"]),
            chunk("## User preferences", TILL, ["- rule of the till"]),
        ]
    }

    def test_only_this_projects_rules_and_the_general_ones_stand(self):
        whole = text(self.RULES)
        assert "- general rule" in whole
        assert "- rule of the shop" in whole
        assert "till" not in whole

    def test_this_project_comes_first(self):
        whole = text(self.RULES)
        assert whole.index("rule of the shop") < whole.index("general rule")

    def test_a_folder_below_the_project_belongs_to_it(self):
        assert "rule of the shop" in text(self.RULES, (f"{SHOP}/src/deep", f"{SHOP}/src/deep"))

    def test_a_folder_whose_name_only_begins_alike_does_not(self):
        assert "rule of the shop" not in text(self.RULES, (f"{SHOP}-two",))

    def test_a_work_tree_elsewhere_belongs_to_its_project(self):
        assert "rule of the shop" in text(self.RULES, ("/tmp/worktrees/fix", SHOP))

    def test_what_was_said_in_a_folder_of_many_projects_holds_in_that_folder_only(self):
        wide = {"summary": [chunk("## User preferences", "/home/ada", ["- rule"], broad=True)]}
        assert "- rule" in text(wide, ("/home/ada",))
        assert "- rule" not in text(wide, ("/home/ada/shop",))

    def test_a_nearer_project_comes_before_the_one_around_it(self):
        nested = {"summary": [chunk("## T", "/srv", ["- outer"]), chunk("## T", SHOP, ["- inner"])]}
        whole = text(nested, (SHOP,))
        assert whole.index("- inner") < whole.index("- outer")

    def test_other_projects_are_named_in_the_index_in_one_line(self):
        index = chunk("## What's in Memory", TILL, ["- a task: path.md"], brief=f"- {TILL}: 1 task")
        whole = text({"summary": [index]})
        assert f"- {TILL}: 1 task" in whole
        assert "a task" not in whole

    def test_a_heading_of_which_nothing_holds_here_does_not_stand_here(self):
        elsewhere = [chunk("## User preferences", TILL), chunk("## General Tips", TILL)]
        whole = text({"summary": [*elsewhere, chunk("## General Tips", "", ["- tip"])]})
        assert "## User preferences" not in whole
        assert "## General Tips\n- tip" in whole


class TestBudget:
    def test_cut_parts_say_how_much_was_cut_and_where_the_rest_is(self):
        many = [f"- note {number} {'x' * 80}" for number in range(100)]
        whole, sections = arrange(parts(notes=many), (SHOP,), 1000)
        cut = sections[-1]["cut"]
        assert f"({cut} lines left out here: see extensions/ad_hoc/notes/)" in whole
        assert whole.count("- note") == 100 - cut

    def test_one_line_that_was_cut_is_one(self):
        long = "- " + "x" * 3_000
        assert "(1 line left out here: see extensions/ad_hoc/notes/)" in text({"notes": ["- a", long]}, budget=600)

    def test_the_first_lines_stay(self):
        many = [f"- rule {number} {'x' * 80}" for number in range(300)]
        whole = text({"summary": [chunk("## User preferences", lines=many)]}, budget=1000)
        shown = whole.count("- rule")
        assert shown > 3
        assert all(f"- rule {number} " in whole for number in range(shown))

    def test_nothing_is_cut_while_there_is_room(self):
        _, sections = arrange(parts(notes=["- short"] * 5), (SHOP,), 4000)
        assert [section["cut"] for section in sections] == [0, 0]

    def test_one_line_that_is_too_long_is_not_a_way_around_the_budget(self):
        whole = text({"summary": [chunk("## T", lines=["- " + "x" * 100_000])], "files": ["y" * 100_000]})
        assert estimate_tokens(whole) <= 4000

    @settings(max_examples=40, deadline=None)
    @given(st.sampled_from([500, 1000, 4000]), st.integers(0, 400), st.integers(0, 400), st.integers(0, 400))
    def test_however_much_is_cut_both_ends_stay(self, budget, blocks, rules, notes):
        """codex-A15: how to use memory, and at the end what else there is and whether all of it was shown."""
        made = parts(
            blocks=[{"path": "system/human.md", "lines": ["- block " + "x" * 60] * blocks}],
            summary=[chunk("## User preferences", lines=["- rule " + "x" * 60] * rules)],
            notes=["- note " + "x" * 60] * notes,
            files=[f"- reference/{number}.md: " + "x" * 60 for number in range(100)],
        )
        whole, sections = arrange(made, (SHOP,), budget)
        lines = whole.splitlines()
        assert lines[:2] == [made["open"], *made["how"]]
        assert lines[-1] == made["close"]
        assert lines[-2].startswith(f"memory revision {'a' * 12}, loaded in part: ")
        assert sections[-1]["name"] == "files"
        assert "see `vade ls`" in whole.rpartition("\n\n")[0].rpartition("\n\n")[2]

    line = st.text(alphabet="ab 用", min_size=1, max_size=120)
    lines = st.lists(line, max_size=30)

    @settings(max_examples=60, deadline=None)
    @given(st.data(), st.sampled_from([500, 1000, 4000]), st.integers(0, 60))
    def test_the_block_stays_within_its_budget_whatever_it_is_made_of(self, data, budget, files):
        made = parts(
            blocks=[{"path": f"system/{n}.md", "lines": ["x" * 40] * (n % 4)} for n in range(files)],
            summary=[chunk(f"## H{n}", lines=data.draw(self.lines)) for n in range(4)],
            notes=data.draw(self.lines),
            unconfirmed=data.draw(self.lines),
            files=data.draw(self.lines),
        )
        whole, _ = arrange(made, (SHOP,), budget)
        assert estimate_tokens(whole) <= budget


class TestEstimate:
    def test_it_is_a_quarter_of_the_characters(self):
        assert estimate_tokens("x" * 400) == 100

    def test_each_cjk_character_counts(self):
        """A quarter of the characters would be four times too low for them."""
        for character in ("用", "の", "한", "，"):
            assert estimate_tokens(character * 100) == 100

    @settings(max_examples=40)
    @given(st.text(max_size=60), st.text(max_size=60))
    def test_it_never_shrinks_when_text_is_added(self, left, right):
        assert estimate_tokens(left) <= estimate_tokens(left + right) <= estimate_tokens(left) + estimate_tokens(right)
