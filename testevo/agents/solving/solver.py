"""One run of a system on a task: workspace, gateway, sandbox; then what it did, what it cost, what it changed."""

import os
import resource
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from testevo.agents.gateway import forwarder
from testevo.agents.gateway.gateway import Gateway
from testevo.agents.gateway.prices import PriceTable
from testevo.agents.gateway.rate import RateLimit
from testevo.agents.prompts.texts import COMPILE, RUN_TEST
from testevo.agents.solving.ending import Ending, ending_of
from testevo.agents.solving.spoiled import CALLS, note_begin, note_end, spent_before
from testevo.agents.systems.python import plain_python
from testevo.agents.systems.system import AgentCommand, AgentRequest, AgentSystem
from testevo.agents.trajectories.scanner import Scanned, findings_of
from testevo.agents.workspace.changes import changes_of
from testevo.agents.workspace.workspace import AgentWorkspace, prepare_workspace
from testevo.config.solving import Solving, SolvingSystem
from testevo.packaging.start_states.brief import brief_of
from testevo.packaging.start_states.start_state import TargetFile
from testevo.records.agents.runs import AgentRun, RunStatus
from testevo.records.agents.usage import Budget, ModelUsage
from testevo.records.tasks import Task
from testevo.revisions.workspace import Workspace
from testevo.runtime.errors import UserError
from testevo.runtime.files.files import canonical_json, content_key, write_atomically
from testevo.runtime.files.removal import temporary_folder
from testevo.runtime.machine_faults import is_machine_fault
from testevo.sandboxes.sandbox import Sandbox
from testevo.sandboxes.watching import ProcessLimits, Watched

PORT = 8080
"""Of the gateway inside a sandbox that has a network of its own."""
OUTPUT_BYTES = 64 * 2**20
_FOLDERS = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Unit:
    """A run that is asked for."""

    task: Task
    attempt: int


