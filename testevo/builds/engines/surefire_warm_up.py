"""Fetch what surefire itself needs to run tests offline: it resolves its providers only when a test runs.

No test of the project runs here, only one that is added to a copy and passes at once.
"""

import shutil
from pathlib import Path

from testevo.builds.maven.maven_run import Maven
from testevo.builds.model.model import BuildModel, ModuleModel
from testevo.builds.model.test_framework import jar_coordinates
from testevo.builds.model_source import copy_checkout
from testevo.builds.preparation import Preparation

NAME = "TestevoWarmUpTest"

_PLAIN = "public class {name} {{ @{annotation} public void passes() {{ }} }}\n"
_WITHOUT_JUNIT = "public class {name} {{ public void testPasses() {{ }} }}\n"
_JUNIT3 = "public class {name} extends junit.framework.TestCase {{ public void testPasses() {{ }} }}\n"


def warm_up_surefire(
    prepared: Preparation, maven: Maven, model: BuildModel, work: Path, *, offline: bool = False
) -> None:
    """Run one added test per module, without the network if that is enough; done once per fingerprint.

    A failure is not reported here: the run that needs surefire will fail with Maven's own words.
    """
    stamp = _stamp(prepared)
    sources = {f"{module.test.roots[0]}/{NAME}.java": text for module in model.modules if (text := _source(module))}
    if maven.local.proven(stamp) or not sources:
        return
    folder = work / "warm-up" / prepared.fingerprint
    shutil.rmtree(folder, ignore_errors=True)
    copy_checkout(prepared.checkout.folder, folder, {path: text.encode() for path, text in sources.items()})
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


def _source(module: ModuleModel) -> str:
    """A passing test in the module's framework; '' when it has none, or no place for it."""
    names = {found.name for found in map(jar_coordinates, module.run_class_path) if found}
    if not module.test.roots:
        return ""
    if module.framework == "none":
        return _WITHOUT_JUNIT.format(name=NAME) if "org.testng:testng" not in names else ""
    if module.framework == "junit3":
        return _JUNIT3.format(name=NAME)
    jupiter = "org.junit.jupiter:junit-jupiter-api" in names
    return _PLAIN.format(name=NAME, annotation="org.junit.jupiter.api.Test" if jupiter else "org.junit.Test")
