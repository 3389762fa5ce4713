"""Get the build model of a fingerprint: from the cache, or by running Maven with the network once and then without it.

The run without the network does the very same; what Maven records in it is what is read, so that a model exists only
for a build that has been proven to work offline.
"""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath

from testevo.builds.maven.engine_jars import resolve_engine_jars
from testevo.builds.maven.maven_failures import MavenFailure, newer_jdk_failure, read_failure
from testevo.builds.maven.maven_run import Maven
from testevo.builds.maven.resident_maven import ResidentMaven
from testevo.builds.model.build_record import read_record
from testevo.builds.model.equivalent_models import EquivalentModels
from testevo.builds.model.maven_model import ModelRun, read_maven_model
from testevo.builds.model.model import BuildModel, Places, fits, read_model, write_model
from testevo.builds.preparation import Preparation
from testevo.builds.project.jdks import NewerJdk
from testevo.builds.project.normalised_pom import release_traces
from testevo.records.verdicts import BuildOutcome
from testevo.runtime.files.files import canonical_json, content_key, empty_folder
from testevo.runtime.files.json_and_yaml import parsed_json
from testevo.runtime.files.plain_files import exists, is_file
from testevo.runtime.files.whole_files import locked, write_if_changed, write_once
from testevo.runtime.processes.processes import Finished

GOALS = ("test-compile",)

RECORD = "testevo.record.json"
"""Below the folder of the build."""

SKIP_COMPILATION = {"maven.main.skip": "true", "maven.test.skip": "true"}
"""The phases run, so that modules find each other, but nothing is compiled."""

CODE_OUTCOMES = (BuildOutcome.PRODUCTION_COMPILE_ERROR, BuildOutcome.TEST_COMPILE_ERROR, BuildOutcome.LEVEL_UNSUPPORTED)
"""Verdicts on the sources: everything was resolved, so that another run changes nothing."""

REFUSALS = (*CODE_OUTCOMES, BuildOutcome.OLDER_JDK_NEEDED)
"""Errors in the sources: code that names what this JDK has no more is among them."""

FINAL_OUTCOMES = (
    BuildOutcome.UNREADABLE_BUILD_FILE,
    BuildOutcome.OLDER_JDK_NEEDED,
    BuildOutcome.NEWER_JDK_NEEDED,
    BuildOutcome.TIMED_OUT,
)
"""Verdicts that the network does not change either."""


@dataclass(frozen=True)
class MavenBuild:
    """One real build by Maven: a model to read, or why there is none."""

    model: BuildModel | None
    failure: MavenFailure | None
    """Why compilation failed, also when a model could be read without compiling."""


def copy_checkout(folder: Path, target: Path, replaced: Mapping[str, bytes | None] | None = None) -> None:
    """A clean copy of a checkout, with some files replaced; they lie inside it, whatever links the checkout has."""
    shutil.copytree(folder, target, symlinks=True, ignore=shutil.ignore_patterns(".git"), dirs_exist_ok=True)
    for path, content in (replaced or {}).items():
        file = target / path
        if content is None:
            if _is_folder_of(target, file.parent):
                file.unlink(missing_ok=True)
        else:
            _make_folder(target, PurePosixPath(path).parent)
            if file.is_symlink():
                file.unlink()
            file.write_bytes(content)


def _make_folder(target: Path, path: PurePosixPath) -> None:
    """Make a folder below `target`; a file, or a link to elsewhere, that stands where one must be goes, as with git."""
    folder = target
    for step in path.parts:
        folder = folder / step
        if not _is_folder_of(target, folder):
            folder.unlink(missing_ok=True)
            folder.mkdir()


def _is_folder_of(target: Path, folder: Path) -> bool:
    return folder.is_dir() and folder.resolve().is_relative_to(target.resolve())


