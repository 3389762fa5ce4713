"""POMs as texts: modules, parents, properties, Java level, unstable versions (TEB-M02, M07, M18)."""

from pathlib import Path

import pytest

from testevo.builds.project.least_level import declared_below, with_level_checked
from testevo.builds.project.pom import UnreadableBuildFileError, has_pom, read_pom
from testevo.builds.project.pom_file import given_properties
from testevo.records.repository import Repository, RepositoryRejection, SourceKind
from testevo.records.verdicts import BuildOutcome

HEAD = "<modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>{name}</artifactId><version>1</version>"


def write_pom(folder: Path, body: str = "", name: str = "root") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    head = HEAD.format(name=name)
    (folder / "pom.xml").write_text(f'<project xmlns="http://maven.apache.org/POM/4.0.0">{head}{body}</project>')


def compiler(configuration: str) -> str:
    return (
        "<build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId>"
        f"<configuration>{configuration}</configuration></plugin></plugins></build>"
    )


def parent(version: str = "1", relative: str = "") -> str:
    return f"<parent><groupId>g</groupId><artifactId>root</artifactId><version>{version}</version>{relative}</parent>"


def test_a_folder_without_pom_is_seen(tmp_path: Path) -> None:
    """TEB-M02."""
    assert not has_pom(tmp_path)


@pytest.mark.parametrize(
    ("body", "level"),
    [
        (compiler("<release>11</release><source>8</source>"), "11"),
        (compiler("<source>1.7</source><target>1.8</target>"), "1.7"),
        (compiler("<target>1.6</target>"), "1.6"),
        ("<properties><maven.compiler.release>17</maven.compiler.release></properties>", "17"),
        ("<properties><j>8</j><maven.compiler.source>${j}</maven.compiler.source></properties>", "8"),
        ("<properties><j>8</j></properties>" + compiler("<source>${j}</source>"), "8"),
        (compiler("<source>${unknown}</source>"), None),
        ("<properties><a>${a}${a}</a><maven.compiler.source>${a}</maven.compiler.source></properties>", None),
        ("<properties><a>8</a><maven.compiler.source>${a}${a}</maven.compiler.source></properties>", "88"),
        ("", None),
    ],
)
def test_the_level_comes_from_release_then_source_then_target(tmp_path: Path, body: str, level: str | None) -> None:
    """TEB-M07."""
    write_pom(tmp_path, body)
    assert read_pom(tmp_path).level == level


def test_the_level_is_inherited_from_a_parent_on_disk(tmp_path: Path) -> None:
    """The level often stands in the parent only."""
    modules = "<packaging>pom</packaging><modules><module>core</module></modules>"
    write_pom(tmp_path, modules + compiler("<source>9</source>"))
    write_pom(tmp_path / "core", parent(), "core")
    project = read_pom(tmp_path)
    assert [module.path for module in project.modules] == ["", "core"]
    assert project.level == "9"
    assert "pom.xml" in (project.demand.highest.place if project.demand.highest else "")


def test_a_common_property_counts_only_below_a_parent_in_a_registry(tmp_path: Path) -> None:
    body = "<properties><java.version>11</java.version></properties>"
    write_pom(tmp_path, body)
    assert read_pom(tmp_path).level is None
    write_pom(tmp_path, parent(relative="<relativePath/>") + body)
    project = read_pom(tmp_path)
    assert project.level == "11"
    assert not project.demand.complete


def test_profiles_active_by_default_add_modules_and_win_over_properties(tmp_path: Path) -> None:
    profile = (
        "<profiles><profile><id>p</id><activation><activeByDefault>true</activeByDefault></activation>"
        "<properties><maven.compiler.source>11</maven.compiler.source></properties>"
        "<modules><module>extra</module></modules></profile>"
        "<profile><id>q</id><modules><module>never</module></modules></profile></profiles>"
    )
    properties = "<properties><maven.compiler.source>8</maven.compiler.source></properties>"
    write_pom(tmp_path, f"<packaging>pom</packaging>{properties}<modules><module>core</module></modules>{profile}")
    write_pom(tmp_path / "core", name="core")
    write_pom(tmp_path / "extra", parent(), "extra")
    project = read_pom(tmp_path)
    assert [module.path for module in project.modules] == ["", "core", "extra"]
    assert project.level == "11"


def test_versions_and_revisions_are_resolved(tmp_path: Path) -> None:
    text = (
        "<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>a</artifactId>"
        "<version>${revision}</version><properties><revision>3.${minor}</revision><minor>2</minor></properties></project>"
    )
    (tmp_path / "pom.xml").write_text(text)
    assert read_pom(tmp_path).modules[0].version == "3.2"


