"""The tools that decide what a run finds: code of this project, its jars, and the programs that it starts."""

from collections.abc import Mapping, Sequence

from testevo.builds.project.jdks import find_jdks
from testevo.grading.result_key import grading_code_digest
from testevo.packaging.dataset.provenance import tool_versions
from testevo.runtime.files.files import content_key, file_digest
from testevo.runtime.files.jars import JARS
from testevo.runtime.files.project import PROJECT


def tools_of_run(java_homes: Sequence[str], images: Mapping[str, str]) -> dict[str, object]:
    """The tools by name, equal wherever they would find the same.

    Args:
        java_homes: further JDK folders, as configured.
        images: of containers, by stage; empty where jobs run with the programs of this machine.
    """
    jdks = find_jdks(java_homes)
    files = [*PROJECT.glob("scripts/*.py"), PROJECT / "config" / "plugin-skips.yaml", *JARS.rglob("*.jar")]
    digests = {file.relative_to(PROJECT).as_posix(): file_digest(file) for file in files}
    return {
        **tool_versions(java_homes, [jdk.feature for jdk in jdks]),
        "code": grading_code_digest(),
        "files": content_key(*(part for name in sorted(digests) for part in (name, digests[name]))),
        "images": dict(sorted(images.items())),
    }
