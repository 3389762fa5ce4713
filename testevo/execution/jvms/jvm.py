"""Test JVMs: the command, the request, and what the launcher said.

Everything is where Surefire has it: launcher, JUnit and project on the class path, and what it puts on the module path
there. Only runs against mutants, which need the same classes twice, load the project in loaders of their own.
"""

import os
import re
import secrets
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from testevo.builds.engine import BuiltModule, BuiltTree, NamedModule
from testevo.builds.machine_failures import require_jvm
from testevo.builds.project.jdks import Jdk
from testevo.execution.jvms import class_loading
from testevo.execution.jvms.archives import ClassArchive, ClassArchives
from testevo.execution.jvms.class_path_order import class_path_order, fits
from testevo.execution.jvms.environment import (
    FIRST_WITH_SCALING,
    SHORT_RUN,
    JvmEnvironment,
    environment,
    java_arguments,
)
from testevo.execution.jvms.module_options import module_options
from testevo.execution.jvms.sandbox_mounts import ModuleView, ModuleViews
from testevo.execution.jvms.sandbox_proof import prove
from testevo.execution.jvms.training_run import TrainingRun, can_train
from testevo.execution.runner import Limits
from testevo.execution.variation import AS_IT_IS, Variation
from testevo.execution.verdicts.channel import KEY_BYTES, ChannelRecord, read_channel
from testevo.execution.verdicts.suites import HARMLESS
from testevo.runtime.files.jars import tool_jar
from testevo.runtime.files.plain_files import is_file, read_plain
from testevo.runtime.files.removal import temporary_folder
from testevo.runtime.processes.ports import says_taken, sharing_ports
from testevo.runtime.stopwatch import timed
from testevo.sandboxes.mounts import Confinement, repository_of
from testevo.sandboxes.sandbox import Command, Sandbox
from testevo.sandboxes.watching import ProcessLimits, Watched, signal_name

_PATH = re.compile(r"(?:(?<=[:=,])|^)/[^:=,]+")
_IDENTITY = re.compile(r"(?<=[\w\]])@(?=[0-9a-f]*[0-9])[0-9a-f]{5,8}\b")
_NO_JVM = re.compile(
    rb"Error: (Could not create the Java Virtual Machine|Could not find or load main class|"
    rb"A fatal exception has occurred|Unable to access jarfile)"
)
_FATAL_SIGNALS = (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE)
_MOST_BYTES = 512 * 2**20
"""Of calls that are read; those behind them are missing."""
_STATUS_OF_SIGNALS = 128
"""The number that shells and bubblewrap add to the signal that ended a program."""


@dataclass(frozen=True)
class Launched:
    """A finished test JVM."""

    record: ChannelRecord
    watched: Watched
    calls: bytes = b""
    """The output of the probe."""
    loaded: frozenset[str] | None = None
    """Binary names of all classes that were loaded; None when nobody asked, or the JVM cannot tell."""
    places: tuple[tuple[str, str], ...] = ()
    """Absolute folders of this machine, each with the word that stands for it in records."""
    with_archive: bool = False

    @property
    def jvm_failed(self) -> bool:
        """Whether the JVM itself has failed, as opposed to having been ended."""
        status = self.watched.status
        return not self.record.ended and (-status if status < 0 else status - _STATUS_OF_SIGNALS) in _FATAL_SIGNALS

    @property
    def is_mute(self) -> bool:
        """Whether it ended by itself before the launcher spoke, so that no JVM may have started."""
        return not self.watched.channel and not self.watched.timed_out

    @property
    def no_jvm(self) -> str | None:
        """Why no test came to run, or None; then the run says nothing about the test."""
        if self.record.broken and not self.record.verdicts and not self.record.unfinished:
            return self.cleaned(self.record.broken)
        if not self.watched.channel and self.watched.status == 1 and _NO_JVM.search(self.watched.stderr):
            return self.watched.stderr.decode("utf-8", "replace").strip().splitlines()[0]
        return None

    def cleaned(self, text: str) -> str:
        """`text` without what differs from run to run: folders of this machine, identity hash codes."""
        for folder, word in self.places:
            text = text.replace(folder, word)
        return _IDENTITY.sub("@<hash>", text)

    @property
    def ending(self) -> str:
        """How it ended, for a message about a vanished verdict."""
        if self.record.tampered is not None:
            return f"tampered: {self.record.tampered}"
        if self.watched.flooded:
            return "killed for flooding its channel"
        if self.watched.filled:
            return "killed for filling the disk"
        return signal_name(self.watched.status)


