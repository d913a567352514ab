"""What a command is run for."""

import pytest

from vademecum.learners.extractive.commands import goal_of
from vademecum.learners.extractive.goals import Goal


@pytest.mark.parametrize(
    ("command", "goal"),
    [
        ("pytest -q tests", Goal.TEST),
        ("python -m pytest", Goal.TEST),
        (".venv/bin/python -m pytest tests", Goal.TEST),
        ("uv run pytest -q", Goal.TEST),
        ("npm test", Goal.TEST),
        ("pnpm run test:unit", Goal.TEST),
        ("npx vitest run", Goal.TEST),
        ("go test ./...", Goal.TEST),
        ("cargo test --all", Goal.TEST),
        ("make check", Goal.TEST),
        ("./gradlew :app:test", Goal.TEST),
        ("DATABASE_URL=sqlite:// pytest", Goal.TEST),
        ("docker compose run --rm web pytest", Goal.TEST),
        ("npm run build", Goal.BUILD),
        ("make", Goal.BUILD),
        ("cargo build --release", Goal.BUILD),
        ("tsc -p .", Goal.BUILD),
        ("tsc --noEmit", Goal.TYPECHECK),
        ("mypy src", Goal.TYPECHECK),
        ("ruff check .", Goal.LINT),
        ("npx eslint src", Goal.LINT),
        ("cargo clippy", Goal.LINT),
        ("ruff format .", Goal.FORMAT),
        ("npx prettier -w .", Goal.FORMAT),
        ("alembic upgrade head", Goal.MIGRATE),
        ("python manage.py migrate", Goal.MIGRATE),
        ("kubectl apply -f k8s", Goal.DEPLOY),
        ("fly deploy", Goal.DEPLOY),
        ("pip install -e .", Goal.INSTALL),
        ("pnpm install", Goal.INSTALL),
        ("npm run dev", Goal.RUN),
        ("docker compose up -d", Goal.RUN),
        ("uv sync && pytest", Goal.TEST),
        ("ls -la", None),
        ("cat test.py", None),
        ("git commit -m test", None),
        ("pytester", None),
        ("echo pytest", None),
    ],
)
def test_a_command_is_for_one_goal(command: str, goal: Goal | None) -> None:
    """The program decides, whatever runs it and whatever stands before it."""
    assert goal_of(command) is goal
