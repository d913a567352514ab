import pytest

from support.plugin_scripts import RUNTIMES, Scripts


@pytest.fixture(params=RUNTIMES, ids=lambda runtime: runtime.name)
def scripts(request, tmp_path):
    """Runs JavaScript under Node, then under Bun."""
    return Scripts(request.param, tmp_path)
