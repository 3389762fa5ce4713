"""Make the engine that the configuration asks for."""

from collections.abc import Mapping
from pathlib import Path

from testevo.builds.context import BuildContext
from testevo.builds.engine import Engine
from testevo.builds.engines.direct_engine import DirectEngine
from testevo.builds.engines.maven_engine import MavenEngine
from testevo.builds.project.local_repository import local_repository
from testevo.builds.project.run_jdks import jdks_of_run
from testevo.config.model import BuildOverrides, Config
from testevo.config.snapshot.layout import Layout, scratch_of
from testevo.config.snapshot.lock import use_cache
from testevo.records.repository import Repository, SourceKind
from testevo.records.verdicts import SurefireReasons
from testevo.runtime.errors import MachineError
from testevo.runtime.files.files import require_url_safe

_WORLDS = "worlds"
"""Embedded histories; tests compare both engines on them, so that they need no certificates."""

_OTHER_CACHE, _OTHER_SCRATCH = "set build.cache", "set results or TESTEVO_SCRATCH"
"""How other folders are given."""


def engine_for(
    config: Config,
    repository: Repository,
    overrides: BuildOverrides,
    work: Path,
    surefire: Mapping[str, SurefireReasons],
) -> Engine:
    """The engine that builds revisions of `repository`.

    Args:
        config: its section `build` is read.
        repository: names the local Maven repository; all worlds share one.
        overrides: what differs for this repository.
        work: scratch folder of this engine alone; `close` removes what it made in it.
        surefire: by revision, why Surefire runs the tests of modules (`BuildVerdict.surefire`).

    Raises:
        MachineError: the cache folder cannot be written, no URL holds its path or that of `work`, Maven is not
            installed, or no JDK can be used.
    """
    return engine_of_kind(config.build.engine, config, repository_key(repository), overrides, work, surefire)


def refused_folders(config: Config) -> dict[str, MachineError]:
    """The folders, called `cache` and `scratch`, in which no build can work, each with what a build would say."""
    places = {
        "cache": (Path(config.build.cache), _OTHER_CACHE),
        "scratch": (scratch_of(Layout.of(config).root), _OTHER_SCRATCH),
    }
    found = {}
    for name, (folder, instead) in places.items():
        try:
            require_url_safe(folder.resolve(), instead)
        except MachineError as error:
            found[name] = error
    return found


def repository_key(repository: Repository) -> str:
    """Name of the local Maven repository; all worlds share one."""
    return _WORLDS if repository.source is SourceKind.WORLDS else repository.slug


def engine_of_kind(
    kind: str,
    config: Config,
    key: str,
    overrides: BuildOverrides,
    work: Path,
    surefire: Mapping[str, SurefireReasons] | None = None,
) -> Engine:
    """As `engine_for`, of a given kind (`direct` or `maven`) and with the key of the local Maven repository."""
    cache = require_url_safe(Path(config.build.cache).resolve(), _OTHER_CACHE)
    use_cache(cache)
    jdks = jdks_of_run(Layout.of(config).jdks, config.build.java_homes, config.build.preferred_jdks)
    context = BuildContext(
        local=local_repository(cache, key, config.build.mirror),
        cache=cache,
        work=require_url_safe(work.resolve(), _OTHER_SCRATCH) / f"build-{kind}",
        jdks=jdks.chosen_from,
        unusable=jdks.unusable,
        overrides=overrides,
        level_override=config.build.level_override,
        offline=config.build.offline,
        seconds=config.build.seconds,
        memory_mb=config.build.memory_mb,
        incremental=config.build.incremental,
        certifies=config.build.certify and key != _WORLDS,
        surefire=surefire or {},
    )
    return MavenEngine(context) if kind == "maven" else DirectEngine(context)
