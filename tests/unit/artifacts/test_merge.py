"""The person has the last word: a person's wording, deletions and lines hold against any rendering."""

from vademecum.artifacts import Bullet, apply_hand_edits, hand_edits, is_merge_mark, parse_bullet, render_bullet

PNPM = Bullet(text="use pnpm", key="aaaaaaaaaa", sources=("s#t1",))
TABS = Bullet(text="use tabs", key="bbbbbbbbbb", sources=("s#t2",))
NEW = Bullet(text="use uv", key="cccccccccc", sources=("r#t1",))


def text(*bullets, heading="## User preferences", below=()):
    return "\n".join(["# Task Group: /srv/a", "", heading, *map(render_bullet, bullets), *below]) + "\n"


def merge(ancestor, head, rendering, buried=frozenset()):
    edits = hand_edits(ancestor, head)
    return apply_hand_edits(rendering, edits, buried=buried | edits.deleted.keys())


def bullets_of(document):
    return {bullet.text: bullet for bullet in map(parse_bullet, document.split("\n")) if bullet}


def test_without_hand_edits_a_rendering_is_what_the_learner_wrote():
    assert bullets_of(merge(text(PNPM), text(PNPM), text(PNPM, NEW))).keys() == {"use pnpm", "use uv"}


def test_what_stands_as_it_was_left_holds_no_lines_of_the_persons():
    left = text(PNPM, below=("a line without a key", "a line without a key", "", "- a bullet without one"))
    assert hand_edits(left, left).added == {}
    assert hand_edits(left, left).deleted == {}


def test_lines_between_the_marks_are_the_persons_also_where_nothing_has_changed():
    marked = text(PNPM, below=("<!-- vade:yours -->", "mine", "<!-- /vade:yours -->"))
    (lines,) = hand_edits(marked, marked).added.values()
    assert lines == ("mine",)


class TestRewording:
    REWORDED = text(PNPM).replace("use pnpm", "use pnpm, and ask me before npm")

    def test_a_persons_words_win_over_a_new_rendering(self):
        merged = bullets_of(merge(text(PNPM), self.REWORDED, text(PNPM, NEW)))
        assert merged.keys() == {"use pnpm, and ask me before npm", "use uv"}

    def test_the_bullet_keeps_its_key_and_takes_later_sources(self):
        again = Bullet(text="use pnpm please", key=PNPM.key, sources=("s#t1", "r#t9"))
        merged = bullets_of(merge(text(PNPM), self.REWORDED, text(again)))
        bullet = merged["use pnpm, and ask me before npm"]
        assert (bullet.key, bullet.sources) == (PNPM.key, ("s#t1", "r#t9"))

    def test_it_holds_over_every_later_run(self):
        """Once merged, the ancestor has the person's words too: the file itself must say that they are theirs."""
        once = merge(text(PNPM), self.REWORDED, text(PNPM))
        twice = merge(once, once, text(PNPM, NEW))
        assert "use pnpm, and ask me before npm" in bullets_of(twice)
        assert bullets_of(merge("", twice, text(PNPM))).keys() == {"use pnpm, and ask me before npm"}


class TestDeletion:
    def test_a_deleted_bullet_is_reported_with_its_words(self):
        assert hand_edits(text(PNPM, TABS), text(TABS)).deleted == {PNPM.key: PNPM}

    def test_a_buried_bullet_does_not_come_back(self):
        assert bullets_of(merge(text(PNPM, TABS), text(TABS), text(PNPM, TABS, NEW))).keys() == {"use tabs", "use uv"}

    def test_a_bullet_that_was_moved_is_not_deleted(self):
        assert hand_edits(text(PNPM, TABS), text(TABS, PNPM)).deleted == {}


class TestAddedLines:
    MINE = "- ask before adding a dependency"

    def test_they_are_kept_under_their_heading(self):
        merged = merge(text(PNPM), text(PNPM, below=[self.MINE]), text(PNPM, NEW))
        before, _, after = merged.partition("## User preferences")
        assert self.MINE in after
        assert self.MINE not in before

    def test_they_are_marked_as_the_persons(self):
        lines = merge(text(PNPM), text(PNPM, below=[self.MINE]), text(PNPM)).split("\n")
        place = lines.index(self.MINE)
        assert is_merge_mark(lines[place - 1])
        assert is_merge_mark(lines[place + 1])

    def test_they_hold_over_later_runs_and_are_not_doubled(self):
        document = merge(text(PNPM), text(PNPM, below=[self.MINE]), text(PNPM))
        for _ in range(3):
            document = merge(document, document, text(PNPM, NEW))
        assert document.count(self.MINE) == 1
        assert len([line for line in document.split("\n") if is_merge_mark(line)]) == 2

    def test_they_survive_the_loss_of_the_ancestor(self):
        """On a second machine there is no baseline: the marks in the file say whose lines these are."""
        document = merge(text(PNPM), text(PNPM, below=[self.MINE]), text(PNPM))
        assert merge("", document, text(PNPM, NEW)).count(self.MINE) == 1

    def test_prose_and_nested_lists_keep_their_form_and_order(self):
        mine = ["Some prose.", "- outer", "  - inner", "    code"]
        merged = merge(text(PNPM), text(PNPM, below=mine), text(PNPM))
        assert "\n".join(mine) in merged

    def test_a_heading_that_is_gone_comes_back_for_them(self):
        head = text(PNPM) + "\n## My own chapter\n- mine\n"
        merged = merge(text(PNPM), head, "# Task Group: /srv/b\n\n## User preferences\n")
        assert merged.index("# Task Group: /srv/a") < merged.index("## My own chapter") < merged.index("- mine")

    def test_a_line_above_the_first_heading_stays_there(self):
        merged = merge(text(PNPM), "- ask first\n\n" + text(PNPM), text(PNPM, NEW))
        assert merged.startswith("<!-- vade:yours -->\n- ask first\n<!-- /vade:yours -->\n\n# Task Group: /srv/a\n")

    def test_a_line_that_stands_twice_now_and_once_before_was_added_once(self):
        head = text(PNPM, below=["same", "same"])
        merged = merge(text(PNPM, below=["same"]), head, text(PNPM, below=["same"]))
        assert merged.count("same") == 2

    def test_more_lines_added_later_join_the_earlier_ones(self):
        once = merge(text(PNPM), text(PNPM, below=[self.MINE]), text(PNPM))
        twice = merge(once, once.rstrip("\n") + "\n- and another\n", text(PNPM))
        assert twice.count(self.MINE) == twice.count("- and another") == 1


def test_all_three_at_once():
    head = text(Bullet(text="pnpm, never npm", key=PNPM.key, sources=PNPM.sources), below=["- mine"])
    merged = merge(text(PNPM, TABS), head, text(PNPM, TABS, NEW))
    assert bullets_of(merged).keys() == {"pnpm, never npm", "use uv", "mine"}


def test_lines_of_a_person_stay_when_they_take_the_marks_away():
    """The marks look like noise; a person who tidies them up must not lose the lines between them."""
    generated = "# Task Group: /srv/a\n\n## User preferences\n- use pnpm <!-- vade:3fa91c07be s#t1 -->\n"
    edits = hand_edits(generated, generated + "- use httpx, never requests\n")
    merged = apply_hand_edits(generated, edits, buried=frozenset())
    tidied = "\n".join(line for line in merged.split("\n") if "vade:yours" not in line)
    again = apply_hand_edits(generated, hand_edits(merged, tidied), buried=frozenset())
    assert again == merged