@dataclass(frozen=True)
class ModelSource:
    """Makes and keeps models in `<cache>/models`."""

    cache: Path
    offline: bool
    resident: ResidentMaven
    """For models; `build` goes without."""

    @property
    def saved(self) -> Path:
        return self.cache / "models" / "files"

    def places(self, maven: Maven, checkout: Path) -> Places:
        return Places(checkout, maven.local.artifacts, maven.jdk.home)

    def model(self, prepared: Preparation, maven: Maven) -> MavenBuild:
        """The model for a checkout's fingerprint; Maven runs only when it is not known yet.

        Args:
            prepared: the checkout.
            maven: with the chosen JDK and the project's local repository.
        """
        folder = self.cache / "models" / prepared.fingerprint
        path = folder / f"{maven.local.key}.json"
        known = self._kept(path, prepared, maven)
        if known is not None:
            return MavenBuild(known, None)
        needs = folder / f"{maven.local.key}.newer-jdk.json"
        if needs.is_file():
            return self._too_old(needs, prepared)
        with locked(self._equivalents.folder(prepared.normalised) / "lock"):
            known = self._kept(path, prepared, maven) or self._equivalent(prepared, maven, path)
            if known is not None:
                return MavenBuild(known, None)
            with self._job(prepared, maven) as job:
                built = self._built(job)
            if built.failure is not None and built.failure.outcome in REFUSALS:
                self._keep_refusal(prepared, maven)
            if built.model is not None:
                write_model(path, built.model)
                if built.failure is None:
                    traces = release_traces(prepared.checkout.folder, prepared.project)
                    self._equivalents.keep(prepared.normalised, maven.local.key, built.model, traces)
            elif (newer := _needed_by_plugins(built.failure)) and not prepared.project.unstable_versions:
                write_if_changed(needs, canonical_json(asdict(newer)).encode())
            return built

    def refuses(self, prepared: Preparation, maven: Maven) -> bool:
        """Whether Maven finds errors in the sources of a revision; that it does is kept, so that it runs once.

        Not so where Maven fails in another way, which is its own verdict.
        """
        refusal = self._refusal(prepared, maven)
        with locked(refusal.with_name("lock")):
            if refusal.is_file():
                return True
            with self._job(prepared, maven) as job:
                failure = self._proven_run(job, skip=False)
            found = failure is not None and failure.outcome in REFUSALS
            if found:
                self._keep_refusal(prepared, maven)
            return found

    def _keep_refusal(self, prepared: Preparation, maven: Maven) -> None:
        write_once(self._refusal(prepared, maven), b"Maven finds errors in the sources\n")

    def _refusal(self, prepared: Preparation, maven: Maven) -> Path:
        key = content_key(prepared.checkout.key, str(maven.jdk.version))
        return self.cache / "models" / prepared.fingerprint / f"{maven.local.key}.refused" / key

    @contextmanager
    def _job(self, prepared: Preparation, maven: Maven) -> Iterator["_Job"]:
        """A question to the resident Maven, where it serves the project."""
        resident = self.resident if self.resident.serves(prepared.checkout.folder) else None
        try:
            yield _Job(prepared, maven, self.resident.folder, None, resident)
        finally:
            empty_folder(self.resident.folder)

    def _too_old(self, needs: Path, prepared: Preparation) -> MavenBuild:
        """Maven's answer for these POMs on this JDK: a plugin needs a newer one, whatever the sources are."""
        newer = NewerJdk(**parsed_json(needs.read_bytes()))
        return MavenBuild(None, newer_jdk_failure(newer, str(prepared.checkout), prepared.choice.jdk.feature))

    @property
    def _equivalents(self) -> EquivalentModels:
        return EquivalentModels(self.cache / "models")

    def _equivalent(self, prepared: Preparation, maven: Maven, path: Path) -> BuildModel | None:
        """The model of POMs that differ in nothing a build can see, kept as this one's too."""
        known = self._equivalents.find(prepared.normalised, maven.local.key)
        if known is None or not fits(known, self.places(maven, prepared.checkout.folder)):
            return None
        model = known.model_copy(update={"fingerprint": prepared.fingerprint})
        write_model(path, model)
        maven.local.mark_proven(prepared.fingerprint)
        return model

    def _kept(self, path: Path, prepared: Preparation, maven: Maven) -> BuildModel | None:
        known = read_model(path)
        if known is None or not fits(known, self.places(maven, prepared.checkout.folder)):
            return None
        return known

    def build(
        self, prepared: Preparation, maven: Maven, folder: Path, replaced: Mapping[str, bytes | None] | None = None
    ) -> MavenBuild:
        """Build a clean copy of the checkout in `folder` by Maven, offline at last; the model comes from that run."""
        return self._built(_Job(prepared, maven, folder, replaced))

    def failure_of(self, prepared: Preparation, maven: Maven, folder: Path) -> MavenFailure | None:
        """Why Maven does not build a revision; None when it does, offline at last. Nothing is kept of the build."""
        try:
            return self._proven_run(_Job(prepared, maven, folder, None), skip=False)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _built(self, job: "_Job") -> MavenBuild:
        failure = self._proven_run(job, skip=False)
        if failure is None:
            return MavenBuild(self._read(job, compiled=True), None)
        if failure.outcome not in CODE_OUTCOMES:
            return MavenBuild(None, failure)
        return self._without_compiling(job, failure)

    def _without_compiling(self, job: "_Job", verdict: MavenFailure) -> MavenBuild:
        """A model for a revision that does not compile; Maven's verdict on it stays."""
        failure = self._proven_run(job, skip=True)
        if failure is not None and failure.newer is not None:
            return MavenBuild(None, failure)
        model = None if failure is not None else self._read(job, compiled=False)
        return MavenBuild(model, verdict)

    def _proven_run(self, job: "_Job", *, skip: bool) -> MavenFailure | None:
        """Run without the network; where artifacts are missing, run with it once, and then without it again."""
        failure = job.run(offline=True, skip=skip, is_last=self.offline)
        if self.offline or not _may_need_network(failure):
            return failure
        failure = job.run(offline=False, skip=skip)
        if failure is not None and failure.outcome not in CODE_OUTCOMES:
            return failure
        failure = job.run(offline=True, skip=skip)
        if failure is not None and failure.outcome is BuildOutcome.DEPENDENCY_UNAVAILABLE:
            failure = replace(failure, reason=f"{failure.reason} It builds with the network, but not without it.")
        return failure

    def _read(self, job: "_Job", *, compiled: bool) -> BuildModel:
        prepared, maven = job.prepared, job.maven
        places = self.places(maven, job.folder)
        record = read_record(job.record, places)
        run = ModelRun(job.folder, record, places, compiled, job.is_keyed, job.has_made)
        job.record.unlink()  # The folder may be where tests run.
        level, jdk = prepared.choice.level, maven.jdk.feature
        model = read_maven_model(run, prepared.fingerprint, jdk, level, maven.skips, self.saved)
        asked = {path: exists(prepared.checkout.folder / path) for path in record.asked}
        model = model.model_copy(update={"asked": asked})
        maven.local.mark_proven(prepared.fingerprint)
        return resolve_engine_jars(model, maven, places, offline=self.offline)


