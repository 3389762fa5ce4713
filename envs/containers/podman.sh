#!/usr/bin/env bash
# Podman with settings of its own, for machines without systemd or where nobody has set Podman up: images and
# containers lie in one folder, nothing outside is read or changed. `TESTEVO_PODMAN` names another folder;
# `TESTEVO_PODMAN=system` means the machine's own Podman as it is.
set -euo pipefail
place=${TESTEVO_PODMAN:-$(cd "$(dirname "$0")" && pwd)/built/podman}
if [ "$place" = system ]; then exec podman "$@"; fi
if [ ! -f "$place/complete" ]; then
  mkdir -p "$place"
  # What this shell may open is what containers may: more cannot be given on every machine.
  cat > "$place/containers.conf" <<END
[containers]
cgroupns = "host"
default_ulimits = ["nofile=$(ulimit -Hn):$(ulimit -Hn)", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
events_logger = "file"
END
  for driver in overlay vfs; do
    printf '[storage]\ndriver = "%s"\ngraphroot = "%s/graph"\nrunroot = "%s/run"\n' \
      "$driver" "$place" "$place" > "$place/storage.conf"
    # Else the folder stays mounted upon itself, and cannot be removed.
    printf '[storage.options.overlay]\nskip_mount_home = "true"\n' >> "$place/storage.conf"
    # Without network and root file system of an image nothing is run here: it only sees whether the driver works.
    if CONTAINERS_CONF=$place/containers.conf CONTAINERS_STORAGE_CONF=$place/storage.conf podman info >/dev/null 2>&1; then
      touch "$place/complete"
      break
    fi
  done
fi
export CONTAINERS_CONF=$place/containers.conf CONTAINERS_STORAGE_CONF=$place/storage.conf
exec podman "$@"
