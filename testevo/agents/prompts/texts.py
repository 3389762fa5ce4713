"""The words of the two prompts, in ASCII; `{...}` are filled in for each task."""

COMPILE = "./.testevo/compile"
"""Compiles the module of the task, from the top folder of its repository."""
RUN_TEST = "./.testevo/run-test"
"""Runs the target test methods, or those that are named."""
LAUNCHER = ".testevo/launcher.jar"
"""The jar by which it does so."""

_FACTS = """\
## The repository

- Its only commit is {commit}.
- The production code is as it is AFTER a change.
- {state}

## The tests

File: {test_file}
Methods to {verb}:
{methods}

## The production methods that the change touched (DM)

{dependencies}

## What to do

"""

_COMMANDS = """\
Compile with `{compile}`. It runs `{build}` without the network.
{number_after}. Run the tests with `{run_test}`, or some of them with `{run_test} '{example}'`. It starts the launcher \
of JUnit tests (`{launcher}`), each time in a new JVM, prints the outcome of each test with its stack trace, and \
writes the same below `.testevo/reports`.
"""

_END = """\
If the variable MAVEN_SETTINGS_PATH is set, give `-s "$MAVEN_SETTINGS_PATH"` to each Maven that you start yourself: \
dependencies come from a local repository.
{number_last}. Before you finish, look at `git diff --name-only HEAD`. Builds can change tracked files. Undo each \
change of a file other than {test_file} with `git checkout -- <path>`: the final diff may hold {test_file} alone.

You can read and edit files and use a shell. Work on your own, and do not ask for confirmation.
"""

UPDATE = (
    "Production code of this repository has changed. Update the JUnit tests that the change broke.\n\n"
    + _FACTS
    + """\
1. Read the test methods listed above and the methods of DM.
2. Edit each listed test method so that it compiles and passes with the production code as it is now.
3. Keep what the old test checked wherever it still holds. Where DM behaves in a new way, check the new way.
4. Never change production code. Edit {test_file} and nothing else.
5. """
    + _COMMANDS
    + "7. "
    + _END
)
"""Of the track `update`."""

GENERATION = (
    "Production code of this repository has changed. Write new JUnit test methods for the change.\n\n"
    + _FACTS
    + """\
1. Read the methods of DM, and find out what is new in their behaviour.
2. Add to {test_file} one test method for each name listed above, with exactly that name. Annotate it as a test of the \
JUnit version in use, and let it return void. Check the new behaviour of DM.
3. Each test must tell the new code from the old: it PASSES on the code as it is, and would FAIL or not compile on the \
code before the change. A test that checks only what has not changed is worth nothing here.
4. If {test_file} is missing, create it with its package and imports.
5. Never change production code. Edit {test_file} and nothing else.
6. """
    + _COMMANDS
    + "8. "
    + _END
)
"""Of the track `generation`."""

STATES = {
    (True, True): "{test_file} is as it was BEFORE that change, and has to follow it.",
    (True, False): "{test_file} has to be made.",
    (False, True): "{test_file} has no tests for that change yet.",
    (False, False): "{test_file} does not exist yet.",
}
"""By track (is it an update?) and whether the file is there."""