@dataclass(frozen=True)
class JvmRun:
    """The request to one JVM."""

    tree: BuiltTree
    module: BuiltModule
    selectors: Sequence[str]
    """Classes or methods to run, as lines of the request."""
    seconds: float
    variation: Variation = AS_IT_IS
    probe: bool = False
    silence_seconds: float | None = None
    watch_loading: bool = False
    """Let the JVM tell which classes it loads."""
    own_loaders: bool = False
    """The launcher loads the project in loaders of its own, as mutants need it."""
    short: bool = False
    """One method; the JVM compiles later."""


@dataclass(frozen=True)
class _Start:
    """How the JVM is told what to load."""

    options: list[str]
    """Those of an archive, which the project's own options follow; none without one."""
    program: list[str]
    request: list[str]
    """Lines of the request."""
    readable: tuple[Path, ...]


@dataclass(frozen=True)
class _Jvm:
    """All that a JVM is started with."""

    command: Command
    confinement: Confinement
    environment: dict[str, str]
    with_archive: bool


class JvmLauncher:
    """Starts test JVMs for modules of built trees.

    Args:
        work: folder outside all trees for private folders of runs; they are removed after each run, copies of class
            folders and of working folders when this object goes.
        archives: of class data; None: do without.
    """

    def __init__(self, limits: Limits, sandbox: Sandbox, work: Path, archives: ClassArchives | None = None) -> None:
        self.limits = limits
        self._sandbox = sandbox
        self._work = work
        self._archives = archives
        self._views = ModuleViews(sandbox, work)

    @timed("preparing test JVMs")
    def launch(self, run: JvmRun) -> Launched:
        """Run the selected classes or methods in one JVM.

        Raises:
            MachineError: the JDK or a jar of ours is missing, no JVM starts, or the work folder cannot be written.
        """
        if self._sandbox.has_own_network:
            return self._launch(run)
        return sharing_ports(lambda: self._launch(run), _found_port_taken)

    def _launch(self, run: JvmRun) -> Launched:
        launched = self._once(run, self._archives)
        # An archive is not to blame until the same happens without it; and then it is not.
        if launched.with_archive and launched.jvm_failed:
            launched = self._once(run, None)
        if launched.is_mute:
            require_jvm(run.tree.jdk.home / "bin" / "java", self.limits.memory_mb)
        return launched

    def _once(self, run: JvmRun, archives: ClassArchives | None) -> Launched:
        self._work.mkdir(parents=True, exist_ok=True)
        prove(self._sandbox, run.tree.jdk, self._work)
        with self._views.view(run.module, run.tree.replaced) as view, temporary_folder(self._work, "run-") as private:
            jvm = self._jvm(run, view, private, archives)
            key = secrets.token_bytes(KEY_BYTES)
            watched = self._sandbox.run(
                jvm.command,
                jvm.confinement,
                jvm.environment,
                ProcessLimits(run.seconds, self.limits.output_bytes, run.silence_seconds),
                key,
            )
            return Launched(
                read_channel(watched.channel, key),
                watched,
                read_plain(private, "calls", _MOST_BYTES) or b"",
                loaded=class_loading.read(private, "loading") if run.watch_loading else None,
                places=_places(run.tree, (view.module, run.module), private),
                with_archive=jvm.with_archive,
            )

    def _jvm(self, run: JvmRun, view: ModuleView, private: Path, archives: ClassArchives | None) -> _Jvm:
        """Write the request into the private folder; what the JVM is started with."""
        jdk, module = run.tree.jdk, view.module
        jvm_environment = JvmEnvironment.made_in(private, run.variation)
        start = self._start(run, view, archives)
        request = private / "request"
        probe_hook = ["probe-hook true"] if run.probe else []
        lines = (f"backend {module.framework}", *start.request, *setting_lines(module), *probe_hook, *run.selectors)
        request.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        java = [
            str(jdk.home / "bin" / "java"),
            *self._arguments(run, module, start, private, jvm_environment),
            *start.program,
            str(request),
        ]
        return _Jvm(
            lambda channel: [*java, channel, "sealed"],
            self._confinement(run.tree, view, private, start.readable),
            environment(jdk, jvm_environment, {"PWD": str(module.start_folder), **module.environment}),
            bool(start.options),
        )

    def _arguments(
        self, run: JvmRun, module: BuiltModule, start: _Start, private: Path, jvm_environment: JvmEnvironment
    ) -> list[str]:
        """Options of a JVM; what they refer to is written into its private folder."""
        jdk = run.tree.jdk
        start_up = SHORT_RUN if run.short and jdk.feature >= FIRST_WITH_SCALING else ()
        arguments = [
            *start.options,
            *start_up,
            *run.variation.options(jdk),
            *java_arguments(module, self.limits, jvm_environment),
        ]
        if run.probe:
            (private / "probe").write_text(self._probe_config(run, module, private / "calls"), encoding="utf-8")
            arguments.append(f"-javaagent:{tool_jar('probe')}={private / 'probe'}")
        if run.watch_loading:
            arguments += class_loading.arguments(jdk, private / "loading")
        return arguments

    def _start(self, run: JvmRun, view: ModuleView, archives: ClassArchives | None) -> _Start:
        if run.own_loaders:
            return self._apart(view.module)
        if view.module.named is not None:
            return self._on_module_path(view.module, view.module.named, run.selectors)
        return self._together(run.tree.jdk, view, archives)

    def _on_module_path(self, module: BuiltModule, named: NamedModule, selectors: Sequence[str]) -> _Start:
        """The project's modules on the module path, and everything else in one class path. Without an archive: a JVM
        takes none beside a patched module."""
        own = (tool_jar("launcher"), tool_jar(f"launcher-{module.framework}"))
        others = module.plain_class_path
        class_path = os.pathsep.join(map(str, (*own, *dict.fromkeys((*others, *module.engine_jars)))))
        program = [*module_options(module, named, selectors), "-cp", class_path, "testevo.launcher.Main"]
        return _Start([], program, ["on-class-path true", *_class_path(others)], ())

    def _apart(self, module: BuiltModule) -> _Start:
        """The launcher's jar alone is on the class path of the JVM."""
        back_end = tool_jar(f"launcher-{module.framework}")
        request = [
            *_class_path(module.class_path),
            *(f"backend-path {path}" for path in (back_end, *module.engine_jars)),
        ]
        return _Start([], ["-jar", str(tool_jar("launcher"))], request, ())

    def _together(self, jdk: Jdk, view: ModuleView, archives: ClassArchives | None) -> _Start:
        """Launcher, JUnit and project in one class path, behind an archive where there is one."""
        module = view.module
        own = (tool_jar("launcher"), tool_jar(f"launcher-{module.framework}"))
        archive, entries = None, (*own, *dict.fromkeys((*module.class_path, *module.engine_jars)))
        if archives is not None:
            order = class_path_order([view.on_disk.get(path, path) for path in module.class_path], module.engine_jars)
            archive = self._archive(jdk, module.framework, (*own, *order.front), archives)
        if archive is not None:
            seen = {path: place for place, path in view.on_disk.items()}
            entries = (*archive.jars, *(seen.get(path, path) for path in order.rest))
        if not fits(entries):
            return self._apart(module)
        options = [] if archive is None else archive.options(jdk, self._views.file_beside(archive.file, archive.jars))
        program = ["-cp", os.pathsep.join(map(str, entries)), "testevo.launcher.Main"]
        request = ["on-class-path true", *_class_path(module.class_path)]
        return _Start(options, program, request, () if archive is None else (archive.file.parent,))

    def _archive(
        self, jdk: Jdk, framework: str, head: tuple[Path, ...], archives: ClassArchives
    ) -> ClassArchive | None:
        if not can_train(framework, head):
            return None
        return archives.archive(jdk, head, TrainingRun(jdk, framework, self._sandbox, self._work))

    def _probe_config(self, run: JvmRun, shown: BuiltModule, output: Path) -> str:
        seen = self._views.folder
        others = [module for module in run.tree.modules if module.path != run.module.path]
        lines = [
            f"production {path}"
            for path in (shown.production_classes, *(seen(module.production_classes) for module in others))
        ]
        lines += [f"test {path}" for path in (shown.test_classes, *(seen(module.test_classes) for module in others))]
        return "".join(f"{line}\n" for line in [*lines, f"output {output}"])

    def _confinement(self, tree: BuiltTree, view: ModuleView, private: Path, more: Sequence[Path]) -> Confinement:
        jars = tool_jar("launcher").parent
        readable = (view.real.root, tree.jdk.home, jars, *more, *named_files(tree, view.real))
        return view.confinement(readable, private, self.limits)


