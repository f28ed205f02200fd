#!/bin/sh
# start-slurm.sh FOLDER [CPUS]: a Slurm of one node on this machine, all of whose files are in the new FOLDER.
# Prints the line that the shell needs to use it: eval "$(start-slurm.sh FOLDER)". stop-slurm.sh FOLDER ends it.
# Needs root, and Debian's slurmctld, slurmd, slurm-client and munge, which it installs where it may.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
cpus=${2:-2}
[ "$(id -u)" = 0 ] || { echo "start-slurm.sh: slurmd runs jobs for others, so this needs root" >&2; exit 77; }
for program in munged slurmctld slurmd sbatch; do
    command -v "$program" >/dev/null 2>&1 && continue
    command -v apt-get >/dev/null 2>&1 || break
    echo "start-slurm.sh: installing slurmctld, slurmd, slurm-client, munge" >&2
    apt-get update -qq >/dev/null 2>&1 || true
    RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        slurmctld slurmd slurm-client munge >/dev/null 2>&1 || true # not started: RUNLEVEL=1
    break
done
for program in munged slurmctld slurmd sbatch; do
    command -v "$program" >/dev/null 2>&1 ||
        { echo "start-slurm.sh: $program is missing: apt-get install slurm-wlm munge" >&2; exit 77; }
done

umask 022
mkdir "$folder"
folder=$(cd "$folder" && pwd)
mkdir "$folder/munge" "$folder/state" "$folder/spool"
trap 'status=$?; [ $status = 0 ] || sh "$here/stop-slurm.sh" "$folder"; exit $status' EXIT
chmod 700 "$folder/munge"
(umask 077 && head -c 1024 /dev/urandom >"$folder/munge/key")
munged --force --key-file "$folder/munge/key" --socket "$folder/munge/socket" --pid-file "$folder/munged.pid" \
    --log-file "$folder/munged.log" --seed-file "$folder/munge/seed"

# Two ports that nobody listens at now.
ports=$(python3 - <<'PYTHON'
import socket

held = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(port.getsockname()[1] for port in held))
PYTHON
)
memory=$(awk '/^MemTotal/ {print int($2 / 1024 * 0.9)}' /proc/meminfo)
host=$(hostname -s)
cat >"$folder/slurm.conf" <<CONF
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/jobs.txt
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
MinJobAge=86400
SchedulerParameters=sched_interval=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$folder/slurm.conf"

# Snakemake's jobs call srun without the environment's SLURM_ variables; elsewhere the configuration is in /etc.
mkdir "$folder/bin"
cat >"$folder/bin/srun" <<WRAPPER
#!/bin/sh
SLURM_CONF='$SLURM_CONF' exec '$(command -v srun)' "\$@"
WRAPPER
chmod +x "$folder/bin/srun"
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"
tries=0
until sinfo --noheader --format %t 2>/dev/null | grep -q '^idle'; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || { echo "start-slurm.sh: the node does not come up; see $folder/*.log" >&2; exit 1; }
    sleep 1
done
echo "export SLURM_CONF='$SLURM_CONF' PATH='$folder/bin':\"\$PATH\""
