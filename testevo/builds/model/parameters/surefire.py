"""The parameters of `surefire:test` with which the launcher still runs tests as Maven does: an allow-list.

A parameter that a build sets and that `PARAMETERS` does not cover with its value sends the tests of the build to
Surefire. To implement one in the launcher, move it to the first line, and show by a test against Maven that both end
alike. Names and defaults: the documentation of maven-surefire-plugin 2.12 to 3.5, goal `test`.
"""

import re

from testevo.builds.model.parameters.allow_list import AllowList, anything, at_least, one_of

_REPORT = "says how results are told, not what they are"
_FAILURE = "decides whether Maven fails, not how a test ends"
_PARALLEL = "is read only with `parallel`, which is judged by itself"
_DEFAULT = "has its default"
_CLASS_PATH = "says how the class path reaches the JVM; tests see the same one"

PARAMETERS = AllowList.of(
    "argLine environmentVariables excludes includes systemProperties systemPropertyVariables",
    (one_of("true", "false"), "is implemented, but for versions of Surefire that do not know it", "reuseForks"),
    (one_of("once", "always", "pertest"), "is implemented, as far as Surefire knows it", "forkMode"),
    (one_of("true", "false"), "is implemented, but beside options of its kind in `argLine`", "enableAssertions"),
    (
        anything,
        _REPORT,
        "printSummary reportFormat reportNameSuffix reportsDirectory useFile disableXmlReport trimStackTrace "
        "redirectTestOutputToFile consoleOutputReporter statelessTestsetReporter statelessTestsetInfoReporter "
        "encoding tempDir",
    ),
    (anything, _FAILURE, "testFailureIgnore failIfNoTests failIfNoSpecifiedTests failOnFlakeCount reportTestFailure"),
    (
        anything,
        _PARALLEL,
        "threadCount threadCountClasses threadCountMethods threadCountSuites perCoreThreadCount "
        "useUnlimitedThreads parallelOptimized parallelTestsTimeoutInSeconds parallelTestsTimeoutForcedInSeconds",
    ),
    (anything, "is read only with other values of `runOrder`", "runOrderRandomSeed runOrderStatisticsFileChecksum"),
    (
        anything,
        "is for the end of Maven or of a JVM whose tests have ended",
        "shutdown forkedProcessExitTimeoutInSeconds",
    ),
    (anything, "is how Surefire talks with its JVM and watches it", "forkNode enableProcessChecker"),
    (anything, "is read only for suite files of TestNG", "testSourceDirectory"),
    (at_least(900), "ends no suite before our own limit does", "forkedProcessTimeoutInSeconds"),
    (one_of("", "none"), _DEFAULT, "parallel"),
    (one_of("1"), _DEFAULT, "forkCount"),
    (one_of("true"), _DEFAULT, "promoteUserPropertiesToSystemProperties"),
    (
        one_of("filesystem", "alphabetical", "random"),
        "runs classes in the order of their names, or in any at all",
        "runOrder",
    ),
    (one_of("0"), _DEFAULT, "rerunFailingTestsCount skipAfterFailureCount"),
    (one_of("false"), _DEFAULT, "skip skipTests skipExec childDelegation debugForkedProcess"),
    (one_of("true", "false"), _CLASS_PATH, "useSystemClassLoader useManifestOnlyJar"),
    (one_of("true", "false"), "matters with a module descriptor, where the launcher does as it says", "useModulePath"),
    (one_of("junit:junit"), _DEFAULT, "junitArtifactName"),
    (one_of("org.testng:testng"), _DEFAULT, "testNGArtifactName"),
    (
        one_of(""),
        "is empty",
        "test suiteXmlFiles properties dependenciesToScan additionalClasspathElements "
        "additionalClasspathDependencies classpathDependencyExcludes includeJUnit5Engines excludeJUnit5Engines "
        "excludedEnvironmentVariables systemPropertiesFile includesFile excludesFile jvm",
    ),
)
"""Implemented are those that `surefire_settings.read_test_run` reads, and `TAGS`, which it reads too; patterns of other
forms than Ant's are judged by `is_ant_pattern`, a `workingDirectory` by `relative_folder`. Everything else,
`jdkToolchain`, `testClassesDirectory` and parameters of later versions among it, needs Surefire."""

PROPERTY_OF = {
    "additionalClasspathElements": "maven.test.additionalClasspath",
    "classpathDependencyExcludes": "maven.test.dependency.excludes",
    "debugForkedProcess": "maven.surefire.debug",
    "dependenciesToScan": "dependenciesToScan",
    "enableAssertions": "enableAssertions",
    "excludeJUnit5Engines": "surefire.excludeJUnit5Engines",
    "excludedEnvironmentVariables": "surefire.excludedEnvironmentVariables",
    "excludedGroups": "excludedGroups",
    "excludes": "surefire.excludes",
    "excludesFile": "surefire.excludesFile",
    "forkCount": "forkCount",
    "forkMode": "forkMode",
    "forkedProcessTimeoutInSeconds": "surefire.timeout",
    "groups": "groups",
    "includeJUnit5Engines": "surefire.includeJUnit5Engines",
    "includes": "surefire.includes",
    "includesFile": "surefire.includesFile",
    "jvm": "jvm",
    "objectFactory": "objectFactory",
    "parallel": "parallel",
    "rerunFailingTestsCount": "surefire.rerunFailingTestsCount",
    "reuseForks": "reuseForks",
    "runOrder": "surefire.runOrder",
    "skipAfterFailureCount": "surefire.skipAfterFailureCount",
    "skipExec": "maven.test.skip.exec",
    "suiteXmlFiles": "surefire.suiteXmlFiles",
    "systemPropertiesFile": "surefire.systemPropertiesFile",
    "test": "test",
    "useModulePath": "surefire.useModulePath",
    "useSystemClassLoader": "surefire.useSystemClassLoader",
}
"""The property that sets a parameter where the configuration does not. Left out: parameters that are harmless whatever
their value, `skipTests`, which every run of Surefire here sets to false, and `maven.test.skip`, with which there are no
tests."""

TAGS = frozenset({"groups", "excludedGroups"})
"""Parameters that name tags of the JUnit Platform, which the launcher passes on to it, or categories of JUnit 4
(`categories`); groups of TestNG need Surefire."""
_TAGS = re.compile(r"[\w.-]+(?:\s*,\s*[\w.-]+)*")


def are_tags(value: str) -> bool:
    """Whether a value is a list of tags, possibly empty: no expression such as `fast & !net`."""
    return not value or _TAGS.fullmatch(value) is not None
