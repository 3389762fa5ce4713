"""What all tests share: one Podman."""

from collections.abc import Iterator

import pytest

from tests.sandbox.podman import Podman, missing, started


@pytest.fixture(scope="session")
def podman() -> Iterator[Podman]:
    reason = missing()
    if reason:
        pytest.skip(reason)
    with started() as service:
        yield service
