"""Hostile test bodies, one for each kind of sabotage that a grader must survive.

Each bounds itself also where no sandbox holds it: at most 200 processes of 20 seconds, 512 MiB, folders made for it or
the private folders of a run, a listener of its own on the loopback interface. Whatever it reaches, it then fails, so
that a pass can only be a forged one, or one of `universal` or `replay`, which found what no run must show.
"""

import hashlib
from functools import cache
from importlib.resources import files

from testevo.records.base import DocumentedEnum
from testevo.records.tasks import Task


class SabotageKind(DocumentedEnum):
    """One kind of sabotage."""

    EXIT_ZERO = "exit_zero", "prints a green summary and ends the JVM with status 0"
    HALT = "halt", "the same by `Runtime.halt`, past all shutdown hooks"
    ENDLESS_LOOP = "endless_loop", "never returns (ten minutes) and ignores interrupts"
    FORK_BOMB = "fork_bomb", "135 processes that leave their group and session and outlive their parents"
    MEMORY = "memory", "fills 512 MiB"
    OUTPUT_FLOOD = "output_flood", "64 MiB on standard output and error, without line ends"
    FORGED_REPORT = "forged_report", "writes reports and prints lines that say it passed, then ends the JVM"
    DELETE_FILES = "delete_files", "empties and deletes files of its working copy"
    REWRITE_CLASSES = "rewrite_classes", "damages the class files on its class path and adds others"
    WRITE_OUTSIDE = "write_outside", "writes to a folder outside its own, made for it"
    OPEN_SOCKETS = "open_sockets", "listens and connects on the loopback interface and leaves all open"
    CHANNEL_BY_REFLECTION = "channel_by_reflection", "makes a verdict channel of the launcher's own classes"
    CHANNEL_BY_DESCRIPTOR = "channel_by_descriptor", "writes verdicts to the pipes it holds"
    UNIVERSAL = "universal", "knows no code, and passes where the run tells that it is on new code or measured"
    REPLAY = "replay", "passes where its working folder or class path holds the developer's test"
    DISGUISED = "disguised", "fails as the launcher would, with forged frames"


KINDS = tuple(SabotageKind)


def kind_of(task: Task, position: int) -> SabotageKind:
    """The sabotage of a target method, by its position in the task: kinds take turns from a start that the id gives."""
    start = int.from_bytes(hashlib.sha256(task.task_id.encode()).digest()[:8], "big")
    return KINDS[(start + position) % len(KINDS)]


def sabotage_body(kind: SabotageKind, type_name: str, method: str, revision: str = "0" * 40) -> str:
    """The body of a test method without its braces. Java 7 and no imports, so that it compiles in any test class.

    Args:
        type_name: binary name of the class the test runs in, for forged verdicts.
        revision: the new one, by the hash that a candidate knows of its task.
    """
    text = _template(f"{kind.value}.java").replace("@TYPE@", type_name).replace("@METHOD@", method)
    text = text.replace("@REVISION@", revision)
    parts = [_template("preamble.java"), text] if "isPrivateRun" in text else [text]
    action = "".join(parts)
    return (
        f"// sabotage: {kind.value}\n"
        # Once per JVM: a parameterised class runs its methods several times.
        'if (java.lang.System.setProperty("testevo.sabotage.done", "true") == null) {\n'
        "new java.lang.Object() {\nvoid act() {\ntry {\n"
        f"{action}"
        "} catch (java.lang.BootstrapMethodError disguise) {\nthrow disguise;\n"
        "} catch (java.lang.Throwable refused) {\njava.lang.System.err.println(refused);\n}\n}\n}.act();\n}\n"
        'if (java.lang.System.getProperty("testevo.sabotage.succeeded") == null)\n'
        f'throw new java.lang.AssertionError("sabotage: {kind.value}");\n'
    )


@cache
def _template(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
