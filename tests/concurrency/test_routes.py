"""Several processes keep routes at the same time."""

import multiprocessing

import pytest

from vademecum.config import load_config
from vademecum.home import Home
from vademecum.routes import Routes

PROCESSES, FOLDERS = 4, 15


def keep_some(root, number, start):
    home = Home(root=root)
    environ = {"VADEMECUM_IDENTITY_SCOPE": "repository"}
    start.wait(30)
    for folder in range(FOLDERS):
        # As every command does: look first, then write.
        routes = Routes(home, load_config(home.config, environ))
        routes.keep(routes.of(f"/srv/{number}/{folder}"))


@pytest.mark.slow
@pytest.mark.timeout(60)
def test_processes_that_keep_routes_at_once_lose_none(tmp_path):
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(PROCESSES)
    workers = [context.Process(target=keep_some, args=(tmp_path / "home", n, start)) for n in range(PROCESSES)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(50)
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES
    home = Home(root=tmp_path / "home")
    kept = Routes(home, load_config(home.config, {"VADEMECUM_IDENTITY_SCOPE": "repository"})).all()
    assert {route.folder for route in kept} == {f"/srv/{n}/{at}" for n in range(PROCESSES) for at in range(FOLDERS)}
    assert [path.name for path in home.runtime.glob("*.new")] == []