@dataclass(frozen=True)
class _Job:
    """A checkout to be built by Maven in a folder of its own."""

    prepared: Preparation
    maven: Maven
    folder: Path
    replaced: Mapping[str, bytes | None] | None
    resident: ResidentMaven | None = None
    """The first question; `folder` is its folder then."""

    @property
    def record(self) -> Path:
        return self.folder / RECORD

    def is_keyed(self, path: str) -> bool:
        """Whether the key of the model holds the content of the file at a path of the folder."""
        return self.prepared.files.holds(path) and not (is_file(self.folder / path) and self.has_made(path))

    def has_made(self, path: str) -> bool:
        """Whether the file at a path of the folder is not one of the checkout."""
        return path not in (self.replaced or {}) and not (self.prepared.checkout.folder / path).is_file()

    def run(self, *, offline: bool, skip: bool, is_last: bool = True) -> MavenFailure | None:
        """One run in a fresh copy; `skip` leaves compilation out.

        A resident Maven is believed where another run follows anyway, and in what javac says.
        """
        more = SKIP_COMPILATION if skip else {}
        self._copy()
        if self.resident is not None:
            finished = self.resident.run(self.maven, GOALS, offline=offline, record=self.record, more=more)
            failure = None if finished is None else self._failure(finished)
            asked_again = not is_last and _may_need_network(failure)
            if finished is not None and (failure is None or failure.outcome in CODE_OUTCOMES or asked_again):
                return failure
            self._copy()
        return self._failure(self.maven.run(self.folder, GOALS, offline=offline, record=self.record, more=more))

    def _copy(self) -> None:
        empty_folder(self.folder)
        copy_checkout(self.prepared.checkout.folder, self.folder, self.replaced)

    def _failure(self, finished: Finished) -> MavenFailure | None:
        if finished.ok:
            return None
        maven = self.maven
        return read_failure(finished, self.folder, str(self.prepared.checkout), maven.seconds, maven.jdk.feature)


def _needed_by_plugins(failure: MavenFailure | None) -> NewerJdk | None:
    """The newer JDK that every revision with the same POMs needs."""
    return None if failure is None or failure.by_compiler else failure.newer


def _may_need_network(failure: MavenFailure | None) -> bool:
    """Plugins fail in ways of their own when something of theirs is missing, so only clear verdicts are final."""
    final = (*CODE_OUTCOMES, *FINAL_OUTCOMES)
    return failure is not None and failure.outcome not in final
