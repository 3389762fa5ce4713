"""A Slurm of two nodes on this machine, in name spaces of its own: nothing of it is left when its first process ends.

It has the default paths of Slurm's configuration, because jobs do not get `SLURM_CONF` (docs/clusters.md).
"""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "munged", "setpriv", "unshare", "nsenter")
SPACES = ("unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc")
NODES = ("n1", "n2")
SECONDS_TO_START = 60

CONFIGURATION = """\
ClusterName=testevo
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={controller}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=256
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=2
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
MinJobAge=600
SlurmdTimeout=10
KillWait=2
OverTimeLimit=0
SchedulerParameters=sched_min_interval=0,bf_interval=5
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port={first} CPUs=2 RealMemory=16000 State=UNKNOWN
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port={second} CPUs=2 RealMemory=16000 State=UNKNOWN
PartitionName=cpu Nodes=ALL Default=YES MaxTime=24:00:00 State=UP
"""

FIRST_PROCESS = """\
set -e
hostname localhost
mount --bind {folder}/etc /etc/slurm
munged --force --foreground --key-file={folder}/munge.key --socket={folder}/munge.socket \
  --pid-file={folder}/munged.pid --log-file={folder}/munged.log --seed-file={folder}/munged.seed &
until [ -S {folder}/munge.socket ]; do sleep 0.1; done
slurmctld -D &
slurmd -D -N n1 &
slurmd -D -N n2 &
echo $$ > {folder}/started
while :; do sleep 600 & wait $! || true; done
"""


def missing_for_slurm() -> str:
    """Why no cluster can be started here; '' when it can."""
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    if absent:
        return f"not installed: {', '.join(absent)}"
    return "" if os.geteuid() == 0 else "only root may make the name spaces of a cluster"


@dataclass(frozen=True)
class Cluster:
    """A running cluster; `first` is the first process of its name spaces, seen from outside."""

    folder: Path
    first: "subprocess.Popen[bytes]"

    @classmethod
    def started(cls, folder: Path) -> "Cluster":
        """Start it in a folder and wait until both nodes take jobs."""
        for name in ("etc", "state", *(f"spool.{node}" for node in NODES)):
            (folder / name).mkdir(parents=True)
        key = folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        controller, first, second = free_ports(3)
        (folder / "etc" / "slurm.conf").write_text(
            CONFIGURATION.format(folder=folder, controller=controller, first=first, second=second)
        )
        # It ends with this process too, however that ends.
        spaces = ["setpriv", "--pdeathsig", "KILL", "--", *SPACES]
        with (folder / "said").open("wb") as said:
            process = subprocess.Popen(
                [*spaces, "/bin/sh", "-c", FIRST_PROCESS.format(folder=folder)],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        cluster = cls(folder, process)
        for _ in range(SECONDS_TO_START * 5):
            if cluster.idle_nodes() == len(NODES):
                return cluster
            time.sleep(0.2)
        cluster.stop()
        raise RuntimeError(f"the nodes do not come up: {(folder / 'said').read_text(errors='replace')[-2000:]}")

    def inside(self, command: list[str], folder: Path = Path("/")) -> list[str]:
        """The command that runs `command` in a folder where the cluster is."""
        spaces = ["nsenter", f"--target={self._inner()}", "--mount", "--uts", "--pid", "--"]
        # With --wd the working folder would be that of the outer mounts, and files could not be renamed in it.
        return [*spaces, "/bin/sh", "-c", 'cd "$0" && exec "$@"', str(folder), *command]

    def idle_nodes(self) -> int:
        if not (self.folder / "started").exists():
            return 0
        said = self.ask("sinfo", "--noheader", "--Node", "--states=idle", "--format=%N")
        return len(said.split())

    def jobs(self) -> list[str]:
        """What each job that waits or runs is for: its rule and wildcards."""
        said = self.ask("squeue", "--noheader", "--states=PD,R,CG", "--format=%i %T %k")
        return said.splitlines()

    def ask(self, *command: str) -> str:
        """The output of a client; each would wait long for a controller that is gone."""
        done = subprocess.run(
            self.inside(["timeout", "20", *command]), capture_output=True, text=True, check=False, timeout=60
        )
        return done.stdout

    def _inner(self) -> int:
        """The first process inside, seen from outside: the child of `unshare`."""
        children = Path(f"/proc/{self.first.pid}/task/{self.first.pid}/children").read_text().split()
        return int(children[0])

    def kill_node(self, node: str) -> None:
        """End a node with all that runs on it, as a power cut does."""
        daemon = psutil.Process(self._seen_outside(int((self.folder / f"slurmd.{node}.pid").read_text())))
        steps = [
            process
            for process in psutil.process_iter()
            if process.name() == "slurmstepd" and f"{node}:" in " ".join(process.cmdline())
        ]
        for process in [daemon, *(below for step in steps for below in (step, *step.children(recursive=True)))]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    def _seen_outside(self, process_id: int) -> int:
        """The process of the name space that has this id inside."""
        for process in psutil.Process(self._inner()).children(recursive=True):
            ids = re.search(r"^NSpid:\s+(.+)$", Path(f"/proc/{process.pid}/status").read_text(), flags=re.MULTILINE)
            if ids is not None and int(ids.group(1).split()[-1]) == process_id:
                return process.pid
        raise RuntimeError(f"no process {process_id} in the cluster")

    def stop(self) -> None:
        """End it and all of its jobs: with the first process of a name space go all others."""
        os.killpg(self.first.pid, signal.SIGKILL)
        self.first.wait()


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on just now."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


if __name__ == "__main__":  # try it by hand: a folder, then a command
    by_hand = Cluster.started(Path(sys.argv[1]))
    try:
        sys.exit(subprocess.run(by_hand.inside(sys.argv[2:]), check=False).returncode)
    finally:
        by_hand.stop()
