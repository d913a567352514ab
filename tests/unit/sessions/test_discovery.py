"""Finding sessions in the hosts' folders and below a named path."""

import os
import socket
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from support.sessions_claude import ClaudeFile
from support.sessions_pi import PiFile
from vademecum.errors import UsageError
from vademecum.sessions import HOSTS, SessionRef, discover, pi
from vademecum.sessions.discovery import Discovery, file_ref, walk_files


def claude_data() -> bytes:
    file = ClaudeFile()
    file.user("use pnpm here")
    return file.data()


def pi_data() -> bytes:
    file = PiFile()
    file.user("use pnpm here")
    return file.data()


def found_below(*sources: Path) -> Discovery:
    return discover(hosts=["claude-code", "pi"], sources=sources, environ={}, home=Path("/nowhere"))


def names(discovery: Discovery) -> list[tuple[str, str]]:
    return [(ref.host, Path(ref.path).name) for ref in discovery.refs]


def put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_each_host_is_looked_for_in_its_own_folder(tmp_path: Path) -> None:
    """Where nothing is, the search says where it looked."""
    put(tmp_path / ".claude/projects/-srv-demo/s1.jsonl", claude_data())
    discovery = discover(hosts=["pi", "claude-code"], sources=None, environ={}, home=tmp_path)
    assert names(discovery) == [("claude-code", "s1.jsonl")]
    assert [(place.host, place.path, place.exists) for place in discovery.looked] == [
        ("claude-code", str(tmp_path / ".claude/projects"), True),
        ("pi", str(tmp_path / ".pi/agent/sessions"), False),
    ]


def test_the_environment_moves_the_folders(tmp_path: Path) -> None:
    put(tmp_path / "c/projects/-srv-demo/s1.jsonl", claude_data())
    put(tmp_path / "p/sessions/--srv-demo--/s2.jsonl", pi_data())
    environ = {"CLAUDE_CONFIG_DIR": str(tmp_path / "c"), "PI_CODING_AGENT_DIR": str(tmp_path / "p")}
    discovery = discover(hosts=["claude-code", "pi"], sources=None, environ=environ, home=tmp_path / "home")
    assert names(discovery) == [("claude-code", "s1.jsonl"), ("pi", "s2.jsonl")]


def test_all_hosts_are_looked_for_by_default(tmp_path: Path) -> None:
    discovery = discover(hosts=None, sources=None, environ={}, home=tmp_path)
    assert {place.host for place in discovery.looked} == set(HOSTS)
    assert discovery.refs == ()


def test_an_unknown_host_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        discover(hosts=["emacs"], sources=None, environ={}, home=tmp_path)


def test_a_source_is_recognised_by_content(tmp_path: Path) -> None:
    """Any file name, any depth, dot folders included; files that are no sessions are counted."""
    put(tmp_path / "b/.hidden/copy.txt", claude_data())
    put(tmp_path / "a/old.bak", pi_data())
    put(tmp_path / "a/README.md", b'# notes on "sessionId" and "parentUuid"\n')
    put(tmp_path / "a/other.json", b'{"type":"session"}\n')
    put(tmp_path / "empty.jsonl", b"")
    discovery = found_below(tmp_path)
    assert names(discovery) == [("pi", "old.bak"), ("claude-code", "copy.txt")]
    assert discovery.skipped == {"not_a_session": 3}


def test_a_source_may_be_one_file(tmp_path: Path) -> None:
    path = put(tmp_path / "any", b"\xef\xbb\xbf" + claude_data())
    assert names(found_below(path)) == [("claude-code", "any")]


def test_a_missing_source_is_reported_not_raised(tmp_path: Path) -> None:
    discovery = found_below(tmp_path / "none")
    assert [place.exists for place in discovery.looked] == [False]
    assert discovery.refs == ()


def test_a_text_that_quotes_a_session_is_none(tmp_path: Path) -> None:
    """Quotes inside JSON text are escaped and do not count."""
    quoted = b'{"kind":"log","text":"{\\"type\\":\\"user\\",\\"sessionId\\":\\"s\\",\\"parentUuid\\":null}"}\n'
    put(tmp_path / "log.jsonl", quoted)
    assert found_below(tmp_path).refs == ()


def test_special_files_are_counted_and_links_are_not_followed(tmp_path: Path) -> None:
    """A FIFO never blocks the scan; a link to a parent is no loop."""
    put(tmp_path / "s.jsonl", claude_data())
    os.mkfifo(tmp_path / "fifo.jsonl")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "s.jsonl")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        discovery = found_below(tmp_path)
    assert names(discovery) == [("claude-code", "s.jsonl")]
    assert discovery.skipped == {"not_regular": 4}


def test_the_named_place_itself_may_be_a_link(tmp_path: Path) -> None:
    """People keep their configuration elsewhere and link to it."""
    put(tmp_path / "dotfiles/projects/-srv/s.jsonl", claude_data())
    (tmp_path / ".claude").symlink_to(tmp_path / "dotfiles")
    own = discover(hosts=["claude-code"], sources=None, environ={}, home=tmp_path)
    assert names(own) == names(found_below(tmp_path / ".claude")) == [("claude-code", "s.jsonl")]


