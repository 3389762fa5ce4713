"""`testevo mine`: one history, or a configured snapshot, from its source to packaged tasks."""

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from testevo.builds.engines.engine_choice import refused_folders
from testevo.cli.mining.cutoff import resolved_cutoff
from testevo.cli.mining.failed import print_failures
from testevo.cli.mining.outdated import remove_outdated
from testevo.cli.mining.rejected import changeable_file, require_history, retried_files
from testevo.cli.mining.search import run_search
from testevo.cli.mining.summary import print_summary
from testevo.cli.mining.workflow import run_workflow, write_given
from testevo.cli.options import RESULTS, ResultsOption, SandboxOption, in_sandbox, with_results
from testevo.config.load import load_config, merge, read_yaml
from testevo.config.snapshot.layout import Layout, RepositoryFiles
from testevo.config.snapshot.lock import held_snapshot
from testevo.config.snapshot.stage_failures import failed_files
from testevo.packaging.dataset.copied_dataset import copy_dataset, require_place_for_copy
from testevo.records.repository import Repository, SourceKind
from testevo.runtime.errors import UsageError
from testevo.runtime.files.files import url_safe_name
from testevo.sandboxes.consent import require_consent_to_mine
from testevo.sources.candidates import candidates
from testevo.sources.github.candidates import is_searched

COORDINATES = re.compile(r"^[\w.-]+:[\w.-]+$")


