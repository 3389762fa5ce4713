"""A small synthetic dataset with graded systems and made-up released files, and the site that the command makes."""

import pytest
from built_site import Built

from testevo.cli.main import app
from tests.site.synthetic_dataset import write_dataset, write_runs
from tests.unit.analysis.released_files import write_released


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("site")
    dataset = write_dataset(folder / "now", tasks=110, systems=3, repositories=16, name="now")
    earlier = write_dataset(folder / "before", tasks=100, systems=0, repositories=17, name="before")
    write_runs(dataset)
    released = write_released(folder / "released")
    found = Built(folder / "pages", dataset, folder / "now" / "graded.jsonl", released, earlier)
    options = ["--graded", str(found.graded), "--released", str(released), "--before", str(earlier)]
    app(["site", str(dataset), "--output", str(found.site), *options], standalone_mode=False)
    return found
