"""prove_offline: show that the builds of a repository end without a network as they did with one.

Works in a network name space of its own. Reads what `warm_up` fetched, writes an `OfflineProof` per build; the newest
one is run by Maven too, with `-o`. A proof that does not hold is data: its commits will not build.
"""

import sys

from stage import Stage, run_stage

from testevo.builds.engine import Engine
from testevo.builds.engines.engine_choice import engine_of_kind, repository_key
from testevo.records.base import read_records, write_records
from testevo.records.evidence.warm_up import OfflineProof, WarmBuild
from testevo.records.verdicts import BuildOutcome
from testevo.revisions.workspace import Workspace, overrides_of
from testevo.runtime.no_network import leave_network
from testevo.runtime.processes.progress import followed

WANTING = (BuildOutcome.DEPENDENCY_UNAVAILABLE, BuildOutcome.BUILD_TOOL_FAILED, BuildOutcome.TIMED_OUT)
"""How a build ends that would need the network."""


def main(stage: Stage) -> None:
    leave_network()
    builds = read_records(stage.files.fetched, WarmBuild)
    proofs = prove(stage, builds) if builds else []
    for proof in proofs:
        if not proof.holds:
            print(f"{proof.repository} at {proof.revision[:7]} is not ready: {proof.reason}", file=sys.stderr)
    write_records(stage.files.proofs, proofs)


def prove(stage: Stage, builds: list[WarmBuild]) -> list[OfflineProof]:
    """A proof per build; they come newest first, and the newest is Maven's own."""
    config, repository = stage.config_with(offline=True), stage.repository
    with Workspace(repository, stage.files.bundle, config, stage.work.scratch, only_builds=True) as workspace:
        overrides, scratch = overrides_of(config, repository), workspace.scratch / "reference"
        maven = engine_of_kind("maven", config, repository_key(repository), overrides, scratch)
        try:
            return [
                proof_of(workspace, workspace.engine if number else maven, build)
                for number, build in enumerate(followed(builds, stage.work.progress("prove_offline"), "builds proven"))
            ]
        finally:
            maven.close()


def proof_of(workspace: Workspace, engine: Engine, build: WarmBuild) -> OfflineProof:
    """It holds unless the build fails for lack of something, and did not fail like that before."""
    result = engine.build(workspace.checkout(build.revision))
    lacks = result.outcome in WANTING and result.outcome is not build.outcome
    return OfflineProof(
        repository=build.repository,
        position=build.position,
        revision=build.revision,
        fingerprint=build.fingerprint,
        holds=not lacks,
        reason=result.reason if lacks else "",
        by_maven=engine.name == "maven",
    )


if __name__ == "__main__":
    run_stage(main, __doc__, reads=("repository", "bundle", "fetched"), writes=("proofs",))
