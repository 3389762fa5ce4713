"""Turn a build model and its class folders into what the test runners need: `BuiltModule`s and a `BuiltTree`."""

import errno
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from testevo.builds.classes.module_path import named_module
from testevo.builds.classes.parallel_tests import why_parallel_tests
from testevo.builds.classes.plain_tests import why_plain_tests
from testevo.builds.classes.session_listeners import why_session_listeners
from testevo.builds.engine import BuiltModule, BuiltTree, Checkout
from testevo.builds.model.model import BuildModel, ModuleModel, Places, RunSettings
from testevo.builds.project.jdks import Jdk
from testevo.records.verdicts import in_module
from testevo.runtime.files.files import canonical_json, content_key

Lookup = Callable[[str], tuple[Path, str] | None]
"""Class path entry of a model -> its path and content key; None for a folder that does not exist."""


def built_tree(
    checkout: Checkout,
    jdk: Jdk,
    model: BuildModel,
    places: Places,
    lookup: Lookup,
    *,
    engine: str,
    replaced: Mapping[str, bytes | None] | None = None,
    maven: tuple[str, ...] = (),
) -> BuiltTree:
    """The built tree of `checkout`; `places.checkout` is where its tests run."""
    modules = tuple(_built_module(module, places, lookup, jdk) for module in model.modules)
    by_surefire = [module.path for module in modules if module.surefire is not None]
    key = _tree_key(checkout, model, replaced or {}, by_surefire)
    return BuiltTree(
        checkout,
        jdk,
        modules,
        key,
        engine,
        dict(replaced or {}),
        maven=maven,
        maven_folder=places.checkout if maven else None,
        model=model if maven else None,
    )


def _tree_key(
    checkout: Checkout, model: BuildModel, replaced: Mapping[str, bytes | None], by_surefire: Sequence[str]
) -> str:
    """Key of what goes into a tree and of who runs its tests; the same whoever compiled it, and with which JDK."""
    files = (part for path, new in sorted(replaced.items()) for part in (path, *(() if new is None else ("", new))))
    modules = (
        canonical_json(
            [module.path, module.jvm_arguments, module.environment, module.engine_jars]
            + _settings(module.settings)
            + [[entry, model.jars.get(entry)] for entry in module.run_class_path]
        )
        for module in model.modules
    )
    runs = ("surefire", *by_surefire) if by_surefire else ()
    return content_key("tree", checkout.key, model.level or "", *modules, *runs, "replaced", *files)


def _settings(settings: RunSettings) -> list[dict[str, object]]:
    """Those that a build sets, so that the keys of others stay what they were."""
    found = settings.model_dump(mode="json", exclude_defaults=True)
    return [found] if found else []


def _built_module(module: ModuleModel, places: Places, lookup: Lookup, jdk: Jdk) -> BuiltModule:
    entries = (module.test.output, module.production.output, *module.run_class_path)
    found = [entry for entry in map(lookup, entries) if entry is not None]
    folder = places.checkout / module.path
    built = BuiltModule(
        path=module.path,
        folder=folder,
        production_classes=_folder(lookup, module.production.output, places),
        test_classes=_folder(lookup, module.test.output, places),
        class_path=tuple(path for path, _ in found),
        framework=module.framework,
        engine_jars=tuple(Path(places.path(jar)) for jar in module.engine_jars),
        jvm_arguments=tuple(places.path(word) for word in module.jvm_arguments),
        environment={name: places.path(value) for name, value in module.environment.items()},
        test_includes=module.test_includes,
        test_excludes=module.test_excludes,
        settings=module.settings,
        unread_reports=module.unread_reports,
        test_roots=module.test.roots,
        production_roots=module.production.roots,
        test_resource_folders=_test_resource_folders(module),
        test_encoding=module.test.encoding,
        production_encoding=module.production.encoding,
        class_path_keys=tuple(key for _, key in found),
        outputs=_outputs(module, folder, places),
    )
    own = why_plain_tests(built) or why_parallel_tests(built) or why_session_listeners(built)
    own = own or _no_working_directory(built)
    try:
        built = replace(built, named=named_module(built, module.settings.module_path, jdk.feature))
    except ValueError as error:
        own = own or f"what Surefire puts on the module path is not known: {error}"
    return replace(built, surefire=module.needs_surefire or (own and in_module(own, module.path)))


def _test_resource_folders(module: ModuleModel) -> tuple[str, ...]:
    """Those that hold nothing of the production side."""
    production = [*module.production.roots, *(one.folder for one in module.production.resources)]
    found = dict.fromkeys(one.folder for one in module.test.resources)
    return tuple(one for one in found if not any(f"{path}/".startswith(f"{one}/") for path in production) and one)


def _outputs(module: ModuleModel, folder: Path, places: Places) -> tuple[str, str] | None:
    found = [Path(places.path(side.output)) for side in (module.production, module.test)]
    if any(folder not in path.parents or ".." in path.parts for path in found):
        return None
    production, test = (path.relative_to(folder).as_posix() for path in found)
    return production, test


def _no_working_directory(module: BuiltModule) -> str | None:
    """Why Surefire decides: the revision has a file or a link where the working directory of tests should be."""
    path = module.settings.working_directory
    steps = Path(path).parts
    places = [module.folder.joinpath(*steps[:count]) for count in range(1, len(steps) + 1)]
    try:
        is_there = any(place.is_symlink() or place.is_file() for place in places)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        is_there = True
    return f"the working directory {path} is no folder" if is_there else None


def _folder(lookup: Lookup, output: str, places: Places) -> Path:
    found = lookup(output)
    return found[0] if found is not None else Path(places.path(output))
