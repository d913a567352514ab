"""`vade doctor` as a person meets it."""

import os

from support.hooks import pass_is_recent, run_hook
from support.product import Product, ruled


def test_a_memory_in_order_ends_with_a_word_and_exit_code_0(product: Product):
    product.call("init")
    answer = product.call("doctor")
    assert answer.out.splitlines()[-1].startswith("nothing is broken; ")
    assert answer.err == "examining everything, and asking the agents that are plugged in\n"
    shape = product.call("doctor", "--json").json
    assert shape["ok"] is True
    assert {"level", "area", "what", "next"} == set(shape["findings"][0])


def test_what_is_broken_comes_first_with_its_next_step_and_exit_code_1(product: Product):
    product.call("init")
    lock = product.memory / ".git/index.lock"
    lock.touch()
    os.utime(lock, (0, 0))
    answer = product.call("doctor", code=1)
    area, what, next_step, *_ = answer.out.splitlines()
    assert area == "repository"
    assert "stops every write" in what
    assert next_step.strip().startswith("next: If no git command runs")
    assert answer.out.splitlines()[-1] == "1 problem"
    shape = product.call("doctor", "--json", code=1).json
    assert shape["ok"] is False
    assert shape["findings"][0]["level"] == "problem"


def test_where_memory_is_plugged_into_no_agent_that_is_told_with_the_next_step(product: Product):
    """It is no fault: `vade context` and the tools work without."""
    product.call("init")
    answer = product.call("doctor")
    assert "memory is plugged into no agent" in answer.out
    assert "vade install --all" in answer.out
    assert answer.out.splitlines()[-1] == "nothing is broken; what you may want to do stands at `next`"
    product.call("install", "pi", "--yes")
    answer = product.call("doctor")
    assert "no agent" not in answer.out
    assert answer.out.splitlines()[-1] == "everything works"


def test_an_identity_that_was_never_written_is_an_error(product: Product):
    assert product.call("doctor", "--identity", "nobody", code=2).err


def test_a_page_cannot_move_the_terminal_of_who_examines_it(product: Product):
    product.call("init")
    (product.memory / "a\x1b[2J.txt").write_text("x\n")
    product.git("add", "--all")
    product.git("commit", "-qm", "x")
    assert "\x1b" not in product.call("doctor").out


def test_what_was_learned_and_stands_in_no_file_yet_is_counted(product: Product):
    """user-U43"""
    product.tell(ruled("always use pnpm here"))
    product.learn("--no-consolidate")
    (finding,) = [found for found in product.call("doctor", "--json").json["findings"] if "yet" in found["what"]]
    assert finding["what"] == "1 of them do not stand in the memory files yet"
    assert "vade learn" in finding["next"]


def test_an_agent_that_told_of_a_session_is_said_to_have(product: Product, closed_home):
    """Of one that memory is not plugged into any more nothing is said."""
    (closed_home / ".gemini").mkdir()
    product.call("note", "tea is green")
    pass_is_recent(product.home)
    product.call("install", "gemini", "--yes")
    run_hook(product.home, "stop", {"session_id": "s1", "cwd": "/srv/shop"}, host="gemini")

    def told() -> list[str]:
        findings = product.call("doctor", "--json").json["findings"]
        return [found["area"] for found in findings if found["what"].startswith("told of a session last on 20")]

    assert told() == ["gemini"]
    product.call("uninstall", "gemini", "--yes")
    assert told() == []
