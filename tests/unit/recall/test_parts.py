import msgspec
import pytest

from support.memfs import create, git, page
from vademecum.artifacts import Bullet, render_bullet
from vademecum.memfs import Provenance, Writer
from vademecum.recall.parts import build_parts

USER = Provenance(writer=Writer.USER)
NOTES = "extensions/ad_hoc/notes/"
SUMMARY = """\
v1

## User Profile

Works in (sessions): /srv/shop (2).

## User preferences

- general rule <!-- vade:aaaaaaaaaa s#t1 -->

### /srv/shop
- use pnpm <!-- vade:bbbbbbbbbb s#t2 -->
- [superseded 2026-11-05] use npm <!-- vade:cccccccccc s#t3 -->
<!-- vade:yours -->
- mine
<!-- /vade:yours -->

## General Tips

## What's in Memory

### /srv/shop

#### 2026-11-04
- fix the build (success): rollout_summaries/x.md
"""


@pytest.fixture
def memory(tmp_path):
    return create(tmp_path)


def with_files(memory, files):
    memory.commit(files, subject="x", provenance=USER)
    return build_parts(memory.tree())


def plainly(memory, path, data):
    """A file as a person commits it with plain git, whatever it holds."""
    file = memory.folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    git(memory.folder, "add", "-f", path)
    git(memory.folder, "commit", "--no-verify", "-m", "by hand")
    return build_parts(memory.tree())


def chunks(parts, heading="## User preferences"):
    return {chunk.project: list(chunk.lines) for chunk in parts.data.summary if chunk.heading == heading}


def shown(parts):
    """Everything that can reach a prompt, as one text."""
    return "\n".join(texts(msgspec.to_builtins(parts.data)))


def texts(value):
    if isinstance(value, dict):
        value = value.values()
    return [str(value)] if isinstance(value, str | int) else [text for item in value for text in texts(item)]


class TestSummary:
    def test_bullets_stand_under_their_heading_and_project_without_marks(self, memory):
        found = chunks(with_files(memory, {"memory_summary.md": SUMMARY}))
        assert found[""] == ["- general rule"]
        assert found["/srv/shop"][0] == "- use pnpm"

    def test_superseded_bullets_are_not_shown(self, memory):
        assert "use npm" not in shown(with_files(memory, {"memory_summary.md": SUMMARY}))

    def test_a_persons_own_lines_are_shown_without_the_marks_around_them(self, memory):
        parts = with_files(memory, {"memory_summary.md": SUMMARY})
        assert "- mine" in chunks(parts)["/srv/shop"]
        assert "<!--" not in shown(parts)

    def test_the_index_of_another_project_is_one_line_with_its_newest_day(self, memory):
        parts = with_files(memory, {"memory_summary.md": SUMMARY})
        briefs = [chunk.brief for chunk in parts.data.summary if chunk.heading == "## What's in Memory"]
        assert briefs == ["- /srv/shop: 1 task, newest 2026-11-04"]

    def test_what_found_no_room_in_the_summary_comes_from_the_handbook(self, memory):
        """The budget that counts is the one of the context."""
        shown = Bullet(text="rule one", key="aaaaaaaaaa", sources=("s#t1",))
        hidden = Bullet(text="rule two", key="bbbbbbbbbb", sources=("s#t2",))
        summary = f"v1\n\n## User preferences\n### /srv/shop\n{render_bullet(shown)}\n(1 more in MEMORY.md)\n"
        handbook = "# Task Group: /srv/shop\n\n## User preferences\n" + "\n".join(map(render_bullet, (shown, hidden)))
        parts = with_files(memory, {"memory_summary.md": summary, "MEMORY.md": handbook + "\n"})
        assert chunks(parts)["/srv/shop"] == ["- rule one", "- rule two"]

    def test_a_wrong_first_line_is_said_and_the_text_still_shown(self, memory):
        parts = with_files(memory, {"memory_summary.md": SUMMARY.replace("v1", "mine", 1)})
        assert chunks(parts)[""] == ["- general rule"]
        assert any("memory_summary.md" in warning for warning in parts.warnings)


class TestBlocks:
    def test_files_under_system_are_shown_without_their_header(self, memory):
        parts = with_files(memory, {"system/human.md": page("Ada likes short answers.\n")})
        blocks = {block.path: block.lines for block in parts.data.blocks}
        assert blocks["system/human.md"] == ("Ada likes short answers.",)

    def test_what_a_template_or_a_pattern_would_replace_stands_as_it_is(self, memory):
        """core-R90"""
        words = r"$& $1 \1 \g<0> {0} {text} %s %(x)s $HOME `id` &amp;"
        parts = with_files(memory, {"system/human.md": page(f"{words}\n")})
        assert words in shown(parts)

    def test_a_file_that_cannot_be_parsed_is_named(self, memory):
        parts = plainly(memory, "system/human.md", b"---\ndescription: [\n---\ntext\n")
        assert any(block.path == "system/human.md" for block in parts.data.blocks)
        assert any("system/human.md" in warning for warning in parts.warnings)

    @pytest.mark.parametrize(
        "path", ["memory_summary.md", "MEMORY.md", f"{NOTES}x.md", "system/human.md", "reference/x.md"]
    )
    def test_a_file_that_is_no_text_is_named_and_stops_nothing(self, memory, path):
        memory.commit({"memory_summary.md": SUMMARY}, subject="x", provenance=USER)
        parts = plainly(memory, path, b"\xff\xfe\x00binary")
        assert any(path in warning for warning in parts.warnings)


