#!/bin/sh
# Slurm's prolog: notes in the recording of this host's agent that a job starts. Slurm gives it no PATH, and drains the
# node if it fails: without an agent the job starts all the same.
PATH=/usr/bin:/bin:/opt/reveal/bin
reveal mark --quiet --patience 1s job-start "$SLURM_JOB_ID" || :
