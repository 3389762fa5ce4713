"""One mined snapshot of two small worlds that several tests look at; builds are shared between sessions."""

import fcntl
import shutil
from pathlib import Path

import pytest
from snapshots import WORLDS, Snapshot, warm_cache, without

from testevo.runtime.files.jars import JARS


@pytest.fixture(scope="session", autouse=True)
def tools() -> None:
    """Skips the workflow tests where a program they drive is missing."""
    for program in ("git", "mvn", "javac"):
        if without(program):
            pytest.skip(f"{program} is not installed")
    if not (JARS / "worker.jar").is_file():
        pytest.skip("jvm/lib/worker.jar is not built; run `make setup`")


@pytest.fixture(scope="session")
def shared_cache(request: pytest.FixtureRequest) -> Path:
    """Local Maven repositories that outlive the session, so that artifacts are downloaded once."""
    cache: pytest.Cache = request.config.cache  # type: ignore[assignment]
    return Path(cache.mkdir("workflow-builds"))


@pytest.fixture(scope="session")
def mined(tmp_path_factory: pytest.TempPathFactory, shared_cache: Path, testrun_uid: str) -> Snapshot:
    """Two worlds mined from nothing to the dataset on one core by `snakemake`, once for all test processes.

    Each process looks at a copy of its own. The builds are shared.
    """
    folder = tmp_path_factory.mktemp("mined")
    with (tmp_path_factory.getbasetemp().parent / f"mined-{testrun_uid}").open("a+") as place:
        fcntl.flock(place, fcntl.LOCK_EX)
        place.seek(0)
        if there := place.read():
            return Snapshot(shutil.copytree(there, folder / "copy", symlinks=True))
        snapshot = Snapshot.made(folder, warm_cache(shared_cache, folder / "cache"), {"worlds": list(WORLDS)})
        finished = snapshot.run(snapshot.workflow(cores=1))
        assert finished.returncode == 0, finished.stdout[-3000:] + finished.stderr[-3000:]
        place.write(str(folder))
    return snapshot
