"""What the key of a built tree says of the settings of its tests."""

from pathlib import Path
from typing import Any

import pytest

from testevo.builds.assembly import built_tree
from testevo.builds.engine import BuiltTree, Checkout
from testevo.builds.model.model import BuildModel, ModuleModel, Places, SideModel
from testevo.builds.project.jdks import Jdk

HOME = Path("/jdk")
PLACES = Places(Path("/checkout"), Path("/repository"), HOME)


def tree(**settings: Any) -> BuiltTree:
    module = ModuleModel(
        path="",
        artifact="a",
        production=SideModel(output="{checkout}/target/classes"),
        test=SideModel(output="{checkout}/target/test-classes"),
        framework="platform",
        **settings,
    )
    model = BuildModel(fingerprint="f", jdk=17, modules=(module,))
    checkout = Checkout("some/project", "1a2b3c4d", PLACES.checkout, "key")
    return built_tree(checkout, Jdk(HOME, 17, "17"), model, PLACES, lambda _: None, engine="direct")


@pytest.mark.parametrize(
    "settings",
    [
        {"included_tags": ("quick",)},
        {"excluded_tags": ("quick",)},
        {"configuration_parameters": ("quick",)},
        {"excluded_tags": ("slow",), "older_categories": True},
        {"configuration_parameters": ("quick", "")},
        {"jvm_arguments": ("quick",)},
    ],
)
def test_each_setting_of_the_tests_has_a_key_of_its_own(settings: dict[str, Any]) -> None:
    """One that went into no key would take verdicts over from a tree without it."""
    keys = [tree(**one).key for one in ({}, {"included_tags": ("quick", "quick")}, {"excluded_tags": ("slow",)})]
    assert tree(**settings).key not in keys
    assert tree(**settings).key == tree(**settings).key


def test_settings_reach_the_built_module() -> None:
    found = tree(included_tags=("a",), older_categories=True, configuration_parameters=("b",)).modules[0]
    assert (found.included_tags, found.older_categories, found.configuration_parameters) == (("a",), True, ("b",))


def test_the_key_without_settings_stays() -> None:
    assert tree().key == "f8b0e748b09f3702c6b41d46d12e81d169cf96cb1481c231eb2492c8117e3402"
