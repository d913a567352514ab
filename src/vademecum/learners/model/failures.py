"""Which of our errors a failed request is.

The library's classes decide, which rest on status and error codes; a server's words count only where no code says it.
"""

from typing import TypeGuard

import httpx2
from pydantic_ai import exceptions

from vademecum.errors import InputTooLarge, LearnerFailed, LearnerUnavailable, LoginRefused, QuotaReached
from vademecum.learners.limits_said import speaks_of_limit
from vademecum.learners.model.choice import ModelChoice
from vademecum.learners.model.error_bodies import (
    message_in,
    speaks_of_model,
    speaks_of_size,
    words_in,
)
from vademecum.secrets import mask

__all__ = ["failure_of", "refused_words", "was_worked_on"]

_QUOTA_ERRORS = (exceptions.ModelRateLimitError, exceptions.ModelQuotaExceededError)
_UNREACHED_ERRORS = (exceptions.ModelConnectionError, httpx2.TransportError)
_PASSING_ERRORS = (
    exceptions.ModelUnavailableError,
    exceptions.ModelServerError,
    exceptions.ModelRequestTimeout,
    TimeoutError,
)
_SHOWN_CHARACTERS = 200
_FORBIDDEN, _TOO_LARGE, _SERVER = (401, 403), 413, 500


def failure_of(error: Exception, choice: ModelChoice, *, key: str) -> LearnerFailed:  # noqa: PLR0911  a table
    """The error of ours that says what happened. The key stands nowhere in it."""
    said = _said(error, key)
    if isinstance(error, _QUOTA_ERRORS) or (_is_unnamed(error) and speaks_of_limit(words_in(error.body))):
        return _quota(error, choice, said)
    if isinstance(error, exceptions.ModelAuthenticationError) or _status(error) in _FORBIDDEN:
        return LoginRefused(f"{choice.spelled} refused the key", next_step=_about_the_key(choice))
    if _is_too_large(error):
        return InputTooLarge(
            f"{choice.spelled} cannot read so much at once{said}",
            next_step="Set `model.input_tokens` to what the model can read: `vade config set model.input_tokens N`.",
        )
    if _is_no_model(error):
        return LoginRefused(
            f"there is no {choice.spelled} at {_plain(choice.address)}{said}",
            next_step="Correct `model.extract_model`, `model.consolidation_model` or `model.base_url`: `vade config` "
            "shows them. Then run `vade learn` again.",
        )
    if isinstance(error, TimeoutError | exceptions.ModelTimeoutError):
        return LearnerUnavailable(f"{choice.spelled} did not answer in time")
    if isinstance(error, _UNREACHED_ERRORS):
        return LearnerUnavailable(
            f"{choice.spelled} cannot be reached at {_plain(choice.address)}{said}",
            next_step="Is the server running, and `model.base_url` right? A later `vade learn` tries it again, "
            "`vade learn --now` at once.",
        )
    if isinstance(error, _PASSING_ERRORS) or _status(error) >= _SERVER:
        return LearnerUnavailable(f"{choice.spelled} has trouble of its own{said}")
    if isinstance(error, exceptions.ModelRequestRejectedError):
        return LearnerFailed(
            f"{choice.spelled} refused the request{said}",
            next_step="The model may be spelled otherwise there, or a setting such as `model.max_output_tokens` be "
            "more than it allows: `vade config` shows them. Once one is changed, the next `vade learn` tries it again.",
        )
    return LearnerFailed(f"{choice.spelled} gave no usable answer{said}")


def was_worked_on(error: Exception) -> bool:
    """Whether the server may have done its work, although no answer came of it: then it is paid for."""
    if isinstance(error, exceptions.ModelConnectionError):
        return error.phase not in {"pool", "connect"}
    return not isinstance(error, exceptions.ModelHTTPError)


def refused_words(error: LearnerFailed) -> str:
    """What a server said when it refused the request itself; empty where that is not what happened."""
    cause = error.__cause__
    return words_in(cause.body) if _is_unnamed(cause) else ""


def _quota(error: exceptions.ModelAPIError, choice: ModelChoice, said: str) -> QuotaReached:
    return QuotaReached(
        f"{choice.spelled} takes no more requests for now{said}",
        model=choice.spelled,
        retry_after_seconds=error.retry_after,
    )


def _is_too_large(error: Exception) -> bool:
    if isinstance(error, exceptions.ModelContextWindowExceededError) or _status(error) == _TOO_LARGE:
        return True
    return _is_unnamed(error) and speaks_of_size(words_in(error.body))


def _is_no_model(error: Exception) -> bool:
    if isinstance(error, exceptions.ModelNotFoundError):
        return True
    return _is_unnamed(error) and speaks_of_model(words_in(error.body))


def _is_unnamed(error: BaseException | None) -> TypeGuard[exceptions.ModelAPIError]:
    """Whether a server refused the request itself, and its code does not say why: its words may."""
    named = (exceptions.ModelAuthenticationError, exceptions.ModelContextWindowExceededError)
    return isinstance(error, exceptions.ModelRequestRejectedError) and not isinstance(error, named)


def _said(error: Exception, key: str) -> str:
    """The server's own words, short, on one line and without a secret; empty where it gave none."""
    body = error.body if isinstance(error, exceptions.ModelAPIError) else None
    words = (message_in(body) or f"status {_status(error)}") if body is not None else str(error)
    line = _plain(" ".join(words.split()).replace(key, "[key]"))
    return f": {line[:_SHOWN_CHARACTERS]}" if line else ""


def _status(error: Exception) -> int:
    return error.status_code if isinstance(error, exceptions.ModelHTTPError) else 0


def _about_the_key(choice: ModelChoice) -> str:
    if not choice.key_variable:
        return (
            "Name the environment variable that holds its key: `vade config set model.api_key_env NAME`; "
            "then run `vade learn` again."
        )
    return f"Put a key that is valid into {choice.key_variable}, then run `vade learn` again."


def _plain(text: str) -> str:
    """Masked, and without characters that a terminal would act on."""
    return "".join(character if character.isprintable() else " " for character in mask(text))
