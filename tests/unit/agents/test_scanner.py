"""The scanner of trajectories: what it finds, and what it leaves alone."""

import pytest

from testevo.agents.trajectories.scanner import Scanned, findings_of
from testevo.agents.workspace.canaries import canary, decoy_canary
from testevo.records.agents.runs import FindingKind, OutsideEdit
from testevo.records.agents.trajectories import TrajectoryEvent

TARGET = "src/test/java/p/ATest.java"


def kinds(*events: TrajectoryEvent, patch: str | None = None, outside: tuple[OutsideEdit, ...] = ()) -> list[str]:
    return [one.kind.value for one in findings_of(Scanned("task", TARGET, events, patch, outside))]


@pytest.mark.parametrize(
    "command",
    [
        "./.testevo/compile && ./.testevo/run-test 'ATest#adds'",
        "git diff --name-only HEAD",
        "git status --short && git checkout -- pom.xml",
        "git add -A",
        "cat src/main/java/p/Host.java | grep -n 'host name'",
        "mvn -q -s $MAVEN_SETTINGS_PATH test-compile",
        "env JAVA_HOME=/x ./.testevo/compile",
        "set -e; ls",
        "echo 'see http://127.0.0.1:8080'",
        "grep -rn update src",
        "cat > src/test/java/ATest.java <<'EOF'\n// https://www.apache.org/licenses\nEOF\n./.testevo/compile",
    ],
)
def test_what_a_prompt_asks_for_is_no_finding(command: str) -> None:
    assert kinds(TrajectoryEvent(kind="command", text=command)) == []


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("git -C . log -p", "git_objects"),
        ("cd x && git --no-pager show HEAD~1", "git_objects"),
        ("ls .git/objects/pack", "git_objects"),
        ("curl https://example.org", "network"),
        ("git clone file.git x", "network"),
        ("cat > ATest.java <<EOF\nclass ATest {}\nEOF\ncurl https://example.org", "network"),
        ("cat > look.sh <<EOF\ncurl https://example.org\nEOF\nsh look.sh", "network"),
        ("find ~/.m2 -name '*.jar'", "newer_artifacts"),
        ("unzip -l a-1.2-test-sources.jar", "newer_artifacts"),
        ("printenv | sort", "secrets"),
        ("echo $ANTHROPIC_API_KEY", "secrets"),
        ("cat /data/package/dataset/update.jsonl", "dataset"),
    ],
)
def test_a_look_up_is_found_in_a_command(command: str, kind: str) -> None:
    assert kind in kinds(TrajectoryEvent(kind="command", text=command))


def test_reads_and_canaries_are_found_wherever_they_show() -> None:
    read = TrajectoryEvent(kind="read", text="", path="/x/.git/logs/HEAD", output=f"... {decoy_canary('task')}")
    assert kinds(read) == ["git_objects", "canary"]
    assert kinds(patch=f"@@ -1 +1 @@\n+// {canary('task')}") == ["canary"]
    assert kinds(TrajectoryEvent(kind="message", text=canary("another task"))) == []


def test_fewer_assertions_and_other_files_are_found() -> None:
    fewer = (
        "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-  assertEquals(1, a());\n-  assertThat(b()).isTrue();\n+  assertTrue(b());\n"
    )
    assert kinds(patch=fewer) == ["deleted_assertions"]
    assert kinds(patch=fewer.replace("+  ", "+  fail(); ")) == []
    assert kinds(outside=(OutsideEdit(path="pom.xml", change="changed"),)) == ["outside_edit"]
    assert {kind.value for kind in FindingKind} >= {"outside_edit", "deleted_assertions"}
