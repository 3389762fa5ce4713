#!/usr/bin/env bash
# Installs the programs of the system that the tests use and that are not here yet; needs root and apt-get for that.
set -euo pipefail
missing=()
command -v git >/dev/null || missing+=(git)
command -v mvn >/dev/null || missing+=(maven)
command -v bwrap >/dev/null || missing+=(bubblewrap)
command -v podman >/dev/null || missing+=(podman)
command -v runc >/dev/null || missing+=(runc)
command -v slurmctld >/dev/null || missing+=(slurm-wlm)
command -v munged >/dev/null || missing+=(munge)
command -v modulecmd >/dev/null || missing+=(environment-modules)
command -v chromium >/dev/null || missing+=(chromium)
command -v pdftotext >/dev/null || missing+=(poppler-utils)
command -v pdflatex >/dev/null || missing+=(texlive-latex-base texlive-latex-recommended)
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "not installed: ${missing[*]}; the tests that need them are skipped and say so" >&2
  exit 0
fi
apt-get update -q >/dev/null
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >/dev/null
