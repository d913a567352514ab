"""What a server does wrong, on every wire, and which of our errors it is."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from support.asking_models import WIRES, NoteMeter, extraction_task, settings_to
from support.fake_model_queue import QueueModel, Reply
from vademecum.errors import (
    BudgetReached,
    InputTooLarge,
    LearnerFailed,
    LearnerUnavailable,
    LoginRefused,
    QuotaReached,
)
from vademecum.learners.model import ModelLearner
from vademecum.learners.model.capped import MOST_BYTES

pytestmark = [pytest.mark.parametrize("wire", WIRES), pytest.mark.timeout(30)]


def failed(wire, *replies, meter=None, **settings):
    """The error that these replies lead to; each of them was asked for once."""
    with QueueModel(wire, *replies) as server:
        with pytest.raises(LearnerFailed) as raised:
            ModelLearner(settings_to(server, **settings)).extract(extraction_task(meter or NoteMeter()))
        assert len(server.asked) == len(replies)
    return raised.value


def test_a_used_up_account_says_for_how_long(wire):
    error = failed(wire, Reply(status=429, message="slow down", headers={"Retry-After": "17"}))
    assert isinstance(error, QuotaReached)
    assert (error.model, error.retry_after_seconds) == (f"{wire}:fake-model", 17)
    assert "slow down" in str(error)


def test_a_date_to_wait_for_is_understood(wire):
    then = datetime.now(UTC) + timedelta(hours=2)
    error = failed(wire, Reply(status=429, headers={"Retry-After": format_datetime(then, usegmt=True)}))
    assert error.retry_after_seconds == pytest.approx(7200, abs=60)


@pytest.mark.parametrize("header", ["soon", "-5", "nan", ""])
def test_a_wait_that_makes_no_sense_is_no_wait_that_was_asked_for(wire, header):
    assert failed(wire, Reply(status=429, headers={"Retry-After": header})).retry_after_seconds in {None, 0}


def test_a_used_up_account_is_known_by_its_words_where_no_code_tells(wire):
    """codex-X01"""
    assert isinstance(failed(wire, Reply(status=400, message="Your credit balance is too low")), QuotaReached)


def test_a_used_up_account_is_known_behind_the_status_of_success(wire):
    body = b'{"error": {"message": "You exceeded your current quota", "type": "insufficient_quota"}}'
    assert isinstance(failed(wire, Reply(raw=body)), QuotaReached)


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_ends_the_login(wire, status):
    error = failed(wire, Reply(status=status, message="invalid key"))
    assert isinstance(error, LoginRefused)
    assert "model.api_key_env" in error.next_step


@pytest.mark.parametrize("status", [400, 404])
def test_a_model_that_there_is_none_of_is_a_matter_for_the_person(wire, status):
    """user-U72: a mistyped or retired name is told as one, in the words of the server."""
    error = failed(wire, Reply(status=status, message="Unknown model: fake-model"))
    assert isinstance(error, LoginRefused)
    assert f"there is no {wire}:fake-model at " in str(error)
    assert "Unknown model: fake-model" in str(error)
    assert "model.extract_model" in error.next_step
    assert "vade config" in error.next_step


@pytest.mark.parametrize(
    "reply",
    [
        Reply(status=413, message="too much"),
        Reply(status=400, message="prompt is too long: 300000 tokens > 200000 maximum"),
        Reply(status=400, message="This model's maximum context length is 8192 tokens."),
    ],
)
def test_a_prompt_that_is_too_large_is_said_to_be(wire, reply):
    error = failed(wire, reply)
    assert isinstance(error, InputTooLarge)
    assert "model.input_tokens" in error.next_step


@pytest.mark.parametrize("status", [500, 502, 503, 529])
def test_trouble_of_the_server_passes(wire, status):
    error = failed(wire, Reply(status=status, message="oops"))
    assert isinstance(error, LearnerUnavailable)
    assert error.retriable


def test_a_connection_that_is_cut_in_the_middle_passes_and_what_was_sent_counts(wire):
    meter = NoteMeter()
    assert isinstance(failed(wire, Reply(text="a" * 500, cut=True), meter=meter), LearnerUnavailable)
    assert [request.tokens_in > 0 for request in meter.noted] == [True]


def test_a_server_that_does_not_answer_in_time_is_left_and_what_was_sent_counts(wire):
    """codex-R91"""
    meter = NoteMeter()
    error = failed(wire, Reply(hang=True), meter=meter, timeout_seconds=0.3)
    assert isinstance(error, LearnerUnavailable)
    assert "in time" in str(error)
    assert [request.tokens_in > 0 for request in meter.noted] == [True]


def test_an_answer_that_is_no_json_at_all_is_of_no_use(wire):
    error = failed(wire, Reply(raw=b"<html>{"))
    assert type(error) is LearnerFailed


def test_an_answer_without_end_is_not_read_into_memory(wire):
    endless = b'{"id": "' + b"a" * (MOST_BYTES + 1) + b'"}'
    meter = NoteMeter()
    assert isinstance(failed(wire, Reply(raw=endless), meter=meter), LearnerUnavailable)
    assert len(meter.noted) == 1


def test_a_request_that_is_refused_is_told_in_the_words_of_the_server(wire):
    error = failed(wire, Reply(status=400, message="max_tokens is too large"))
    assert type(error) is LearnerFailed
    assert "max_tokens is too large" in str(error)
    assert "model.max_output_tokens" in error.next_step


def test_a_redirect_is_not_followed(wire):
    """Nothing but the address of the settings is contacted; the server here would answer what comes after."""
    with QueueModel(wire, Reply(text="never")) as elsewhere:
        failed(wire, Reply(status=307, headers={"Location": elsewhere.base_url}))
        assert elsewhere.asked == []


def test_a_server_that_is_not_there_passes_and_costs_nothing(wire):
    with QueueModel(wire) as server:
        config = settings_to(server)
    meter = NoteMeter()
    with pytest.raises(LearnerUnavailable):
        ModelLearner(config).extract(extraction_task(meter))
    assert meter.noted == []


def test_no_request_goes_out_where_the_meter_says_no(wire):
    error = failed(wire, meter=NoteMeter(limit=0))
    assert isinstance(error, BudgetReached)


def test_no_key_stands_in_an_error_however_the_server_words_it(wire, monkeypatch):
    key = "my-very-own-words"
    monkeypatch.setenv("MY_KEY", key)
    for status in (400, 401, 403, 404, 429, 500):
        error = failed(wire, Reply(status=status, message=f"the key {key} is not right"), api_key_env="MY_KEY")
        assert key not in f"{error} {error.intact} {error.next_step} {error.details}"


def test_what_a_server_says_cannot_act_on_a_terminal(wire):
    assert "\x1b" not in str(failed(wire, Reply(status=400, message="\x1b[2Jbad\x07")))
