#!/usr/bin/env bash
# Builds the images of all stages from the packages of Debian 12 and from requirements.lock, and writes what went into
# them to images.lock.json. Needs root, podman, runc and debootstrap; no registry of images is asked.
#
#   envs/containers/build.sh [--archives]     with --archives also built/<image>.tar, which Apptainer and Docker read
#
# TESTEVO_DEBIAN_MIRROR  where packages come from; otherwise wherever the apt of this machine has them from
# TESTEVO_PODMAN         see podman.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
python=$project/.venv/bin/python
podman=$here/podman.sh
suite=bookworm
for program in podman runc debootstrap; do
  command -v $program >/dev/null || { echo "$program is not installed: apt-get install podman runc debootstrap" >&2; exit 3; }
done
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
mkdir "$context/apt" "$context/wheels"

sites() {  # the places of this machine's apt that hold the suites of this release
  apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' "Created-By: Packages" |
    awk -v s=$suite '($2 == s || $2 == s"-updates" || $2 == s"-security") && $3 == "main"' | sort -u
}
if [ -n "${TESTEVO_DEBIAN_MIRROR:-}" ]; then
  mirror=$TESTEVO_DEBIAN_MIRROR
  printf 'deb %s %s main\ndeb %s %s-updates main\n' "$mirror" $suite "$mirror" $suite > "$context/apt/build.list"
else
  mirror=$(sites | awk -v s=$suite '$2 == s { print $1; exit }')
  [ -n "$mirror" ] || { echo "This machine's apt has no $suite; set TESTEVO_DEBIAN_MIRROR." >&2; exit 3; }
  sites | sed 's/^/deb /' > "$context/apt/build.list"
fi

# The base: the smallest Debian, without the name of the mirror and without what differs from run to run.
debootstrap --variant=minbase $suite "$context/base" "$mirror" > "$context/debootstrap.log" ||
  { tail -n 5 "$context/debootstrap.log" >&2; exit 3; }
rm -rf "$context"/base/var/{log,cache,lib/apt/lists}/* "$context"/base/etc/{resolv.conf,hostname,machine-id} \
  "$context"/base/dev/* "$context"/base/tmp/*
: > "$context/base/etc/apt/sources.list"
tar -C "$context/base" --sort=name --mtime=@0 --numeric-owner -c . | "$podman" import --quiet - testevo-base
rm -rf "$context/base"

cd "$project"
"$python" -m testevo.deployment.images context "$context"  # also <image>.definition, the digest of all that decides
for definition in "$here"/*.containerfile; do
  image=$(basename "$definition" .containerfile)
  # Wheels are brought by the machine's pip with the machine's settings; the build itself sees a folder.
  "$python" -m pip download --quiet --no-deps --require-hashes --requirement "$context/$image.requirements" \
    --dest "$context/wheels"
  "$podman" build --quiet --network host --timestamp 0 --volume "$context/apt:/etc/apt/sources.list.d:ro" \
    --volume "$context/wheels:/wheels:ro" --tag "testevo-$image" \
    --label "testevo.definition=$(cat "$context/$image.definition")" --file "$definition" "$context"
  "$podman" run --rm --network none --entrypoint /usr/bin/dpkg-query "testevo-$image" \
    --show --showformat '${Package}\t${Version}\n' > "$context/$image.installed"
  "$podman" image inspect --format '{{.Id}} {{.Digest}}' "testevo-$image" > "$context/$image.identity"
  if [ "${1:-}" = --archives ]; then
    mkdir -p "$here/built" && rm -f "$here/built/$image.tar"
    "$podman" save --quiet --format docker-archive --output "$here/built/$image.tar" "testevo-$image"
  fi
done
"$python" -m testevo.deployment.images lock "$context"
