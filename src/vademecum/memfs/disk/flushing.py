"""Put many files on the disk in about the time of one: a disk serves requests that wait together, together.

The threads live on between writes, because starting them costs as much as a fast disk takes. They are ended before the
process forks: a child would have none of them, only the belief that it has.
"""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import TypeVar

from vademecum.private import fsync_path

__all__ = ["Job", "begin", "flush", "fsync_job", "fsync_path"]

#: Work that ends when something is on the disk. Failures of the disk come as `OSError`.
Job = Callable[[], None]

_Result = TypeVar("_Result")

#: As many jobs wait at once. They hardly compute, so this has nothing to do with the number of cores.
_THREADS = 8


class _Threads:
    """The threads of this process, from its first write, or its first one after a fork, on."""

    def __init__(self) -> None:
        self._executor: ThreadPoolExecutor | None = None

    def get(self) -> ThreadPoolExecutor:
        if self._executor is None:
            self._executor = ThreadPoolExecutor(_THREADS, thread_name_prefix="vademecum-flush")
        return self._executor

    def end(self) -> None:
        executor, self._executor = self._executor, None
        if executor is not None:
            executor.shutdown(wait=True)

    def forget(self) -> None:
        """In a forked child: another thread may have begun new ones right before."""
        self._executor = None


_threads = _Threads()
os.register_at_fork(before=_threads.end, after_in_child=_threads.forget)


def begin(work: Callable[[], _Result]) -> Future[_Result]:
    """Begin some work in another thread; ask the future for its result."""
    try:
        return _threads.get().submit(work)
    except RuntimeError:
        # Another thread forks at this moment, or the interpreter is about to end: there are no threads to be had.
        done: Future[_Result] = Future()
        done.set_result(work())
        return done


def flush(jobs: Iterable[Job]) -> None:
    """Run jobs side by side, and return when all have ended: a barrier. Raises the first error."""
    first, *others = jobs
    begun = [begin(job) for job in others]
    try:
        first()
    finally:
        wait(begun)
    for future in begun:
        future.result()


def fsync_job(path: Path) -> Job:
    """Make a job of `fsync_path`."""
    return partial(fsync_path, path)
