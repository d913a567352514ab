from datetime import UTC, datetime

import pytest

from support.memfs import FAKE_SECRET
from vademecum.sessions import as_kept, kept_ref, where_kept
from vademecum.sessions.kept import kept_id


def made(folder, *names):
    path = folder.joinpath(*names)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    return str(path)


def test_a_path_without_a_secret_is_kept_as_it_is():
    assert as_kept("/home/ada/.agent/s.jsonl") == "/home/ada/.agent/s.jsonl"
    assert where_kept("/home/ada/[notes]/s#1.jsonl") == "/home/ada/[notes]/s#1.jsonl"


@pytest.mark.parametrize(
    "names",
    [
        (FAKE_SECRET, "s.jsonl"),
        (f"-srv-{FAKE_SECRET}-shop", "s.jsonl"),
        ("shop", f"{FAKE_SECRET}.jsonl"),
        (f".{FAKE_SECRET}", "[a]*?", "s.jsonl"),
        (FAKE_SECRET, FAKE_SECRET),
    ],
    ids=["folder", "part of a folder", "file", "hidden, beside signs of patterns", "twice"],
)
def test_a_path_with_a_secret_is_kept_without_it_and_found_again(tmp_path, names):
    path = made(tmp_path, *names)
    kept = as_kept(path)
    assert FAKE_SECRET not in kept
    assert where_kept(kept) == path


def test_of_two_that_look_alike_when_masked_each_is_found(tmp_path):
    paths = [made(tmp_path, f"{FAKE_SECRET}{end}", "s.jsonl") for end in "ab"]
    kept = [as_kept(path) for path in paths]
    assert len(set(kept)) == 2
    assert [where_kept(place) for place in kept] == paths


def test_one_that_is_gone_is_named_as_it_was_kept(tmp_path):
    kept = as_kept(str(tmp_path / FAKE_SECRET / "s.jsonl"))
    assert where_kept(kept) == kept


def test_a_reference_leads_to_the_file(tmp_path):
    path = made(tmp_path, FAKE_SECRET, "s.jsonl")
    ref = kept_ref("a-host", as_kept(path), as_kept(FAKE_SECRET), "1", seen_at=datetime(2026, 11, 2, tzinfo=UTC))
    assert (ref.path, ref.session_id) == (path, "")


def test_an_id_that_holds_a_secret_is_known_by_a_hash():
    assert kept_id("727e9cfa-d712") == "727e9cfa-d712"
    assert kept_id(FAKE_SECRET) == kept_id(FAKE_SECRET) != kept_id(f"{FAKE_SECRET}a")
    assert FAKE_SECRET not in kept_id(FAKE_SECRET)
