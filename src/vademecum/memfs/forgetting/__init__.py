"""Out of memory: of the present state, of the whole history, of the object store; and the proof of it."""
