"""Deliberate faults in every Python process that has this folder on its path; grundylab contains none of this.

FAULT_AT: a part of a path. A process that is about to give a file a name with this part ends at once, as by ``kill
-9``, and its work is lost. FAULT_WHEN=after: it ends right after the file has its name. FAULT_GROUP: a process group
that ends with it, as in a power failure. FAULT_UNTIL: instead of ending, the process waits until this file exists. Each
fault happens only once: the process first creates the file FAULT_ONCE. FAULT_LATER: Python's clock is ahead by so many
seconds. FAULT_STILL: no processor time passes.
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

if os.environ.get("FAULT_STILL"):
    time.process_time = lambda: 0.0
    os.times = lambda: os.times_result((0.0,) * 5)
