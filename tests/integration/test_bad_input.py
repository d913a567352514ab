"""Whatever is wrong with the input or the machine: a clear error or a counted skip, and nothing stored is lost."""

import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.compose import Format
from support.memfs import FAKE_SECRET
from support.product import Product, ruled, snapshot
from vademecum.cli import cli

RULE = "from now on always use pnpm here, never npm"
VADE = [sys.executable, "-c", "from vademecum.cli import main; main()"]


def learned(product):
    """A home in which one session was learned."""
    product.tell(ruled(RULE))
    product.learn()
    return product


def spoil(product, name, data):
    path = product.sessions / "claude-code" / "projects" / "-srv-shop" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def session_line(**changes):
    line = {
        "type": "user",
        "uuid": "u1",
        "parentUuid": None,
        "sessionId": "bad-1",
        "cwd": "/srv/shop",
        "timestamp": "2026-11-02T09:00:00.000Z",
        "message": {"role": "user", "content": "please always indent with tabs"},
    }
    return (json.dumps(line | changes) + "\n").encode()


def nested(depth):
    return session_line().replace(b'"please always indent with tabs"', b'{"a":' * depth + b"1" + b"}" * depth)


class TestSessionFiles:
    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"\n\n\n",
            b"\x00" * 4096,
            bytes(range(256)) * 64,
            "always use tabs".encode("utf-16"),
            session_line().decode().encode("utf-16"),
            b'{"type": "user", "message": {"role": "us',
            b"[" * 100_000,
            nested(50_000),
            session_line() + session_line()[:40],
            b"[1, 2, 3]\n" * 50,
            b"null\n",
            session_line(sessionId=None, uuid=7, timestamp=[], message="x"),
            session_line(message={"role": "user", "content": [{"type": "text", "text": 3}, None, 4]}),
        ],
        ids=lambda data: f"{len(data)}-{data[:12]!r}",
    )
    def test_a_bad_file_never_stops_a_scan(self, product, data):
        product.tell(ruled(RULE))
        spoil(product, "bad.jsonl", data)
        report = product.learn().json
        assert report["failed"] == 0
        assert report["extracted"] >= 1
        assert "pnpm" in product.context()

    @pytest.mark.parametrize(
        "form", [Format.CODEX, Format.CODEX_ZST, Format.PI, Format.OPENCODE_TREE, Format.OPENCODE_DB]
    )
    def test_every_file_of_every_host_may_be_cut_in_the_middle(self, product, form):
        product.tell(ruled(RULE, label="good"))
        product.tell(ruled(RULE, "and always indent with tabs", label="bad"), form=form)
        for path in (product.sessions / form).rglob("*"):
            if path.is_file():
                path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        report = product.learn().json
        assert report["failed"] == 0
        assert "pnpm" in product.context()

    def test_a_session_that_stands_in_two_files_is_learned_once(self, product):
        product.tell(ruled(RULE))
        (original,) = product.sessions.rglob("*.jsonl")
        shutil.copy2(original, original.with_name("copy.jsonl"))
        report = product.learn().json
        assert (report["extracted"], report["skipped"]["duplicate"]) == (1, 1)
        assert product.read("MEMORY.md").count("## Task ") == 1
        assert product.learn().json["consolidation"]["status"] == "no_new_input"

    @pytest.mark.parametrize("year", [1970, 2099])
    def test_a_clock_that_ran_wrong_neither_hides_a_session_nor_keeps_it_for_ever(self, product, year):
        product.tell(ruled(RULE, started_at=datetime(year, 1, 2, tzinfo=UTC)))
        report = product.learn().json
        assert report["extracted"] == 1
        assert "pnpm" in product.context()
        (row,) = product.call("sessions", "--json").json["sessions"]
        assert row["updated_at"][:4] == f"{datetime.now(UTC).year}"

    def test_a_file_that_got_worse_keeps_what_was_learned_from_it(self, product):
        learned(product)
        for path in product.sessions.rglob("*.jsonl"):
            path.write_bytes(b"")
        product.learn()
        assert "pnpm" in product.context()


