"""The parameters of the compiler and the resources plugin with which the direct engine compiles and copies as they do.

Any other that a build sets leaves the build to Maven. Names and defaults: the documentation of maven-compiler-plugin
2.3 to 3.14 and of maven-resources-plugin 2.3 to 3.5. Values are those that Maven has evaluated.
"""

from collections.abc import Iterator

from testevo.builds.model.build_record import Goal
from testevo.builds.model.parameters.allow_list import AllowList, anything, one_of

_OF_MAVEN = "basedir buildDirectory mavenSession mojo mojoExecution project projectArtifact session"

_COMPILER = AllowList.of(
    "annotationProcessorPaths annotationProcessorPathsUseDepMgmt annotationProcessors classpathElements compilePath "
    "compileSourceRoots compilerArgs compilerArgument compilerArguments debug debuglevel enablePreview encoding "
    "excludes failOnWarning generatedSourcesDirectory generatedTestSourcesDirectory implicit includes moduleVersion "
    "optimize outputDirectory parameters proc release showDeprecation showWarnings skip skipMain source target "
    "testCompilerArgument testCompilerArguments testExcludes testIncludes testPath testRelease testSource testTarget "
    "useModulePath useModuleVersion verbose",
    (anything, "is Maven's", _OF_MAVEN),
    (
        anything,
        "decides what is compiled again, which here follows from contents",
        "fileExtensions incrementalExcludes showCompilationChanges staleMillis testIncrementalExcludes "
        "useIncrementalCompilation",
    ),
    (
        anything,
        "is how javac is called, not what it does",
        "compilerReuseStrategy debugFileName forceJavacCompilerUse forceLegacyJavacApi fork maxmem meminitial "
        "skipMultiThreadWarning",
    ),
    (anything, "is read by other compilers than javac", "outputFileName"),
    (anything, "is read with `executable`, which is judged by itself", "compilerVersion"),
    (anything, "makes empty classes, see builds.md", "createMissingPackageInfoClass"),
    (anything, "changes a time stamp", "outputTimestamp"),
    (one_of("javac"), "has its default", "compilerId"),
    (one_of("true"), "has its default", "failOnError"),
    (one_of("false"), "has its default", "multiReleaseOutput"),
    (one_of("", "javac"), "has its default", "executable"),
)

_ON_THE_COMMAND_LINE = AllowList.of(
    "",
    (
        one_of("", "false"),
        "has its default",
        "annotationProcessorPaths annotationProcessors compilerArguments debuglevel enablePreview failOnWarning "
        "implicit moduleVersion optimize testCompilerArgument testCompilerArguments",
    ),
)
"""Parameters that are read from javac's command line, which Maven records when there is something to compile."""

_FILTERED = "changes filtered files: they are Maven's, or ASCII without a placeholder"

_RESOURCES = AllowList.of(
    "outputDirectory resources skip",
    (anything, "is Maven's", _OF_MAVEN),
    (anything, "decides what is copied again, which here follows from contents", "changeDetection overwrite"),
    (
        anything,
        _FILTERED,
        "encoding escapeString escapeWindowsPaths nonFilteredFileExtensions propertiesEncoding "
        "supportMultiLineFiltering useDefaultDelimiters",
    ),
    (one_of("", "@", "${*}", "${*}, @", "@, ${*}"), _FILTERED, "delimiters"),
    (one_of(""), "names files of values, which no key holds", "buildFilters filters"),
    (one_of(""), "names another filter", "mavenFilteringHints"),
    (one_of("true", "false"), "is about `buildFilters`, which are judged by themselves", "useBuildFilters"),
    (one_of("false"), "has its default", "fileNameFiltering includeEmptyDirs"),
    (one_of("true"), "has its default", "addDefaultExcludes"),
)

_LISTS = {"maven-compiler-plugin": _COMPILER, "maven-resources-plugin": _RESOURCES}


def not_implemented(goal: Goal) -> Iterator[str]:
    """What a goal of one of the two plugins sets and the direct engine does not implement."""
    covers = _LISTS[goal.plugin].covers
    yield from (f"{goal.plugin} sets {name}" for name in sorted(goal.settings) if not covers(name, goal.text(name)))


def unread_option(goal: Goal) -> str | None:
    """A parameter of a compilation whose part of javac's command line is unknown, as Maven compiled nothing."""
    read = goal.settings if goal.command_line is None else {}
    names = sorted(name for name in read if name in _ON_THE_COMMAND_LINE.harmless)
    return next((name for name in names if not _ON_THE_COMMAND_LINE.covers(name, goal.text(name))), None)
