"""A learner that asks a model, with all that holds it: ledger, budget, breaker, waits, and what a person is told."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from support.fake_model_queue import QueueModel, Reply
from support.good_model import GoodModel, use
from support.product import ruled

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

RULES = ("Always use pnpm, never npm.", "Always squash before you merge.", "Never push to main.")
PRICED = "gpt-4o-mini"


@pytest.fixture
def scripts():
    yesterday = datetime.now(UTC) - timedelta(days=1)
    return [ruled(rule, label=f"s{at}", started_at=yesterday) for at, rule in enumerate(RULES)]


@pytest.fixture
def asked(product, scripts, tmp_path, monkeypatch):
    """Starts the server of the model that the product is told to ask."""
    product.tell(*scripts)
    monkeypatch.setenv("VADEMECUM_MEMORIES_MAX_ROLLOUTS_PER_STARTUP", "8")

    servers = []

    def start(*replies, **options):
        options = {"then": GoodModel(tmp_path / "good", *scripts), "name": PRICED} | options
        server = QueueModel("openai", *replies, **options)
        servers.append(server.__enter__())
        use(product, server, monkeypatch)
        return server

    yield start
    for server in servers:
        server.__exit__()


def show(product, *words):
    for w in (words, ("status",), ("runs",), ("usage",)):
        if not w: continue
        a = product._run(w, None)
        print("$ vade", *w, "->", a.code); print(a.out); print(a.err)

def plain(product, *words):
    a = product._run(("learn", "--from", str(product.sessions), "--all", *words), None)
    print("$ vade learn", *words, "->", a.code); print(a.out); print(a.err)
    return a


def test_x_good(product, asked):
    server = asked()
    plain(product, "--dry-run")
    print("asked", len(server.asked))
    plain(product)
    print("asked", len(server.asked))
    show(product)
    runs = product.call("runs", "--json").json["runs"]
    for r in runs: show(product, "runs", "show", r["id"])

def test_x_429(product, asked):
    server = asked(Reply(status=429, message="slow down", headers={"Retry-After": "600"}))
    plain(product, "--now"); print(len(server.asked))
    show(product)
    plain(product, "--now"); print(len(server.asked))

def test_x_401(product, asked):
    server = asked(*[Reply(status=401, message="bad key")]*9)
    plain(product, "--now"); print(len(server.asked))
    show(product)

def test_x_500(product, asked):
    server = asked(*[Reply(status=500, message="oops")]*9)
    plain(product, "--now"); print(len(server.asked))
    show(product)
    plain(product, "--now"); print(len(server.asked))

def test_x_large(product, asked):
    server = asked(*[Reply(status=400, message="prompt is too long")]*3)
    plain(product, "--now"); print(len(server.asked), [len(a.text) for a in server.asked])
    show(product)

def test_x_refusal(product, asked):
    server = asked(*[Reply(text="I'm sorry, but I can't help with that.")]*2, *[Reply(text='{"raw_memory": "---')]*2)
    plain(product, "--now"); print(len(server.asked))
    show(product)

def test_x_budget(product, asked, monkeypatch):
    monkeypatch.setenv("VADEMECUM_BUDGET_TOKENS_PER_RUN", "150")
    server = asked()
    plain(product, "--now"); print(len(server.asked))
    show(product)
    monkeypatch.setenv("VADEMECUM_BUDGET_TOKENS_PER_RUN", "0")
    monkeypatch.setenv("VADEMECUM_BUDGET_TOKENS_PER_DAY", "150")
    plain(product, "--now"); print(len(server.asked))
    show(product)

import os, signal, subprocess, sys, time
from vademecum.state import State

def process(product, *words):
    env = {"PATH": os.environ["PATH"], "HOME": str(product.folder), "MY_KEY": "k", "VADEMECUM_MEMORIES_MAX_ROLLOUTS_PER_STARTUP": "8", **product.environ}
    vade = os.path.join(os.path.dirname(sys.executable), "vade")
    return subprocess.Popen([vade, "learn", "--from", str(product.sessions), "--all", "--now", "--json", *words], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

def test_y_three(product, asked):
    server = asked()
    ps = [process(product) for _ in range(3)]
    for p in ps:
        o, e = p.communicate(timeout=40); print(p.returncode, o, e)
    print("extractions", sum(not a.body.get("tools") for a in server.asked), "all", len(server.asked))
    print(product.learn().out)
    show(product)

def test_y_term(product, asked):
    server = asked(Reply(hang=True))
    p = process(product)
    while not server.asked: time.sleep(0.05)
    t = time.monotonic(); p.terminate(); o, e = p.communicate(timeout=40); print(time.monotonic()-t, p.returncode, o, e)
    show(product)
    with State.open(product.identity / "state.db") as s:
        print(s.jobs.all())
    server.over.set()
    plain(product, "--now")

def test_y_timeout(product, asked):
    server = asked(Reply(hang=True))
    plain(product, "--now", "--max", "1"); print(len(server.asked))
    show(product)

def test_y_cons_429(product, asked):
    server = asked()
    server.then, good = None, server.then
    server.then = lambda body: Reply(status=429, message="slow down", headers={"Retry-After": "600"}) if body.get("tools") else good(body)
    plain(product); print(len(server.asked))
    show(product)
    plain(product); print(len(server.asked))

def test_y_cons_401(product, asked):
    server = asked()
    server.then, good = None, server.then
    server.then = lambda body: Reply(status=401, message="bad") if body.get("tools") else good(body)
    plain(product); print(len(server.asked))
    show(product)
    plain(product); print(len(server.asked))

def test_y_cons_500(product, asked):
    server = asked()
    server.then, good = None, server.then
    server.then = lambda body: Reply(status=500, message="bad") if body.get("tools") else good(body)
    plain(product); print(len(server.asked))
    show(product)
    plain(product); print(len(server.asked))

def test_y_cons_bad(product, asked):
    server = asked()
    server.then, good = None, server.then
    server.then = lambda body: Reply(text="All done, I wrote everything.") if body.get("tools") else good(body)
    plain(product); print(len(server.asked))
    show(product)
    plain(product); print(len(server.asked))

def test_y_cons_budget_run(product, asked, monkeypatch):
    monkeypatch.setenv("VADEMECUM_BUDGET_TOKENS_PER_RUN", "150")
    server = asked()
    for _ in range(4):
        plain(product); print(len(server.asked))
    show(product)
