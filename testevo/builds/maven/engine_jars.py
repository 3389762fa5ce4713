"""JUnit engines that a project does not name: surefire would fetch them at run time, so they are resolved here.

Maven resolves them into the project's local repository, at the version of the project's own JUnit. What
it found is kept there, since most build models of a project want the same ones.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

from testevo.builds.maven.maven_run import Maven
from testevo.builds.model.build_record import read_record
from testevo.builds.model.model import BuildModel, ModuleModel, Places
from testevo.builds.model.test_framework import jar_coordinates
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import canonical_json, content_key, file_digest
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.files.whole_files import write_if_changed

_GOALS = ("validate",)
"""Nothing runs: what Maven records of any build names the class path."""


class EngineUnavailableError(UserError):
    """An engine jar cannot be resolved."""


def resolve_engine_jars(model: BuildModel, maven: Maven, places: Places, *, offline: bool) -> BuildModel:
    """`model` with the coordinates in `engine_jars` replaced by jars, each missing from that module's class path.

    Raises:
        EngineUnavailableError: Maven cannot resolve them.
    """
    resolved: dict[tuple[str, ...], tuple[str, ...]] = {}
    modules, jars = [], dict(model.jars)
    for module in model.modules:
        if not module.engine_jars:
            modules.append(module)
            continue
        if module.engine_jars not in resolved:
            resolved[module.engine_jars] = _resolve(module.engine_jars, maven, places, offline=offline)
        missing = tuple(_lacking(module, resolved[module.engine_jars]))
        modules.append(module.model_copy(update={"engine_jars": missing}))
        jars |= {jar: file_digest(Path(places.path(jar))) for jar in missing}
    return model.model_copy(update={"modules": tuple(modules), "jars": jars})


def _lacking(module: ModuleModel, jars: Iterable[str]) -> Iterable[str]:
    present = {found.name for found in map(jar_coordinates, module.run_class_path) if found}
    for jar in jars:
        found = jar_coordinates(jar)
        if found is None or found.name not in present:
            yield jar


def _resolve(wanted: tuple[str, ...], maven: Maven, places: Places, *, offline: bool) -> tuple[str, ...]:
    kept = maven.local.folder / "engines" / f"{content_key(str(maven.jdk.feature), *wanted)}.json"
    if kept.is_file():
        known: list[str] = parsed_json(kept.read_bytes())
        if all(Path(places.path(entry)).is_file() for entry in known):
            return tuple(known)
    entries = _asked(wanted, maven, places, offline=offline)
    write_if_changed(kept, canonical_json(entries).encode())
    return entries


def _asked(wanted: tuple[str, ...], maven: Maven, places: Places, *, offline: bool) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory(prefix="engines-") as scratch:
        folder = Path(scratch)
        (folder / "pom.xml").write_text(_pom(wanted), "utf-8")
        record = folder / "record.json"
        finished = maven.run(folder, _GOALS, offline=True, record=record)
        if not finished.ok and not offline:
            finished = maven.run(folder, _GOALS, offline=False, record=record)
        if not finished.ok:
            raise EngineUnavailableError(
                f"The JUnit engines {', '.join(wanted)} cannot be resolved: {finished.tail(3)}. "
                f"Check the network, build.mirror and build.offline."
            )
        [project] = read_record(record, places).projects
        return project.class_path


def _pom(wanted: Iterable[str]) -> str:
    entries = ""
    for coordinates in wanted:
        group, artifact, version = (escape(part) for part in coordinates.split(":"))
        entries += (
            f"<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>"
            f"<version>{version}</version></dependency>\n"
        )
    return (
        "<project><modelVersion>4.0.0</modelVersion><groupId>testevo</groupId><artifactId>engines</artifactId>"
        f"<version>1</version><packaging>pom</packaging><dependencies>\n{entries}</dependencies></project>\n"
    )
