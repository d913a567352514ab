"""What a session says of its directory keeps nobody else from learning, and opens no other project."""

import pytest

from support.product import Product, ruled


@pytest.mark.parametrize("cwd", ["everywhere", "/srv/shop ", "/srv/\u3000x", "no project", "/srv/a\nb", "~", "."])
def test_a_session_of_an_oddly_named_directory_is_learned_and_holds_in_no_other(tmp_path, cwd):
    product = Product(tmp_path)
    product.tell(ruled("always ship with make bravo", label="odd", cwd=cwd))
    product.tell(ruled("always deploy with make alpha", label="plain", cwd="/srv/demo"))
    assert product.learn("--now", "--json").json["consolidation"]["status"] == "landed"
    assert "make alpha" in product.context("/srv/demo")
    assert "make bravo" not in product.context("/srv/demo")