class TestSessionFolder:
    def test_links_pipes_and_devices_are_counted_and_not_followed(self, product, tmp_path):
        outside = tmp_path / "outside.jsonl"
        outside.write_bytes(session_line())
        product.tell(ruled(RULE))
        folder = next(product.sessions.rglob("*.jsonl")).parent
        (folder / "link.jsonl").symlink_to(outside)
        (folder / "gone.jsonl").symlink_to(tmp_path / "gone")
        (folder / "loop").symlink_to(product.sessions)
        os.mkfifo(folder / "pipe.jsonl")
        report = product.learn().json
        assert report["extracted"] == 1
        assert report["skipped"]["not_regular"] == 4
        assert "tabs" not in product.context()

    def test_a_folder_that_vanishes_during_the_scan_is_counted(self, product, monkeypatch):
        product.tell(ruled(RULE))
        product.tell(ruled("please always indent with tabs", label="s2", cwd="/srv/till"))
        doomed = product.sessions / "claude-code" / "projects" / "-srv-till"
        scandir = os.scandir

        def vanishing(path):
            if isinstance(path, str | Path) and Path(path).name == "projects":
                entries = list(scandir(path))
                shutil.rmtree(doomed, ignore_errors=True)
                return _Listing(entries)
            return scandir(path)

        monkeypatch.setattr(os, "scandir", vanishing)
        report = product.learn().json
        assert report["extracted"] == 1
        assert report["skipped"]["vanished"] >= 1

    def test_a_file_that_vanishes_between_finding_and_reading_is_counted(self, product):
        from vademecum.engine import LearnRequest, Memory

        product.tell(ruled(RULE), ruled("please always indent with tabs", label="s2"))
        first, _ = sorted(product.sessions.rglob("*.jsonl"))
        request = LearnRequest(sources=(str(product.sessions),), now=True, since_days=None)
        report = Memory.open(home=product.home, environ={}).learn(request, found=lambda _: first.unlink())
        assert (report.discovered, report.extracted, report.skipped["unreadable"]) == (2, 1, 1)

    def test_a_source_that_is_not_there_is_an_error_that_names_it(self, product):
        answer = product.call("learn", "--from", str(product.sessions / "nowhere"), code=2)
        assert str(product.sessions / "nowhere") in answer.err
        assert not product.home.exists()


class _Listing(list):
    """What `os.scandir` gives, already read."""

    def __enter__(self):
        return iter(self)

    def __exit__(self, *_):
        return None


class TestLinksInTheHome:
    @pytest.mark.parametrize("where", ["", "identities", "identities/default", "identities/default/memory"])
    def test_a_link_in_place_of_the_memory_is_refused_with_exit_code_4(self, product, tmp_path, where):
        real = tmp_path / "real"
        real.mkdir()
        link = product.home / where if where else product.home
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(real)
        product.tell(ruled(RULE))
        answer = product.learn(code=4)
        assert answer.error["code"] == "unsafe_path"
        assert list(real.rglob("*")) == []

    def test_a_memory_that_was_swapped_for_a_link_is_not_even_read(self, product, tmp_path):
        learned(product)
        product.memory.rename(tmp_path / "moved")
        product.memory.symlink_to(tmp_path / "moved")
        for words in (("context",), ("search", "pnpm"), ("note", "x"), ("ls",)):
            assert product.call(*words, "--json", code=4).error["code"] == "unsafe_path"


class TestDamagedStores:
    @pytest.mark.parametrize("data", [b"", b"not a database" * 100])
    def test_a_damaged_search_index_is_built_anew(self, product, data):
        learned(product)
        product.lose("search.db")
        (product.identity / "search.db").write_bytes(data)
        assert product.call("search", "pnpm", "--json").json["total"] > 0

    def test_the_memory_speaks_whatever_became_of_the_state(self, product):
        learned(product)
        product.lose("state.db")
        (product.identity / "state.db").write_bytes(b"not a database" * 100)
        assert "pnpm" in product.context()
        product.learn()
        assert "pnpm" in product.context()

    def test_files_that_are_no_text_in_the_repository_stop_neither_learning_nor_the_context(self, product):
        learned(product)
        for path in ("rollout_summaries/broken.md", "extensions/ad_hoc/notes/broken.md", "reference/broken.md"):
            (product.memory / path).parent.mkdir(parents=True, exist_ok=True)
            (product.memory / path).write_bytes(b"\xff\xfe\x00\x01")
        product.git("add", "--all")
        product.git("commit", "--quiet", "--no-verify", "--message", "broken files")
        product.tell(ruled("please always indent with tabs", label="s2"))
        assert product.learn().json["consolidation"]["status"] == "landed"
        assert "tabs" in product.context()


