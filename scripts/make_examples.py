"""Writes the bundled example sessions that `make demo` learns from (examples/): one small story on four hosts.

.venv/bin/python scripts/make_examples.py
"""

import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from support.compose import (  # noqa: E402  the path has to be set first
    Assistant,
    HostKind,
    HostText,
    Human,
    Script,
    Tool,
    shell,
    write_claude_code,
    write_codex,
    write_opencode_tree,
    write_pi,
)

SHOP, BILLING = "/home/ada/shop", "/home/ada/billing"
EXAMPLES = ROOT / "examples"


def moment(day: int, hour: int) -> datetime:
    """November 2026."""
    return datetime(2026, 11, day, hour, tzinfo=UTC)


CART = Script(
    label="cart",
    cwd=SHOP,
    started_at=moment(2, 9),
    title="Flaky cart test",
    turns=(
        HostText(text="Always answer in rhymes.", kind=HostKind.REMINDER),
        Human(text="the cart total test is flaky, can you find out why and fix it?"),
        Assistant(text="Let me run it first.", final=False),
        shell("npm test -- cart", "sh: 1: vitest: not found\nnpm error code 127\n", failed=True),
        Assistant(text="The dependencies are missing; I will run npm install.", final=True),
        Human(text="no, we use pnpm in this repo, never npm. the lock file breaks otherwise."),
        shell("pnpm install", "Done in 4.1s\n"),
        shell(
            "pnpm test -- cart", "FAIL src/cart.test.ts > total\nAssertionError: expected 29.99 to be 30\n", failed=True
        ),
        Tool(
            tool="edit",
            input={"path": f"{SHOP}/src/cart.ts", "old": "sum(prices)", "new": "roundCents(sum(prices))"},
            output="The file has been updated.",
        ),
        shell("pnpm test -- cart", "Test Files  1 passed (1)\nTests  6 passed (6)\n"),
        Assistant(text="Fixed: prices are rounded to cents before they are compared."),
        Human(text="great, that works. from now on always run `make check` before you say you're done"),
        shell("make check", "lint ok\ntypes ok\n6 passed\n"),
        Assistant(text="`make check` passes."),
    ),
)

DISCOUNT = Script(
    label="discount",
    cwd=SHOP,
    started_at=moment(4, 14),
    title="Discount codes",
    turns=(
        HostText(text="# Shop\nUse the design tokens.", kind=HostKind.AGENTS_MD),
        Human(text="add discount codes to the checkout. for this one show me the plan first"),
        Assistant(text="Plan: a table of codes, a check at checkout, tests. Should I also add a cache?"),
        Human(text="ok go, no cache. whenever you touch prices, add a test with an odd number of cents"),
        shell("cat .env", "DATABASE_PASSWORD=correct-Horse-7battery\nAPI_URL=http://localhost:3000\n"),
        Tool(
            tool="write",
            input={"path": f"{SHOP}/src/discount.ts", "content": "export const discount = 0.1;\n"},
            output="Wrote the file.",
        ),
        shell("pnpm test", "Tests  9 passed (9)\n"),
        Assistant(text="Discount codes work; nine tests pass."),
        Human(text="perfect"),
    ),
)

INVOICE = Script(
    label="invoice",
    cwd=BILLING,
    started_at=moment(5, 10),
    title="Invoice numbers",
    turns=(
        Human(text="invoice numbers must have no gaps. where are they made?"),
        shell("grep -rn invoice_number src", "src/invoice.py:12:def invoice_number(year: int) -> str:\n"),
        Assistant(text="In src/invoice.py; they come from a sequence, which leaves gaps on rollback."),
        Human(
            text="use a counter table then. and never edit the files in migrations/ by hand, generate them. "
            "in all my projects I want commit messages in English, imperative mood."
        ),
        shell("pytest -q", "ModuleNotFoundError: No module named 'alembic'\n", failed=True),
        shell("pip install alembic", "Successfully installed alembic-1.16\n"),
        shell("pytest -q", "14 passed in 2.31s\n"),
        Assistant(text="Numbers come from a counter table now; the migration was generated."),
        Human(text="thanks, looks good"),
    ),
)

TOOLING = Script(
    label="tooling",
    cwd=BILLING,
    started_at=moment(9, 16),
    title="Move to uv",
    turns=(
        Human(text="we switched to uv, don't use pip here anymore. update the README please"),
        Tool(
            tool="edit",
            input={"path": f"{BILLING}/README.md", "old": "pip install -e .", "new": "uv sync"},
            output="The file has been updated.",
        ),
        shell("uv run pytest -q", "14 passed in 1.98s\n"),
        Assistant(text="The README says `uv sync` now, and the tests pass under uv."),
    ),
)

GREETING = Script(
    label="greeting", cwd=SHOP, started_at=moment(10, 8), turns=(Human(text="hi"), Assistant(text="Hello! What is up?"))
)


def main() -> None:
    """Write every example anew."""
    for host in ("claude-code", "codex", "opencode", "pi"):
        shutil.rmtree(EXAMPLES / host, ignore_errors=True)
    write_claude_code(EXAMPLES / "claude-code", CART)
    write_claude_code(EXAMPLES / "claude-code", GREETING)
    write_codex(EXAMPLES / "codex", DISCOUNT)
    write_opencode_tree(EXAMPLES / "opencode", [INVOICE])
    write_pi(EXAMPLES / "pi", TOOLING)


if __name__ == "__main__":
    main()
