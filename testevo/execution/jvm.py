"""Test JVMs: the command, the fixed environment, the request, and what the launcher said.

The environment is pinned so that equal inputs give equal verdicts (complaint 33): time zone, locale and encoding where
the project sets none itself, an empty private home and temporary folder, and none of the variables by which a machine
smuggles options into every JVM (complaint 5).
"""

import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from testevo.build.engine import BuiltModule, BuiltTree
from testevo.execution import class_loading
from testevo.execution.channel import KEY_BYTES, ChannelRecord, read_channel
from testevo.execution.private_classes import PrivateClasses
from testevo.execution.processes import Watched, run_watched, signal_name
from testevo.execution.runner import Limits
from testevo.execution.sandbox import Confinement, Sandbox
from testevo.ground.jars import tool_jar
from testevo.ground.stopwatch import timed

_QUICK_START = ("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:-UsePerfData")
_HEAP = re.compile(r"-X(mx|ms|mn)|-XX:(MaxHeapSize|InitialHeapSize|MinHeapSize|(Max|Initial|Min)RAMPercentage)=")
_COLLECTOR = re.compile(r"-XX:\+Use\w*GC$")
_PATH = re.compile(r"(?:(?<=[:=,])|^)/[^:=,]+")
_IDENTITY = re.compile(r"(?<=[\w\]])@(?=[0-9a-f]*[0-9])[0-9a-f]{5,8}\b")
_NO_JVM = re.compile(rb"Error: (Could not create the Java Virtual Machine|Could not find or load main class|"
                     rb"A fatal exception has occurred|Unable to access jarfile)")


@dataclass(frozen=True)
class Pins:
    """What a run takes from its surroundings."""

    zone: str = "UTC"
    language: str = "en"
    country: str = "US"


PINNED = Pins()
VARIED = (Pins("America/St_Johns", "tr", "TR"), Pins("Asia/Kathmandu", "de", "DE"))
"""Surroundings for repeats that find tests that depend on them: odd offsets, Turkish dotless i, decimal commas."""


@dataclass(frozen=True)
class Surroundings:
    """What one run is given: pins, and empty folders of its own."""

    pins: Pins
    home: Path
    temporary: Path


@dataclass(frozen=True)
class Launched:
    """A finished test JVM."""

    record: ChannelRecord
    watched: Watched
    calls: bytes = b""
    """What the probe wrote."""
    loaded: frozenset[str] | None = None
    """Binary names of all classes that were loaded; None when nobody asked, or the JVM cannot tell."""
    places: tuple[tuple[str, str], ...] = ()
    """Absolute folders of this machine, each with the word that stands for it in records."""

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
        return signal_name(self.watched.status)


class JvmLauncher:
    """Starts test JVMs for modules of built trees.

    Args:
        work: folder outside all trees for private folders of runs; they are removed after each run.
    """

    def __init__(self, limits: Limits, sandbox: Sandbox, work: Path) -> None:
        self.limits = limits
        self._sandbox = sandbox
        self._work = work
        self._classes = None if sandbox.inputs_are_read_only else PrivateClasses(work)

    @timed("preparing test JVMs")
    def launch(
        self,
        tree: BuiltTree,
        module: BuiltModule,
        selectors: Sequence[str],
        *,
        seconds: float,
        pins: Pins = PINNED,
        probe: bool = False,
        watch_loading: bool = False,
        silence_seconds: float | None = None,
        more_arguments: Sequence[str] = (),
    ) -> Launched:
        """Run the selected classes or methods (lines of the request) in one JVM.

        Raises:
            MachineError: the JDK or a jar of ours is missing, or the work folder cannot be written.
        """
        self._work.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._work, prefix="run-", ignore_cleanup_errors=True) as name:
            private = Path(name).resolve()
            surroundings = Surroundings(pins, private / "home", private / "tmp")
            for folder in (surroundings.home, surroundings.temporary):
                folder.mkdir()
            copy = working_copy(module, private / "tree")
            shown = self._shown(module, copy)
            request = private / "request"
            request.write_text("".join(f"{line}\n" for line in _request(shown, selectors, probe)), encoding="utf-8")
            arguments = [*java_arguments(shown, self.limits, surroundings), *more_arguments]
            if probe:
                (private / "probe").write_text(self._probe_config(tree, private / "calls"), encoding="utf-8")
                arguments.append(f"-javaagent:{tool_jar('probe')}={private / 'probe'}")
            if watch_loading:
                arguments += class_loading.arguments(tree.jdk, private / "loading")
            read_end, write_end = os.pipe()
            java = [str(tree.jdk.home / "bin" / "java"), *arguments, "-jar", str(tool_jar("launcher")), str(request),
                    f"/dev/fd/{write_end}", "sealed"]
            key = secrets.token_bytes(KEY_BYTES)
            command = self._sandbox.command(java, self._confinement(tree, module, private, copy))
            watched = run_watched(
                command, (read_end, write_end), folder=shown.folder,
                environment=environment(tree, module, surroundings), seconds=seconds,
                output_bytes=self.limits.output_bytes, silence_seconds=silence_seconds, key=key)
            if self._classes is not None:
                self._classes.look_over()
            calls = private / "calls"
            return Launched(read_channel(watched.channel, key), watched, calls.read_bytes() if calls.is_file() else b"",
                            class_loading.read(private / "loading") if watch_loading else None,
                            _places(tree, (shown, module), private))

    def _shown(self, module: BuiltModule, copy: Path) -> BuiltModule:
        """The module as the test sees it: where nothing is read-only, made of copies."""
        if self._classes is not None:
            module = self._classes.show(module)
        return module if self._sandbox.hides_working_folder else replace(module, folder=copy)

    def _probe_config(self, tree: BuiltTree, output: Path) -> str:
        shown = self._classes.copy_of if self._classes is not None else Path
        lines = [f"production {shown(module.production_classes)}" for module in tree.modules]
        lines += [f"test {shown(module.test_classes)}" for module in tree.modules]
        return "".join(f"{line}\n" for line in [*lines, f"output {output}"])

    def _confinement(self, tree: BuiltTree, module: BuiltModule, private: Path, copy: Path) -> Confinement:
        jars = tool_jar("launcher").parent
        readable = (tree.checkout.folder, module.folder, tree.jdk.home, jars, *module.class_path, *module.engine_jars,
                    *_named_files(module.jvm_arguments))
        return Confinement(
            working_folder=module.folder if self._sandbox.hides_working_folder else copy,
            readable=tuple(path.absolute() for path in readable), writable=(private,),
            memory_mb=self.limits.memory_mb, working_copy=copy, copied_folder=module.folder)