def mine(
    history: Annotated[
        str | None,
        typer.Argument(help="Git folder, bundle, clone address, or Maven coordinates such as commons-cli:commons-cli."),
    ] = None,
    configuration: Annotated[
        Path | None, typer.Option(help="Mine a configured snapshot instead, for example config/snapshots/demo.yaml.")
    ] = None,
    preset: Annotated[str | None, typer.Option(help="Rules: strict (default) or released.")] = None,
    start: Annotated[str | None, typer.Option(help="Tag, branch or commit where the walk starts.")] = None,
    until: Annotated[
        str | None,
        typer.Option(
            help="Cutoff: only commits before this UTC day (YYYY-MM-DD). By default, a single history keeps the day of "
            "its first mining."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="How many commits before the cutoff are walked.")] = None,
    versions: Annotated[
        str | None, typer.Option(help="Releases of the Maven coordinates, comma-separated, oldest first.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="owner/name to record; derived from the address if absent.")] = None,
    mirror: Annotated[
        str | None, typer.Option(help="Local clones for repositories without address: '<folder>/{owner}+{name}/repo'.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Copy the dataset folder here, in place of an older copy.")
    ] = None,
    results: ResultsOption = None,
    cores: Annotated[int, typer.Option(min=1, help="Jobs at the same time.")] = os.cpu_count() or 1,
    retry: Annotated[
        bool,
        typer.Option("--retry", help="Try again what failed for lack of network, JDK or time, or because of a bug."),
    ] = False,
    sandbox: SandboxOption = None,
) -> int:
    """Mine tests that evolve with their code.

    Exit status 6 when a stage failed for some repository; the dataset then leaves it out.

    testevo mine ../some-clone --preset released --start v1.2.0 --until 2026-01-01 --output mined
    """
    if (history is None) == (configuration is None):
        raise UsageError("give either one history or --configuration FILE. See `testevo mine --help`.")
    given = read_yaml(configuration) if configuration else single(history or "", start, versions, name)
    if configuration and (start or versions or name):
        raise UsageError("--start, --versions and --name belong to a single history; set them in the configuration.")
    if history is not None:
        until = resolved_cutoff(until, given, results or RESULTS, datetime.now(UTC).date())
    named = adjusted(given, preset, until, limit, mirror, results)
    config = load_config(in_sandbox(named, sandbox), origin=str(configuration or "the command"))

    layout = Layout.of(config)
    for error in refused_folders(config).values():
        raise error
    if output is not None:
        require_place_for_copy(layout.dataset, output)
    if not is_searched(config):
        run_search(config, layout)
    named_here = candidates(config)
    require_consent_to_mine(config, named_here)
    known = [layout.of_repository(candidate.slug) for candidate in named_here]
    remove_outdated(config, layout, known)
    config_file = write_given(config, layout)
    if history is not None:
        again = changeable_file(known[0], history)
        run_workflow(config_file, layout, cores=cores, again=again, targets=[known[0].repository])
        require_history(known[0])
    again = files_to_retry(layout, known) if retry else []
    run_workflow(config_file, layout, cores=cores, again=again, first=longest(named_here, known))
    if output is not None:
        copy_dataset(layout.dataset, output)
    print_summary(config, layout, output or layout.dataset)
    return print_failures(known)


def longest(repositories: Sequence[Repository], files: Sequence[RepositoryFiles]) -> list[Path]:
    """What the longest jobs make: embedded histories are short, and one long job at the end would leave cores idle."""
    embedded = [repository.source is SourceKind.WORLDS for repository in repositories]
    if not any(embedded):
        return []
    return [one.measured for one, short in zip(files, embedded, strict=True) if not short]


def files_to_retry(layout: Layout, known: Sequence[RepositoryFiles]) -> list[Path]:
    """List what `--retry` makes again; journals forget it, which must not happen below a workflow that runs."""
    with held_snapshot(layout):
        return [file for files in known for file in (*retried_files(files), *failed_files(files))]


def single(history: str, start: str | None, versions: str | None, name: str | None) -> dict[str, Any]:
    """The configuration of one history.

    Raises:
        UsageError: it is empty, or options do not belong to it.
    """
    if not history.strip():
        raise UsageError(
            "The history is empty, as an unset variable is. Give a git folder, such as `.`, or an address."
        )
    if COORDINATES.match(history):
        if start or name:
            raise UsageError("--start and --name do not apply to Maven coordinates; use --versions.")
        if not versions:
            raise UsageError(f"{history} needs --versions, such as --versions 1.8.0,1.9.0,1.10.0 (oldest first).")
        source = {
            "releases": [{"coordinates": history, "versions": [version.strip() for version in versions.split(",")]}]
        }
        return {"snapshot": url_safe_name(history), "sources": source}
    if versions:
        raise UsageError("--versions belongs to Maven coordinates (group:artifact).")
    named = name or name_of(history)
    address = str(Path(history).resolve()) if Path(history).exists() else history
    return {
        "snapshot": url_safe_name(named),
        "sources": {"repositories": [{"name": named, "address": address, "start": start}]},
    }


def name_of(address: str) -> str:
    """`owner/name` from the last two parts of an address or folder; `owner+name/repo` is understood too."""
    parts = [part for part in re.split(r"[/:]", address.rstrip("/")) if part not in ("", ".", "..")]
    if not parts:
        parts = list(Path(address).resolve().parts[-1:])
    if parts[-1] == ".git" or (parts[-1] == "repo" and "+" in "".join(parts[-2:-1])):
        parts.pop()
    if parts and "+" in parts[-1]:
        parts = parts[-1].split("+", 1)
    parts = [re.sub(r"[^\w.-]", "-", part) for part in (["local", *parts])[-2:]]
    return "/".join(part.removesuffix(".git").removesuffix(".bundle") for part in parts)


def adjusted(
    given: dict[str, Any],
    preset: str | None,
    until: str | None,
    limit: int | None,
    mirror: str | None,
    results: Path | None,
) -> dict[str, Any]:
    """The given configuration with what the command line says on top."""
    walk = {key: value for key, value in (("cutoff", until), ("limit", limit)) if value is not None}
    above: dict[str, Any] = {"rules": {"walk": walk}}
    if preset is not None:
        above["preset"] = preset
    if mirror is not None:
        above["sources"] = {"mirror": mirror}
    return with_results(merge(given, above), results)
