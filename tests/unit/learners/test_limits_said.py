"""A used-up account is known by words that speak of one, whoever prints them."""

import pytest

from vademecum.learners.limits_said import names_status, speaks_of_limit


@pytest.mark.parametrize(
    "words",
    [
        "You have reached your usage limit",
        "Rate limit reached for requests",
        "rate_limit_error",
        "rate-limit",
        "ratelimit",
        "insufficient_quota",
        "RESOURCE_EXHAUSTED",
        "Too Many Requests",
        "billing_hard_limit reached",
        "Your credit balance is too low to access the API",
        "You exceeded your current quota, please check your plan",
        "Quota exceeded for metric",
        "provider capacity exhausted",
        "free usage exceeded",
        "5-hour limit reached",
        "last status: 429",
        "HTTP 429",
        "HTTP/1.1 429",
        "API Error: 429 {}",
        '{"statusCode":429}',
    ],
)
def test_words_that_speak_of_a_used_up_account(words):
    assert speaks_of_limit(words)


@pytest.mark.parametrize(
    "words",
    [
        "boom",
        "disk quota exceeded",
        "Disk quota exceeded (os error 122)",
        "the parameter quota is not known",
        "error at line 429",
        "line 429: unexpected token",
        "HTTP 4290",
        "the step limit reached its end",
        "",
    ],
)
def test_words_that_only_look_like_it(words):
    """codex-X01: a bare "quota", or a 429 somewhere, would let a job wait for ever."""
    assert not speaks_of_limit(words)


def test_a_number_is_a_status_only_where_it_is_called_one():
    outage = range(500, 600)
    assert names_status("unexpected status 503", outage)
    assert names_status("HTTP 200, then HTTP 502", outage)
    assert not names_status("read 500 lines", outage)
    assert not names_status("HTTP 200", outage)