def _named_files(arguments: Sequence[str]) -> list[Path]:
    """Files that a project's JVM arguments name by their whole path, such as agents in the local repository."""
    words = (word for argument in arguments for word in _PATH.findall(argument))
    return [path for path in map(Path, words) if path.is_file()]


def working_copy(module: BuiltModule, folder: Path) -> Path:
    """A copy of the module's folder for one run, so that what a test writes reaches no other run.

    What lies beside the module is there as links: tests of multi-module projects read `../other/file`.
    """
    place, original = folder, module.folder.parents[len(Path(module.path).parts) - 1] if module.path else module.folder
    for part in Path(module.path).parts:
        place.mkdir()
        for entry in original.iterdir():
            if entry.name != part:
                (place / entry.name).symlink_to(entry)
        place, original = place / part, original / part
    if original.is_dir():
        shutil.copytree(original, place, symlinks=True, ignore=shutil.ignore_patterns(".git"))
    else:
        place.mkdir()
    return place


def java_arguments(module: BuiltModule, limits: Limits, surroundings: Surroundings) -> list[str]:
    """Options of a test JVM: ours, then the project's, then the heap bound, which nobody may lift."""
    pins, temporary = surroundings.pins, surroundings.temporary
    project = [argument for argument in module.jvm_arguments if not _HEAP.match(argument)]
    collector = [] if any(_COLLECTOR.match(argument) for argument in project) else ["-XX:+UseSerialGC"]
    return [
        *collector,
        *_QUICK_START,
        "-ea",
        f"-XX:ErrorFile={temporary}/hs_err.log",
        f"-Duser.timezone={pins.zone}",
        f"-Duser.language={pins.language}",
        f"-Duser.country={pins.country}",
        "-Dfile.encoding=UTF-8",
        f"-Djava.io.tmpdir={temporary}",
        f"-Duser.home={surroundings.home}",
        f"-Dbasedir={module.folder}",
        *project,
        f"-Xmx{limits.memory_mb}m",
    ]


def environment(tree: BuiltTree, module: BuiltModule, surroundings: Surroundings) -> dict[str, str]:
    """The whole environment of a test JVM; nothing is inherited from the machine."""
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "HOME": str(surroundings.home),
        "TMPDIR": str(surroundings.temporary),
        "TZ": surroundings.pins.zone,
        "LC_ALL": "C.UTF-8",
        "LANG": "C.UTF-8",
        "JAVA_HOME": str(tree.jdk.home),
    } | dict(module.environment)


def _places(tree: BuiltTree, modules: Sequence[BuiltModule], private: Path) -> tuple[tuple[str, str], ...]:
    places = [(private, "<private>"), (tree.checkout.folder, "<tree>"), (tree.jdk.home, "<jdk>")]
    for module in modules:
        places += [(module.folder, "<module>"), (module.test_classes, "<test classes>"),
                   (module.production_classes, "<classes>")]
    return tuple(sorted(((str(path), word) for path, word in places), key=lambda place: (-len(place[0]), place[0])))


def _request(module: BuiltModule, selectors: Sequence[str], probe: bool) -> list[str]:
    back_end = [tool_jar(f"launcher-{module.framework}"), *module.engine_jars]
    lines = [f"backend {module.framework}"]
    lines += [f"class-path {path}" for path in module.class_path]
    lines += [f"backend-path {path}" for path in back_end]
    lines += selectors
    return [*lines, "probe-hook true"] if probe else lines
