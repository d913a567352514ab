"""Leaves out the tests of clients that are not installed; `test_the_client_is_installed` says so in one line each."""

import pytest

from support.clients_driving import Client

_SAYS_SO = "test_the_client_is_installed"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if _is_of_missing_client(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def _is_of_missing_client(item: pytest.Item) -> bool:
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    clients = (one for value in parameters for one in (value if isinstance(value, tuple) else (value,)))
    return any(isinstance(one, Client) and one.missing for one in clients) and _SAYS_SO not in item.name
