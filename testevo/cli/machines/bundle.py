"""`testevo bundle`: what the online half fetched, as one file for a machine without a network (docs/clusters.md)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from testevo.builds.engines.engine_choice import repository_key
from testevo.builds.project.local_repository import local_repository
from testevo.cli.mining.import_results import note_as_done
from testevo.config.load import load_config, read_yaml
from testevo.config.model import Config
from testevo.config.snapshot.layout import Layout
from testevo.runtime.errors import UserError
from testevo.runtime.files.archive_files import restore_archive, write_archive
from testevo.runtime.files.jars import JARS
from testevo.sources.candidates import candidates

app = typer.Typer(no_args_is_help=True, help="Move the inputs of a snapshot to a machine without a network.")

ONLINE_STAGES = ("search", "clone", "warm_up")
OFFLINE = "'{offline: true}'"
CONFIGURATION = typer.Option(help="Configuration of the snapshot, such as config/snapshots/demo.yaml.")


@app.command("create")
def create(
    configuration: Annotated[Path, CONFIGURATION],
    output: Annotated[Path, typer.Option(help="Folder for the file, which is named by its content.")] = Path("bundles"),
) -> None:
    """Write histories, local Maven repositories, build models and this project's jars into one file."""
    config = read(configuration)
    layout = Layout.of(config)
    lacking = [one.name for one in candidates(config) if not layout.of_repository(one.slug).proofs.is_file()]
    if lacking:
        raise UserError(
            f"Nothing shows that {', '.join(lacking)} can be built without a network. "
            f"Run `snakemake online --cores all --configfile {configuration}` first."
        )
    making = output / f".{config.snapshot}.tar"
    digest = write_archive(making, dict(inputs_of(config, layout)))
    bundle = output / f"{config.snapshot}-{digest[:16]}.tar"
    making.rename(bundle)
    print(bundle)


@app.command("restore")
def restore(
    bundle: Annotated[Path, typer.Argument(help="The file that `testevo bundle create` wrote.")],
    configuration: Annotated[Path, CONFIGURATION],
) -> None:
    """Check each file, put it where this configuration expects it, and mark the online half as done."""
    config = read(configuration)
    layout = Layout.of(config)
    places = {"snapshot": layout.root, "cache": Path(config.build.cache), "tools": JARS}
    count = restore_archive(bundle, places)
    note_as_done(configuration, ["online"])
    command = f"snakemake --cores all --configfile {configuration} --config build={OFFLINE}"
    print(f"{count} files restored. Go on with `{command}`.")


def read(configuration: Path) -> Config:
    return load_config(read_yaml(configuration), origin=str(configuration))


def inputs_of(config: Config, layout: Layout) -> Iterator[tuple[str, Path]]:
    """The files of a bundle by their path in it."""
    cache = Path(config.build.cache)
    for stage in ONLINE_STAGES:
        yield from below("snapshot", layout.root, layout.root / stage)
    for key in sorted({repository_key(one) for one in candidates(config)}):
        local = local_repository(cache, key, config.build.mirror)
        yield from below("cache", cache.resolve(), local.artifacts)
        yield from below("cache", cache.resolve(), local.folder / "proofs")
    for shared in ("models", "releases"):
        yield from below("cache", cache, cache / shared)
    yield from below("tools", JARS, JARS)


def below(name: str, root: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """All files below a folder, each with its path from `root`."""
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.is_symlink():
            yield f"{name}/{file.relative_to(root).as_posix()}", file
