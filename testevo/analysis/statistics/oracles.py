"""The oracle check: what a test that succeeds would lose without its assertions.

An assertion that fails ends a run with an AssertionError, and where all hold they change nothing. So whatever ends a
run otherwise, on a mutant or on the old code, would end it without the assertions too: the runs that a grade is made of
tell it, and no further one is needed. An assertion that fails before an exception would have come counts for the test.
"""

from testevo.records.evaluation.grading import Discrimination, Grade, MethodResult


def unasserted(method: MethodResult) -> str | None:
    """How a Success ends where it should not pass, never by an assertion, so that its assertions could go.

    Returns:
        None where an assertion fails on a mutant or on the old code, or where the test runs on neither.
    """
    score, old = method.mutation, method.discrimination
    ran = score is not None or (old is not None and old.behavioural)
    if method.grade is not Grade.SUCCESS or not ran:
        return None
    if (score is not None and score.killed_by_assertion) or old is Discrimination.ASSERTION:
        return None
    said = [] if score is None else [f"{score.killed} of {score.mutants} mutants killed, none by an assertion"]
    said += [] if old is None else [f"old code: {old.doc}"]
    return "; ".join(said)