def test_enforcer_rules_and_toolchains_demand_a_jdk(tmp_path: Path) -> None:
    body = (
        "<build><plugins><plugin><artifactId>maven-enforcer-plugin</artifactId><executions><execution><configuration>"
        "<rules><requireJavaVersion><version>[11,)</version></requireJavaVersion></rules></configuration></execution>"
        "</executions></plugin><plugin><artifactId>maven-toolchains-plugin</artifactId><configuration><toolchains><jdk>"
        "<version>17</version></jdk></toolchains></configuration></plugin></plugins></build>"
    )
    write_pom(tmp_path, body)
    demand = read_pom(tmp_path).demand
    assert demand.jdk is not None
    assert (demand.jdk.feature, demand.jdk.place) == (17, "toolchain in pom.xml")


def test_a_malformed_pom_names_file_line_and_reason(tmp_path: Path) -> None:
    write_pom(tmp_path, "<packaging>pom</packaging><modules><module>core</module></modules>")
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "pom.xml").write_text("<project>\n  <artifactId>core</artifact>\n</project>")
    said = r"core/pom\.xml:2 is not well-formed XML: Opening and ending tag"
    with pytest.raises(UnreadableBuildFileError, match=said) as error:
        read_pom(tmp_path)
    assert error.value.outcome is BuildOutcome.UNREADABLE_BUILD_FILE


def test_another_root_element_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_text("<settings/>")
    with pytest.raises(UnreadableBuildFileError, match=r"pom\.xml:1 starts with <settings>"):
        read_pom(tmp_path)


@pytest.mark.parametrize("declared", ['SYSTEM "{secret}"', '"8"'])
def test_entities_of_a_pom_are_not_read(tmp_path: Path, declared: str) -> None:
    """Nor does Maven know them, where a POM refers to one."""
    (secret := tmp_path / "secret").write_text("7")
    entity = f"<!DOCTYPE project [<!ENTITY s {declared.format(secret=secret)}>]>"
    (tmp_path / "pom.xml").write_text(f"{entity}<project>{HEAD.format(name='a')}</project>")
    assert read_pom(tmp_path).level is None
    properties = "<properties>\n<maven.compiler.source>1&s;</maven.compiler.source></properties>"
    (tmp_path / "pom.xml").write_text(f"{entity}<project>{HEAD.format(name='a')}{properties}</project>")
    with pytest.raises(UnreadableBuildFileError, match=r"pom\.xml:2 refers to the entity &s;, which Maven does not"):
        read_pom(tmp_path)


