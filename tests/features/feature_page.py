"""The page `docs/features.md`, made from the features: `python -m tests.features.feature_page` rewrites it."""

from testevo.runtime.files.project import PROJECT
from tests.features.feature_projects import Reactor, all_reactors
from tests.features.jvm_differences import DIFFERENCES

PAGE = PROJECT / "docs" / "features.md"

HEAD = """\
# Features of Surefire and the compiler plugin

Each row is a small module in `tests/features/*.yaml`. `tests/engines/test_features.py` runs those that the
engine `direct` serves with Maven and Surefire too: tests, outcomes and files in class folders are equal. For the others
it checks the reason that sends their tests to Surefire. This page is made by `python -m tests.features.feature_page`.

| feature | configured | engine | why |
|---|---|---|---|
"""

TAIL = """
## What a test can tell the launcher's JVM from Surefire's by

All else that the feature `jvm` prints is equal.

| name | why |
|---|---|
"""


def page(reactors: dict[str, Reactor]) -> str:
    """The whole page."""
    rows = [
        f"| {feature.name} | {feature.configured} | {reactor.served_by} | {feature.why} |"
        for reactor in reactors.values()
        for feature in reactor.features
    ]
    differences = [f"| {', '.join(one.names)} | {one.why} |" for one in DIFFERENCES]
    return HEAD + "\n".join(rows) + "\n" + TAIL + "\n".join(differences) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(all_reactors()), encoding="utf-8")
