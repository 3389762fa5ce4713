"""Read a `BuildModel` from the debug output, effective POM and class path files of one Maven run (TEB-M18, TEB-E05)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from testevo.builds.model import ant_runs
from testevo.builds.model.debug_log import Goal, read_goals, read_resources
from testevo.builds.model.effective_pom import effective_projects, properties_of, read_test_run
from testevo.builds.model.equivalent_models import derives_properties
from testevo.builds.model.javac_options import read_compilation
from testevo.builds.model.model import CHECKOUT, BuildModel, Compilation, ModuleModel, Places, SideModel
from testevo.builds.model.parameters.build import not_implemented
from testevo.builds.model.saved_files import save_outputs
from testevo.builds.model.surefire_needs import TestedModule, why_surefire
from testevo.builds.model.test_framework import detect_framework
from testevo.builds.project.plugin_skips import PluginSkips
from testevo.builds.project.pom_file import given_properties
from testevo.runtime.files.files import file_digest

CLASS_PATH_FILE = "target/testevo.class-path"
EFFECTIVE_POM = "testevo.effective-pom.xml"

SIDE_OF = {
    "maven-compiler-plugin": {"compile": "production", "testCompile": "test"},
    "maven-resources-plugin": {"resources": "production", "testResources": "test"},
}
"""By plugin and goal."""
SKIPPED_BY = {"compile": "maven.main.skip", "testCompile": "maven.test.skip", "testResources": "maven.test.skip"}
FIRST_WITH_MODULES = 9


@dataclass(frozen=True)
class ModelRun:
    """A finished Maven run to read from."""

    folder: Path
    """The copy of the checkout in which it ran."""
    log: str
    places: Places
    """With `checkout` = `folder`."""
    compiled: bool
    """False when compilation was skipped: output folders then say nothing."""
    effective_pom: Path


def read_maven_model(
    run: ModelRun, fingerprint: str, jdk: int, level: str | None, skips: PluginSkips, saved: Path
) -> BuildModel:
    """The model of a build, without engine jars.

    Args:
        run: what Maven left behind.
        fingerprint: key of the model.
        jdk: feature version of the JDK.
        level: declared or overridden level.
        skips: tells harmless goals from those that need Maven.
        saved: folder for files that Maven made and the direct engine copies, named by digest.
    """
    goals = read_goals(run.places.hide(run.log))
    projects = effective_projects(run.places.hide(run.effective_pom.read_text("utf-8")).encode())
    given = given_properties(run.folder)
    modules = []
    for path in dict.fromkeys(goal.module for goal in goals if _compiles(goal)):
        own = [goal for goal in goals if goal.module == path]
        modules.append(_read_module(run, path, own, projects, given, jdk, saved, skips))
    needed = [goal for goal in goals if not _is_ant_aside(goal, goals, projects)]
    reasons = [*_reasons(needed, skips), *(_foreign_root(module) for module in modules)]
    jars = sorted({jar for module in modules for jar in _jars(module)})
    return BuildModel(
        fingerprint=fingerprint,
        jdk=jdk,
        level=level,
        modules=tuple(modules),
        needs_maven=next((reason for reason in reasons if reason), None),
        needs_surefire=next((_in_module(one.needs_surefire, one.path) for one in modules if one.needs_surefire), None),
        derives_properties=any(derives_properties(goal.plugin, goal.goal) for goal in goals),
        jars={jar: file_digest(Path(run.places.path(jar))) for jar in jars if Path(run.places.path(jar)).is_file()},
    )


def _compiles(goal: Goal) -> bool:
    return goal.plugin == "maven-compiler-plugin" and _side_of(goal) is not None


def _side_of(goal: Goal) -> str | None:
    return SIDE_OF.get(goal.plugin, {}).get(goal.goal)


def _read_module(
    run: ModelRun,
    path: str,
    goals: Sequence[Goal],
    projects: dict[tuple[str, str], etree._Element],
    given: Mapping[str, str],
    jdk: int,
    saved: Path,
    skips: PluginSkips,
) -> ModuleModel:
    project = _project_of(goals, projects)
    class_path = _class_path(run, path, goals)
    properties = {**properties_of(project), **given}
    kept = [goal for goal in goals if not _is_skipped(goal, properties, compiled=run.compiled)]
    production = _side(run, path, kept, "production", saved)
    has_descriptor = any((run.folder / root / "module-info.java").is_file() for root in production.roots)
    test_run = read_test_run(project, path, class_path, given)
    framework = detect_framework(class_path)
    tested = TestedModule(
        path=path,
        project=project,
        run=test_run,
        class_path=class_path,
        framework=framework.name,
        given=given,
        is_named=has_descriptor and jdk >= FIRST_WITH_MODULES,
        repository=run.places.repository,
    )
    return ModuleModel(
        path=path,
        artifact=_artifact(goals),
        production=production,
        test=_side(run, path, kept, "test", saved),
        run_class_path=class_path,
        framework=framework.name,
        framework_version=framework.version,
        engine_jars=framework.engines,
        jvm_arguments=test_run.jvm_arguments,
        environment=dict(test_run.environment),
        test_includes=test_run.includes,
        test_excludes=test_run.excludes,
        needs_surefire=why_surefire(tested, skips),
    )


def _is_skipped(goal: Goal, properties: Mapping[str, str], *, compiled: bool) -> bool:
    """Whether the build leaves a goal out; where it ran without compiling, only its properties tell."""
    by = SKIPPED_BY.get(goal.goal)
    if compiled or by is None:
        return goal.flag("skip") or goal.flag("skipMain")
    return properties.get(by) == "true"


def _in_module(reason: str, path: str) -> str:
    return f"{reason} in module {path}" if path else reason


def _side(run: ModelRun, path: str, goals: Sequence[Goal], side: str, saved: Path) -> SideModel:
    compile_goals = [goal for goal in goals if _side_of(goal) == side and _compiles(goal)]
    resource_goals = [goal for goal in goals if _side_of(goal) == side and not _compiles(goal)]
    usual = f"{CHECKOUT}/{path}/target/{'classes' if side == 'production' else 'test-classes'}".replace("//", "/")
    output = next((found for goal in compile_goals if (found := goal.settings.get("outputDirectory"))), usual)
    read = (read_compilation(goal, output, is_test=side == "test") for goal in compile_goals)
    compilations = tuple(_without_empty_roots(compilation, run.folder, path) for compilation in read)
    model = SideModel(
        output=output,
        compilations=compilations,
        resources=tuple(folder for goal in resource_goals for folder in read_resources(goal)),
    )
    filtered, extra = save_outputs(run.folder, Path(run.places.path(output)), model, saved, compiled=run.compiled)
    return model.model_copy(update={"filtered": filtered, "extra": extra})


def _without_empty_roots(compilation: Compilation, folder: Path, module: str) -> Compilation:
    """Drop roots below `target` into which no goal has generated anything."""
    target = f"{module}/target/".lstrip("/")
    kept = (root for root in compilation.roots if not root.startswith(target) or any((folder / root).rglob("*.java")))
    return compilation.model_copy(update={"roots": tuple(kept)})


def _class_path(run: ModelRun, path: str, goals: Sequence[Goal]) -> tuple[str, ...]:
    """Test class path of a module, from the dependency plugin, or else from the compiler plugin's configuration."""
    file = run.folder / path / CLASS_PATH_FILE
    if file.is_file():
        text = run.places.hide(file.read_text("utf-8").strip())
        return tuple(entry for entry in text.split(":") if entry)
    outputs = {goal.settings.get("outputDirectory") for goal in goals if _compiles(goal)}
    for goal in goals:
        if _compiles(goal) and goal.goal == "testCompile":
            entries = goal.listed("testPath") or goal.listed("classpathElements")
            return tuple(entry for entry in entries if entry not in outputs)
    return ()


