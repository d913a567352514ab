"""A walk over session references in a test: what the engine does for one identity, without its stores."""

from pathlib import Path

from vademecum.learning import Allowance, Extractor, Rehearsal, walk_over


def extract_sessions(refs, *, state, learner, window, listener=lambda _session, _project: None, **options):
    """Learn from these; what the walk has counted."""
    allowance = options.pop("allowance", None) or Allowance()
    extractor = Extractor(lambda: state, listener, learner=learner, window=window, allowance=allowance)
    with extractor.ledger():
        _walk(refs, extractor, allowance, **options)
    return extractor.report


def rehearse(refs, *, state, learner, window, listed=lambda _rehearsed: None, **options):
    """What `extract_sessions` would do. `state`: None where nothing was ever learned."""
    allowance = options.pop("allowance", None) or Allowance()
    database = state.path if state else Path("/nowhere/state.db")
    rehearsal = Rehearsal(listed, lambda: state, learner=learner, window=window, allowance=allowance, database=database)
    _walk(refs, rehearsal, allowance, **options)
    return rehearsal.report


def _walk(refs, walk, allowance, *, only=None, progress=lambda _ref, _what: None):
    walk_over(refs, walk, only=only, progress=progress, allowance=allowance)
