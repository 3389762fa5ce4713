"""Search, clone and mine a GitHub of this machine: `python -m tests.github_server`, or `make live`.

A local server takes the place of GitHub and ends with this command. It serves embedded histories and two releases of
commons-cli as repositories, among others that a search rejects.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from testevo.cli.mining.workflow import GIVEN
from testevo.config.model import Config, ListedReleases
from testevo.records.repository import SourceKind
from testevo.runtime.errors import MachineError, UsageError
from testevo.runtime.network import has_network
from testevo.runtime.processes.handler import run_main
from testevo.sandboxes.consent import granted
from testevo.sources.candidates import candidates
from testevo.sources.fetch import fetch
from testevo.sources.git_clone import run_git
from tests.github_server.repositories import Repository, State
from tests.github_server.server import GithubServer, serving

RELEASES = ListedReleases(coordinates="commons-cli:commons-cli", versions=("1.10.0", "1.11.0"))
WORLDS = ("greetings", "library-loans", "orchard", "other-build", "postcards", "savings", "ticket-counter")
"""Served unless told otherwise: few enough to look at and to mine in minutes, and none whose tests hang."""
TOKEN = "token-of-the-local-server"
SETTINGS = "live.yaml"
CREATED = datetime(2020, 2, 1, tzinfo=UTC)
LISTED = (
    "name",
    "first-name/thing",
    "forker/thing",
    "retired/thing",
    "unknown/thing",
    "newcomer/thing",
    "nobody/thing",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.github_server", description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("results/live"), help="is made anew")
    parser.add_argument("--worlds", nargs="+", default=WORLDS, help="embedded histories to serve; all")
    parser.add_argument("--releases", action=argparse.BooleanOptionalAction, default=True, help="serve releases too")
    parser.add_argument("--cache", type=Path, default=Path("results/cache"), help="of builds and artifacts")
    options = parser.parse_args()
    if options.folder.exists() and not (options.folder / SETTINGS).is_file():
        raise UsageError(f"{options.folder} is not a folder that this command has made. Give a new one.")
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    (options.folder / SETTINGS).touch()
    releases = (RELEASES,) if options.releases else ()
    # Without a network Maven is told so, and takes what the cache and its own repository hold.
    build = {"cache": str(options.cache), "offline": not has_network()}
    config = Config.model_validate({"sources": {"worlds": options.worlds, "releases": releases}, "build": build})
    place = options.folder.resolve() / "server"
    served = [*histories(config, place), *others()]
    with serving(GithubServer(served, tokens=(TOKEN,), histories=place)) as server:
        demonstrate(server, config, options.folder)
    print('\nThe server has ended. How to search the real GitHub: docs/sources.md, "Running it for real".')


def demonstrate(server: GithubServer, config: Config, folder: Path) -> None:
    """Check repositories that a file names, search for others, and mine those that passed."""
    configuration, listed = folder / SETTINGS, folder / "list.csv"
    configuration.write_text(yaml.safe_dump(settings(server, config, folder)))
    listed.write_text("".join(f"{name}\n" for name in LISTED))
    print(f"A server at {server.address} takes the place of GitHub; it has {len(server.repositories)} repositories.")
    run(
        "Check repositories that a file names:",
        *("search", "--configuration", str(configuration)),
        *("--from", str(listed), "--results", str(folder / "named")),
    )
    run("Search for others:", "search", "--configuration", str(configuration))
    gone = next(one for one in server.repositories if one.full_name == "leaver/thing")
    gone.state = State.DELETED
    jobs = (os.cpu_count() or 1) * 3 // 2  # they wait a third of their time
    run(
        f"Clone those that passed over HTTP and mine them; {gone.full_name} has been deleted since the search:",
        *("mine", "--configuration", str(folder / "snapshot" / GIVEN), "--cores", str(jobs)),
    )


def run(step: str, *arguments: str) -> None:
    """Run `testevo`, as its user does; where it fails, this command ends with its status."""
    print(f"\n{step}\n$ testevo {' '.join(arguments)}", flush=True)
    environment = os.environ | {"TESTEVO_GITHUB_TOKENS": TOKEN, "PAGER": "cat"}
    environment |= dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1")
    command = [sys.executable, "-m", "testevo.cli.main", *arguments]
    if status := subprocess.run(command, env=environment, check=False).returncode:
        sys.exit(status)


def settings(server: GithubServer, config: Config, folder: Path) -> dict[str, Any]:
    """The configured snapshot."""
    trusted = granted(config, "the code of the local server", trusted=True)  # the histories are this project's own
    return {
        "snapshot": "snapshot",
        "results": str(folder),
        "sources": {"github": {"api": server.address, "archived": False}},
        # The releases lie months apart, and git does not tell that they are releases.
        "rules": {"walk": {"cutoff": "2026-01-01"}, "pairs": {"gap_hours": None}},
        # Tests compare both engines on these histories.
        "build": {"cache": config.build.cache, "offline": config.build.offline, "certify": False},
        # Some embedded tests hang on purpose.
        "execution": {"method_seconds": 8, "sandbox": trusted.execution.sandbox},
        # None of it is needed to find tasks.
        "evaluation": {"gold_runs": 1, "coverage": False, "mutation": {"enabled": False}},
    }


def histories(config: Config, folder: Path) -> Iterator[Repository]:
    """Embedded histories and releases as bare repositories below `folder`; the first one was renamed."""
    for number, candidate in enumerate(candidates(config), start=1):
        place = folder / f"{candidate.name}.git"
        place.parent.mkdir(parents=True, exist_ok=True)
        found, made = fetch(candidate, config, place)
        if found.rejection is not None:
            raise MachineError(
                f"The history of {candidate.name} cannot be found: {found.detail or found.rejection}. Leave it out: "
                "--worlds names the histories to serve, and --no-releases serves no releases, which need a registry."
            )
        head = run_git(["rev-parse", "HEAD"], repository=made)[1].decode().strip()
        files = run_git(["ls-tree", "--name-only", "HEAD"], repository=made)[1].decode().split()
        yield repository(
            number,
            candidate.name,
            revision=head,
            has_pom="pom.xml" in files,
            licence="Apache-2.0" if candidate.source is SourceKind.RELEASES else "MIT",
            listed_as="first-name/thing" if number == 1 else None,
        )


def others() -> Sequence[Repository]:
    """Repositories that no task can come from, each for another reason."""
    return [
        repository(101, "forker/thing", fork=True),
        repository(102, "retired/thing", archived=True),
        repository(103, "newcomer/thing", stars=12),
        repository(104, "unlicensed/thing", licence=None),
        repository(105, "own-terms/thing", licence="NOASSERTION"),
        repository(106, "gradle/thing", has_pom=False),
        repository(107, "empty/thing", empty=True),
        repository(108, "deleted/thing", state=State.DELETED),
        repository(109, "taken-down/thing", state=State.BLOCKED),
        repository(110, "leaver/thing"),
        repository(111, "unknown/thing", language="Kotlin"),
    ]


def repository(number: int, name: str, **fields: Any) -> Repository:
    """A repository that passes every check, but for the fields given."""
    plain = {"created": CREATED, "pushed": CREATED, "stars": 500 + number, "forks": 10, "size": 100, "licence": "MIT"}
    return Repository(id=number, full_name=name, **(plain | fields))


if __name__ == "__main__":
    run_main(main)
