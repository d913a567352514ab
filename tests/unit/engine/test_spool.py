import json
from datetime import UTC, datetime

import pytest

from support.memfs import FAKE_SECRET
from vademecum.engine.spool import hook_failures, last_seen, note_event, take_spool, transcripts
from vademecum.errors import StorageError, UsageError
from vademecum.home import Home


@pytest.fixture
def place(tmp_path):
    return Home(root=tmp_path / "home")


def line(**changes):
    event = {"at": 1_700_000_000, "host": "codex", "event": "stop", "session": "s", "cwd": "/srv", "transcript": ""}
    return json.dumps({**event, **changes}) + "\n"


def write(place, text, host="codex"):
    (place.runtime / "spool").mkdir(parents=True, exist_ok=True)
    (place.runtime / "spool" / f"{host}.jsonl").write_text(text)


def test_each_host_was_seen_when_it_told_of_an_event_last_before_and_after_a_pass(place):
    write(place, line() + line(at=1_700_000_060) + line(at=1_600_000_000))
    write(place, line(host="pi", at=1_650_000_000), "pi")
    expected = {"codex": datetime.fromtimestamp(1_700_000_060, UTC), "pi": datetime.fromtimestamp(1_650_000_000, UTC)}
    assert last_seen(place) == expected
    take_spool(place)
    assert last_seen(place) == expected
    assert list((place.runtime / "spool").iterdir()) == []


def test_a_host_that_was_never_seen_is_not_named(place):
    assert last_seen(place) == {}
    assert transcripts(place) == {}
    assert hook_failures(place) == []
    assert not place.root.exists()


@pytest.mark.parametrize(
    "odd",
    ["\n", "x\n", "{}\n", "[]\n", line(at=-1), line(at=10**30), line(at="soon"), line(host=3), line()[:-9] + "\n"],
    ids=range(9),
)
def test_a_line_that_no_hook_wrote_is_passed_over(place, odd):
    write(place, odd + line(at=1_700_000_001))
    take_spool(place)
    assert last_seen(place) == {"codex": datetime.fromtimestamp(1_700_000_001, UTC)}


def test_transcripts_are_known_while_they_are_there(place, tmp_path):
    there, gone = tmp_path / "there.jsonl", tmp_path / "gone.jsonl"
    there.touch()
    gone.touch()
    write(place, "".join(line(transcript=str(path)) for path in ("relative", there, gone, "")))
    assert transcripts(place) == {str(there): "codex", str(gone): "codex"}
    take_spool(place)
    gone.unlink()
    take_spool(place)
    assert transcripts(place) == {str(there): "codex"}


def test_a_host_that_is_none_is_not_kept(place):
    write(place, line() + "".join(line(host=f"h{number}", transcript="/x") for number in range(100)))
    assert set(last_seen(place)) == {"codex"}
    take_spool(place)
    kept = json.loads((place.runtime / "hosts.json").read_text())
    assert (set(kept["seen"]), kept["transcripts"]) == ({"codex"}, {})


def test_a_path_that_holds_a_secret_is_kept_without_it_and_found_again(place, tmp_path):
    there = tmp_path / FAKE_SECRET / "there.jsonl"
    there.parent.mkdir()
    there.touch()
    write(place, line(transcript=str(there), cwd=f"/srv/{FAKE_SECRET}"))
    take_spool(place)
    take_spool(place)
    assert transcripts(place) == {str(there): "codex"}
    for file in (path for path in place.root.rglob("*") if path.is_file()):
        assert FAKE_SECRET not in file.read_text()


def test_a_path_that_an_older_version_kept_loses_its_secret(place, tmp_path):
    there = tmp_path / f"{FAKE_SECRET}.jsonl"
    there.touch()
    place.create()
    (place.runtime / "hosts.json").write_text(json.dumps({"seen": {}, "transcripts": {str(there): "codex"}}))
    take_spool(place)
    assert FAKE_SECRET not in (place.runtime / "hosts.json").read_text()
    assert transcripts(place) == {str(there): "codex"}


def test_what_a_killed_pass_had_taken_is_not_lost(place):
    write(place, line(host="pi", at=1_700_000_009))
    (place.runtime / "spool/codex.jsonl").rename(place.runtime / "spool/codex.taken")
    write(place, line())
    take_spool(place)
    assert set(last_seen(place)) == {"codex", "pi"}


@pytest.mark.parametrize("damage", [b"", b"{", b'{"seen": 3}'], ids=range(3))
def test_a_damaged_record_of_hosts_fills_again_by_itself(place, damage):
    place.create()
    (place.runtime / "hosts.json").write_bytes(damage)
    write(place, line())
    take_spool(place)
    assert set(last_seen(place)) == {"codex"}


def test_an_event_of_a_plugin_is_a_line_as_those_of_hooks(place):
    note_event(place, host="opencode", event="stop", session="ses_1", cwd="/srv/shop")
    assert set(last_seen(place)) == {"opencode"}


@pytest.mark.parametrize("host", ["", "../up", "a/b", "UP", "x" * 41, "\n", "nobody"])
def test_a_name_that_is_none_of_a_host_makes_no_file(place, host):
    with pytest.raises(UsageError):
        note_event(place, host=host, event="stop", session="s")
    assert not place.root.exists()


def test_an_event_that_cannot_be_written_is_an_error_of_the_storage(place):
    place.root.mkdir()
    place.runtime.write_text("in the way")
    with pytest.raises(StorageError):
        note_event(place, host="opencode", event="stop", session="s")
