"""Make a `BuildModel` of what Maven has recorded in one run (TEB-M18, TEB-E05)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.inputs.plugin_skips import PluginSkips
from testevo.builds.model import ant_runs
from testevo.builds.model.build_record import BuildRecord, Goal, Project, version_key
from testevo.builds.model.equivalent_models import derives_properties
from testevo.builds.model.javac_options import in_encoding_of_maven, lost_option, read_compilation
from testevo.builds.model.model import CHECKOUT, BuildModel, Compilation, ModuleModel, Places, SideModel
from testevo.builds.model.parameters.build import not_implemented
from testevo.builds.model.parameters.javac import reads_files
from testevo.builds.model.parameters.properties_file import named_properties
from testevo.builds.model.production_goals import works_on_production
from testevo.builds.model.resources.class_folders import COMPILER, RESOURCES, compiles, output_of, side_of
from testevo.builds.model.resources.default_excludes import default_excludes
from testevo.builds.model.resources.plugin_files import PluginFiles, runs_processors
from testevo.builds.model.resources.resource_goals import RESOURCE_GOALS, ResourceGoals
from testevo.builds.model.resources.saved_files import names_folder, save_outputs
from testevo.builds.model.surefire_needs import TestedModule, has_tests, late_goals, why_surefire
from testevo.builds.model.surefire_settings import (
    module_path_rules,
    read_test_run,
    surefire_configuration,
    surefire_version,
    unread_reports,
)
from testevo.builds.model.test_framework import detect_framework
from testevo.builds.project.pom_file import given_properties
from testevo.records.verdicts import SurefireReasons, first_reason, in_module
from testevo.runtime.files.files import file_digest
from testevo.runtime.files.plain_files import is_file

SKIPPED_BY = {"compile": "maven.main.skip", "testCompile": "maven.test.skip", "testResources": "maven.test.skip"}
FIRST_WITH_MODES = (3, 2, 0)
"""Version of the resources plugin that keeps the modes of files (tried with 2.4.3 to 3.3.1)."""
FIRST_WITH_DETECTED_CHANGES = (3, 0, 0)
"""Version of the compiler plugin that by default compiles everything again where anything has changed; older ones
compile the sources that are newer than their classes."""


@dataclass(frozen=True)
class ModelRun:
    """A finished Maven run to read from."""

    folder: Path
    """The copy of the checkout in which it ran."""
    record: BuildRecord
    places: Places
    """With `checkout` = `folder`."""
    compiled: bool
    """False when compilation was skipped: output folders then say nothing."""
    is_keyed: Callable[[str], bool] = lambda path: True
    """Whether the key of the model holds the content of the file at a repository-relative path."""
    is_made: Callable[[str], bool] = lambda path: False
    """Whether the build has made the file at a repository-relative path, so that the revision has none there."""


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
    projects = run.record.projects
    given = given_properties(run.folder)
    compiled = [project for project in projects if any(map(compiles, project.goals))]
    copying = {project.path: _resource_goals(run, project, given) for project in projects}
    modules = [_read_module(run, copying[project.path], given, jdk, saved) for project in compiled]
    reasons = [reason for one in projects for reason in _reasons(run, copying[one.path], skips)]
    reasons += [reason for module in modules for reason in _foreign(module, copying[module.path].project)]
    modules = [
        one.model_copy(update={"needs_maven": _first(reason for reason in reasons if reason.module == one.path)})
        for one in _with_reasons_for_all(run, modules, skips)
    ]
    jars = sorted({jar for module in modules for jar in _jars(module)})
    return BuildModel(
        fingerprint=fingerprint,
        level=level,
        modules=tuple(modules),
        needs_maven=_first(reasons),
        tests_need_maven=_first(reason for reason in reasons if reason.is_of_tests),
        derives_properties=any(derives_properties(goal.plugin, goal.goal) for one in projects for goal in one.goals),
        plugins=tuple(sorted({goal.plugin for one in projects for goal in one.goals})),
        jars={jar: file_digest(Path(run.places.path(jar))) for jar in jars if Path(run.places.path(jar)).is_file()},
    )


def _resource_goals(run: ModelRun, project: Project, given: Mapping[str, str]) -> ResourceGoals:
    properties = {**project.properties, **given}
    kept = [goal for goal in project.goals if not _is_skipped(goal, properties, compiled=run.compiled)]
    return ResourceGoals(project, kept, run.places, run.is_made)


def _read_module(run: ModelRun, copying: ResourceGoals, given: Mapping[str, str], jdk: int, saved: Path) -> ModuleModel:
    project = copying.project
    production, test = (_side(run, copying, side, jdk, saved) for side in ("production", "test"))
    has_descriptor = any(is_file(run.folder / root / "module-info.java") for root in production.roots)
    name = surefire_configuration(project).text_at("systemPropertiesFile")
    test_run = read_test_run(project, given, named_properties(name, project.path, run.folder, run.is_keyed))
    is_tested = has_tests(project)
    framework = detect_framework(project.class_path if is_tested else (), surefire_version(project))
    is_named = has_descriptor or is_file(Path(run.places.path(production.output)) / "module-info.class")
    rules = module_path_rules(project, given) if is_named else None
    tested = TestedModule(project, test_run, framework.name, given, jdk)
    by_surefire = why_surefire(tested) if is_tested else None
    return ModuleModel(
        path=project.path,
        production=production,
        test=test,
        run_class_path=project.class_path,
        framework=framework.name,
        framework_version=framework.version,
        engine_jars=framework.engines,
        jvm_arguments=test_run.jvm_arguments,
        environment=dict(test_run.environment),
        test_includes=test_run.includes,
        test_excludes=test_run.excludes,
        settings=test_run.settings.model_copy(update={"module_path": rules}),
        unread_reports=unread_reports(project),
        needs_surefire=by_surefire and in_module(by_surefire, project.path),
    )


def _with_reasons_for_all(run: ModelRun, modules: Sequence[ModuleModel], skips: PluginSkips) -> list[ModuleModel]:
    """The modules with the reasons for Surefire that hold for the tests of all of them, whichever module they come
    from; of several, a module has its own."""
    late = ((one.path, reason) for one in run.record.projects for reason in late_goals(one, skips))
    naming = ((one.path, reason) for one in modules if (reason := _names_folder(run, one)))
    found: SurefireReasons = {}
    for path, reason in (*late, *naming):
        found.setdefault(path, in_module(reason, path))
    return [one.with_surefire(found.get(one.path) or first_reason(found)) for one in modules]


def _names_folder(run: ModelRun, module: ModuleModel) -> str | None:
    """Tests of any module may read the files of this one."""
    sides = (module.production, module.test)
    found = (names_folder(Path(run.places.path(side.output)), side, run.folder) for side in sides)
    path = next(filter(None, found), None)
    return path and f"{path}, which Maven has made, names the folder of the build"


def _is_skipped(goal: Goal, properties: Mapping[str, str], *, compiled: bool) -> bool:
    """Whether the build leaves a goal out; where it ran without compiling, only its properties tell."""
    by = SKIPPED_BY.get(goal.goal)
    if compiled or by is None:
        return goal.flag("skip") or goal.flag("skipMain")
    return properties.get(by) == "true"


def _side(run: ModelRun, copying: ResourceGoals, side: str, jdk: int, saved: Path) -> SideModel:
    path, copier = copying.project.path, copying.project.plugin(RESOURCES)
    compile_goals = [goal for goal in copying.goals if side_of(goal) == side and compiles(goal)]
    output = copying.outputs[side]
    read = (read_compilation(goal, output, is_test=side == "test") for goal in compile_goals)
    told = (in_encoding_of_maven(compilation, run.folder) for compilation in read)
    compilations = tuple(_without_empty_roots(compilation, run.folder, path) for compilation in told)
    model = SideModel(
        output=output,
        compilations=compilations,
        resources=copying.folders(side),
        default_excludes=default_excludes(copier),
        keeps_modes=version_key((copier.version if copier else None) or "") >= FIRST_WITH_MODES,
    )
    filtered, extra = save_outputs(run.folder, Path(run.places.path(output)), model, saved, compiled=run.compiled)
    if runs_processors(model, run.places, jdk):
        written = PluginFiles.of(copying.project, output)
        extra = tuple(file for file in extra if written.has(file.path))
    return model.model_copy(update={"filtered": filtered, "extra": extra})


def _without_empty_roots(compilation: Compilation, folder: Path, module: str) -> Compilation:
    """Drop roots below `target` into which no goal has generated anything."""
    target = f"{module}/target/".lstrip("/")
    kept = (root for root in compilation.roots if not root.startswith(target) or any((folder / root).rglob("*.java")))
    return compilation.model_copy(update={"roots": tuple(kept)})


def _jars(module: ModuleModel) -> Iterator[str]:
    for side in (module.production, module.test):
        for compilation in side.compilations:
            entries = (*compilation.class_path, *compilation.module_path)
            yield from (entry for entry in entries if entry.endswith(".jar"))
    yield from (entry for entry in module.run_class_path if entry.endswith(".jar"))


@dataclass(frozen=True)
class _Reason:
    """Why Maven has to build a module."""

    module: str
    text: str
    is_of_tests: bool
    """Whether it touches the tests of any module; False where all it touches is production code."""


def _first(reasons: Iterable[_Reason]) -> str | None:
    return next((in_module(reason.text, reason.module) for reason in reasons), None)


def _reasons(run: ModelRun, copying: ResourceGoals, skips: PluginSkips) -> Iterator[_Reason]:
    """Why the direct engine would compile something else than Maven does."""
    project, outputs = copying.project, dict[str, str]()
    for goal in project.goals:
        is_of_tests = not works_on_production(goal, project, copying.outputs["test"])
        texts = _reasons_of_goal(goal, run, copying, skips, outputs)
        yield from (_Reason(project.path, text, is_of_tests) for text in texts)
    if not any(map(compiles, project.goals)) and any((run.folder / project.path / "target").rglob("*.class")):
        yield _Reason(project.path, "target holds classes that no goal of the build has compiled", is_of_tests=True)


def _reasons_of_goal(
    goal: Goal, run: ModelRun, copying: ResourceGoals, skips: PluginSkips, outputs: dict[str, str]
) -> Iterator[str]:
    """Why one goal leaves the build to Maven.

    Args:
        goal: one of the project.
        run: the build.
        copying: of the project.
        skips: tells harmless goals.
        outputs: by side, where the goals before this one write; it adds its own.
    """
    project = copying.project
    if goal.plugin == ant_runs.PLUGIN and ant_runs.is_aside(project, goal.execution):
        return
    if (side := side_of(goal)) and outputs.setdefault(side, output_of(goal)) != output_of(goal):
        yield f"{goal.plugin} sets outputDirectory"
    if compiles(goal):
        yield from not_implemented(goal)
        yield from _named_files(goal, run, project)
        yield from _lost_options(goal, run, project)
        yield from _looks_at_times(goal, copying)
    elif goal.plugin == RESOURCES and goal.goal in RESOURCE_GOALS:
        yield from copying.why_maven(goal)
    elif goal.plugin == "properties-maven-plugin":
        yield from _unkeyed(goal, run)
    elif goal.plugin == RESOURCES or not skips.ignores(goal.plugin, goal.goal):
        yield f"{goal.plugin}:{goal.goal} takes part in the build"
    elif goal.plugin == "maven-bundle-plugin" and goal.flag("exportScr"):
        yield f"{goal.plugin} sets exportScr, which writes what follows from annotations"
    elif goal.plugin == ant_runs.DEPENDENCY_PLUGIN and (file := _written_for_tests(goal, project)):
        yield f"{goal.plugin}:{goal.goal} writes {file}"


def _named_files(goal: Goal, run: ModelRun, project: Project) -> Iterator[str]:
    read = read_compilation(goal, output_of(goal), is_test=side_of(goal) == "test")
    return reads_files(read.options + goal.listed("compilerArgs"), run.folder, project.path)


def _lost_options(goal: Goal, run: ModelRun, project: Project) -> Iterator[str]:
    if side_of(goal) != "test":
        return
    roots = {root for one in project.goals if compiles(one) for root in one.listed("compileSourceRoots")}
    has_descriptor = any(is_file(Path(run.places.path(root), "module-info.java")) for root in roots)
    if word := lost_option(goal, has_descriptor=has_descriptor):
        yield f"{goal.plugin} compiles tests of a named module with {word}"


def _looks_at_times(goal: Goal, copying: ResourceGoals) -> Iterator[str]:
    """Of several compilations of one side, those that leave out the sources whose classes another has just made."""
    beside = [one for one in copying.goals if compiles(one) and side_of(one) == side_of(goal)]
    if len(beside) < 2 or goal not in beside:
        return
    compiler = copying.project.plugin(COMPILER)
    version = (compiler.version if compiler else None) or ""
    if goal.text("useIncrementalCompilation") == "false":
        yield f"{goal.plugin} sets useIncrementalCompilation beside another compilation"
    elif version and version_key(version) < FIRST_WITH_DETECTED_CHANGES:
        yield f"{goal.plugin} {version} runs beside another compilation"


def _written_for_tests(goal: Goal, project: Project) -> str | None:
    file = goal.text("outputFile")
    return file if file and not ant_runs.is_documentation(file, project.folder) else None


def _unkeyed(goal: Goal, run: ModelRun) -> Iterator[str]:
    """Files of properties whose content may change while the model stays."""
    if goal.text("urls"):
        yield f"{goal.plugin} sets urls"
    for file in goal.listed("files"):
        path = file.removeprefix(f"{CHECKOUT}/")
        if path == file or not run.is_keyed(path):
            yield f"{goal.plugin} reads {file}, which no key holds"


def _foreign(module: ModuleModel, project: Project) -> Iterator[_Reason]:
    """What of a module only another build of the same sources would make again."""
    target = f"{module.path}/target/".lstrip("/")
    for side, is_of_tests in ((module.production, False), (module.test, True)):
        for root in side.roots:
            if root.startswith((target, "/", "{")):
                yield _Reason(module.path, f"sources are generated into {root}", is_of_tests)
        if path := PluginFiles.of(project, side.output).unexplained(side.extra):
            text = f"{path} lies beside the classes, and no goal is known to have written it"
            yield _Reason(module.path, text, is_of_tests)
