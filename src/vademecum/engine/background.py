"""Learning in the background: started by events of hosts, one pass at a time in a home, gone when it is done."""

import os
from collections.abc import Mapping
from threading import Thread

from vademecum import bare
from vademecum.config import load_config
from vademecum.engine.memory import Memory
from vademecum.engine.spool import take_spool
from vademecum.errors import BusyError, StorageError, VademecumError
from vademecum.home import Home
from vademecum.hook_settings import publish_hook_settings
from vademecum.learner_names import LEARNER_VARIABLE
from vademecum.locks import Domain, Locks
from vademecum.recall import drop_old_pins
from vademecum.routes import named_identity, publish_routes

__all__ = ["learn_in_background", "start_learner"]


def start_learner(home: Home, environ: Mapping[str, str]) -> bool:
    """Start a pass that outlives this process, where none began in the last minutes; whether one was started.

    None is started where learning is switched off, by an agent that learns itself, or under an identity that the
    environment names: a pass under a name would take every session of the machine in. Raises ConfigError, StorageError.
    """
    is_named = bool(named_identity(None, environ))
    if environ.get(LEARNER_VARIABLE) or is_named or not load_config(home.config, environ).generate_memories:
        return False
    try:
        process_id = bare.start_learner(str(home.root), environ)
    except OSError as error:
        raise StorageError(f"no learner can be started: {error.strerror}") from error
    if process_id:
        # A process that lives on has to take note of the end of what it started.
        Thread(target=_await_end, args=(process_id,), daemon=True).start()
    return process_id > 0


def _await_end(process_id: int) -> None:
    try:
        os.waitpid(process_id, 0)
    except ChildProcessError:
        return  # somebody else in this process waits for all children


def learn_in_background(home: Home, environ: Mapping[str, str], *, only_mends: bool = False) -> bool:
    """A pass of learning as hosts start it, with the files that hooks read put right first; whether it was its turn.

    `only_mends`: it ends with that.

    A home that is gone is not made anew: nobody is there who could tell whether its disk is only away.
    Raises what `Memory.learn` raises, after a line in hook.log: nobody looks at what such a process prints.
    """
    if not home.is_there:
        return False
    try:
        home.create()
        with Locks(home.locks).hold(Domain.LEARNER, purpose="learning in the background", wait_seconds=0):
            _mend(home, environ)
            memory = Memory.open(home=home.root, environ=environ, cwd=str(home.root))
            if memory.config.generate_memories and not only_mends:
                memory.learn()
    except BusyError:
        return False
    except VademecumError as error:
        bare.report_failure(str(home.root), "-", "learn", error.code)
        raise
    return True


def _mend(home: Home, environ: Mapping[str, str]) -> None:
    """Have hooks find what they read, as the settings and the memories are now."""
    publish_hook_settings(home)
    publish_routes(home, environ)
    take_spool(home)
    for folder in home.identities():
        try:
            Memory.open(folder.name, home=home.root, environ=environ).context()
        except VademecumError as error:  # one broken memory must not keep the others from learning
            bare.report_failure(str(home.root), "-", "refresh", error.code)
        drop_old_pins(folder.pins)