def test_a_folder_that_vanishes_during_the_scan_is_counted(tmp_path: Path) -> None:
    put(tmp_path / "a/one.jsonl", b"")
    put(tmp_path / "b/two.jsonl", b"")
    skipped: Counter[str] = Counter()
    walk = walk_files(tmp_path, skipped)
    assert next(walk) == str(tmp_path / "a/one.jsonl")
    (tmp_path / "b/two.jsonl").unlink()
    (tmp_path / "b").rmdir()
    assert list(walk) == []
    assert skipped == {"vanished": 1}


def test_a_file_that_vanishes_during_the_scan_is_counted(tmp_path: Path) -> None:
    skipped: Counter[str] = Counter()
    assert file_ref("pi", tmp_path / "gone", skipped) is None
    assert skipped == {"vanished": 1}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_counted(tmp_path: Path) -> None:
    put(tmp_path / "closed/s.jsonl", claude_data())
    put(tmp_path / "secret.jsonl", claude_data()).chmod(0)
    (tmp_path / "closed").chmod(0)
    try:
        discovery = found_below(tmp_path)
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert discovery.skipped == {"unreadable": 2}


def test_what_the_system_refuses_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for a system that refuses by its own rules."""
    put(tmp_path / "closed/s.jsonl", claude_data())
    scandir = os.scandir

    def refusing(path: Path) -> object:
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    assert found_below(tmp_path).skipped == {"unreadable": 1}


def test_the_order_is_by_path(tmp_path: Path) -> None:
    for name in ("b/2", "a/z", "c", "a/b/1"):
        put(tmp_path / name, claude_data())
    assert [ref.path.removeprefix(f"{tmp_path}/") for ref in found_below(tmp_path).refs] == ["a/b/1", "a/z", "b/2", "c"]


def test_the_fingerprint_changes_with_the_file(tmp_path: Path) -> None:
    path = put(tmp_path / "s", claude_data())
    (before,) = found_below(tmp_path).refs
    assert found_below(tmp_path).refs == (before,)
    path.write_bytes(claude_data() * 2)
    (after,) = found_below(tmp_path).refs
    assert after.fingerprint != before.fingerprint
    assert after.size_bytes == path.stat().st_size


def test_a_loop_of_links_is_a_place_that_does_not_exist(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    discovery = found_below(tmp_path / "a")
    assert (discovery.refs, [place.exists for place in discovery.looked]) == ((), [False])


def test_folders_may_be_nested_more_deeply_than_calls(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    put(tmp_path / "s.jsonl", claude_data())
    try:
        assert names(found_below(tmp_path)) == [("claude-code", "s.jsonl")]
    finally:
        # Python's own way to remove a folder is a recursion.
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


def test_what_a_reader_meets_ends_the_search_of_its_root_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / ".claude/projects/-srv/s.jsonl", claude_data())

    def broken(root: Path, skipped: Counter[str]) -> Iterator[SessionRef]:
        raise PermissionError(13, "Permission denied", str(root))
        yield

    monkeypatch.setattr(pi, "discover", broken)
    discovery = discover(hosts=["claude-code", "pi"], sources=None, environ={}, home=tmp_path)
    assert names(discovery) == [("claude-code", "s.jsonl")]
    assert discovery.skipped == {"unreadable": 1}


class TestReadBefore:
    """A file that was read as it is now is not opened to tell whose it is."""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        return put(tmp_path / "s.jsonl", pi_data())

    @pytest.fixture
    def known(self, file: Path) -> dict[tuple[str, str], tuple[str, str]]:
        (ref,) = found_below(file).refs
        return {(ref.path, ref.fingerprint): ("claude-code", "its id")}

    @staticmethod
    def again(file: Path, known: Mapping[tuple[str, str], tuple[str, str]], *hosts: str) -> list[tuple[str, str]]:
        found = discover(
            hosts=hosts or ["claude-code", "pi"],
            sources=[file],
            environ={},
            home=Path("/nowhere"),
            read_before=lambda path, fingerprint: known.get((path, fingerprint)),
        )
        return [(ref.host, ref.session_id) for ref in found.refs]

    def test_what_was_known_of_it_is_believed(self, file: Path, known) -> None:
        assert self.again(file, known) == [("claude-code", "its id")]

    def test_it_is_the_reference_that_the_reader_gives(self, file: Path) -> None:
        (ref,) = found_below(file).refs
        found = discover(
            hosts=["pi"], sources=[file], environ={}, home=file, read_before=lambda _path, _look: (ref.host, "")
        )
        assert found.refs == (ref,)

    def test_one_that_grew_is_opened(self, file: Path, known) -> None:
        status = file.stat()
        file.write_bytes(pi_data() + b"\n")
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert self.again(file, known) == [("pi", "")]

    def test_another_one_of_the_same_size_is_opened(self, file: Path, known) -> None:
        other = put(file.with_name("other"), file.read_bytes())
        os.utime(other, ns=(0, file.stat().st_mtime_ns + 1))
        other.replace(file)
        assert self.again(file, known) == [("pi", "")]

    def test_one_that_became_a_link_is_no_session_file(self, tmp_path: Path, file: Path, known) -> None:
        file.rename(tmp_path / "real")
        file.symlink_to(tmp_path / "real")
        assert [host for host, _ in self.again(tmp_path, known)] == ["pi"]

    def test_one_of_a_host_that_is_not_asked_for_is_opened(self, file: Path, known) -> None:
        assert self.again(file, known, "pi") == [("pi", "")]