def _project_of(goals: Sequence[Goal], projects: dict[tuple[str, str], etree._Element]) -> etree._Element:
    for goal in goals:
        words = goal.settings.get("project", "").split()
        if len(words) > 1 and words[0] == "MavenProject:":
            group, artifact = words[1].split(":")[:2]
            if (group, artifact) in projects:
                return projects[(group, artifact)]
    if len(projects) == 1:
        return next(iter(projects.values()))
    return etree.Element("project")


def _is_ant_aside(goal: Goal, goals: Sequence[Goal], projects: dict[tuple[str, str], etree._Element]) -> bool:
    if goal.plugin != ant_runs.PLUGIN:
        return False
    project = _project_of([other for other in goals if other.module == goal.module], projects)
    return ant_runs.is_aside(project, goal.execution, goal.module)


def _artifact(goals: Sequence[Goal]) -> str:
    for goal in goals:
        words = goal.settings.get("project", "").split()
        if len(words) > 1:
            return words[1].split(":")[1]
    return ""


def _jars(module: ModuleModel) -> Iterator[str]:
    for side in (module.production, module.test):
        for compilation in side.compilations:
            entries = (*compilation.class_path, *compilation.module_path)
            yield from (entry for entry in entries if entry.endswith(".jar"))
    yield from (entry for entry in module.run_class_path if entry.endswith(".jar"))


def _reasons(goals: Sequence[Goal], skips: PluginSkips) -> Iterator[str]:
    """Why the direct engine would compile something else than Maven does."""
    outputs: dict[tuple[str, str], str] = {}
    for goal in goals:
        where = f" in module {goal.module}" if goal.module else ""
        if side := _side_of(goal):
            yield from (f"{reason}{where}" for reason in not_implemented(goal))
            output = goal.settings.get("outputDirectory", "")
            if outputs.setdefault((goal.module, side), output) != output:
                yield f"{goal.plugin} sets outputDirectory{where}"
            words = (*(goal.command_line or ()), *goal.listed("compilerArgs"))
            if any(word.startswith("-Xplugin") for word in words):
                yield f"javac plugins{where}"
        elif goal.plugin == "maven-resources-plugin" or not skips.ignores(goal.plugin, goal.goal):
            yield f"{goal.plugin}:{goal.goal} takes part in the build{where}"


def _foreign_root(module: ModuleModel) -> str | None:
    target = f"{module.path}/target/".lstrip("/")
    for root in (*module.production.roots, *module.test.roots):
        if root.startswith((target, "/", "{")):
            return f"sources are generated into {root}"
    return None
