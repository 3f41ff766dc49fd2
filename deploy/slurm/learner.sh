#!/usr/bin/env bash
# The learner of a run: sbatch learner.sh CONFIG RUN [URL]. Without the URL of a NATS server RUN is on a file system
# that all nodes see (further words are faultline's: --creds, --tls-ca). Starts the run, or goes on with it.
#SBATCH --job-name=faultline-learner
#SBATCH --gpus=1
#SBATCH --cpus-per-task=8
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
set -euo pipefail

config=$1 run=$2
shift 2
# exec: Slurm's signal reaches faultline, which saves and ends.
exec faultline train "$config" --run "$run" --resume --learn-only --serve "$@"
