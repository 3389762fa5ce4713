"""What the call probe takes for a direct callee, a helper and the closure of a test (TEB-M19, TEB-X09, TEB-X14)."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from launched_tests import Launch, Launcher, class_path, compile_java, fetch_jars

from testevo.builds.project.jdks import find_jdks
from testevo.runtime.files.jars import JARS

pytestmark = pytest.mark.maven


@dataclass(frozen=True)
class Project:
    """A compiled project with the probe attached."""

    launcher: Launcher
    configuration: Path
    output: Path

    def calls(self, *selections: str) -> list[dict[str, Any]]:
        """The records of the probe after running the selections."""
        return self.records(self.launch(*selections))

    def launch(self, *selections: str) -> Launch:
        self.output.unlink(missing_ok=True)
        return self.launcher.run(*selections, probe=self.configuration)

    def records(self, launch: Launch) -> list[dict[str, Any]]:
        records = [json.loads(line) for line in self.output.read_text().splitlines()]
        assert not [record for record in records if "uninstrumented" in record], records
        assert all(outcome == "passed" for _, outcome in launch.outcomes), launch.events
        return records

    def one(self, selection: str) -> dict[str, Any]:
        (record,) = self.calls(selection)
        return record


def project(jdk: Path, jars: Path, folder: Path, junit: str, back_end: str, tests: str, *options: str) -> Project:
    if not (JARS / "probe.jar").is_file():
        pytest.skip("jvm/lib/probe.jar is not built (make setup)")
    libraries = class_path(jars, junit)
    production = compile_java(jdk, ("probe_production",), folder / "production classes", [], *options)
    compiled = compile_java(jdk, (tests,), folder / "test classes", [production, *libraries], *options)
    configuration = folder / "probe configuration"
    output = folder / "calls"
    configuration.write_text(f"production {production}\ntest {compiled}\noutput {output}\n")
    return Project(Launcher(jdk, back_end, (compiled, production, *libraries), folder), configuration, output)


@pytest.fixture(scope="module")
def jars(request: pytest.FixtureRequest) -> Path:
    return fetch_jars(request.config.cache.mkdir("junit-jars"))


@pytest.fixture(scope="module")
def junit4(jdk_home: Path, jars: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    return project(jdk_home, jars, tmp_path_factory.mktemp("probe4"), "junit-4.13.2", "junit4", "probe_junit4")


@pytest.fixture(scope="module")
def calc_test(junit4: Project) -> dict[str, dict[str, Any]]:
    """One run of the whole class, all tests but the one that ends the JVM."""
    methods = (
        "direct",
        "throughJdk",
        "dynamicReceiver",
        "bridged",
        "variableArity",
        "byHelper",
        "lambdas",
        "helpersInLambdas",
        "lambdaInProduction",
        "callBack",
        "exceptions",
        "constructorsThatThrow",
        "constructorAlone",
        "overflow",
        "threads",
        "inTimeout",
        "concurrent",
    )
    return {record["method"]: record for record in junit4.calls(*(f"m.CalcTest#{method}()" for method in methods))}


def names(callees: list[dict[str, Any]], **flags: bool) -> set[str]:
    """`Class.name` of the callees that have these flags."""
    return {
        f"{callee['class'].removeprefix('m.')}.{callee['name']}"
        for callee in callees
        if all(callee[flag] == value for flag, value in flags.items())
    }


def straight(record: dict[str, Any]) -> set[str]:
    return names(record["direct"], through_helper=False, from_thread=False)


def test_only_what_the_test_itself_calls_is_direct(calc_test: dict[str, dict[str, Any]]) -> None:
    """Not callees of callees, not constructors, not what a fixture calls."""
    record = calc_test["direct"]
    assert names(record["direct"]) == straight(record) == {"Calc.add", "Calc.twice"}
    twice = next(callee for callee in record["direct"] if callee["name"] == "twice")
    assert (twice["calls"], twice["descriptor"], twice["signature"]) == (2, "(I)I", None)
    assert record["helpers"] == []
    assert (record["class"], record["parameters"]) == ("m.CalcTest", [])


def test_the_closure_has_the_smallest_depth_of_each_method(calc_test: dict[str, dict[str, Any]]) -> None:
    closure = calc_test["direct"]["closure"]
    depths = {callee["name"]: callee["depth"] for callee in closure if not callee["in_initialiser"]}
    assert depths == {"add": 1, "twice": 1, "plus": 2, "deep": 3, "reset": 3}
    assert names(closure, in_initialiser=True) <= {"Calc.init"}


def test_frames_of_the_jdk_and_junit_are_looked_through(calc_test: dict[str, dict[str, Any]]) -> None:
    assert straight(calc_test["throughJdk"]) == {"Calc.equals", "Rows.iterator"}


def test_the_class_that_holds_the_executed_code_is_named(calc_test: dict[str, dict[str, Any]]) -> None:
    assert straight(calc_test["dynamicReceiver"]) == {"Child.add", "Calc.reset"}


def test_bridges_do_not_show_and_generic_signatures_do(calc_test: dict[str, dict[str, Any]]) -> None:
    found = {(callee["name"], callee["descriptor"]): callee["signature"] for callee in calc_test["bridged"]["direct"]}
    assert found == {
        ("compareTo", "(Lm/Calc;)I"): None,
        (
            "most",
            "(Ljava/util/List;)Ljava/lang/Comparable;",
        ): "<T::Ljava/lang/Comparable<TT;>;>(Ljava/util/List<+TT;>;)TT;",
    }


def test_methods_of_variable_arity_are_told(calc_test: dict[str, dict[str, Any]]) -> None:
    """The signature is that of an array."""
    record = calc_test["variableArity"]
    assert names(record["direct"], variable_arity=True) == {"Calc.number"}
    assert names(record["direct"], variable_arity=False) == {"Calc.twice"}
    assert {callee["signature"] for callee in record["direct"]} == {"<T:Ljava/lang/Object;>([TT;)I", None}


def test_helpers_are_what_the_test_calls_of_the_test_tree(calc_test: dict[str, dict[str, Any]]) -> None:
    """Neither constructors nor fixtures nor helpers of helpers; what they call is marked (TEB-X09)."""
    record = calc_test["byHelper"]
    assert names(record["helpers"]) == {"CalcTest.helped", "Helper.shared", "Helper.made"}
    assert straight(record) == set()
    assert names(record["direct"], through_helper=True) == {"Calc.add", "Calc.hashCode", "Calc.twice"}


def test_lambdas_of_the_test_are_the_test(calc_test: dict[str, dict[str, Any]]) -> None:
    assert straight(calc_test["lambdas"]) == {"Calc.twice", "Calc.add"}
    assert names(calc_test["lambdas"]["helpers"]) == {"CalcTest.run"}
    assert names(calc_test["lambdas"]["direct"], through_lambda=False) == set()
    assert straight(calc_test["lambdaInProduction"]) == {"Calc.fire", "Calc.twice"}
    assert names(calc_test["lambdaInProduction"]["direct"], through_lambda=True) == {"Calc.twice"}


def test_helpers_that_only_lambdas_call_are_marked(calc_test: dict[str, dict[str, Any]]) -> None:
    helpers = calc_test["helpersInLambdas"]["helpers"]
    assert names(helpers, through_lambda=True) == {"Helper.shared"}
    assert names(helpers, through_lambda=False) == {"CalcTest.helped", "CalcTest.run"}


def test_a_call_back_is_no_helper(calc_test: dict[str, dict[str, Any]]) -> None:
    assert calc_test["callBack"]["helpers"] == []
    assert names(calc_test["callBack"]["direct"], through_helper=True) == {"Calc.twice"}


def test_a_helper_that_overloads_its_test_is_a_helper(junit4: Project) -> None:
    """So are its lambdas, which the compiler names after the method alone; those of the test stay the test."""
    record = junit4.one("m.OverloadsTest#adds()")
    assert names(record["helpers"]) == {"OverloadsTest.adds", "OverloadsTest.run"}
    assert straight(record) == {"Calc.reset"}
    assert names(record["direct"], through_helper=True) == {"Calc.add", "Calc.twice"}


def test_a_lambda_in_a_method_of_another_class_is_not_the_test_of_that_name(junit4: Project) -> None:
    record = junit4.one("m.OverloadsTest#calledBack()")
    assert straight(record) == {"Calc.fire"}
    assert names(record["direct"], through_helper=True) == {"Calc.reset"}


def test_exceptions_leave_the_stack_in_order(calc_test: dict[str, dict[str, Any]]) -> None:
    assert straight(calc_test["exceptions"]) == {"Calc.fail", "Calc.reset", "Calc.caught", "Calc.depth"}
    assert {"Calc.twice", "Calc.reset", "Calc.depth"} <= straight(calc_test["constructorsThatThrow"])
    assert straight(calc_test["constructorAlone"]) == {"Calc.twice", "Calc.reset", "Calc.depth"}


def test_a_stack_overflow_stays_one_and_breaks_nothing(calc_test: dict[str, dict[str, Any]]) -> None:
    record = calc_test["overflow"]
    assert straight(record) == {"Calc.recurse", "Calc.reset", "Calc.twice"}
    assert names(record["helpers"]) == {"CalcTest.endless"}


def test_bodies_of_threads_that_the_test_starts_are_direct(calc_test: dict[str, dict[str, Any]]) -> None:
    """A production method as the body of a thread is not called by the test."""
    record = calc_test["threads"]
    assert names(record["direct"], from_thread=True) == {"Calc.twice", "Calc.add", "Calc.equals"}
    assert straight(record) == {"Calc.depth"}
    assert "Calc.reset" in names(record["closure"])


def test_a_test_in_the_thread_of_its_timeout_is_itself(calc_test: dict[str, dict[str, Any]]) -> None:
    assert straight(calc_test["inTimeout"]) == {"Calc.add"}


def test_no_call_of_concurrent_threads_is_lost(calc_test: dict[str, dict[str, Any]]) -> None:
    (twice,) = calc_test["concurrent"]["direct"]
    assert (twice["calls"], twice["from_thread"]) == (8000, True)


def test_an_inherited_test_belongs_to_the_class_it_runs_in(junit4: Project) -> None:
    record = junit4.one("m.InheritingTest#inherited()")
    assert record["class"] == "m.InheritingTest"
    assert straight(record) == {"Calc.add"}
    assert names(record["helpers"]) == {"InheritingTest.make"}


def test_invocations_of_one_method_are_merged(junit4: Project) -> None:
    records = junit4.calls("m.RowsTest")
    assert {record["method"]: straight(record) for record in records} == {
        "row": {"Calc.reset", "Calc.twice"},
        "other": {"Calc.hashCode"},
    }
    assert len(records) == 2


@pytest.mark.parametrize("test", ["fromNowhere", "fromTheTests", "fromLibrary"])
def test_classes_of_a_loader_that_names_another_place_are_instrumented(junit4: Project, test: str) -> None:
    assert straight(junit4.one(f"m.LoadersTest#{test}()")) == {"Calc.twice"}


def test_calls_are_seen_where_a_loader_defines_even_the_probe(junit4: Project) -> None:
    """As the class loader of PowerMock does."""
    assert straight(junit4.one("m.LoadersTest#takesAll()")) == {"Calc.twice"}


def test_a_class_that_a_loader_has_changed_is_reported_and_not_lost(junit4: Project) -> None:
    launch = junit4.launch("m.LoadersTest#changed()")
    assert launch.outcomes == [("changed()", "passed")]
    reported = [json.loads(line) for line in junit4.output.read_text().splitlines()]
    assert [record["uninstrumented"] for record in reported if "uninstrumented" in record] == ["m.Calc"]


def test_calls_are_kept_when_the_test_ends_the_jvm(junit4: Project) -> None:
    assert straight(junit4.one("m.CalcTest#exits()")) == {"Calc.add"}


def test_two_runs_give_the_same_bytes(junit4: Project) -> None:
    junit4.calls("m.CalcTest#direct()", "m.CalcTest#byHelper()")
    first = junit4.output.read_bytes()
    junit4.calls("m.CalcTest#direct()", "m.CalcTest#byHelper()")
    assert junit4.output.read_bytes() == first


def test_jupiter_lambdas_parameters_factories_and_nested_classes(jdk_home: Path, jars: Path, tmp_path: Path) -> None:
    probed = project(jdk_home, jars, tmp_path, "jupiter-5.10", "platform", "probe_jupiter")
    records = {(record["class"], record["method"]): record for record in probed.calls("m.JupiterTest")}
    lambdas = records["m.JupiterTest", "lambdas"]
    assert straight(lambdas) == {"Calc.fail", "Calc.most"}
    assert names(lambdas["direct"], from_thread=True) == {"Calc.reset"}
    assert names(lambdas["direct"], through_lambda=True) == {"Calc.fail", "Calc.reset"}
    numbers = records["m.JupiterTest", "numbers"]
    assert (straight(numbers), numbers["parameters"]) == ({"Calc.twice", "Calc.add"}, ["int"])
    assert straight(records["m.JupiterTest", "makes"]) == {"Calc.reset", "Calc.add"}
    assert straight(records["m.JupiterTest$Inner", "inside"]) == {"Calc.compareTo"}
    assert len(records) == 4


def test_the_newest_jdk_gives_the_same_calls(jars: Path, tmp_path: Path, junit4: Project) -> None:
    """Class files of the version it writes must still verify."""
    newest = find_jdks()[-1].home
    if newest.resolve() == junit4.launcher.jdk.resolve():
        pytest.skip("there is only one JDK")
    methods = ("direct", "exceptions", "constructorsThatThrow", "constructorAlone", "lambdas")
    selections = [f"m.CalcTest#{method}()" for method in methods]
    probed = project(newest, jars, tmp_path, "junit-4.13.2", "junit4", "probe_junit4")
    there = [(record["method"], record["direct"], record["helpers"]) for record in probed.calls(*selections)]
    here = [(record["method"], record["direct"], record["helpers"]) for record in junit4.calls(*selections)]
    assert there == here


def test_class_files_of_java_5_are_instrumented(jdk_home: Path, jars: Path, tmp_path: Path, junit4: Project) -> None:
    """They are verified without frames."""
    probed = project(jdk_home, jars, tmp_path, "junit-4.13.2", "junit4", "probe_junit4", "--release", "8")
    for file in probed.launcher.project[1].rglob("*.class"):
        data = bytearray(file.read_bytes())
        data[6:8] = (49).to_bytes(2, "big")
        file.write_bytes(data)
    selections = ("m.CalcTest#exceptions()", "m.CalcTest#constructorsThatThrow()", "m.CalcTest#overflow()")
    there = [(record["method"], straight(record)) for record in probed.calls(*selections)]
    assert there == [(record["method"], straight(record)) for record in junit4.calls(*selections)]


def test_an_unreadable_class_is_reported_and_not_lost(junit4: Project, tmp_path: Path) -> None:
    """A class file newer than the probe knows: its calls are missing, and the record says so."""
    classes = tmp_path / "newer"
    shutil.copytree(junit4.launcher.project[1], classes)
    rows = classes / "m" / "Rows.class"
    data = bytearray(rows.read_bytes())
    data[6:8] = (200).to_bytes(2, "big")
    rows.write_bytes(data)
    configuration, output = tmp_path / "configuration", tmp_path / "calls"
    configuration.write_text(f"production {classes}\ntest {junit4.launcher.project[0]}\noutput {output}\n")
    entries = (junit4.launcher.project[0], classes, *junit4.launcher.project[2:])
    launch = Launcher(junit4.launcher.jdk, "junit4", entries, tmp_path).run(
        "m.CalcTest#throughJdk()", probe=configuration
    )
    assert launch.outcomes == [("throughJdk()", "exception")]
    reported = [json.loads(line) for line in output.read_text().splitlines()]
    assert [record["uninstrumented"] for record in reported if "uninstrumented" in record] == ["m.Rows"]


def test_a_configuration_without_output_stops_the_jvm(jdk_home: Path, tmp_path: Path) -> None:
    configuration = tmp_path / "configuration"
    configuration.write_text("production /nowhere\n")
    done = subprocess.run(
        [jdk_home / "bin/java", f"-javaagent:{JARS / 'probe.jar'}={configuration}", "-version"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert "names no output" in done.stderr
