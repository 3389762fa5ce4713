"""Which entries of a test class path Surefire puts on the module path, for tests of a named module.

It asks the library plexus-java (`LocationManager.resolvePaths`), by whose rules a module is what the module under test
requires, directly or through others, whether or not it has a descriptor. Everything else stays on the class path.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from testevo.builds.classes.module_descriptors import (
    DESCRIPTOR,
    FIRST_WITH_MODULES,
    ModuleDescriptor,
    Requirement,
    descriptor_of,
)
from testevo.builds.engine import BuiltModule, NamedModule
from testevo.builds.model.model import ModulePathRules
from testevo.runtime.processes.processes import MOST_CHARACTERS


def named_module(module: BuiltModule, rules: ModulePathRules | None, jdk: int) -> NamedModule | None:
    """How the tests of a module run on the module path; None where they run on the class path.

    Args:
        rules: of its version of Surefire; None where it uses the class path.
        jdk: feature version of the JDK.

    Raises:
        ValueError: it cannot be told; the message names the entry.
    """
    if rules is None or jdk < FIRST_WITH_MODULES or not (module.production_classes / DESCRIPTOR).is_file():
        return None
    if (module.test_classes / DESCRIPTOR).is_file():
        raise ValueError("the tests have a module descriptor of their own")
    if sum(len(str(entry)) + 1 for entry in module.class_path) > MOST_CHARACTERS:
        raise ValueError("the class path is longer than an option of a JVM")
    found = {entry: descriptor_of(entry, jdk) for entry in module.class_path if entry.exists()}
    own = found.get(module.production_classes)
    if own is None:
        raise ValueError("the classes of the module are not on its class path")
    chosen = _required(own, found, rules)
    on_path: dict[str, Path] = {}
    for entry, descriptor in found.items():
        if descriptor is not None and descriptor.name in chosen:
            if descriptor.name in on_path:
                raise ValueError(f"{entry.name} and {on_path[descriptor.name].name} are the module {descriptor.name}")
            on_path[descriptor.name] = entry
    return NamedModule(own.name, tuple(on_path.values()), rules)


def _required(
    own: ModuleDescriptor, found: Mapping[Path, ModuleDescriptor | None], rules: ModulePathRules
) -> frozenset[str]:
    """Names of the module and of all that it requires, as far as they are found; the first entry of a name counts."""
    known: dict[str, ModuleDescriptor] = {}
    for descriptor in filter(None, found.values()):
        known.setdefault(descriptor.name, descriptor)
    chosen = {own.name}
    waiting = [(own, True, True)]
    while waiting:
        descriptor, with_static, with_transitive = waiting.pop()
        names = [one.name for one in descriptor.requires if _is_followed(one, with_static, with_transitive)]
        names += _providers(descriptor, known) if rules.with_providers else []
        for name in names:
            if name in known and name not in chosen:
                chosen.add(name)
                waiting.append((known[name], False, with_static))
    return frozenset(chosen)


def _is_followed(requirement: Requirement, with_static: bool, with_transitive: bool) -> bool:
    return with_static or not requirement.is_static or (with_transitive and requirement.is_transitive)


def _providers(descriptor: ModuleDescriptor, known: Mapping[str, ModuleDescriptor]) -> Iterator[str]:
    """Modules that provide a service which a module uses."""
    used = {service.replace("$", ".") for service in descriptor.uses}
    for other in known.values():
        if any(service.replace("$", ".") in used for service in other.provides):
            yield other.name
