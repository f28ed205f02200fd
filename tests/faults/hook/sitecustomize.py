"""Faults on purpose, in whatever Python process has this folder on its path: nothing of it is in grundylab.

FAULT_AT: a part of a path. The process that is about to give a file that name ends at once, as by ``kill -9``: its work is
done and lost. FAULT_WHEN=after: it ends as soon as the file has that name, and nobody is told. FAULT_GROUP: the processes'
group that ends with it, as when the power fails. FAULT_UNTIL: nothing ends, but it waits until there is this file. Each
happens once: the file FAULT_ONCE is made first. FAULT_LATER: so many seconds later is what Python's clock says.
"""

import os
import signal
import time

_replace = os.replace


def _replace_or_die(source, target, **options):
    at = os.environ.get("FAULT_AT")
    if not at or at not in str(target) or not _first():
        return _replace(source, target, **options)
    if os.environ.get("FAULT_WHEN") == "after":
        _replace(source, target, **options)
    if until := os.environ.get("FAULT_UNTIL"):
        while not os.path.exists(until):
            time.sleep(0.05)
        return _replace(source, target, **options)
    if group := os.environ.get("FAULT_GROUP"):
        os.killpg(int(group), signal.SIGKILL)
    return os.kill(os.getpid(), signal.SIGKILL)


def _first():
    try:
        with open(os.environ["FAULT_ONCE"], "x") as once:
            once.write(str(os.getpid()))
    except FileExistsError:
        return False
    return True


os.replace = _replace_or_die


if later := int(os.environ.get("FAULT_LATER", 0)):
    _now, _now_ns, _local, _universal = time.time, time.time_ns, time.localtime, time.gmtime
    time.time = lambda: _now() + later
    time.time_ns = lambda: _now_ns() + later * 10**9
    time.localtime = lambda when=None: _local(time.time() if when is None else when)
    time.gmtime = lambda when=None: _universal(time.time() if when is None else when)
