"""A program that sends SIGKILL to every process that it can reach, in a sandbox; it says whether a witness outlives it.

    kills_everything.py ID-OF-THE-CALLER'S-PROCESS-NAME-SPACE FOLDER

It does nothing unless it is itself in a name space of processes of its own, which `test_name_spaces` makes around it:
where the sandbox failed, it would end every process of the machine.
"""

import os
import subprocess
import sys
from pathlib import Path

from testevo.sandboxes.mounts import Confinement
from testevo.sandboxes.name_spaces import NameSpaces

if os.readlink("/proc/self/ns/pid") == sys.argv[1] or os.getpid() > 2:  # noqa: PTH115 - not a path
    sys.exit("not in a process name space of its own: nothing was sent")

folder = Path(sys.argv[2])
confinement = Confinement(folder, (), (folder,), 64)
witness = subprocess.Popen(["sleep", "600"])
commands = [
    NameSpaces(network=network).command(["/bin/sh", "-c", "sleep 600 & kill -9 -1; echo sent"], confinement)
    for network in (True, False)
]
said = [subprocess.run(command, capture_output=True, text=True, check=False, timeout=60) for command in commands]
print(*(one.stdout.strip() for one in said), "witness", "gone" if witness.poll() is not None else "lives")
witness.kill()
