#!/bin/sh
# alone.sh SNAKEMAKE OPTION...: runs Snakemake where no other run is at work.
# The lock is on standard input, which Snakemake and all its jobs have: the system takes it off when the last of them
# has ended, however it did. So after a kill -9 nothing is left to unlock, as Snakemake's own locks would be.
refuse() {
    echo "grundylab: $1" >&2
    exit 2
}
# Snakemake would not say in one line that it has no room for its notes.
room=.snakemake/room.$$
problem=$( { mkdir -p .snakemake && head -c 262144 /dev/zero >$room && rm $room; } 2>&1) ||
    refuse "cannot write here: $(echo "$problem" | head -n 1)"
command -v flock >/dev/null || exec "$@"
exec <>.snakemake/run.lock
flock --nonblock 0 || refuse "another run is at work in this folder"
find data results -depth \( -name '.*.tmp' -o -name '.*.old' \) -exec rm -rf {} + # what killed jobs have left
exec "$@" --nolock
