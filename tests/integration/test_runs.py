"""`vade runs show`: what one run did to the memory."""

import pytest

from support.product import ruled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


def test_a_consolidation_tells_what_it_changed_and_how_to_see_it(product):
    product.tell(ruled("from now on always use pnpm here, never npm", label="s1"))
    product.tell(ruled("never edit generated files by hand", label="s2"))
    product.learn()
    run = next(run for run in product.call("runs", "--json").json["runs"] if run["kind"] == "consolidation")
    work = product.call("runs", "show", run["id"], "--json").json["work"]
    assert (work["bullets_added"], work["bullets_changed"], work["bullets_removed"], work["sessions"]) == (2, 0, 0, 2)
    assert {"MEMORY.md", "memory_summary.md"} < set(work["files"])
    told = product.call("runs", "show", run["id"]).out
    assert "2 added, 0 changed, 0 removed" in told
    assert "took in 2 sessions" in told
    assert f"vade show {work['commit'][:12]}" in told
    assert "MEMORY.md" in product.call("show", work["commit"][:12]).out


def test_a_run_that_changed_nothing_names_no_commit(product):
    product.tell(ruled("from now on always use pnpm here, never npm", label="s1"))
    product.learn()
    runs = product.call("runs", "--json").json["runs"]
    other = next((run for run in runs if run["kind"] != "consolidation"), None)
    assert other
    assert product.call("runs", "show", other["id"], "--json").json["work"] is None
    assert "vade show" not in product.call("runs", "show", other["id"]).out
