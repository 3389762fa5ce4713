"""javac's part of a compiler-plugin goal: source roots, options, class path, module path."""

import re
from collections.abc import Sequence
from pathlib import Path

from testevo.builds.inputs.jvm_config import read_jvm_config
from testevo.builds.model.build_record import Goal
from testevo.builds.model.model import CHECKOUT, Compilation
from testevo.builds.model.parameters.build import unread_option

_OUTPUT_WORDS = ("-d", "-s", "-h", "-sourcepath", "--source-path")
_CLASS_PATH_WORDS = ("-classpath", "-cp", "--class-path")
_MODULE_PATH_WORDS = ("-p", "--module-path")
_ENCODING_OF_JVM = re.compile(r"(?<!\S)-Dfile\.encoding=(\S+)")
_TEST_MODULE_WORDS = ("--patch-module", "--add-reads", "--add-modules", "--add-exports", "--add-opens")


def read_compilation(goal: Goal, output: str, *, is_test: bool) -> Compilation:
    """One execution of `compile` or `testCompile`.

    Options come from the command line the plugin prints when it compiles, and from its configuration when it had
    nothing to compile, since a later commit with the same build may have something.
    """
    generated = goal.text("generatedTestSourcesDirectory" if is_test else "generatedSourcesDirectory")
    roots = [root for root in goal.listed("compileSourceRoots") if root != generated]
    words = goal.command_line.split() if goal.command_line is not None else _from_settings(goal)
    options, class_path, module_path = _divide(words)
    if not class_path and not module_path:
        class_path = _configured_class_path(goal, is_test=is_test)
    if is_test and module_path:
        # tests run on the class path, so they are compiled there: one way of seeing packages for both
        class_path, module_path = [*module_path, *class_path], []
        options = without_pairs(options, _TEST_MODULE_WORDS)
    return Compilation(
        execution=goal.execution,
        roots=tuple(root.removeprefix(f"{CHECKOUT}/") if root != CHECKOUT else "" for root in roots),
        includes=goal.listed("testIncludes" if is_test else "includes"),
        excludes=goal.listed("testExcludes" if is_test else "excludes"),
        options=tuple(options),
        class_path=tuple(dict.fromkeys(entry for entry in class_path if entry != output)),
        module_path=tuple(dict.fromkeys(entry for entry in module_path if entry != output)),
        unread=unread_option(goal),
    )


def in_encoding_of_maven(compilation: Compilation, folder: Path) -> Compilation:
    """The same compilation, told the encoding that Maven's JVM reads files in where the project sets that
    (`.mvn/jvm.config`) and its build names none.

    Args:
        compilation: as Maven has recorded it.
        folder: of the top-level POM.
    """
    found = _ENCODING_OF_JVM.findall(read_jvm_config(folder))
    if not found or found[-1] == "COMPAT" or "-encoding" in compilation.options:
        return compilation
    return compilation.model_copy(update={"options": (*compilation.options, "-encoding", found[-1])})


def lost_option(goal: Goal, *, has_descriptor: bool) -> str | None:
    """An option about modules that the project itself gives for tests of a named module: compiled on the class path,
    they are compiled without such options.

    Args:
        has_descriptor: whether the module has one, which counts where the plugin had nothing to compile.
    """
    is_named = bool(_divide(goal.command_line.split())[2]) if goal.command_line is not None else has_descriptor
    texts = (*goal.listed("compilerArgs"), *map(goal.text, ("compilerArgument", "testCompilerArgument")))
    words = {word.partition("=")[0] for text in texts for word in text.split()}
    return next((word for word in _TEST_MODULE_WORDS if is_named and word in words), None)


def _divide(words: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """Options, class path and module path; the sources, which versions 2 of the plugin name too, are left out."""
    options: list[str] = []
    class_path: list[str] = []
    module_path: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        following = words[position + 1] if position + 1 < len(words) else ""
        if word in _OUTPUT_WORDS:
            position += 2
        elif word in _CLASS_PATH_WORDS:
            class_path += [entry for entry in following.split(":") if entry]
            position += 2
        elif word in _MODULE_PATH_WORDS:
            module_path += [entry for entry in following.split(":") if entry]
            position += 2
        else:
            if not word.startswith(f"{CHECKOUT}/") or not word.endswith(".java"):
                options.append(word)
            position += 1
    return options, class_path, module_path


def without_pairs(options: Sequence[str], names: Sequence[str]) -> list[str]:
    """Options without those of these names, whose values follow as words of their own or after `=`."""
    kept: list[str] = []
    skip = False
    for word in options:
        if skip:
            skip = False
        elif word in names:
            skip = True
        elif not word.startswith(tuple(f"{name}=" for name in names)):
            kept.append(word)
    return kept


def _configured_class_path(goal: Goal, *, is_test: bool) -> list[str]:
    names = ("testPath", "classpathElements") if is_test else ("compilePath", "classpathElements")
    return next((list(goal.listed(name)) for name in names if goal.listed(name)), [])


def _from_settings(goal: Goal) -> list[str]:
    """The options that the plugin would build from its configuration."""
    is_test = "test" in goal.goal
    words = ["-g"] if goal.settings.get("debug", "true") == "true" else []
    words += ["-parameters"] if goal.flag("parameters") else []
    words += ["-nowarn"] if not goal.flag("showWarnings") else []
    if release := (goal.text("testRelease") if is_test else "") or goal.text("release"):
        words += ["--release", release]
    else:
        for name in ("target", "source"):
            value = goal.text(f"test{name.capitalize()}" if is_test else name) or goal.text(name)
            words += [f"-{name}", value] if value else []
    words += ["-encoding", goal.text("encoding")] if goal.text("encoding") else []
    words += [f"-proc:{goal.text('proc')}"] if goal.text("proc") else []
    words += goal.text("compilerArgument").split()
    return [*words, *goal.listed("compilerArgs")]
