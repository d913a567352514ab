"""Processes that die, and disks that fail, at a chosen step of what they do to the disk."""

import os
import signal
from itertools import count

__all__ = ["STEPS", "before_step", "in_child", "kill_at"]

#: What changes the disk, by name in `os`. Before `fdopen` a file is there and empty; libgit2's own steps are not seen.
STEPS = ("open", "fdopen", "rename", "replace", "unlink", "mkdir", "rmdir", "fsync", "chmod")


def in_child(action):
    """Run `action` in a forked child that nothing cleans up after; return how it ended (negative: the signal)."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            action()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def before_step(step, happens, *, module=os, names=STEPS, put=setattr, from_then_on=False, steps=None):
    """Make `happens()` be called right before the `step`-th change to the disk, or before all from it on.

    Returns the counter of the steps, which another module's calls may go on with. `put` sets the attributes of the
    module: `monkeypatch.setattr` takes them back.
    """
    steps = steps or count()
    for name in names:
        call = getattr(module, name)

        def counted(*arguments, _call=call, **options):
            number = next(steps)
            if number == step or (from_then_on and number > step):
                happens()
            return _call(*arguments, **options)

        put(module, name, counted)
    return steps


def kill_at(step, **options):
    """Make this process kill itself right before its `step`-th change to the disk; options as `before_step`."""
    return before_step(step, lambda: os.kill(os.getpid(), signal.SIGKILL), **options)
