#!/usr/bin/env bash
# Stands in for Apptainer where only Podman is: as much of `apptainer exec` as Snakemake's jobs use. The image is the
# one that build.sh has made; like Apptainer's it is read-only and sees the folders it is given, and it has no network.
# Which image ran what is added to $TESTEVO_STAND_IN_NOTES.
set -euo pipefail
if [ "${1:-}" = --version ]; then echo "apptainer version 1.4.5"; exit; fi
binds=()
while [ "$1" != exec ]; do shift; done
shift
while [[ $1 == --* ]]; do
  case $1 in
    --home) binds+=(--volume "$2:$2" --workdir "$2"); shift 2 ;;
    --bind) binds+=(--volume "$2:${2#*:}"); shift 2 ;;
    *) echo "not understood: $1" >&2; exit 2 ;;
  esac
done
image=$(basename "$1" .sif)
shift
printf '%s\t%s\n' "$image" "${*: -1}" >> "$TESTEVO_STAND_IN_NOTES"
exec "$TESTEVO_STAND_IN_PODMAN" run --rm --network none --read-only --volume /tmp:/tmp "${binds[@]}" "testevo-$image" "$@"
