"""No JDK at all is the machine's fault, not that of any commit (TEB-E04)."""

from pathlib import Path

import pytest

from testevo.builds.engines import engine_choice
from testevo.config.load import load_config
from testevo.config.model import BuildOverrides
from testevo.runtime.errors import MachineError


def test_no_engine_is_made_without_a_jdk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The message says what to install or configure, and where to check."""
    monkeypatch.setattr("testevo.builds.project.run_jdks.find_jdks", lambda extra: [])
    config = load_config({"results": str(tmp_path), "build": {"cache": str(tmp_path)}})
    with pytest.raises(MachineError, match=r"No JDK was found.+build\.java_homes.+testevo doctor"):
        engine_choice.engine_of_kind("direct", config, "a+b", BuildOverrides(), tmp_path / "work")


def test_a_named_folder_without_a_jdk_ends_the_run(tmp_path: Path) -> None:
    """A slip in `build.java_homes` is no reason to build with the next best JDK."""
    nowhere = tmp_path / "jdk8"
    named = load_config({"results": str(tmp_path), "build": {"cache": str(tmp_path), "java_homes": [str(nowhere)]}})
    with pytest.raises(MachineError, match=f"build.java_homes names {nowhere}, which has no bin/javac"):
        engine_choice.engine_of_kind("direct", named, "a+b", BuildOverrides(), tmp_path / "work")
