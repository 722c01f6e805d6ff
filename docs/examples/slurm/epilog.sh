#!/bin/sh
# Slurm's epilog: notes in the recording of this host's agent that a job has ended. Slurm gives it no PATH, and drains
# the node if it fails.
PATH=/usr/bin:/bin:/opt/reveal/bin
reveal mark --quiet --patience 1s job-end "$SLURM_JOB_ID" || :
