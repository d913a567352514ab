import asyncio
import json

import httpx2
import pytest

from vademecum.learners.model.error_bodies import (
    as_error,
    message_in,
    speaks_of_effort,
    speaks_of_model,
    speaks_of_schema,
    speaks_of_size,
    words_in,
)


def test_words_that_speak_of_size_schema_and_reasoning():
    assert speaks_of_size("prompt is too long: 300000 tokens > 200000 maximum")
    assert speaks_of_size("This model's maximum context length is 8192 tokens")
    assert not speaks_of_size("max_tokens is too large")
    assert speaks_of_schema("This response_format type is unavailable now")
    assert speaks_of_effort("Unsupported parameter: 'reasoning_effort'")
    assert not speaks_of_schema("bad request")
    assert not speaks_of_effort("bad request")


@pytest.mark.parametrize(
    "words",
    [
        "Model Not Exist",
        "Invalid model name passed in model=small-2",
        "small/one is not a valid model ID",
        "The model `small-9.1` does not exist or you do not have access to it.",
        'model "small" not found, try pulling it first',
        "models/small-1.5 is not found for API version v1beta",
        "The requested model is not supported. model_not_supported",
        "Unknown model: small-20990101",
        "The model `small-0301` has been deprecated",
    ],
)
def test_words_that_speak_of_a_model_that_there_is_none_of(words):
    """user-U72: servers word it as they like, and many send no code."""
    assert speaks_of_model(words)


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum context length is 8192 tokens",
        "max_tokens is too large for this model. The tool was not found.",
        "Unsupported parameter: 'temperature' is not supported with this model",
        "bad request",
    ],
)
def test_words_that_only_name_a_model_do_not(words):
    assert not speaks_of_model(words)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "no", "code": "x"}},
        {"error": "no"},
        {"message": "no"},
        "no",
        b"no",
        json.dumps({"error": {"message": "no"}}),
    ],
)
def test_the_message_is_found_however_a_server_nests_it(body):
    assert message_in(body) == "no"


@pytest.mark.parametrize("body", [None, [], 3, {}, {"error": {}}, ""])
def test_a_body_without_words_has_none(body):
    assert words_in(body) == ""


def status_of(body, status=200, kind="application/json"):
    response = httpx2.Response(status, content=json.dumps(body).encode(), headers={"content-type": kind})
    asyncio.run(as_error(response))
    return response.status_code


def test_an_error_with_the_status_of_success_gets_that_of_an_error():
    assert status_of({"error": {"message": "no", "code": 429}}) == 429
    assert status_of({"error": {"message": "no", "code": "x"}}) == 400
    assert status_of({"error": {"message": "no", "code": 7}}) == 400
    assert status_of({"error": "no"}) == 400


def test_other_answers_keep_their_status():
    assert status_of({"error": None, "output": []}) == 200
    assert status_of({"choices": []}) == 200
    assert status_of([1]) == 200
    assert status_of({"error": "no"}, kind="text/event-stream") == 200
    assert status_of({"error": "no"}, status=503) == 503
