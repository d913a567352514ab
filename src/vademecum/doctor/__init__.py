"""Asks every room and every host how it is. Nothing is changed, and nobody who costs money is asked.

examine_identity(identity)   everything about an identity and the hosts of this machine
examine(memory)              the same for one that is open; `places`: where its hosts are looked for
"""

from vademecum.doctor.diagnosis import Diagnosis, examine, examine_identity

__all__ = ["Diagnosis", "examine", "examine_identity"]
