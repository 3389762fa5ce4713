"""Listeners of sessions of the JUnit Platform, for which Surefire before 3.0.0-M6 opens more than the launcher."""

from testevo.builds.classes.class_path_files import contents_on_class_path
from testevo.builds.engine import BuiltModule

SERVICE = "META-INF/services/org.junit.platform.launcher.LauncherSessionListener"


def why_session_listeners(module: BuiltModule) -> str | None:
    """Why Surefire runs the tests of a module: one of its version has a session for discovery, and one for the tests.

    None where it has one for both, as the launcher has, or where nothing on the class path listens.
    """
    if module.framework != "platform" or not module.settings.older_start:
        return None
    if any(True for _ in contents_on_class_path(module, SERVICE)):
        return (
            "maven-surefire-plugin before 3.0.0-M6 opens several sessions of the JUnit Platform, to which tests listen"
        )
    return None
