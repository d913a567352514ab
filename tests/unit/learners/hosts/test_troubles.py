"""Which trouble it was follows from the sentence that an agent prints."""

import time

import pytest

from support.memfs import FAKE_SECRET
from vademecum.errors import InputTooLarge, LearnerFailed, LearnerUnavailable, LoginRefused, QuotaReached
from vademecum.learners.hosts.troubles import trouble

#: As the programs print them.
SAID = {
    QuotaReached: [
        "API Error: Request rejected (429) · This request would exceed your account rate limit.",
        "Claude AI usage limit reached|1796070000",
        "You've hit your limit · resets 3pm (Europe/Berlin)",
        "You've hit your session limit · resets 3pm",
        "5-hour limit reached ∙ resets 3pm",
        "You're out of extra usage · resets 3pm",
        "Credit balance is too low",
        "You’ve hit your usage limit. Upgrade to Pro or try again at 8:20 PM.",
        "exceeded retry limit, last status: 429 Too Many Requests",
        "APIError: You exceeded your current quota",
        "Free usage exceeded, subscribe to Go",
        "RESOURCE_EXHAUSTED",
        "rate-limited, ratelimit, rate limit",
    ],
    LoginRefused: [
        "Not logged in · Please run /login",
        "Invalid API key · Fix external API key",
        "OAuth token has expired. Please obtain a new token or refresh your existing token.",
        "unexpected status 401 Unauthorized: Incorrect API key provided, url: http://127.0.0.1:1/v1/responses",
        "Missing environment variable: `FAKE_API_KEY`.",
        "Your access token could not be refreshed because your refresh token was already used. Please sign in",
        "ProviderAuthError: no credentials",
        "AI_LoadAPIKeyError: Anthropic API key is missing.",
    ],
    InputTooLarge: [
        "Prompt is too long",
        "Codex ran out of room in the model's context window.",
        "input is too long for requested model",
        "ContextOverflowError: ",
    ],
    LearnerUnavailable: [
        "API Error: 529 Overloaded",
        "API Error: Connection error.",
        "stream disconnected before completion: Connection refused (os error 111)",
        "request timed out",
        "unexpected status 503 Service Unavailable",
        "API Error: 500 {}",
        "502 Bad Gateway",
        "Unable to connect. Is the computer able to access the url?",
    ],
}


@pytest.mark.parametrize(("expected", "said"), [(kind, said) for kind, all_said in SAID.items() for said in all_said])
def test_the_sentence_tells_the_trouble(expected, said):
    assert type(trouble("an-agent", said)) is expected


@pytest.mark.parametrize(
    "said",
    [
        "boom",
        "the model refused",
        "",
        "error: unknown option '--restricted'",
        "disk quota exceeded",
        "error at line 429",
        "error at line 401",
        "the file has 500 lines",
    ],
)
def test_anything_else_is_a_failure_and_no_quota(said):
    assert type(trouble("an-agent", said)) is LearnerFailed


@pytest.mark.parametrize(
    "said",
    [
        "error: unknown option '--restricted'",
        "Error loading config.toml:\n/tmp/c.toml:1:1: unknown configuration field `agents`\n  |\n1 | agents\n  | ^^^",
        "opencode serve\n\nOptions:\n  -h, --help         show help      [boolean]\n      --port         port",
    ],
)
def test_a_version_without_the_options_that_restrict_it_is_refused_and_says_so(said):
    error = trouble("an-agent", said)
    assert "cannot be restricted" in str(error)
    assert "memories.learner extractive" in error.next_step


@pytest.mark.parametrize(("status", "expected"), [(429, QuotaReached), (401, LoginRefused), (503, LearnerUnavailable)])
def test_the_status_of_the_provider_counts_where_it_is_known(status, expected):
    assert type(trouble("an-agent", "boom", status=status)) is expected


def test_a_quota_names_the_account_and_how_long_to_wait():
    error = trouble("an-agent", f"usage limit reached|{int(time.time()) + 100}")
    assert error.model == "an-agent"
    assert 90 < error.retry_after_seconds <= 100
    assert trouble("an-agent", "quota exceeded").retry_after_seconds is None
    assert trouble("an-agent", "quota exceeded", retry_after_seconds=7).retry_after_seconds == 7


def test_no_secret_stands_in_an_error():
    assert FAKE_SECRET not in str(trouble("an-agent", f"wrong key {FAKE_SECRET}"))
