#!/bin/sh
# stop-slurm.sh FOLDER: end the Slurm that start-slurm.sh started there. The folder stays, with its logs.
folder=$1
for daemon in slurmd slurmctld munged; do
    [ -s "$folder/$daemon.pid" ] || continue
    pid=$(cat "$folder/$daemon.pid")
    kill "$pid" 2>/dev/null || continue
    tries=0
    while kill -0 "$pid" 2>/dev/null && [ $tries -lt 30 ]; do
        tries=$((tries + 1))
        sleep 1
    done
    kill -9 "$pid" 2>/dev/null
done
exit 0
