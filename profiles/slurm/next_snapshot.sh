#!/usr/bin/env bash
#SBATCH --job-name=testevo-snapshot
#SBATCH --time=2-00:00:00
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --requeue
# Make the snapshot of this month without anybody at hand, by cron or as a Slurm job (docs/snapshots.md):
#
#   next_snapshot.sh [DAY [OPTIONS of `testevo snapshot new`]]
#
# The report says what is new, lost, changed and quarantined, what failed, and the cost. A killed or requeued job goes on
# where it was. Old caches are pruned afterwards. Run it in the checkout; TESTEVO is the command, KEPT the age of caches.
set -uo pipefail
cd "${SLURM_SUBMIT_DIR:-.}" || exit 2
testevo=${TESTEVO:-.venv/bin/testevo}
day=${1:-$(date -u +%Y-%m-01)}
report=results/reports/$day.txt
mkdir -p "$(dirname "$report")" || exit 4
"$testevo" snapshot new "$day" "${@:2}" > "$report" 2> >(tee -a "$report.log" >&2)
status=$?
cat "$report"
case $status in
    0) ;;
    6) echo "Some repositories failed; the snapshot is sealed without them." ;;
    *) echo "No snapshot of $day yet (status $status): $report.log says why. The same command resumes."; exit "$status" ;;
esac
echo "Commit it: git add config/snapshots/$day.yaml config/snapshots/$day.lock && git commit -m 'Add the snapshot of $day'"
"$testevo" cache prune --older-than "${KEPT:-90d}" | tail -n 1
exit "$status"
