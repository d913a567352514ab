"""The pages say what is so; the check that proves it finds what is not."""

import importlib.util
from pathlib import Path

import pytest

#: In two parts, so that this file is not one that cites them.
CASE = "core-" + "R23"
NUMBERED_CASE = "codex-" + "18.5"
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_docs.py"


@pytest.fixture(scope="module")
def checker():
    spec = importlib.util.spec_from_file_location("check_docs", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages(checker):
    return checker.read_pages()


def test_what_the_pages_name_is_there_and_what_is_there_is_named(checker, pages):
    assert list(checker.problems(pages)) == []


FAULTS = {
    "a command that is not there": ("README.md", "Run `vade fly`.\n", "names `vade fly`"),
    "a setting that is not there": (
        "docs/settings.md",
        "| `memories.magic` |\n",
        "memories.magic, which is no setting",
    ),
    "an error that is not there": ("docs/errors.md", "| `gremlin` | 1 |\n", "the error `gremlin`, which is none"),
    "a case without a test": ("docs/cases.md", f"| `{CASE}` | rule | nobody |\n", f"names no test for {CASE}"),
    "a case in two rows": ("docs/cases.md", f"| `{CASE}` | rule | nobody |\n", f"tells the case {CASE} in 2 rows"),
    "a test that does not cite its case": (
        "docs/cases.md",
        f"| `{CASE}` | rule | `tests/conftest.py` |\n",
        f"tests/conftest.py does not cite {CASE}",
    ),
    "a test that is not there": ("docs/security.md", "`tests/unit/test_docs.py::test_nothing`\n", "test test_nothing"),
    "a file that is not there": ("docs/security.md", "`tests/unit/test_nowhere.py`\n", "test_nowhere.py, which is not"),
    "a link to nowhere": ("README.md", "[x](docs/nowhere.md)\n", "links to docs/nowhere.md"),
    "a link to no heading": ("README.md", "[x](docs/format.md#nowhere)\n", "links to #nowhere"),
    "a folder of one machine": ("README.md", "see /ro" + "ot/notes\n", "of one machine"),
    "a gap in the decisions": ("docs/decisions.md", "## 99. x\n", "is numbered"),
    "a wide line": ("README.md", "x" * 121 + "\n", "121 columns"),
}


@pytest.mark.parametrize(("page", "line", "fault"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_found(checker, pages, page, line, fault):
    found = list(checker.problems({**pages, page: pages[page] + line}))
    assert [problem for problem in found if fault in problem]


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("docs/cli.md", "## vade learn"),
        ("docs/settings.md", "`VADEMECUM_CONTEXT_BUDGET_TOKENS`"),
        ("docs/errors.md", "| `dirty` |"),
        ("docs/errors.md", "`vade doctor`"),
        ("docs/cases.md", f"| `{CASE}` |"),
        ("docs/cases.md", f"| `{NUMBERED_CASE}` |"),
        ("docs/security.md", "`links_resolve`"),
        ("docs/security.md", "`github-token`"),
        ("docs/format.md", "`tombstones`"),
    ],
)
def test_what_is_no_longer_named_is_missed(checker, pages, page, words):
    assert list(checker.problems({**pages, page: pages[page].replace(words, "")}))
