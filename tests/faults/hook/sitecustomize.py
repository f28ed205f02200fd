"""Faults on purpose, in whatever Python process has this folder on its path: nothing of it is in grundylab.

FAULT_AT: a part of a path. The process that is about to give a file that name ends at once, as by ``kill -9``: its work is
done and lost. FAULT_GROUP: the processes' group that ends with it, as when the power fails. Each happens once: the file
FAULT_ONCE is made first.
"""

import os
import signal

_replace = os.replace


def _replace_or_die(source, target, **options):
    at = os.environ.get("FAULT_AT")
    if at and at in str(target):
        try:
            os.close(os.open(os.environ["FAULT_ONCE"], os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return _replace(source, target, **options)
        if group := os.environ.get("FAULT_GROUP"):
            os.killpg(int(group), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    return _replace(source, target, **options)


os.replace = _replace_or_die
