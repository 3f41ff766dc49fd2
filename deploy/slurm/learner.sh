#!/usr/bin/env bash
# The learner of a run: sbatch learner.sh CONFIG RUN. RUN is on a file system that all nodes see. Starts the run,
# or goes on with it.
#SBATCH --job-name=faultline-learner
#SBATCH --gpus=1
#SBATCH --cpus-per-task=8
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
set -euo pipefail

config=$1 run=$2
# exec: Slurm's signal reaches faultline, which saves and ends.
exec faultline train "$config" --run "$run" --resume --serve --learn-only
