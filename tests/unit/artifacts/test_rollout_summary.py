from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vademecum.artifacts import RolloutSummary, parse_rollout_summary, rollout_stem, slugify
from vademecum.artifacts import render_rollout_summary as render

STARTED = datetime(2026, 11, 2, 9, tzinfo=UTC)
header = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\u2028\u2029\ufeff"), max_size=40
)
body = st.text(st.characters(blacklist_categories=("Cs", "Cc"), whitelist_characters="\n"), max_size=120)


def summary(**changes):
    values = {
        "session_id": "0199a000-0000-7000-8000-000000000001",
        "host": "a-host",
        "cwd": "/srv/demo",
        "branch": "main",
        "started_at": STARTED,
        "updated_at": STARTED + timedelta(minutes=4),
        "outcome": "success",
        "learner": "extractive/1",
        "project": "/srv/demo",
        "recap": "# fix the flaky test (success)\n\n## Task 1: fix it",
        "raw_memory": "---\ndescription: d\n---\n\n### Task 1: fix it\n",
    }
    return RolloutSummary(**values | changes)


class TestRebuilding:
    """A record is rebuilt from this file alone (docs/format.md)."""

    @settings(max_examples=60)
    @given(
        cwd=header,
        project=header,
        branch=header,
        recap=body,
        session_id=st.from_regex(r"[\w:./-]{1,40}", fullmatch=True),
    )
    def test_a_summary_is_read_as_it_was_written(self, cwd, project, branch, recap, session_id):
        written = summary(cwd=cwd, project=project, branch=branch, recap=recap.strip(), session_id=session_id)
        assert parse_rollout_summary(render(written)) == written

    @pytest.mark.parametrize(
        "word", ["true", "null", "12345", "1.0", "0x1F", "2026-11-02", "- a", "a: b", "#x", "'", "~"]
    )
    def test_words_that_yaml_would_take_for_something_else_stay_words(self, word):
        written = summary(session_id=word, cwd=word, branch=word)
        assert parse_rollout_summary(render(written)) == written

    @pytest.mark.parametrize(
        ("raw_memory", "project"), [("---\ncwd: /srv/demo\n---\n", "/srv/demo"), ("raw\n", "/srv/demo/src")]
    )
    def test_one_of_an_older_version_names_its_project_in_the_raw_memory_or_not_at_all(self, raw_memory, project):
        text = render(summary(cwd="/srv/demo/src", project="x", raw_memory=raw_memory)).replace("project: x\n", "")
        assert parse_rollout_summary(text).project == project

    def test_a_file_without_session_or_times_rebuilds_nothing(self):
        text = render(summary())
        for key in ("session_id", "started_at", "updated_at"):
            lines = [line for line in text.split("\n") if not line.startswith(f"{key}:")]
            assert parse_rollout_summary("\n".join(lines)) is None

    @pytest.mark.parametrize("text", ["", "no header", "---\n", "---\n: :\n---\n", "---\nsession_id: [\n---\n"])
    def test_a_file_that_is_no_summary_rebuilds_nothing(self, text):
        assert parse_rollout_summary(text) is None

    def test_the_header_holds_no_counters(self):
        assert "count" not in render(summary()).split("\n---\n")[0]


class TestStem:
    def test_it_is_start_time_hash_and_slug(self):
        stem = rollout_stem("0199a000", STARTED, "Fix Build!")
        assert stem.startswith("2026-11-02T09-00-00-")
        assert stem.endswith("-fix_build")
        assert len(stem.split("-")[5]) == 4

    def test_sessions_of_the_same_second_differ(self):
        assert rollout_stem("one", STARTED, "x") != rollout_stem("two", STARTED, "x")

    @settings(max_examples=60)
    @given(st.text(max_size=200))
    def test_a_slug_is_a_portable_file_name(self, text):
        slug = slugify(text)
        assert 1 <= len(slug) <= 60
        assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789_")
        assert slugify(slug) == slug
