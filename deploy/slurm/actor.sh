#!/usr/bin/env bash
# Actors of a run: sbatch --array=1-40 actor.sh RUN, with RUN the learner's folder or its URL on a NATS server (further
# words are faultline's: --creds, --tls-ca). They may come and go at any time.
#SBATCH --job-name=faultline-actor
#SBATCH --cpus-per-task=8
#SBATCH --signal=B:TERM@30
#SBATCH --requeue
set -euo pipefail

run=$1
shift
if [[ $run == *://* ]]; then
  from=(--join "$run")
else
  until [[ -d $run ]]; do sleep 5; done  # the learner makes it
  from=(--spool "$run")
fi
exec faultline actor "${from[@]}" --threads "${SLURM_CPUS_PER_TASK:-0}" "$@"
