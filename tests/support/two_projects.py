"""A memory that has learned from two sessions: two agent programs, two projects, two days."""

from datetime import UTC, datetime
from pathlib import Path

from support.compose import Assistant, Format, Human, Script
from support.product import Product
from vademecum import Memory
from vademecum.engine import LearnRequest

__all__ = ["SHOP", "SHOP_RULE", "TALK", "TILL", "TILL_RULE", "learned_from_both"]

SHOP, TILL = "/srv/shop", "/srv/till"
SHOP_RULE = "always deploy the heron with pnpm here, never npm"
TILL_RULE = "always lint the drawer with ruff here, never flake8"
#: What an agent said in the shop; no memory file repeats it.
TALK = "The heron was slow because of the walrus cache."


def learned_from_both(folder: Path) -> Memory:
    """Make the memory, with home and sessions below this folder."""
    product = Product(folder)
    shop = Script(
        label="shop",
        cwd=SHOP,
        turns=(Human(text=SHOP_RULE), Assistant(text=TALK)),
        started_at=datetime(2026, 11, 2, 9, tzinfo=UTC),
    )
    till = Script(
        label="till",
        cwd=TILL,
        turns=(Human(text=TILL_RULE), Assistant(text="Understood.")),
        started_at=datetime(2026, 11, 20, 9, tzinfo=UTC),
    )
    product.tell(shop)
    product.tell(till, form=Format.PI)
    memory = Memory.open(home=product.home, environ={})
    memory.learn(LearnRequest(sources=(str(product.sessions),), now=True, since_days=None))
    return memory
