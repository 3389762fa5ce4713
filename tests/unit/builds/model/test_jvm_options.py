"""Words of `argLine` and system properties that the launcher passes to its JVM as Surefire does."""

import pytest

from testevo.builds.model.parameters.jvm_options import is_plain, read_at_start, unknown_option
from testevo.builds.model.surefire_settings import words_of


@pytest.mark.parametrize(
    "line",
    [
        "",
        "-Xmx1g -Xss4m -XX:MaxPermSize=256m -XX:+UseG1GC -XX:-UseSplitVerifier",
        "-Dfile.encoding=ISO-8859-1 -Duser.language=de -Dflag",
        "--add-opens java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.util=a,b --add-modules java.sql",
        "\n  -ea:org.example...\n  '-Da=b'",
        "-javaagent:{repository}/m/m/1/m-1.jar=destfile=a -Djava.io.tmpdir={checkout}/target",
        "-Da='b c' \"-Db=c d\"",
        "--illegal-access=permit --enable-preview -noverify -Xshare:off -Xbootclasspath/a:a.jar",
    ],
)
def test_known_words_are_passed_on(line: str) -> None:
    assert is_plain(line)
    assert unknown_option(words_of(line)) is None


@pytest.mark.parametrize("line", [r"-Da=b\c", "-Da=$HOME", "-Da=`id`", "-Da='b", "'a\"b'"])
def test_a_line_that_a_shell_would_read_otherwise_is_not(line: str) -> None:
    assert not is_plain(line)


@pytest.mark.parametrize(
    "word",
    ["-da", "-disableassertions:a", "-cp", "@args", "-jar", "-agentlib:jdwp=a", "-Xlog:gc", "--add-opens", "a.b.C"],
)
def test_an_unknown_word_is_named(word: str) -> None:
    assert unknown_option(["-ea", word]) == word
    assert unknown_option([word, "-ea"]) == word


@pytest.mark.parametrize("name", ["user.language", "file.encoding", "java.library.path", "sun.nio.x", "user.timezone"])
def test_a_property_that_a_jvm_reads_at_its_start_comes_too_late(name: str) -> None:
    assert read_at_start(name, 8)


@pytest.mark.parametrize("name", ["a", "java.io.tmpdir", "java.awt.headless", "java.util.logging.config.file", "user"])
def test_others_do_not(name: str) -> None:
    assert not read_at_start(name, 11)