def _found_port_taken(launched: Launched) -> bool:
    """Whether a test failed that says so, or that ran where something says so."""
    record, watched = launched.record, launched.watched
    verdicts = (*record.verdicts.values(), *record.class_verdicts.values())
    has_failed = not record.ended or any(verdict.outcome not in HARMLESS for verdict in verdicts)
    return says_taken(watched.channel, *((watched.stdout, watched.stderr) if has_failed else ()))


def named_files(tree: BuiltTree, module: BuiltModule) -> list[Path]:
    """Files that a project's JVM arguments name by their whole path, such as agents in the local repository.

    Those that lie elsewhere than in a build are not the project's to show, whatever links lead there.
    """
    words = (word for argument in module.jvm_arguments for word in _PATH.findall(argument))
    files = [path for path in map(Path, words) if is_file(path)]
    if not files:
        return []  # as nearly always, at each start of a JVM
    repositories = {repository_of(jar) for jar in (*module.class_path, *module.engine_jars)}
    shown = [module.root, tree.jdk.home, *repositories]
    folders = [folder.resolve() for folder in shown if folder is not None]
    return [path for path in files if any(path.resolve().is_relative_to(folder) for folder in folders)]


def _places(tree: BuiltTree, modules: Sequence[BuiltModule], private: Path) -> tuple[tuple[str, str], ...]:
    places = [(private, "<private>"), (tree.checkout.folder, "<tree>"), (tree.jdk.home, "<jdk>")]
    for module in modules:
        places += [
            (module.folder, "<module>"),
            (module.test_classes, "<test classes>"),
            (module.production_classes, "<classes>"),
        ]
    return tuple(sorted(((str(path), word) for path, word in places), key=lambda place: (-len(place[0]), place[0])))


def setting_lines(module: BuiltModule) -> list[str]:
    """Lines of the request for what the build tells JUnit: the tags or categories of tests, and parameters."""
    settings = module.settings
    return [
        *(f"include-tag {tag}" for tag in settings.included_tags),
        *(f"exclude-tag {tag}" for tag in settings.excluded_tags),
        *(["older-categories true"] if settings.older_categories else []),
        *(f"configuration-parameters {line}" for line in settings.configuration_parameters),
    ]


def _class_path(entries: Sequence[Path]) -> list[str]:
    """As the build gives it; tests read it in the property `java.class.path`."""
    return [f"class-path {path}" for path in entries]
