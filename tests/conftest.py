"""What all tests share: their order, generated examples, one Podman."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.sandbox.podman import Podman, missing, started

# Generated examples are the same in every run and may take as long as a busy machine needs.
settings.register_profile("testevo", deadline=None, derandomize=True)
settings.load_profile("testevo")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--examples", type=int, default=50, help="how many random histories of changing tests are mined")
    parser.addoption("--first-example", type=int, default=0, help="seed of the first of them")
    parser.addoption("--kills", type=int, default=3, help="how often the process of a search is killed")
    parser.addoption("--repositories", type=int, default=3, help="how many a series of snapshots has")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what lasts longest first, so that no worker is left with it at the end.

    A group runs on one worker, one test after another, and "mined" is by far the largest.
    """
    items.sort(key=lambda item: (item.get_closest_marker("long") is None, not _in_group(item, "mined")))


def _in_group(item: pytest.Item, name: str) -> bool:
    group = item.get_closest_marker("xdist_group")
    return group is not None and name in group.args


@pytest.fixture(scope="session")
def podman() -> Iterator[Podman]:
    reason = missing()
    if reason:
        pytest.skip(reason)
    with started() as service:
        yield service
