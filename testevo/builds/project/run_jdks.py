"""The JDKs that a run of the workflow began with: one that appears later is not used, one that vanishes is missed.

Without it, the jobs of one run would choose different JDKs for one project, or blame a commit for a JDK that is gone.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from testevo.builds.project.jdks import BrokenJdk, Jdk, broken_jdks, find_jdks, jdk_in
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import canonical_json, write_atomically
from testevo.runtime.files.json_and_yaml import parsed_json


@dataclass(frozen=True)
class RunJdks:
    """The JDKs that a job may choose from."""

    chosen_from: list[Jdk]
    """Those that the run began with; some of them may be among `unusable` now."""
    unusable: tuple[BrokenJdk, ...]


def note_jdks(path: Path, extra: Sequence[str]) -> None:
    """Note which JDKs are here now, for all jobs of a run on this machine."""
    noted = [{"home": str(jdk.home), "feature": jdk.feature, "version": jdk.version} for jdk in find_jdks(extra)]
    write_atomically(path, f"{canonical_json(noted)}\n".encode())


def jdks_of_run(path: Path, extra: Sequence[str], preferred: Collection[int] = ()) -> RunJdks:
    """The noted JDKs, each looked at again; those that are here now where nothing is noted.

    Args:
        preferred: feature versions; where one of them is here, no other is chosen.

    Raises:
        MachineError: there is none that can be used.
    """
    if path.is_file():
        noted = [Jdk(Path(one["home"]), one["feature"], one["version"]) for one in parsed_json(path.read_bytes())]
        known = RunJdks(noted, (*filter(None, map(_lost, noted)), *broken_jdks(extra)))
    else:
        known = RunJdks(find_jdks(extra), tuple(broken_jdks(extra)))
    if {jdk.home for jdk in known.chosen_from} <= {one.home for one in known.unusable}:
        faults = " ".join(one.fault for one in known.unusable)
        raise MachineError(
            "No JDK was found on this machine that can be used. Install one, or name its folder in build.java_homes; "
            f"`testevo doctor` says what is needed. {faults}".strip()
        )
    return replace(
        known, chosen_from=[jdk for jdk in known.chosen_from if jdk.feature in preferred] or known.chosen_from
    )


def _lost(noted: Jdk) -> BrokenJdk | None:
    """Describe how a JDK differs from what it was when the run began; None where it does not."""
    now = jdk_in(noted.home)
    if now == noted:
        return None
    if now is None:
        fault = f"{noted.home} was there when this run began, and is gone."
    elif isinstance(now, BrokenJdk):
        fault = f"{noted.home} started when this run began, and does not now: {now.fault}"
    else:
        fault = f"{noted.home} was {noted.version} when this run began, and is {now.version} now."
    return BrokenJdk(noted.home, fault, noted)
