# Functions shared by the scripts. Also changes to the root of the repository. Sourced, never run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

die() {
  printf '%s: %s\n' "$(basename "$0")" "$1" >&2
  exit 1
}

say() { printf '== %s\n' "$*"; }

# Time elapsed since $1, an earlier value of $SECONDS, as "1m05s".
since() {
  local seconds=$((SECONDS - $1))
  printf '%dm%02ds' $((seconds / 60)) $((seconds % 60))
}

# Prints the script's leading comment, which is its help text.
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

# Cores that this process may use; nproc alone would repeat what OMP_NUM_THREADS says.
cores() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc; }

# One job per core, but no more than memory allows: files that include LibTorch take up to 2 GiB each.
jobs_that_fit() {
  local kib limit cores
  kib=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
  limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
  if [[ $limit =~ ^[0-9]+$ ]] && ((limit / 1024 < kib)); then kib=$((limit / 1024)); fi
  cores=$(cores)
  local jobs=$((kib / (2 * 1024 * 1024)))
  ((jobs < cores)) || jobs=$cores
  ((jobs > 0)) || jobs=1
  echo "$jobs"
}

# Sets the environment that `faultline` sets before LibTorch loads, for programs that are started
# directly. Values that are already set are kept.
numeric_environment() {
  local settings
  settings=$(build/release/bin/faultline version --environment)
  eval "$settings"
}
