"""The two commands of a workspace, which compile and run its tests without the network (`.testevo/`)."""

import os
import re
import shlex
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from testevo.agents.prompts.texts import COMPILE, LAUNCHER, RUN_TEST
from testevo.builds.engine import BuiltModule, BuiltTree
from testevo.builds.maven.maven_run import KEPT_VARIABLES, Maven
from testevo.execution.discovery.discovery import suite_classes
from testevo.execution.jvms.environment import JvmEnvironment, java_arguments
from testevo.execution.jvms.jvm import setting_lines
from testevo.execution.jvms.module_options import module_options
from testevo.execution.runner import Limits
from testevo.execution.variation import AS_IT_IS
from testevo.records.tasks import Task
from testevo.runtime.errors import UserError
from testevo.runtime.files.jars import tool_jar

OWN = ".testevo"
"""The folder of what this project puts beside the files of a repository; git does not see it."""
_COMPILE = """\
#!/bin/sh
# Compile production and test code, without the network.
cd "$(dirname "$0")/.." || exit
{variables}
exec {maven} -q {modules}test-compile "$@"
"""
_RUN_TEST = """\
#!/bin/sh
# Run test methods, each in a new JVM: {run_test} ['Class#method' ...]; without a name, the target test methods.
# Ends with 0 when every one of them passed. Compile before.
own=$(cd "$(dirname "$0")" && pwd)
if [ $# -eq 0 ]; then
  while IFS= read -r one; do set -- "$@" "$one"; done <"$own/targets"
fi
cd "$own/../{module}" || exit
mkdir -p "$own/reports"
status=0
for one in "$@"; do
  case "$one" in
    *.*"#"*) ;;
    *) one="{package}$one" ;;
  esac
  report="$own/reports/$(printf %s "$one" | tr -c 'A-Za-z0-9._-' _).jsonl"
  {{ cat "$own/request"; printf 'select-method %s\\n' "$one"; }} >"$own/reports/request"
  rm -f "$report"
  {java} "$own/reports/request" "$report"
  sed 's/\\\\u000a/\\n/g; s/\\\\u0009/\\t/g' "$report"
  if grep -q '"event":"end"' "$report" && grep -q '"outcome":"passed"' "$report" &&
    ! grep -qE '"outcome":"(assertion_failed|exception|skipped|aborted)"' "$report"; then
    echo "passed: $one"
  else
    echo "NOT PASSED: $one"
    status=1
  fi
done
exit $status
"""


@dataclass(frozen=True)
class Tools:
    """What the commands of a workspace start, beside what the operating system has."""

    java_home: Path
    settings: Path
    readable: tuple[Path, ...]
    """Files and folders that a sandbox must show."""

    @property
    def variables(self) -> dict[str, str]:
        """What the environment of a run says of them."""
        return {"JAVA_HOME": str(self.java_home), "MAVEN_SETTINGS_PATH": str(self.settings)}


def write_commands(folder: Path, task: Task, tree: BuiltTree, maven: Maven, limits: Limits) -> Tools:
    """Write `.testevo` into a workspace.

    Args:
        tree: the new revision, built elsewhere: it tells the class path and the options of test JVMs.
        maven: as it builds that revision.

    Raises:
        UserError: the module of the task has no tests that the launcher can run.
    """
    module = tree.module(task.module)
    if module is None or module.framework == "none":
        raise UserError(f"{task.task_id}: the module {task.module or '.'} has no tests that can be run.")
    own = folder / OWN
    own.mkdir()
    (folder / ".git" / "info").mkdir(exist_ok=True)
    hidden = [f"/{OWN}/", *(f"/{path}/" for path in build_folders(tree))]
    (folder / ".git" / "info" / "exclude").write_text("".join(f"{line}\n" for line in hidden), encoding="utf-8")
    settings, toolchains = _write_settings(own, maven), own / "toolchains.xml"
    toolchains.write_bytes(maven.toolchains)
    command = maven.command(offline=True, settings=settings, toolchains=toolchains)
    inherited = ("HOME", *KEPT_VARIABLES)
    variables = {
        name: value.replace(str(maven.local.home), "${HOME}")
        for name, value in maven.environment(folder).items()
        if name not in inherited
    }
    _write_program(
        folder / COMPILE,
        _COMPILE.format(
            variables="\n".join(f"export {name}={_quoted(value)}" for name, value in variables.items()),
            maven=shlex.join(command),
            modules=f"-pl {shlex.quote(task.module)} -am " if task.module else "",
        ),
    )
    _write_run_test(folder, task, tree, module, limits)
    jars = [jar for one in tree.modules for jar in one.engine_jars]
    program = Path(command[0]).parents[1]
    return Tools(tree.jdk.home, settings, (tree.jdk.home, program, *_configuration(program), *jars))