class TestNotes:
    def test_notes_that_no_artefact_names_are_shown_newest_first(self, memory):
        old = "---\ndescription: old\ncreated_at: 2026-11-01T00:00:00Z\norigin: human\n---\nold\n"
        new = "---\ndescription: new\ncreated_at: 2026-11-02T00:00:00Z\norigin: human\n---\nnew\n"
        parts = with_files(memory, {f"{NOTES}a.md": old, f"{NOTES}b.md": new})
        assert parts.data.notes == ("- new", "- old")

    @pytest.mark.parametrize("artefact", ["MEMORY.md", "memory_summary.md"])
    def test_a_note_that_an_artefact_names_is_consolidated(self, memory, artefact):
        bullet = Bullet(text="kept", key="aaaaaaaaaa", sources=(f"{NOTES}a.md",))
        text = f"v1\n\n## User preferences\n{render_bullet(bullet)}\n"
        parts = with_files(memory, {f"{NOTES}a.md": "words\n", artefact: text})
        assert parts.data.notes == ()

    def test_a_note_of_a_model_stands_apart(self, memory):
        note = "---\ndescription: told\ncreated_at: 2026-11-01T00:00:00Z\norigin: model\n---\npoison\n"
        parts = with_files(memory, {f"{NOTES}a.md": note})
        assert (parts.data.notes, parts.data.unconfirmed) == ((), ("- poison",))

    def test_a_note_of_many_lines_is_one_line_and_a_long_one_is_cut_with_its_place(self, memory):
        """Else one long note would push every note out of its share of the context."""
        parts = with_files(memory, {f"{NOTES}a.md": "first\n\n# second\n" + "word " * 800})
        (line,) = parts.data.notes
        assert line.startswith("- first # second word")
        assert len(line) < 1_000
        assert f"{NOTES}a.md" in line


class TestFiles:
    def test_other_files_are_named_with_their_descriptions(self, memory):
        parts = with_files(memory, {"reference/api.md": page(description="How the API is called")})
        assert "- reference/api.md: How the API is called" in parts.data.files

    def test_what_is_injected_or_generated_is_not_named_again(self, memory):
        parts = with_files(memory, {"memory_summary.md": SUMMARY, "rollout_summaries/x.md": page()})
        assert not [line for line in parts.data.files if "rollout" in line or "memory_summary" in line]

    def test_descriptions_beyond_what_any_budget_shows_are_not_read(self, memory, monkeypatch):
        """core-R91: of thousands of files not all are read for every new revision, and none is dropped unsaid."""
        monkeypatch.setattr("vademecum.recall.parts._MAX_FILES", 3)
        files = {f"reference/{number}.md": page(description=f"d{number}") for number in range(5)}
        memory.commit(files, subject="x", provenance=USER)
        tree = memory.tree()
        read, asked = tree.read, []
        tree.read = lambda path: (asked.append(path), read(path))[1]
        data = build_parts(tree).data
        listed = [line.split(":")[0].removeprefix("- ") for line in data.files]
        assert len(data.files) + data.more_files == sum(1 for path in memory.tree().paths() if is_other(path))
        # Pages of skills are read for what they say of themselves: whether they may be offered.
        assert {path for path in asked if is_other(path) and not path.startswith("skills/")} == set(listed)
        assert len(listed) == 3


def is_other(path):
    return not path.startswith(("system/", "extensions/", "rollout_summaries/"))


class TestHostileText:
    HIDDEN = "\x1b\u202e\u200b"

    def test_no_line_of_the_context_moves_a_terminal_or_hides_text(self, memory):
        evil = f"evil{self.HIDDEN}"
        summary = f"v1\n\n## User preferences {evil}\n- {evil}\n### /srv/{evil}\n- {evil}\n(1 more in MEMORY.md)\n"
        hidden = "### Older Memory Topics\n- 2 more projects stand in MEMORY.md\n"
        handbook = f"# Task Group: /srv/x\n\n## User preferences\n- {evil} <!-- vade:aaaaaaaaaa s#t1 -->\n"
        parts = with_files(
            memory,
            {
                "memory_summary.md": summary + hidden,
                "MEMORY.md": handbook,
                "system/human.md": page(f"{evil}\n"),
                f"{NOTES}a.md": f"{evil}\n",
                "reference/x.md": page(description="plain"),
            },
        )
        assert not [sign for sign in self.HIDDEN if sign in shown(parts)]

    def test_the_fence_does_not_stand_in_the_content(self, memory):
        parts = with_files(memory, {"system/human.md": page("text\n")})
        assert parts.data.close not in shown(msgspec.structs.replace(parts, data=without_fence(parts.data)))


def without_fence(data):
    return msgspec.structs.replace(data, open="", close="")


def test_the_same_revision_gives_the_same_parts(memory):
    memory.commit({"memory_summary.md": SUMMARY}, subject="x", provenance=USER)
    assert build_parts(memory.tree()) == build_parts(memory.tree(memory.head()))
