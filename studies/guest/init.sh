#!/bin/sh
# First program of an emulated x86 machine: lets a rank of training run, records it from outside with
# reveal, puts a fault on and takes it off at its times, writes all that came of it to the first disk as a
# tar archive, and turns the machine off. /case.conf says what is done:
#
#   ADDRESS     of eth0, with its prefix length     JOB      words for train
#   WARM_UP     s from the job's start to the recording's    SECONDS  of recording
#   SETUP       commands before the job             PLACE    how the job is placed: a function below, and its words
#   FAULT ON AT FOR   function and strength; from the recording's start, s
#   SNAPSHOT    commands whose output, before and after the recording, goes to snapshots.txt
#
# While it is recorded nothing here starts a program: on a machine that does nothing but train, a `sleep` or a
# `sed` would be an anomaly of its own, just when the fault begins. So all that a fault needs to know is found
# before, and from then on there are only what the shell can do by itself.
set -u
export PATH=/bin
OUT=/run/out

start() {
  mkdir -p /proc /sys /dev /run /tmp
  mount -t proc proc /proc
  mount -t sysfs sys /sys
  mount -t devtmpfs dev /dev
  mount -t tmpfs run /run
  mount -t cgroup2 cgroup /sys/fs/cgroup
  echo "+cpuset +cpu +memory" >/sys/fs/cgroup/cgroup.subtree_control
  mkdir -p "$OUT" /sys/fs/cgroup/job
  while read -r module; do insmod "/modules/$module" || say "cannot load $module"; done </modules/order
  ip link set lo up
  ethtool -K eth0 gro off  # a packet is a packet
  ip link set eth0 up
  ip addr add "$ADDRESS" dev eth0
  hostname "$HOSTNAME"
}

say() { echo "guest: $*"; }

snapshot() {
  { echo "== $1"; eval "$SNAPSHOT"; } >>"$OUT/snapshots.txt" 2>&1
}

# Faults: NAME on STRENGTH, NAME off STRENGTH.

# The hard interrupts of the network's receive and transmit queues: all on processor 0, or spread.
irq_on_one() {
  queue=0
  for irq in $RECEIVE_IRQS; do
    move_irq "$1" "$irq"
    queue=$((queue + 1))
  done
  queue=0
  for irq in $SEND_IRQS; do
    move_irq "$1" "$irq"
    queue=$((queue + 1))
  done
}

move_irq() {
  [ "$1" = on ] && mask=1 || mask=$((1 << queue))
  printf '%x\n' "$mask" >"/proc/irq/$2/smp_affinity" || say "cannot move interrupt $2"
}

irqs() { sed -n "s/^ *\([0-9]*\):.*virtio[0-9]*-$1.*/\1/p" /proc/interrupts; }

# The whole job sends through one connection, or through all.
one_flow() {
  [ "$1" = on ] && kill -USR1 "$job" || kill -USR2 "$job"
}

# The job's memory comes from node STRENGTH, or from node 0.
memory_on_node() {
  [ "$1" = on ] && node=$2 || node=0
  echo "$node" >/sys/fs/cgroup/job/cpuset.mems
}

# So many MiB are set aside as huge pages that nobody uses.
huge_pages() {
  [ "$1" = on ] && pages=$(($2 / 2)) || pages=0
  echo "$pages" >/proc/sys/vm/nr_hugepages
}

nothing() { :; }

# Processors and memory node of the job, as an orchestrator's cpuset sets them.
place() {
  echo "$1" >/sys/fs/cgroup/job/cpuset.cpus
  echo "$2" >/sys/fs/cgroup/job/cpuset.mems
}

run_job() {
  ( echo 0 >/sys/fs/cgroup/job/cgroup.procs || say "the job is in no control group"
    # shellcheck disable=SC2086 # a list of words
    exec train $JOB log="$OUT/steps.jsonl" ) &
  job=$!
}

# Waits so many seconds without a program: nothing ever comes through that pipe.
rest() { read -r -t "$1" _ <&9; }

# The moment, as seconds since the machine was started.
note() {
  read -r uptime _ </proc/uptime
  echo "$uptime" >"$OUT/$1"
}

perform() {
  rest "$AT"
  note begin
  "$FAULT" on "$ON"
  rest "$FOR"
  "$FAULT" off "$ON"
  note end
}

. /case.conf
start
say "is up"
RECEIVE_IRQS=$(irqs input)
SEND_IRQS=$(irqs output)
eval "$SETUP"
[ -z "$PLACE" ] || eval "$PLACE"
run_job
sleep "$WARM_UP"
mkfifo /run/never
exec 9<>/run/never
note known
train now >"$OUT/known_ns"
snapshot before
say "records $SECONDS s"
reveal record -q -o "$OUT/host" --duration "${SECONDS}s" >"$OUT/record.log" 2>&1 &
recorder=$!
[ "$FOR" = 0 ] || perform
wait $recorder
say "recorded, status $?"
snapshot after
kill "$job"
dmesg | tail -n 40 >"$OUT/dmesg.txt"
tar -c -f /dev/vda -C "$OUT" . && sync && say "saved"
poweroff -f
