"""Make the engine that the configuration asks for."""

from pathlib import Path

from testevo.build.direct import DirectEngine
from testevo.build.engine import Engine
from testevo.build.jdks import find_jdks
from testevo.build.local_repository import local_repository
from testevo.build.maven import MavenEngine
from testevo.build.workshop import Workshop
from testevo.config.model import BuildOverrides, Config
from testevo.ground.errors import MachineError
from testevo.records.repository import Repository, SourceKind


def engine_for(config: Config, repository: Repository, overrides: BuildOverrides, work: Path) -> Engine:
    """The engine that builds revisions of `repository`.

    Args:
        config: its section `build` is read.
        repository: names the local Maven repository; all worlds share one.
        overrides: what differs for this repository.
        work: scratch folder of this engine alone; `close` removes what it made in it.

    Raises:
        MachineError: the cache folder cannot be written, or Maven or any JDK is not installed.
    """
    return engine_of_kind(config.build.engine, config, repository_key(repository), overrides, work)


def repository_key(repository: Repository) -> str:
    """Name of the local Maven repository; all worlds share one."""
    return "worlds" if repository.source is SourceKind.WORLDS else repository.slug


def engine_of_kind(kind: str, config: Config, key: str, overrides: BuildOverrides, work: Path) -> Engine:
    """As `engine_for`, of a given kind (`direct` or `maven`) and with the key of the local Maven repository."""
    cache = Path(config.build.cache).resolve()
    jdks = find_jdks(config.build.java_homes)
    if not jdks:
        raise MachineError(
            "No JDK was found on this machine. Install one, or name its folder in build.java_homes; "
            "`testevo doctor` says what is needed."
        )
    workshop = Workshop(
        local=local_repository(cache, key, config.build.mirror),
        cache=cache,
        work=work.resolve() / f"build-{kind}",
        jdks=jdks,
        overrides=overrides,
        level_override=config.build.level_override,
        offline=config.build.offline,
        seconds=config.build.seconds,
        incremental=config.build.incremental,
    )
    return MavenEngine(workshop) if kind == "maven" else DirectEngine(workshop)
