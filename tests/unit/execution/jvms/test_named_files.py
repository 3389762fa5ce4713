"""Files that the JVM arguments of a project name, and that a sandbox shows."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from testevo.builds.engine import BuiltTree
from testevo.execution.jvms.jvm import named_files

MakeTree = Callable[..., BuiltTree]


def test_files_are_shown_below_the_repository_the_jdk_and_the_checkout_alone(
    make_tree: MakeTree, tmp_path: Path
) -> None:
    tree = make_tree({})
    repository = tmp_path / "repository"
    jar = repository / "g" / "lib" / "1" / "lib-1.jar"
    agent = repository / "g" / "agent" / "1" / "agent-1.jar"
    secret, own, link = tmp_path / "secret", tree.checkout.folder / "own", tree.checkout.folder / "link"
    foreign = tmp_path / "home" / "repository" / "g" / "agent" / "1" / "agent-1.jar"
    for file in (jar, agent, secret, own, foreign):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    link.symlink_to(secret)
    arguments = (
        "-ea",
        f"-javaagent:{agent}=x",
        f"-Da={secret},{own}",
        f"-Db={link}",
        f"-javaagent:{foreign}",
        f"-Dc={tree.jdk.home}/release",
        f"-Dd=/{'x' * 300}",
    )
    class_path = (*tree.modules[0].class_path, jar)
    module = replace(tree.modules[0], class_path=class_path, jvm_arguments=arguments)
    assert named_files(tree, module) == [agent, own, tree.jdk.home / "release"]
