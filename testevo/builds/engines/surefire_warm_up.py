"""Fetch what surefire itself needs to run tests offline: it resolves its providers only when a test runs.

No test of the project runs here, only one that is added to a copy and passes at once.
"""

import shutil
from pathlib import Path

from testevo.builds.maven.maven_run import Maven
from testevo.builds.model.model import BuildModel
from testevo.builds.model_source import copy_checkout
from testevo.builds.preparation import Preparation

NAME = "TestevoWarmUpTest"
FILE = f"testevowarmup/{NAME}.java"
"""In a package, as a named module has no class outside of one."""
_TEST = f"package testevowarmup; public class {NAME} {{ public void testPasses() {{ }} }}\n"
"""Surefire takes it by its name, with every provider; whatever framework and level a project has, it compiles."""


def warm_up_surefire(
    prepared: Preparation, maven: Maven, model: BuildModel, work: Path, *, offline: bool = False
) -> None:
    """Run one added test per module, without the network if that is enough; done once per fingerprint.

    A failure is not reported here: the run that needs surefire will fail with Maven's own words.
    """
    stamp = _stamp(prepared)
    places = [f"{module.test.roots[0]}/{FILE}" for module in model.modules if module.test.roots]
    if maven.local.proven(stamp) or not places:
        return
    folder = work / "warm-up" / prepared.fingerprint
    shutil.rmtree(folder, ignore_errors=True)
    copy_checkout(prepared.checkout.folder, folder, dict.fromkeys(places, _TEST.encode()))
    more = {"test": NAME, "failIfNoTests": "false", "surefire.failIfNoSpecifiedTests": "false"}
    for without_network in (True,) if offline else (True, False, True):
        if maven.run(folder, ("test",), offline=without_network, more=more).ok and without_network:
            maven.local.mark_proven(stamp)
            break
    shutil.rmtree(folder, ignore_errors=True)


def is_warm(prepared: Preparation, maven: Maven) -> bool:
    """Whether Surefire has run a test of this fingerprint without the network."""
    return maven.local.proven(_stamp(prepared))


def _stamp(prepared: Preparation) -> str:
    return f"surefire-{prepared.fingerprint}"
