#!/usr/bin/env bash
# Actors of a run: sbatch --array=1-40 actor.sh RUN. They may come and go at any time.
#SBATCH --job-name=faultline-actor
#SBATCH --cpus-per-task=8
#SBATCH --signal=B:TERM@30
#SBATCH --requeue
set -euo pipefail

run=$1
until [[ -d $run ]]; do sleep 5; done  # the learner makes it
exec faultline actor --spool "$run" --threads "${SLURM_CPUS_PER_TASK:-0}"
