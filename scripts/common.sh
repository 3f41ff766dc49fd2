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

# The folders of the control groups that limit this process, of version 2: its own and all above.
control_groups() {
  local path
  path=$(sed -n 's/^0:://p' /proc/self/cgroup 2>/dev/null || true)
  while echo "/sys/fs/cgroup$path" && [[ ${path#/} ]]; do path=${path%/*}; done
}

# Cores that this process may use, as base/processor.h: nproc knows the affinity, but not the quotas of
# containers, and alone it would repeat what OMP_NUM_THREADS says.
cores() {
  local cores group quota period
  cores=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)
  while read -r group; do
    [[ -r $group/cpu.max ]] && read -r quota period <"$group/cpu.max" || continue
    if [[ $quota =~ ^[0-9]+$ ]] && (((quota + period - 1) / period < cores)); then
      cores=$(((quota + period - 1) / period))
    fi
  done < <(control_groups)
  echo "$((cores > 0 ? cores : 1))"
}

# One job per core, but no more than memory allows: files that include LibTorch take up to 2 GiB each.
jobs_that_fit() {
  local kib group limit cores
  kib=$(awk '/^MemAvailable:/ {print $2}' /proc/meminfo)
  while read -r group; do
    limit=$(cat "$group/memory.max" 2>/dev/null || echo max)
    if [[ $limit =~ ^[0-9]+$ ]] && ((limit / 1024 < kib)); then kib=$((limit / 1024)); fi
  done < <(control_groups)
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