def in_namespace(script):
    """Run a shell script in a mount namespace of its own; skip where that is not permitted."""
    if (
        shutil.which("unshare") is None
        or subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("mount namespaces are not permitted here, so no disk can be made full or read-only")
    return subprocess.run(
        ["unshare", "-m", "sh", "-euc", script], capture_output=True, text=True, timeout=50, check=False
    )


def shell(product, *words):
    home = f"VADEMECUM_HOME={product.home}"
    command = " ".join(f"'{word}'" for word in (*VADE, *words))
    return f"{home} {command}"


def learn_words(product):
    return ("learn", "--from", str(product.sessions), "--all", "--now", "--json")


@pytest.mark.slow
@pytest.mark.timeout(60)
class TestDisk:
    def test_a_read_only_home_is_a_clear_error_and_still_gives_its_context(self, product):
        learned(product)
        product.tell(ruled("please always indent with tabs", label="s2"))
        before = snapshot(product.home)
        mount = f"mount --bind {product.home} {product.home}; mount -o remount,bind,ro {product.home}"
        run = in_namespace(f"{mount}; {shell(product, *learn_words(product))} || echo exit $?")
        shape, code = run.stdout.splitlines()
        assert code == "exit 1"
        assert json.loads(shape)["error"]["code"] in {"storage", "database"}
        assert "next: " in run.stderr
        run = in_namespace(f"{mount}; {shell(product, 'context', '--cwd', '/srv/shop')}")
        assert "pnpm" in run.stdout, run.stderr
        assert snapshot(product.home) == before

    @pytest.mark.parametrize("kilobytes", [16, 96, 160, 256, 400])
    def test_a_full_disk_is_a_clear_error_and_nothing_stored_is_lost(self, product, kilobytes):
        """The disk has this much left when learning starts; afterwards it has room again, and all is learned."""
        learned(product)
        rules = [f"always run step{number} before step{number + 1} in this project" for number in range(30)]
        product.tell(*(ruled(*rules, label=f"s{number}") for number in range(20)))
        disk = product.folder / "disk"
        disk.mkdir()
        learn = shell(product, *learn_words(product))
        moved = learn.replace(str(product.home), f"{disk}/home")
        run = in_namespace(
            f"mount -t tmpfs -o size=64m tmpfs {disk}; cp -a {product.home} {disk}/home\n"
            f"used=$(du -sk {disk} | cut -f1)\n"
            f"mount -o remount,size=$((used + {kilobytes}))k {disk}\n"
            f"{moved} || echo exit $?\n"
            f"mount -o remount,size=64m {disk}\n"
            f"git -C {disk}/home/identities/default/memory fsck --strict >&2\n"
            f"{moved}\n"
            f"VADEMECUM_HOME={disk}/home {' '.join(repr(w) for w in VADE)} context --cwd /srv/shop\n"
        )
        assert run.returncode == 0, run.stderr
        first, second = run.stdout.split("\n", 1)
        failed = "error" in json.loads(first)
        assert failed or kilobytes > 16
        if failed:
            assert second.startswith("exit 1\n"), run.stdout
            assert json.loads(first)["error"]["code"] in {"storage", "database"}
        assert "pnpm" in run.stdout
        assert "step29" in run.stdout


@pytest.mark.slow
@pytest.mark.timeout(60)
class TestTwoAtOnce:
    def test_two_processes_that_learn_the_same_double_nothing(self, product):
        product.tell(*(ruled(RULE, label=f"s{number}", cwd=f"/srv/p{number}") for number in range(12)))
        environ = {**os.environ, "VADEMECUM_HOME": str(product.home)}
        both = [
            subprocess.Popen(
                [*VADE, *learn_words(product)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ
            )
            for _ in range(2)
        ]
        ended = [(*process.communicate(timeout=50), process.returncode) for process in both]
        assert {code for _, _, code in ended} <= {0, 3}, ended
        product.learn()
        assert product.read("MEMORY.md").count("## Task ") == 12
        assert len(list((product.memory / "rollout_summaries").iterdir())) == 12
        assert product.learn().json["consolidation"]["status"] == "no_new_input"
        assert product.git("status", "--porcelain") == ""
        extracted = [json.loads(out)["extracted"] for out, _, code in ended if code == 0]
        assert sum(extracted) <= 12

    def test_a_second_consolidation_says_that_it_is_busy_and_ends_well(self, product):
        from vademecum.locks import Domain, Locks

        learned(product)
        product.tell(ruled("please always indent with tabs", label="s2"))
        with Locks(product.identity / "runtime" / "locks").hold(Domain.CONSOLIDATION, purpose="a test", wait_seconds=0):
            environ = {**os.environ, "VADEMECUM_HOME": str(product.home)}
            run = subprocess.run(
                [*VADE, *learn_words(product)], capture_output=True, text=True, env=environ, timeout=50, check=False
            )
        assert run.returncode == 0, run.stderr
        report = json.loads(run.stdout)
        assert (report["extracted"], report["consolidation"]["status"]) == (1, "busy")
        assert product.learn().json["consolidation"]["status"] == "landed"
        assert "tabs" in product.context()


class TestErrorForm:
    """`error[code]: what`, then what is intact, then `next:`, on stderr; with `--json` one object on stdout too."""

    def test_on_stderr(self, product):
        answer = product.call("read", "MEMORY.md", code=1)
        what, intact, step = answer.err.splitlines()
        assert what.startswith("error[no_repository]: ")
        assert intact
        assert step.startswith("next: ")
        assert answer.out == ""

    def test_as_json(self, product):
        answer = product.call("read", "MEMORY.md", "--json", code=1)
        assert set(answer.json) == {"error"}
        assert set(answer.error) == {"code", "message", "intact", "next", "retriable"}
        assert answer.err.startswith("error[no_repository]: ")

    @pytest.mark.parametrize(
        ("words", "code"),
        [
            (("learn", "--host", "nobody"), 2),
            (("learn", "--learner", "oracle"), 2),
            (("context", "--identity", "nobody"), 2),
            (("context", "--identity", "../x"), 2),
            (("bogus",), 2),
            (("learn", "--max", "0"), 2),
            (("note", ""), 2),
            (("note", "the token is ghp_" + "a1B2c3D4e" * 4), 4),
            (("config", "get", "nothing"), 2),
        ],
    )
    def test_the_exit_code_is_the_contracts(self, product, words, code):
        answer = product.call(*words, "--json", code=code)
        assert "error" in answer.json
        assert not product.home.exists()

    @pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
    @pytest.mark.parametrize(
        "words",
        [
            ("read", "SECRET"),
            ("read", "log/SECRET:1-2"),
            ("note", "SECRET"),
            ("show", "SECRET"),
            ("mode", "SECRET", "disabled"),
            ("mode", "x", "SECRET"),
            ("undo", "SECRET"),
            ("search", "SECRET"),
            ("ls", "SECRET"),
            ("blame", "SECRET"),
            ("why", "SECRET"),
            ("config", "get", "SECRET"),
            ("home", "route", "SECRET", "SECRET"),
            ("memory", "view", "SECRET"),
            ("learn", "--host", "SECRET"),
            ("install", "SECRET"),
            ("status", "--SECRET"),
            ("SECRET",),
        ],
        ids=" ".join,
    )
    def test_no_secret_that_was_typed_is_printed(self, product, words, form):
        product.call("init")
        typed = [*(word.replace("SECRET", FAKE_SECRET) for word in words), *form]
        answer = CliRunner(env=product.environ).invoke(cli, typed)
        assert answer.output
        assert FAKE_SECRET not in answer.output


def test_a_product_of_its_own_touches_no_other(tmp_path):
    one, two = Product(tmp_path / "one"), Product(tmp_path / "two")
    learned(one)
    assert not two.home.exists()


class TestBytesThatAreNotUtf8:
    BAD = os.fsdecode(b"bad \xff")

    @pytest.mark.parametrize(
        "words",
        [
            ("note", BAD),
            ("search", BAD),
            ("memory", "create", "reference/s", "--description", BAD, "--text", "x"),
            ("memory", "create", f"reference/{BAD}", "--description", "d"),
            ("memory", "delete", "system/persona", f"--reason={BAD}"),
        ],
        ids=lambda words: words[0],
    )
    def test_an_argument_is_a_usage_error_and_nothing_is_stored(self, product, words):
        learned(product)
        before = product.head()
        assert "is not UTF-8" in product.call(*words, code=2).err
        assert product.head() == before

    def test_a_folder_of_such_a_name_has_a_context(self, product):
        learned(product)
        folder = product.folder / self.BAD
        folder.mkdir()
        assert "memory" in product.call("context", f"--cwd={folder}").out

    def test_one_page_with_half_a_surrogate_pair_stops_nothing(self, product):
        learned(product)
        page = product.memory / "reference/s.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text('---\ndescription: "\\uD800"\n---\nx\n')
        assert "half of a surrogate pair" in product.call("adopt").out
        product.git("add", "-A")
        product.commit_by_hand()
        assert "reference/s.md" in product.context()
        product.call("note", "call her Ada")
        product.call("search", "pnpm")


class TestAnswersThatCannotBePrinted:
    @staticmethod
    def run(product, *words):
        with Path("/dev/full").open("w") as full:
            environ = {**os.environ, "VADEMECUM_HOME": str(product.home)}
            return subprocess.run(
                [*VADE, *words], env=environ, stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )

    @pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
    def test_what_was_done_is_not_said_to_have_failed(self, product, form):
        learned(product)
        before = product.head()
        done = self.run(product, "note", "call her Ada", *form)
        assert done.returncode == 1
        assert "error[storage]: the answer could not be printed: No space left on device" in done.stderr
        assert "is done and stays" in done.stderr
        assert "Nothing that was stored has changed" not in done.stderr
        assert "Traceback" not in done.stderr
        assert product.head() != before

    def test_an_error_keeps_its_exit_code(self, product):
        learned(product)
        done = self.run(product, "read", "reference/none.md", "--json")
        assert (done.returncode, "Traceback" in done.stderr) == (1, False)
        assert "error[not_found]" in done.stderr


class TestFilesThatAreNone:
    def test_a_pipe_in_the_place_of_the_settings_is_an_error(self, product):
        learned(product)
        os.mkfifo(product.home / "config.toml")
        for words in (("context",), ("note", "x"), ("config", "list"), ("config", "set", "use_memories", "true")):
            answer = product.call(*words, code=2)
            assert "config.toml cannot be read: not a regular file" in answer.err

    def test_a_pipe_in_the_place_of_the_routes_stops_nothing(self, product):
        product.call("config", "set", "identity.scope", "repository")
        routes = product.home / "runtime/routes.json"
        routes.unlink(missing_ok=True)
        routes.parent.mkdir(exist_ok=True)
        os.mkfifo(routes)
        product.call("note", "call her Ada")
        product.call("home")

    def test_a_huge_file_at_the_path_of_an_edit_is_refused(self, product):
        learned(product)
        with (product.memory / "system/human.md").open("r+b") as file:
            file.truncate(20 << 30)
        edit = ("memory", "insert", "system/human", "--line", "99", "--text", "likes tea")
        answer = product.call(*edit, code=4)
        assert "system/human.md has more than" in answer.err
        assert "next: Move the file away from there" in answer.err


class TestDamagedProposals:
    @pytest.mark.parametrize("kind", ["blob", "tree", "dangling", "without parent", "missing"])
    def test_one_of_which_nothing_can_be_read_blocks_nothing_and_can_be_dropped(self, product, kind):
        learned(product)
        whole = product.agents_edit()
        targets = {
            "blob": product.git("rev-parse", "HEAD:MEMORY.md").strip(),
            "tree": product.git("rev-parse", "HEAD^{tree}").strip(),
            "dangling": "ref: refs/heads/nowhere",
            "without parent": product.git("commit-tree", "HEAD^{tree}", "-m", "x").strip(),
            "missing": "1" * 40,
        }
        (product.memory / ".git/refs/vademecum/proposals/bad").write_text(targets[kind] + "\n")
        product.call("status")
        assert [row["id"] for row in product.call("proposals", "--json").json["proposals"]] == [whole]
        product.learn()
        assert "proposal bad is damaged" in product.call("doctor", code=1).out
        product.call("proposals", "reject", "bad")
        assert not (product.memory / ".git/refs/vademecum/proposals/bad").exists()
        product.call("doctor")
        product.call("proposals", "accept", whole)

    @pytest.mark.parametrize("where", ["--detach", "--create=other"])
    def test_on_another_branch_accepting_says_so_and_speaks_of_no_conflict(self, product, where):
        learned(product)
        name = product.agents_edit()
        product.git("switch", "--quiet", where)
        answer = product.call("proposals", "accept", name, code=4)
        assert "error[refused]" in answer.err
        assert "not on branch main" in answer.err