def test_processing_instructions_are_no_content(tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_text(f"<?a b?><project><?c d?>{HEAD.format(name='ro<?e f?>ot')}</project>")
    assert read_pom(tmp_path).modules[0].artifact == "root"


def test_missing_modules_and_cycles_are_named(tmp_path: Path) -> None:
    write_pom(tmp_path, "<packaging>pom</packaging><modules><module>core</module></modules>")
    with pytest.raises(UnreadableBuildFileError, match=r"names the module core, which has no pom\.xml"):
        read_pom(tmp_path)
    write_pom(tmp_path / "core", "<packaging>pom</packaging><modules><module>..</module></modules>", "core")
    with pytest.raises(UnreadableBuildFileError, match=r"form a cycle: pom\.xml -> core/pom\.xml -> pom\.xml"):
        read_pom(tmp_path)


@pytest.mark.parametrize("place", ["circle", "x" * 5000, "x/" * 3000, "x" * 250 + "/x" * 2000], ids=len)
def test_paths_that_no_disk_takes_name_no_pom(tmp_path: Path, place: str) -> None:
    """They ended the work on all commits of their repository."""
    (tmp_path / "circle").symlink_to("circle")
    write_pom(tmp_path, f"<packaging>pom</packaging><modules><module>{place}</module></modules>")
    with pytest.raises(UnreadableBuildFileError, match=r"names the module [xcircle/]{6,200}, which has no pom\.xml"):
        read_pom(tmp_path)
    write_pom(tmp_path, parent(relative=f"<relativePath>{place}</relativePath>"))
    assert read_pom(tmp_path).modules[0].artifact == "root"


def test_modules_nested_without_end_are_refused(tmp_path: Path) -> None:
    for number in range(1200):
        after = f"<packaging>pom</packaging><modules><module>{'../' if number else ''}m{number + 1}</module></modules>"
        write_pom(tmp_path / f"m{number}" if number else tmp_path, after, f"m{number}")
    with pytest.raises(UnreadableBuildFileError, match=r"pom\.xml has modules within modules"):
        read_pom(tmp_path)


def test_a_module_outside_the_repository_is_refused(tmp_path: Path) -> None:
    write_pom(tmp_path / "other", name="other")
    write_pom(tmp_path / "repo", "<packaging>pom</packaging><modules><module>../other</module></modules>")
    with pytest.raises(UnreadableBuildFileError, match="outside the repository"):
        read_pom(tmp_path / "repo")


def test_a_pom_that_is_its_own_parent_is_refused(tmp_path: Path) -> None:
    write_pom(tmp_path, parent(relative="<relativePath>pom.xml</relativePath>"))
    with pytest.raises(UnreadableBuildFileError, match="its own parent"):
        read_pom(tmp_path)


def test_unstable_versions_of_others_are_listed(tmp_path: Path) -> None:
    dependency = "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"
    own = dependency.format("g", "core", "1-SNAPSHOT")
    others = dependency.format("x", "y", "2-SNAPSHOT") + dependency.format("x", "z", "[1,2)")
    fixed = dependency.format("x", "f", "1.0")
    write_pom(tmp_path, f"<modules><module>core</module></modules><dependencies>{own}{others}{fixed}</dependencies>")
    write_pom(tmp_path / "core", name="core")
    assert read_pom(tmp_path).unstable_versions == ("x:y:2-SNAPSHOT", "x:z:[1,2)")


@pytest.mark.parametrize(
    ("body", "least", "overriding", "says"),
    [
        (compiler("<source>1.7</source>"), 8, None, "o/n declares Java 1.7 at 1234567 (<source> of maven"),
        (compiler("<source>1.8</source>"), 8, None, None),
        (compiler("<source>1.8</source>"), 11, None, "rules.walk.least_java_level is 11"),
        (compiler("<source>1.7</source>"), None, None, None),
        (compiler("<source>1.7</source>"), 8, "8", None),
        (compiler("<source>1.5</source>"), 8, "1.7", "declares Java 1.5"),
        ("", 8, None, None),
        ("<modules><module>absent</module></modules>" + compiler("<source>1.5</source>"), 8, None, None),
    ],
)
def test_a_project_that_declares_too_old_a_level_is_rejected(
    tmp_path: Path, body: str, least: int | None, overriding: str | None, says: str | None
) -> None:
    """TEB-M07. Nothing declared, and what cannot be read, are no reason; an override counts instead."""
    write_pom(tmp_path, body)
    repository = Repository(name="o/n", source=SourceKind.LIST, address="x")
    checked = with_level_checked(repository, "1234567890", tmp_path, least, overriding)
    assert checked.rejection is (RepositoryRejection.JAVA_TOO_OLD if says else None)
    assert (says or "") in (checked.detail or "")


def test_a_project_with_one_module_of_the_least_level_stays(tmp_path: Path) -> None:
    write_pom(tmp_path, "<modules><module>core</module></modules>" + compiler("<source>1.6</source>"))
    write_pom(tmp_path / "core", parent() + compiler("<source>8</source>"), "core")
    assert declared_below(tmp_path, 8) is None


def test_options_of_the_project_give_properties(tmp_path: Path) -> None:
    (tmp_path / ".mvn").mkdir()
    (tmp_path / ".mvn" / "maven.config").write_text(
        "-T 1C -Da=1\n-D b=2 --define=c\n-Pfast --no-transfer-progress -T2\n"
    )
    assert given_properties(tmp_path) == {"a": "1", "b": "2", "c": "true"}


@pytest.mark.parametrize("option", ["-fn", "-l", "--log-file=build.log", "-f", "verify"])
def test_options_that_hide_how_a_build_went_are_refused(option: str, tmp_path: Path) -> None:
    (tmp_path / ".mvn").mkdir()
    (tmp_path / ".mvn" / "maven.config").write_text(f"-B\n{option} some\n")
    with pytest.raises(UnreadableBuildFileError, match=f"passes {option} to Maven"):
        given_properties(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        b"<name>Ren&eacute; &copy;&nbsp;&amp; &#233; &lt;<![CDATA[&nosuch;]]><!-- &nosuch; --></name>",
        "<name>René</name>".encode("latin-1"),
    ],
)
@pytest.mark.parametrize("declaration", [b"", b'<?xml version="1.0" encoding="UTF-8"?>'])
def test_entities_of_html_and_bytes_that_are_no_utf_8_are_read_as_by_maven(
    tmp_path: Path, declaration: bytes, name: bytes
) -> None:
    head = HEAD.format(name="root").encode()
    (tmp_path / "pom.xml").write_bytes(declaration + b"<project>" + head + name + b"</project>")
    assert read_pom(tmp_path).modules[0].artifact == "root"


def test_an_entity_is_a_character_and_other_encodings_are_kept(tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_bytes(b"<project><artifactId>caf&eacute;</artifactId></project>")
    assert read_pom(tmp_path).modules[0].artifact == "café"
    declared = '<?xml version="1.0" encoding="ISO-8859-1"?><project><artifactId>café</artifactId></project>'
    (tmp_path / "pom.xml").write_bytes(declared.encode("latin-1"))
    assert read_pom(tmp_path).modules[0].artifact == "café"
    (tmp_path / "pom.xml").write_bytes(b"<project><artifactId>&nosuch;</artifactId></project>")
    with pytest.raises(UnreadableBuildFileError, match="not well-formed XML"):
        read_pom(tmp_path)


def test_modules_and_parents_may_be_named_with_backslashes(tmp_path: Path) -> None:
    modules = "<packaging>pom</packaging><modules><module>a\\b</module></modules>"
    write_pom(tmp_path, modules + compiler("<source>9</source>"))
    write_pom(tmp_path / "a" / "b", parent(relative="<relativePath>..\\..\\pom.xml</relativePath>"), name="b")
    read = read_pom(tmp_path)
    assert [module.path for module in read.modules] == ["", "a/b"]
    assert read.level == "9"