@dataclass(frozen=True)
class Solver:
    """A system on the tasks of one repository; each process has one.

    Args:
        runs: folder of the system's trajectories.
        scratch: where workspaces are made; each goes with its run.
    """

    name: str
    system: AgentSystem
    asked: SolvingSystem
    solving: Solving
    sandbox: Sandbox
    revisions: Workspace
    prices: PriceTable
    rate: RateLimit | None
    runs: Path
    scratch: Path
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    """Where the key is read from."""

    @property
    def budget(self) -> Budget:
        return Budget.model_validate(self.solving.budget.model_dump())

    def key(self, unit: Unit) -> str:
        """Of all that a run is asked for: equal keys are not run twice."""
        return content_key(
            "run 1",
            self.name,
            self.system.version,
            canonical_json(self.asked.model_dump(mode="json", exclude={"key_variable"})),
            canonical_json(self.solving.budget.model_dump(mode="json")),
            brief_of(unit.task).line(),
            unit.task.new_revision,
            str(unit.attempt),
        )

    def solve(self, unit: Unit, target: TargetFile) -> AgentRun:
        """Run the system on a task, again where the model gave no answer.

        Raises:
            MachineError: the sandbox, the JDK or the disk is at fault, or there is no key.
        """
        place, key = self.runs / unit.task.task_id / f"{unit.task.track.value}-{unit.attempt}", self.key(unit)
        spent = spent_before(place, key)
        for _ in range(self.solving.tries):
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            note_begin(place, key, spent)
            run = self._tried(unit, target, place).model_copy(update={"tries": spent.tries + 1, "spoiled": spent})
            spent, settled = run.spent, run.status is not RunStatus.INFRASTRUCTURE
            note_end(place, key, spent, settled=settled)
            if settled:
                break
        return run

    def _tried(self, unit: Unit, target: TargetFile, place: Path) -> AgentRun:
        self.scratch.mkdir(parents=True, exist_ok=True)
        with temporary_folder(self.scratch, "") as folder:
            try:
                workspace = prepare_workspace(unit.task, self.revisions, target, folder)
            except UserError as error:
                if is_machine_fault(error):
                    raise
                ending = Ending(RunStatus.INFRASTRUCTURE, f"no workspace could be made: {error}")
                return self._record(unit, place, ending, _Done(ModelUsage(), 0.0, 0.0))
            return self._run(unit, place, workspace)

    def _run(self, unit: Unit, place: Path, workspace: AgentWorkspace) -> AgentRun:
        log = place / CALLS
        with self._gateway(log) as gateway:
            request = self._request(workspace, gateway)
            command = self.system.command(request)
            begun, cpu = time.monotonic(), _cpu_seconds()
            watched = self._watched(command, workspace, gateway)
            wall, cpu = max(0.0, time.monotonic() - begun - gateway.waited()), _cpu_seconds() - cpu
        usage = gateway.usage()
        (place / "output").write_bytes(watched.stdout)
        (place / "errors").write_bytes(watched.stderr)
        events = self.system.events(place / "output", request)
        write_atomically(place / "events.jsonl", "".join(f"{event.line()}\n" for event in events).encode())
        changes = changes_of(workspace.repository, workspace.start, workspace.target, workspace.builds)
        if changes.patch is not None:
            (place / "patch").write_text(changes.patch, encoding="utf-8")
        scanned = Scanned(
            unit.task.task_id, workspace.target.path, events, changes.patch, changes.outside, workspace.artifacts
        )
        done = _Done(usage, wall, cpu, changes.patch)
        run = self._record(unit, place, ending_of(watched, usage, log), done)
        return run.model_copy(update={"outside": changes.outside, "findings": findings_of(scanned)})

    def _gateway(self, log: Path) -> Gateway:
        key = None
        if self.asked.key_variable is not None:
            key = self.environment.get(self.asked.key_variable)
            if not key:
                raise UserError(
                    f"{self.name}: the environment variable {self.asked.key_variable} is not set. Put the key for "
                    f"{self.asked.address} into it, or set solving.systems.{self.name}.key_variable to null."
                )
        return Gateway(
            upstream=self.asked.address,
            models=(self.asked.model, *self.asked.further_models),
            key=key,
            budget=self.budget,
            prices=self.prices,
            log=log,
            rate=self.rate,
            wait_seconds=self.solving.wait_seconds,
        )

    @property
    def _forwards(self) -> bool:
        """Whether the sandbox has a network of its own, so that connections are forwarded to a socket."""
        return self.sandbox.name != "none"

    def _request(self, workspace: AgentWorkspace, gateway: Gateway) -> AgentRequest:
        return AgentRequest(
            workspace=workspace.repository,
            home=workspace.home,
            prompt=workspace.prompt,
            prompt_file=workspace.prompt_file,
            model=self.asked.model,
            gateway=f"http://127.0.0.1:{PORT}" if self._forwards else gateway.address,
            token=gateway.token,
            target=workspace.target.path,
            test_command=f"{COMPILE} && {RUN_TEST}",
        )

    def _watched(self, command: AgentCommand, workspace: AgentWorkspace, gateway: Gateway) -> Watched:
        arguments = list(command.arguments)
        readable = list(command.readable)
        if command.standard_input is not None:
            given = workspace.folder / "input.txt"
            given.write_text(command.standard_input, encoding="utf-8")
            arguments = ["/bin/sh", "-c", 'input=$1; shift; exec "$@" <"$input"', "sh", str(given), *arguments]
        if self._forwards:
            python, more = plain_python()
            program = str(Path(forwarder.__file__).resolve())
            arguments = [*python, program, str(gateway.socket), str(PORT), *arguments]
            readable += [gateway.socket.parent, Path(program), *more]
        confinement = workspace.confinement(
            tuple(readable), memory_mb=self.solving.memory_mb, disk_mb=self.solving.disk_mb
        )
        limits = ProcessLimits(self.solving.budget.seconds, OUTPUT_BYTES, further_seconds=gateway.waited)
        return self.sandbox.run(lambda _: arguments, confinement, _environment(command, workspace), limits)

    def _record(self, unit: Unit, place: Path, ending: Ending, done: "_Done") -> AgentRun:
        return AgentRun(
            system=self.name,
            task_id=unit.task.task_id,
            track=unit.task.track,
            repository=unit.task.repository,
            attempt=unit.attempt,
            key=self.key(unit),
            program=self.system.name,
            version=self.system.version,
            model=self.asked.model,
            sandbox=self.sandbox.name,
            status=ending.status,
            reason=ending.reason,
            exit_code=ending.exit_code,
            budget=self.budget,
            usage=done.usage,
            wall_s=round(done.wall_s, 3),
            cpu_s=round(done.cpu_s, 3),
            patch=done.patch,
            trajectory=place.relative_to(self.runs.parent).as_posix(),
        )


@dataclass(frozen=True)
class _Done:
    """What a run took and left."""

    usage: ModelUsage
    wall_s: float
    cpu_s: float
    patch: str | None = None


def _environment(command: AgentCommand, workspace: AgentWorkspace) -> dict[str, str]:
    """That of the program, with what the commands of the workspace need."""
    own = {"HOME": str(workspace.home), "LC_ALL": "C.UTF-8", "TZ": "UTC", **workspace.tools.variables}
    path = [*command.environment.get("PATH", "").split(":"), *_FOLDERS.split(":")]
    return {**own, **command.environment, "PATH": ":".join(dict.fromkeys(filter(None, path)))}


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