def build_folders(tree: BuiltTree) -> list[str]:
    """Folders that builds write to, relative to the repository."""
    found = {"/".join(filter(None, (one.path, output.split("/")[0]))) for one in tree.modules for output in _out(one)}
    return sorted(found)


def _out(module: BuiltModule) -> Iterable[str]:
    return module.outputs or ("target",)


def _configuration(program: Path) -> list[Path]:
    """Folders outside of Maven's own that it reads through links, as on Debian."""
    links = (program / "conf", program / "bin" / "m2.conf", *(program / "lib").iterdir())
    found = {path.resolve() for path in links if path.is_symlink() and path.exists()}
    return sorted({path if path.is_dir() else path.parent for path in found if program not in path.parents})


def _write_settings(own: Path, maven: Maven) -> Path:
    """The settings of this project's builds, with the local repository, and without the network."""
    text = maven.local.settings.read_text("utf-8")
    here = f"<offline>true</offline>\n  <localRepository>{maven.local.artifacts}</localRepository>\n"
    path = own / "settings.xml"
    path.write_text(text.replace("<settings>\n", f"<settings>\n  {here}", 1), encoding="utf-8")
    return path


def _write_run_test(folder: Path, task: Task, tree: BuiltTree, module: BuiltModule, limits: Limits) -> None:
    own = folder / OWN
    launcher, back_end = folder / LAUNCHER, own / f"launcher-{module.framework}.jar"
    shutil.copyfile(tool_jar("launcher"), launcher)
    shutil.copyfile(tool_jar(back_end.stem), back_end)
    seen = _Places(tree, folder)
    shown = module.at(seen.path)
    entries = [launcher, back_end, *dict.fromkeys((*shown.plain_class_path, *map(seen.path, module.engine_jars)))]
    jvm = JvmEnvironment(AS_IT_IS, Path("${HOME}"), Path("/tmp"))
    options = [seen.text(word) for word in java_arguments(module, limits, jvm)]
    if shown.named is not None:
        options += module_options(shown, shown.named, [f"select-class {name}" for name in suite_classes(module)])
    exported = {**module.environment, "TZ": AS_IT_IS.zone}
    java = [str(tree.jdk.home / "bin" / "java"), *options, "-cp", os.pathsep.join(map(str, entries))]
    variables = " ".join(f"{name}={_quoted(seen.text(value))}" for name, value in sorted(exported.items()))
    request = ["on-class-path true", f"backend {module.framework}", *setting_lines(module)]
    request += [f"class-path {path}" for path in shown.plain_class_path]
    (own / "request").write_text("".join(f"{line}\n" for line in request), encoding="utf-8")
    targets = [f"{one.test.type_name}#{one.test.name}" for one in task.tests]
    (own / "targets").write_text("".join(f"{line}\n" for line in dict.fromkeys(targets)), encoding="utf-8")
    package = targets[0].split("#")[0].rpartition(".")[0]
    _write_program(
        folder / RUN_TEST,
        _RUN_TEST.format(
            run_test=RUN_TEST,
            module=task.module,
            package=f"{package}." if package else "",
            java=f"{variables} {' '.join(_quoted(word) for word in [*java, 'testevo.launcher.Main'])}",
        ),
    )


@dataclass(frozen=True)
class _Places:
    """Where a workspace has what a built tree has elsewhere."""

    tree: BuiltTree
    folder: Path

    def path(self, path: Path) -> Path:
        """A class folder as Maven makes it in the workspace; anything else stays where it is."""
        for module in self.tree.modules:
            production, test = module.outputs or ("target/classes", "target/test-classes")
            if path == module.production_classes:
                return self.folder / module.path / production
            if path == module.test_classes:
                return self.folder / module.path / test
        return path

    def text(self, text: str) -> str:
        return re.sub(re.escape(str(self.tree.checkout.folder)) + r"(?![\w.-])", lambda _: str(self.folder), text)


def _quoted(text: str) -> str:
    """A word of a shell in which `${HOME}` is replaced and nothing else."""
    return '"${HOME}"'.join(shlex.quote(part) if part else "" for part in text.split("${HOME}")) or "''"


def _write_program(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
